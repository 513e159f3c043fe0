"""Balls around integrals at a point, which a counterexample needs: two numbers differ only if their balls are apart.

A finite range is integrated by flint, which bounds its error. An infinite range is cut where balls over segments, which
leave no gap, bound the rest up to a distance of 1e19; beyond it the integrand is assumed to be small.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise, product
from typing import Any

import flint
import sympy as sp

from theory.core.numbers.backends import complex_ball_backend
from theory.core.numbers.backends.source import compile_expression

_DISTANCES = tuple(
    flint.fmpq(2**octave * (8 + eighth), 8) for octave, eighth in product(range(64), range(8))
)
_SEGMENTS_IN_BITS = 6  # 511 segments of an eighth of their distance add up to less than 2**6 times the bound of one


def certain_integral(node: sp.Integral, point: Mapping[sp.Symbol, sp.Expr], bits: int) -> Any:
    """Return a ball, a flint.arb, around an integral at a rational point.

    Args:
        node: integral over one variable.
        point: value of each symbol.
        bits: precision in bits.

    Raises:
        ArithmeticError: if there is no finite ball, for instance of a double integral or of a tail like a power.
        NotImplementedError: if flint lacks a function.
    """
    before = flint.ctx.prec
    try:
        flint.ctx.prec = bits
        return _ball(node, point, bits)
    finally:
        flint.ctx.prec = before


def _ball(node: sp.Integral, point: Mapping[sp.Symbol, sp.Expr], bits: int) -> Any:
    symbols = tuple(sorted(node.free_symbols, key=sp.default_sort_key))
    if len(node.limits) != 1 or len(node.limits[0]) != 3 or node.function.has(sp.Integral):
        raise ArithmeticError("only the integral of a function over one range has a ball")
    if not all(point[symbol].is_Rational for symbol in symbols):
        raise ArithmeticError("the ball of an integral needs a rational point")
    variable, *ends = node.limits[0]
    values = [
        flint.acb(flint.fmpq(int(point[symbol].p), int(point[symbol].q))) for symbol in symbols
    ]
    integrand = compile_expression(node.function, (variable, *symbols), complex_ball_backend)
    low, high = (compile_expression(end, symbols, complex_ball_backend) for end in ends)
    start, end = (flint.acb(limit(*values)) for limit in (low, high))
    cut = flint.arb(0)

    def on_the_line(z: Any) -> Any:
        return abs(flint.acb(integrand(z, *values)))

    origin = next((limit for limit in (start, end) if limit.is_finite()), flint.acb(0))
    if not start.is_finite():
        start, cut = origin - _beyond(lambda z: on_the_line(origin - z), bits), cut + _bound(bits)
    if not end.is_finite():
        end, cut = origin + _beyond(lambda z: on_the_line(origin + z), bits), cut + _bound(bits)
    ball = complex_ball_backend.integral(integrand, lambda *_: start, lambda *_: end)(*values)
    if not ball.is_finite() or not ball.imag.contains(0):
        raise ArithmeticError("flint does not bound the integral")
    return ball.real + flint.arb(0, cut)


def _beyond(size: Callable[[Any], Any], bits: int) -> Any:
    """Return the smallest distance beyond which all segments contribute less than the precision."""
    smallest = None
    for near, far in reversed(list(pairwise(_DISTANCES))):
        segment = flint.acb(flint.arb((near + far) / 2, (far - near) / 2))
        if not size(segment) * far < flint.arb(2) ** -bits:
            break
        smallest = flint.acb(near)
    if smallest is None:
        raise ArithmeticError("the integrand does not fall below the precision")
    return smallest


def _bound(bits: int) -> Any:
    return flint.arb(2) ** (_SEGMENTS_IN_BITS - bits)
