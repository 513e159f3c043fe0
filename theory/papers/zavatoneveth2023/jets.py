r"""Christoffel symbols and Riemann tensor of the Hessian of a potential on two inputs, in jets of the potential.

Metrics with symmetric derivatives are such Hessians.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache

import sympy as sp

AXES = (1, 2)


@cache
def jet(*indices: int) -> sp.Symbol:
    """A derivative of the potential at the point."""
    return sp.Symbol("F" + "".join(map(str, sorted(indices))), real=True)


@cache
def slope(expression: sp.Expr, index: int) -> sp.Expr:
    """Derivative of an expression in jets."""
    return sp.Add(
        *(
            expression.diff(symbol) * jet(*map(int, symbol.name[1:]), index)
            for symbol in sorted(expression.free_symbols, key=str)
        )
    )


@cache
def metric() -> sp.ImmutableMatrix:
    """Second derivatives of the potential."""
    return sp.ImmutableMatrix(2, 2, lambda i, j: jet(i + 1, j + 1))


@cache
def inverse() -> sp.ImmutableMatrix:
    """The inverse of the metric."""
    return metric().inv()


@cache
def christoffel(upper: int, a: int, b: int) -> sp.Expr:
    """Christoffel symbol of the second kind, by definition."""
    first_kind = ((jet(b, k, a) + jet(a, k, b) - jet(a, b, k)) / 2 for k in AXES)
    return sp.Add(*(inverse()[upper - 1, k - 1] * form for k, form in zip(AXES, first_kind, strict=True)))


def derivatives(m: int, nu: int, a: int, b: int) -> sp.Expr:
    """The part of the Riemann tensor with derivatives of Christoffel symbols, index lowered."""
    return sp.Add(
        *(metric()[m - 1, k - 1] * (slope(christoffel(k, b, nu), a) - slope(christoffel(k, a, nu), b)) for k in AXES)
    )


def products(m: int, nu: int, a: int, b: int) -> sp.Expr:
    """The part with products of Christoffel symbols, index lowered."""
    return sp.Add(
        *(
            metric()[m - 1, k - 1]
            * (christoffel(k, a, p) * christoffel(p, b, nu) - christoffel(k, b, p) * christoffel(p, a, nu))
            for k, p in itertools.product(AXES, repeat=2)
        )
    )


def quadratic(m: int, nu: int, a: int, b: int) -> sp.Expr:
    """The combination of third derivatives and the inverse that both parts are multiples of."""
    return sp.Add(
        *(
            inverse()[p - 1, k - 1] * (jet(m, a, p) * jet(nu, b, k) - jet(m, b, p) * jet(nu, a, k))
            for p, k in itertools.product(AXES, repeat=2)
        )
    )


def component(form: Callable[[int, int, int, int], sp.Expr]) -> sp.Expr:
    """The one independent component of a tensor with the symmetries of Riemann's."""
    return form(1, 2, 1, 2)
