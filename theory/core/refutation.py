"""Looks for a point at which two expressions differ.

A candidate is a point at which the difference is the same number in two precisions: rounding errors shrink with the
precision, a real difference does not. It is confirmed by a ball that encloses the difference and excludes zero: that
is a proof. Where a function has no ball arithmetic, a third, much higher precision must find the same number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import flint
import mpmath
import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core.backends import ball_backend, mpmath_backend
from theory.core.backends.compiler import compile_expression
from theory.core.sampling import concrete, rational_point, satisfies

POINTS = 6
# A parametrisation may leave the domain at some points; so many are tried for each one that is wanted.
_PATIENCE = 10
_DIGITS = (50, 80)
_BITS_TO_CONFIRM = (500, 2_000, 10_000, 100_000)
_DIGITS_TO_CONFIRM = 120
# Below this relative size a difference is not called clear, even if both precisions agree on it: quadrature has
# errors that do not shrink.
_CLEAR = mpmath.mpf(10) ** -25
# What evaluation raises at a point where an expression has no value, or none that can be computed.
_UNKNOWN = (ArithmeticError, ValueError, TypeError, NotImplementedError, AttributeError, mpmath.libmp.NoConvergence)


@dataclass(frozen=True)
class Comparison:
    """Outcome of comparing two expressions at random points: at how many they agreed, and one where they did not."""

    agreed: int = 0
    witness: Mapping[sp.Symbol, sp.Expr] | None = None


def compare(
    left: sp.Expr, right: sp.Expr, points: int = POINTS, domain: Mapping[sp.Symbol, sp.Expr] | None = None
) -> Comparison:
    """Evaluates both sides at reproducible random points of the domain that their symbols' assumptions give.

    Args:
        left: one side, in the symbols of the parametrisation if there is one.
        right: the other.
        points: how many points to try.
        domain: a parametrisation, symbol -> expression; points at which it leaves a symbol's assumptions are passed
            over.

    A point at which either side cannot be evaluated says nothing. All points saying nothing is no agreement.
    """
    context = mpmath.MPContext()
    abstract = left.has(AppliedUndef) or right.has(AppliedUndef)
    agreed = 0
    sides: list[Callable[..., Any]] = []
    for index in range(points * (_PATIENCE if domain else 1)):
        if agreed == points:
            break
        seed = str(index)
        try:
            if abstract or not sides:
                pair = [concrete(side, seed).doit(integrals=False) for side in (left, right)]
                free = set().union(*(e.free_symbols for e in (*pair, *(domain or {}).values())))
                symbols = sorted(free, key=sp.default_sort_key)
                sides = [compile_expression(side, symbols, mpmath_backend, context=context) for side in pair]
            point = rational_point(symbols, seed)
            if not all(satisfies(symbol, value.subs(point)) for symbol, value in (domain or {}).items()):
                continue
            (low, _), (high, scale) = (_difference(sides, point, context, digits) for digits in _DIGITS)
        except _UNKNOWN:
            continue
        if not context.isfinite(low) or not context.isfinite(high):
            continue
        if high > _CLEAR * scale and abs(low - high) < high / 1000:
            if _excludes_zero(pair, point, sides, context, high):
                return Comparison(agreed, point)
            continue
        if high <= _CLEAR * scale or high < low / 1000:
            agreed += 1
    return Comparison(agreed)


def _difference(
    sides: list[Callable[..., Any]], point: Mapping[sp.Symbol, sp.Expr], context: mpmath.MPContext, digits: int
) -> tuple[Any, Any]:
    """|left - right| and |left| + |right|, computed with ``digits`` digits."""
    context.dps = digits
    values = [_number(value, context) for value in point.values()]
    left, right = (context.mpmathify(side(*values)) for side in sides)
    return abs(left - right), abs(left) + abs(right)


def _excludes_zero(
    pair: list[sp.Expr], point: Mapping[sp.Symbol, sp.Expr], sides: list[Callable[..., Any]], context: Any, found: Any
) -> bool:
    """Whether the two sides certainly differ at the point; what cannot be enclosed is computed once more."""
    if all(value.is_Rational for value in point.values()):
        try:
            ball = _difference_ball(pair, point)
            if ball is not None:
                return not ball.contains(0)
        except _UNKNOWN:
            pass
    confirmed, _ = _difference(sides, point, context, _DIGITS_TO_CONFIRM)
    return bool(abs(confirmed - found) < found / 1000)


def _difference_ball(pair: list[sp.Expr], point: Mapping[sp.Symbol, sp.Expr]) -> Any:
    """A ball around left - right, narrow enough to exclude zero if any precision is; None if there is none."""
    left, right = (compile_expression(side, list(point), ball_backend) for side in pair)
    ball = None
    before = flint.ctx.prec
    try:
        for bits in _BITS_TO_CONFIRM:
            flint.ctx.prec = bits
            values = [flint.arb(flint.fmpq(int(value.p), int(value.q))) for value in point.values()]
            wide = flint.arb(left(*values)) - flint.arb(right(*values))
            if wide.is_finite():
                ball = wide
                if not ball.contains(0):
                    break
    finally:
        flint.ctx.prec = before
    return ball


def _number(value: sp.Expr, context: mpmath.MPContext) -> mpmath.mpf:
    real, imaginary = value.as_real_imag()
    result = mpmath_backend.number(real, context)
    return context.mpc(result, mpmath_backend.number(imaginary, context)) if imaginary else result
