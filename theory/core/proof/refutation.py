"""The search for a point at which two expressions differ.

A candidate is a point at which the difference is the same number in two precisions, since rounding errors decrease with
the precision and a real difference does not. A ball that encloses the difference and excludes zero confirms it, which
is a proof. Where a function has no ball arithmetic, a third, much higher precision must give the same number.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import flint
import mpmath
import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core.formula.sampling import concrete, rational_point, satisfies
from theory.core.formula.subexpressions import binds, distinct, substituted
from theory.core.numbers.backends import ball_backend, complex_ball_backend, mpmath_backend
from theory.core.numbers.backends.certified_integral import enclosed, middle
from theory.core.numbers.backends.compiler import compile_expression
from theory.core.numbers.exact import number

POINTS = 6
MORE_FOR_CASES = 4  # factor for functions defined by cases, each of which must be met
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
# Where flint has failed, trying it again would only take time.
_MPMATH_ALONE = SimpleNamespace(**{name: part for name, part in vars(mpmath_backend).items() if name != "certified"})

Point = Mapping[sp.Symbol, sp.Expr]


@dataclass(frozen=True)
class Agreement:
    """The result of a comparison at random points: the number of points that agree, and one that does not, if any."""

    agreed: int = 0
    witness: Point | None = None


def compare(
    left: sp.Expr, right: sp.Expr, points: int = POINTS, where: Mapping[sp.Symbol, sp.Expr] | None = None
) -> Agreement:
    """Evaluate both sides at reproducible random points of the domain of their symbols, or of those in ``where``.

    Points at which a side cannot be evaluated do not count; without other points there is no agreement.
    """
    where = where or {}
    if left.has(sp.Piecewise) or right.has(sp.Piecewise):
        points *= MORE_FOR_CASES
    abstract = left.has(AppliedUndef) or right.has(AppliedUndef)
    agreed = 0
    pair: list[sp.Expr] = []
    for index in range(points * (_PATIENCE if where else 1)):
        if agreed == points:
            break
        seed = str(index)
        try:
            if abstract or not pair:
                pair = [concrete(side, seed).doit(integrals=False) for side in (left, right)]
            point, witness = _point(pair, where, seed)
            if point is None:
                continue
            with mpmath_backend.LOCK:
                differ = _differ(pair, point)
        except _UNKNOWN:
            continue
        if differ:
            return Agreement(agreed, witness)
        agreed += differ is False
    return Agreement(agreed)


def _point(pair: list[sp.Expr], where: Mapping[sp.Symbol, sp.Expr], seed: str) -> tuple[Point | None, Point]:
    """Return the values of the symbols of both sides (None if outside their assumptions) and of the drawn symbols."""
    symbols = pair[0].free_symbols | pair[1].free_symbols
    drawn = rational_point((symbols - set(where)).union(*(value.free_symbols for value in where.values())), seed)
    replaced = {symbol: value.subs(drawn) for symbol, value in where.items()}
    if not all(satisfies(symbol, value) for symbol, value in replaced.items()):
        return None, drawn
    values = {**drawn, **replaced}
    return {symbol: values[symbol] for symbol in sorted(symbols, key=sp.default_sort_key)}, drawn


def _differ(pair: list[sp.Expr], point: Point) -> bool | None:
    """Return True if the sides certainly differ at the point, False if they agree numerically, None if unclear."""
    (low, _), (high, scale) = (_difference(pair, point, digits) for digits in _DIGITS)
    if not mpmath.isfinite(low) or not mpmath.isfinite(high):
        return None
    if high > _CLEAR * scale and abs(low - high) < high / 1000:
        return True if _certain(pair, point, high) else None
    return False if high <= _CLEAR * scale or high < low / 1000 else None


def _difference(pair: list[sp.Expr], point: Point, digits: int) -> tuple[Any, Any]:
    """Return |left - right| and |left| + |right|, computed with ``digits`` digits."""
    mpmath_backend.WORK.dps = digits
    left, right = (_value(side, point, digits) for side in pair)
    return abs(left - right), abs(left) + abs(right)


def _value(side: sp.Expr, point: Point, digits: int) -> Any:
    """Return one side at the point, with its integrals computed by quadrature."""
    body, integrals = _without_integrals(side)
    values = [*(_number(value) for value in point.values()), *(integral(node, point, digits) for node in integrals)]
    return mpmath_backend.WORK.mpmathify(_compiled(body, (*point, *integrals.values()), "mpmath")(*values))


def _certain(pair: list[sp.Expr], point: Point, found: Any) -> bool:
    """Return whether a ball around the difference excludes zero; without a ball, compute it in a higher precision."""
    try:
        ball = _difference_ball(pair, point) if all(value.is_Rational for value in point.values()) else None
    except _UNKNOWN:
        ball = None
    if ball is not None:
        return not ball.contains(0)
    confirmed, _ = _difference(pair, point, _DIGITS_TO_CONFIRM)
    return bool(abs(confirmed - found) < found / 1000)


def _difference_ball(pair: list[sp.Expr], point: Point) -> Any:
    """Return a ball around left - right that excludes zero if some precision achieves this; None without a ball."""
    left, right = (_compiled(side, tuple(point), "ball") for side in pair)
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


@lru_cache(maxsize=256)
def _compiled(side: sp.Expr, symbols: tuple[sp.Symbol, ...], kind: str) -> Callable[..., Any]:
    if kind == "ball":
        return compile_expression(side, symbols, ball_backend)
    return compile_expression(side, symbols, mpmath_backend, context=mpmath_backend.WORK)


def _number(value: sp.Expr) -> Any:
    real, imaginary = value.as_real_imag()
    result = number(real, mpmath_backend.WORK)
    return mpmath_backend.WORK.mpc(result, number(imaginary, mpmath_backend.WORK)) if imaginary else result


def integral(node: sp.Integral, point: Mapping[sp.Symbol, sp.Expr], digits: int) -> Any:
    """Return an integral at a point to some digits, as a number of ``WORK``, whose lock the caller holds."""
    symbols = tuple(sorted(node.free_symbols, key=sp.default_sort_key))
    values = [point[symbol] for symbol in symbols]
    function = _integrand(node, symbols) if all(value.is_Rational for value in values) else None
    backend: Any = mpmath_backend
    if function is not None:
        # Values are not cached, since flint may return a wrong value when it is interrupted.
        ball = enclosed(function, values, lambda value: flint.arb(flint.fmpq(int(value.p), int(value.q))), digits)
        if ball is not None:
            return mpmath_backend.WORK.make_mpf(middle(ball))
        backend = _MPMATH_ALONE
    numbers = (number(value, mpmath_backend.WORK) for value in values)
    return compile_expression(node, symbols, backend, context=mpmath_backend.WORK)(*numbers)


@lru_cache(maxsize=256)
def _without_integrals(expression: sp.Expr) -> tuple[sp.Expr, dict[sp.Integral, sp.Dummy]]:
    """Return the expression with its outermost integrals replaced by symbols, and the map integral -> symbol."""
    integrals = {node: sp.Dummy("integral") for node in distinct(expression, binds) if isinstance(node, sp.Integral)}
    return (substituted(expression, integrals, within=lambda node: node) if integrals else expression), integrals


@lru_cache(maxsize=256)
def _integrand(node: sp.Integral, symbols: tuple[sp.Symbol, ...]) -> Callable[..., Any] | None:
    """Return the integral as a function of balls; None if flint lacks a function or integrals are nested."""
    if len(node.limits) > 1 or node.function.has(sp.Integral):
        return None
    try:
        return compile_expression(node, symbols, complex_ball_backend)
    except NotImplementedError:
        return None
