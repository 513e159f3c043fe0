r"""Moments of correlated standard normal variables and hypergeometric polynomials, exactly."""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

rho = sp.Symbol("rho", real=True)


def double_factorial(number: int) -> sp.Integer:
    """number!!, 1 at and below 0."""
    return sp.factorial2(number) if number > 0 else sp.S.One


@lru_cache(maxsize=512)
def moment(first: int, second: int) -> sp.Expr:
    """E[u^first v^second] of standard normal u, v with correlation rho, by integration by parts in u."""
    if first < 0 or second < 0:
        return sp.S.Zero
    if first == 0:
        return sp.S.Zero if second % 2 else double_factorial(second - 1)
    rest = (first - 1) * moment(first - 2, second) if first > 1 else sp.S.Zero
    return sp.expand(rest + second * rho * moment(first - 1, second - 1))


def hypergeometric(a: int, b: int, c: sp.Rational, argument: sp.Expr) -> sp.Expr:
    """2F1 of which ``a`` or ``b`` is a negative integer or zero: a polynomial."""
    last = min(-n for n in (a, b) if n <= 0)
    return sp.Add(*(sp.rf(a, j) * sp.rf(b, j) / sp.rf(c, j) * argument**j / sp.factorial(j) for j in range(last + 1)))
