"""Numerical evaluation of formulas as they are printed, with their sums, integrals and undefined functions."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core.formula.parsing import sympy_object

_STEP = sp.Rational(1, 10_000)  # of central differences


def evaluate(expression: Any, values: Mapping[str, Any]) -> Any:
    """Return the value of a printed expression; derivatives of undefined functions are central differences.

    Args:
        expression: the printed expression or relation.
        values: value of each symbol and undefined function by name: a number, an array, a tuple or a Python function.

    Raises:
        ValueError: if a value is missing.
        TypeError: if a value is of another type.

    >>> x, i = sp.symbols("x i")
    >>> evaluate(sp.Sum(x**i, (i, 0, 2)), {"x": 2.0})
    7.0
    """
    expression = sympy_object("expression", expression)
    symbols, functions = _names(expression)
    missing = [name for name in (*symbols, *functions) if name not in values]
    if missing:
        raise ValueError(f"values: got {', '.join(values)}, needs {', '.join(missing)} as well")
    program = _compiled(expression, tuple((name, values[name]) for name in functions))
    return program(*(_as_number_or_array(values[symbol]) for symbol in symbols))


def _symbols(expression: Any) -> list[Any]:
    return sorted(expression.free_symbols, key=str)


@lru_cache(maxsize=1024)
def _names(expression: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the symbols and of the undefined functions."""
    functions = {node.func.__name__ for node in expression.atoms(AppliedUndef)}
    return tuple(map(str, _symbols(expression))), tuple(sorted(functions))


def _as_number_or_array(value: Any) -> Any:
    if isinstance(value, tuple):
        return np.array(value, dtype=float)
    return float(value) if isinstance(value, sp.Expr) else value


@lru_cache(maxsize=256)
def _compiled(expression: Any, functions: tuple[tuple[str, Any], ...]) -> Any:
    # Printed letters need not be valid Python names; dummify=True would turn matrices into scalars.
    renamed = {
        symbol: _renamed(symbol, f"v{index}") for index, symbol in enumerate(_symbols(expression))
    }
    body = expression.replace(lambda part: isinstance(part, sp.Derivative), _difference).xreplace(
        renamed
    )
    return sp.lambdify(
        tuple(renamed.values()), body, modules=[dict(functions), "scipy"], docstring_limit=0
    )


def _difference(derivative: sp.Derivative) -> sp.Expr:
    if derivative.derivative_count != 1 or not derivative.atoms(AppliedUndef):
        return derivative
    place = derivative.variables[0]
    ahead, behind = (derivative.expr.subs(place, place + h) for h in (_STEP, -_STEP))
    return (ahead - behind) / (2 * _STEP)


def _renamed(symbol: Any, name: str) -> Any:
    if isinstance(symbol, sp.MatrixSymbol):
        return sp.MatrixSymbol(name, *symbol.shape)
    return sp.Symbol(name, **symbol.assumptions0)
