"""The search for a point at which two expressions differ.

A candidate is a point at which the difference is the same number in two precisions, since rounding errors decrease with
the precision and a real difference does not. It counts only with a proof: a ball that encloses the difference and
excludes zero, or the exact value of the difference, or a limit that is proved to be infinite on one side alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Literal

import flint
import mpmath
import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core.algebra.fewer_functions import without_reciprocals
from theory.core.algebra.regions import JUMPS, KINKED
from theory.core.algebra.working_out import done, taken
from theory.core.formula.let import Let
from theory.core.formula.sampling import concrete, rational_point, satisfies
from theory.core.formula.special import correlation
from theory.core.formula.subexpressions import binds, computable, distinct, substituted
from theory.core.numbers.backends import ball_backend, complex_ball_backend, mpmath_backend
from theory.core.numbers.backends.certified_integral import enclosed, middle
from theory.core.numbers.backends.source import compile_expression
from theory.core.numbers.exact import number
from theory.core.proof.certain_integrals import certain_integral

POINTS = 6
_BY_CASES = (sp.Piecewise, *KINKED)
MORE_FOR_CASES = 4  # factor for functions defined by cases, each of which must be met
# A parametrisation may leave the domain at some points; so many are tried for each one that is wanted.
_PATIENCE = 10
_ORIGIN = "origin"
_DIGITS = (50, 80)
_BITS_TO_CONFIRM = (500, 2_000, 10_000, 100_000)
# Below this relative size a difference is not called clear, even if both precisions agree on it: quadrature has
# errors that do not shrink.
_CLEAR = mpmath.mpf(10) ** -25
# Where flint has failed, trying it again would only take time.
_MPMATH_ALONE = SimpleNamespace(
    **{name: part for name, part in vars(mpmath_backend).items() if name != "certified"}
)

Point = Mapping[sp.Symbol, sp.Expr]
# apparent: by numbers, without a proof
Difference = Literal["none", "unclear", "apparent", "certain"]


@dataclass(frozen=True)
class Agreement:
    """The result of a comparison at random points.

    Attributes:
        agreed: number of points that agree.
        witness: a point at which the sides certainly differ, if one was found.
        appears: whether the sides differ clearly at some point by numbers of two precisions, which no ball proves.
    """

    agreed: int = 0
    witness: Point | None = None
    appears: bool = False


def compare(
    left: sp.Expr,
    right: sp.Expr,
    points: int = POINTS,
    where: Mapping[sp.Symbol, sp.Expr] | None = None,
) -> Agreement:
    """Evaluate both sides at reproducible random points of the domain of their symbols, or of those in ``where``.

    After these come points at which one symbol is zero, where an identity of almost all values may end. Points at which
    a side cannot be evaluated do not count; without random points there is no agreement.
    """
    where = where or {}
    at_zero = _zeros((left, right), where)
    if left.has(*_BY_CASES) or right.has(*_BY_CASES):
        points *= MORE_FOR_CASES
    abstract = left.has(AppliedUndef) or right.has(AppliedUndef)
    agreed, appears = 0, False
    pair: list[sp.Expr] = []
    for seed in (*_seeds((left, right), points * (_PATIENCE if where else 1)), *at_zero):
        if agreed == points and seed not in at_zero:
            continue
        try:
            if abstract or not pair:
                pair = [_ready(concrete(side, seed)) for side in (left, right)]
            point, witness = _point(pair, where, seed, at_zero.get(seed))
            if point is None:
                continue
            infinite = any(side in (sp.oo, -sp.oo) for side in pair)  # by sympy, without a proof
            with mpmath_backend.LOCK:
                sides = [taken(side, point, infinite=True) for side in pair]
                difference = _differ(sides, point) if not infinite else "unclear"
        # sympy raises many kinds where an expression has no value, or none that it can compute
        except Exception:
            continue
        if difference == "certain":
            return Agreement(agreed, witness)
        agreed += difference == "none" and seed not in at_zero
        appears = appears or difference == "apparent"
    return Agreement(agreed, appears=appears)


def _ready(side: sp.Expr) -> sp.Expr:
    """Return a side in what the backends compute: a Let letter by letter, since written out it may have no end."""
    if isinstance(side, Let):
        return Let([(letter, _ready(x)) for letter, x in side.definitions], _ready(side.result))
    return without_reciprocals(computable(done(side)))


def _seeds(sides: tuple[sp.Expr, sp.Expr], count: int) -> list[str]:
    """Return seeds of random points, after that of the origin for functions that jump.

    They may differ at their jumps alone, which a random point never meets.
    """
    origin = [_ORIGIN] if any(side.has(*JUMPS) for side in sides) else []
    return [*origin, *map(str, range(count))]


def _zeros(
    sides: tuple[sp.Expr, sp.Expr], where: Mapping[sp.Symbol, sp.Expr]
) -> dict[str, sp.Symbol]:
    """Return seed -> symbol that is zero there, of the drawn symbols that may be."""
    if any(side.has(correlation) for side in sides):
        return {}  # the covariance with a variable without variance would have to be zero too
    drawn = (sides[0].free_symbols | sides[1].free_symbols) - set(where)
    drawn = drawn.union(*(value.free_symbols for value in where.values()))
    may_vanish = sorted(
        (symbol for symbol in drawn if symbol.is_zero is None), key=sp.default_sort_key
    )
    return {f"zero {count}": symbol for count, symbol in enumerate(may_vanish)}


def _point(
    pair: list[sp.Expr],
    where: Mapping[sp.Symbol, sp.Expr],
    seed: str,
    zero: sp.Symbol | None = None,
) -> tuple[Point | None, Point]:
    """Return the values of the symbols of both sides (None if outside their assumptions) and of the drawn symbols."""
    symbols = pair[0].free_symbols | pair[1].free_symbols
    drawn = rational_point(
        (symbols - set(where)).union(*(value.free_symbols for value in where.values())), seed
    )
    if seed == _ORIGIN:
        drawn.update({symbol: sp.S.Zero for symbol in drawn if symbol.is_zero is None})
    if zero in drawn:
        drawn[zero] = sp.S.Zero
    replaced = {symbol: value.subs(drawn) for symbol, value in where.items()}
    if not all(satisfies(symbol, value) for symbol, value in replaced.items()):
        return None, drawn
    values = {**drawn, **replaced}
    return {symbol: values[symbol] for symbol in sorted(symbols, key=sp.default_sort_key)}, drawn


def _differ(pair: list[sp.Expr], point: Point) -> Difference:
    """Return how the two sides differ at the point."""
    infinite = [side in (sp.oo, -sp.oo) for side in pair]  # limits that are proved
    if any(infinite):
        others = [
            side for side, is_infinite in zip(pair, infinite, strict=True) if not is_infinite
        ]
        if others:
            return "certain" if _is_finite(others[0], point) else "unclear"
        return "certain" if pair[0] != pair[1] else "none"
    (low, _), (high, scale) = (_difference(pair, point, digits) for digits in _DIGITS)
    if not mpmath.isfinite(low) or not mpmath.isfinite(high):
        return "unclear"
    if high > _CLEAR * scale and abs(low - high) < high / 1000:
        return "certain" if _is_certain(pair, point) else "apparent"
    return "none" if high <= _CLEAR * scale or high < low / 1000 else "unclear"


def _is_finite(side: sp.Expr, point: Point) -> bool:
    mpmath_backend.WORK.dps = _DIGITS[0]
    return bool(mpmath.isfinite(_value(side, point, _DIGITS[0])))


def _difference(pair: list[sp.Expr], point: Point, digits: int) -> tuple[Any, Any]:
    """Return |left - right| and |left| + |right|, computed with ``digits`` digits."""
    mpmath_backend.WORK.dps = digits
    left, right = (_value(side, point, digits) for side in pair)
    return abs(left - right), abs(left) + abs(right)


def _value(side: sp.Expr, point: Point, digits: int) -> Any:
    """Return one side at the point, with its integrals computed by quadrature."""
    body, integrals = _without_integrals(side)
    values = [
        *(_number(value) for value in point.values()),
        *(integral(node, point, digits) for node in integrals),
    ]
    return mpmath_backend.WORK.mpmathify(
        _compiled(body, (*point, *integrals.values()), "mpmath")(*values)
    )


def _is_certain(pair: list[sp.Expr], point: Point) -> bool:
    """Return whether the sides are proved to differ at the point, by a ball around the difference or by its value."""
    for proof in (_balls_are_apart, _exact_values_differ):
        try:
            if proof(pair, point):
                return True
        except Exception:  # a function without balls, or what sympy raises: this is no proof
            continue
    return False


def _balls_are_apart(pair: list[sp.Expr], point: Point) -> bool:
    """Return whether a ball around left - right excludes zero in some precision."""
    is_real = all(value.is_extended_real for value in point.values())
    kinds = ("ball", "complex ball") if is_real else ("complex ball",)
    return any(_kind_of_balls_is_apart(pair, point, kind) for kind in kinds)


def _kind_of_balls_is_apart(pair: list[sp.Expr], point: Point, kind: str) -> bool:
    parts = [value.as_real_imag() for value in point.values()]
    bodies = [_without_integrals(side) for side in pair]
    integrals = {node: dummy for _, inside in bodies for node, dummy in inside.items()}
    names = (*point, *integrals.values())
    left, right = (_compiled(body, names, kind) for body, _ in bodies)
    before = flint.ctx.prec
    try:
        # flint's quadrature cannot be interrupted
        for bits in _BITS_TO_CONFIRM[: 1 if integrals else None]:
            flint.ctx.prec = bits
            values = [
                _ball(*numbers) if kind != "ball" else _ball(*numbers).real for numbers in parts
            ]
            values += [certain_integral(node, point, bits) for node in integrals]
            wide = flint.acb(left(*values)) - flint.acb(right(*values))
            if not wide.is_finite():
                return False
            if not wide.contains(flint.acb(0)):
                return True
    finally:
        flint.ctx.prec = before
    return False


def _ball(real: sp.Expr, imaginary: sp.Expr) -> Any:
    """Return a ball around a number, whose parts are rational numbers or expressions of these, such as exp(-1/2)."""
    return flint.acb(*(flint.arb(_compiled(part, (), "ball")()) for part in (real, imaginary)))


def _exact_values_differ(pair: list[sp.Expr], point: Point) -> bool:
    """Return whether the difference is, at the point, a sum of rational real and imaginary parts that is not zero."""
    difference = sp.expand((pair[0] - pair[1]).subs(point, simultaneous=True))
    parts = difference.as_real_imag()
    return all(part.is_Rational for part in parts) and any(parts)


@lru_cache(maxsize=256)
def _compiled(side: sp.Expr, symbols: tuple[sp.Symbol, ...], kind: str) -> Callable[..., Any]:
    if kind != "mpmath":
        return compile_expression(
            side, symbols, ball_backend if kind == "ball" else complex_ball_backend
        )
    return compile_expression(side, symbols, mpmath_backend, context=mpmath_backend.WORK)


def _number(value: sp.Expr) -> Any:
    real, imaginary = value.as_real_imag()
    result = number(real, mpmath_backend.WORK)
    return (
        mpmath_backend.WORK.mpc(result, number(imaginary, mpmath_backend.WORK))
        if imaginary
        else result
    )


def integral(node: sp.Integral, point: Mapping[sp.Symbol, sp.Expr], digits: int) -> Any:
    """Return an integral at a point to some digits, as a number of ``WORK``, whose lock the caller holds."""
    symbols = tuple(sorted(node.free_symbols, key=sp.default_sort_key))
    values = [point[symbol] for symbol in symbols]
    function = _integrand(node, symbols) if all(value.is_Rational for value in values) else None
    backend: Any = mpmath_backend
    if function is not None:
        # Values are not cached, since flint may return a wrong value when it is interrupted.
        ball = enclosed(
            function,
            values,
            lambda value: flint.arb(flint.fmpq(int(value.p), int(value.q))),
            digits,
        )
        if ball is not None:
            return mpmath_backend.WORK.make_mpf(middle(ball))
        backend = _MPMATH_ALONE
    numbers = (number(value, mpmath_backend.WORK) for value in values)
    return compile_expression(node, symbols, backend, context=mpmath_backend.WORK)(*numbers)


@lru_cache(maxsize=256)
def _without_integrals(expression: sp.Expr) -> tuple[sp.Expr, dict[sp.Integral, sp.Dummy]]:
    """Return the expression with its outermost integrals replaced by symbols, and the map integral -> symbol."""
    integrals = {
        node: sp.Dummy("integral")
        for node in distinct(expression, binds)
        if isinstance(node, sp.Integral)
    }
    return (
        substituted(expression, integrals, within=lambda node: node) if integrals else expression
    ), integrals


@lru_cache(maxsize=256)
def _integrand(node: sp.Integral, symbols: tuple[sp.Symbol, ...]) -> Callable[..., Any] | None:
    """Return the integral as a function of balls; None if flint lacks a function or integrals are nested."""
    if len(node.limits) > 1 or node.function.has(sp.Integral):
        return None
    try:
        return compile_expression(node, symbols, complex_ball_backend)
    except NotImplementedError:
        return None
