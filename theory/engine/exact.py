"""Numbers that were given as floats, as the decimals that they print."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.core.formula.parsing import sympy_object


def exact(name: str, value: Any, needs: str = "a number or an object of sympy") -> Any:
    """Return a number or an object of sympy with a ratio of integers for every float, since linear algebra is exact.

    Args:
        name: name of the value, for the message.
        value: number or object of sympy.
        needs: what the value has to be, for the message.

    Raises:
        TypeError: for anything else, such as text.

    >>> exact("rate", 0.1 * sp.Symbol("x"))
    x/10
    """
    expression = sympy_object(name, value, needs)
    return expression.xreplace(
        {node: sp.Rational(str(node)) for node in expression.atoms(sp.Float)}
    )
