"""Definite integrals with many digits for comparisons, by flint or, where flint fails, by mpmath."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import flint
import mpmath
import sympy as sp

from theory.core.backends import complex_ball_backend, mpmath_backend
from theory.core.backends.compiler import compile_expression
from theory.core.exact import number
from theory.core.subexpressions import binds, distinct, substituted

_BITS_PER_DIGIT = 3.33
_GUARD_BITS = 40
# Digits that a ball must have to be taken for the number that was asked for.
_FRACTION = 0.9
_FRACTION_OF_SMALL = 0.8  # and the number itself, which may be smaller than 1
_MOST_DOUBLINGS = 5  # of the digits of the computation for a small number


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
        return _middle(ball)
    symbols = _symbols(node)
    numbers = (number(point[symbol], mpmath_backend.WORK) for symbol in symbols)
    return compile_expression(node, symbols, mpmath_backend, context=mpmath_backend.WORK)(*numbers)


def certified(node: sp.Integral, point: Mapping[sp.Symbol, sp.Expr], digits: int) -> Any:
    """Return an integral at a point as a number of ``mpmath_backend.WORK``; None where flint does not know its digits.

    The arguments are those of :func:`integral`. The error of flint, and what it leaves out of an infinite range, is
    small next to 1, so a small integral is computed with more digits.
    """
    for doublings in range(_MOST_DOUBLINGS + 1):
        more = digits * 2**doublings
        ball = _enclosed(node, point, more)
        if ball is None:
            return None
        if abs(ball) > flint.arb(10) ** (int(_FRACTION_OF_SMALL * digits) - int(_FRACTION * more)):
            return _middle(ball)
    return None


@lru_cache(maxsize=256)
def without_integrals(expression: sp.Expr) -> tuple[sp.Expr, dict[sp.Integral, sp.Dummy]]:
    """Return the expression with its outermost integrals replaced by symbols, and the map integral -> symbol."""
    integrals = {node: sp.Dummy("integral") for node in distinct(expression, binds) if isinstance(node, sp.Integral)}
    return (substituted(expression, integrals, within=lambda node: node) if integrals else expression), integrals


def _symbols(node: sp.Integral) -> tuple[sp.Symbol, ...]:
    return tuple(sorted(node.free_symbols, key=sp.default_sort_key))


def _middle(ball: flint.arb) -> Any:
    return mpmath_backend.WORK.make_mpf(mpmath.libmp.from_man_exp(*map(int, ball.mid().man_exp())))


def _enclosed(node: sp.Integral, point: Mapping[sp.Symbol, sp.Expr], digits: int) -> flint.arb | None:
    """Return a ball around the integral; None if it is too wide, or if flint cannot compute it."""
    # Values are not cached, since flint may return a wrong value when it is interrupted.
    symbols = _symbols(node)
    values = [point[symbol] for symbol in symbols]
    function = _compiled(node, symbols) if all(value.is_Rational for value in values) else None
    if function is None:
        return None
    before = flint.ctx.prec
    try:
        flint.ctx.prec = int(_BITS_PER_DIGIT * digits) + _GUARD_BITS
        result = function(*(flint.acb(flint.fmpq(int(value.p), int(value.q))) for value in values))
        wanted = flint.arb(10) ** -int(_FRACTION * digits) * (1 + abs(result.real))
        settled = result.is_finite() and result.real.rad() < wanted and abs(result.imag) < wanted
        return result.real if settled else None
    except ArithmeticError:
        return None
    except SystemError as error:  # raised by flint after an interruption between two of its calls
        raise _root(error) from None
    finally:
        flint.ctx.prec = before


@lru_cache(maxsize=256)
def _compiled(node: sp.Integral, symbols: tuple[sp.Symbol, ...]) -> Callable[..., Any] | None:
    """Return the integral as a function of balls; None if flint lacks a function or integrals are nested."""
    if len(node.limits) > 1 or node.function.has(sp.Integral):
        return None
    try:
        return compile_expression(node, symbols, complex_ball_backend)
    except NotImplementedError:
        return None


def _root(error: BaseException) -> BaseException:
    """Return the exception from which the others were raised."""
    while (earlier := error.__cause__ or error.__context__) is not None:
        error = earlier
    return error
