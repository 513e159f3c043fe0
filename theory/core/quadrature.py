"""Definite integrals with many digits for comparisons, by flint or, where flint fails, by mpmath."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import flint
import sympy as sp

from theory.core.backends import complex_ball_backend, mpmath_backend
from theory.core.backends.certified_integral import enclosed, middle
from theory.core.backends.compiler import compile_expression
from theory.core.exact import number
from theory.core.subexpressions import binds, distinct, substituted


def integral(node: sp.Integral, point: Mapping[sp.Symbol, sp.Expr], digits: int) -> Any:
    """Return an integral at a point as a number of ``mpmath_backend.WORK``.

    The caller holds the lock of ``WORK`` and has set its precision.

    Args:
        node: definite integral.
        point: exact values of its free symbols.
        digits: number of digits of the computation.
    """
    ball = _enclosed(node, point, digits)
    if ball is not None:
        return mpmath_backend.WORK.make_mpf(middle(ball))
    symbols = _symbols(node)
    numbers = (number(point[symbol], mpmath_backend.WORK) for symbol in symbols)
    return compile_expression(node, symbols, mpmath_backend, context=mpmath_backend.WORK)(*numbers)


@lru_cache(maxsize=256)
def without_integrals(expression: sp.Expr) -> tuple[sp.Expr, dict[sp.Integral, sp.Dummy]]:
    """Return the expression with its outermost integrals replaced by symbols, and the map integral -> symbol."""
    integrals = {node: sp.Dummy("integral") for node in distinct(expression, binds) if isinstance(node, sp.Integral)}
    return (substituted(expression, integrals, within=lambda node: node) if integrals else expression), integrals


def _symbols(node: sp.Integral) -> tuple[sp.Symbol, ...]:
    return tuple(sorted(node.free_symbols, key=sp.default_sort_key))


def _enclosed(node: sp.Integral, point: Mapping[sp.Symbol, sp.Expr], digits: int) -> flint.arb | None:
    """Return a ball around the integral; None if it is too wide, or if flint cannot compute it."""
    # Values are not cached, since flint may return a wrong value when it is interrupted.
    symbols = _symbols(node)
    values = [point[symbol] for symbol in symbols]
    function = _compiled(node, symbols) if all(value.is_Rational for value in values) else None
    if function is None:
        return None
    return enclosed(function, values, lambda value: flint.arb(flint.fmpq(int(value.p), int(value.q))), digits)


@lru_cache(maxsize=256)
def _compiled(node: sp.Integral, symbols: tuple[sp.Symbol, ...]) -> Callable[..., Any] | None:
    """Return the integral as a function of balls; None if flint lacks a function or integrals are nested."""
    if len(node.limits) > 1 or node.function.has(sp.Integral):
        return None
    try:
        return compile_expression(node, symbols, complex_ball_backend)
    except NotImplementedError:
        return None
