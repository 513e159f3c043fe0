"""Equations that determine an unknown: sympy may leave out solutions, so that the one it finds may not be the only."""

from __future__ import annotations

import sympy as sp

from theory.core.algebra.signs import sign_of


def finds_all(function: sp.Expr, unknown: sp.Symbol) -> bool:
    """Return whether sympy finds all solutions of an equation ``function = number``.

    All zeros of a rational function are found, and a function that only grows or only falls has each value once.

    Args:
        function: expression in the unknown.
        unknown: a symbol.

    >>> x = sp.Symbol("x", positive=True)
    >>> finds_all(x + sp.log(x), x), finds_all(x - sp.log(x), x)
    (True, False)
    """
    if function.is_rational_function(unknown):
        return True
    return sign_of(sp.diff(function, unknown)) in (1, -1)
