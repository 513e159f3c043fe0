"""Balls of complex numbers with rigorous error bounds, by flint: what its certified quadrature integrates.

The quadrature asks for the value of the integrand on a region of the complex plane, and sometimes whether it is
analytic there; a function with a branch cut or a corner in the region then has no value. On the real line all functions
are those of the ball backend.

A range that is not finite is cut off where the integrand is below the precision; an integrand that falls off like a
power gets there too late, and has no value. What is cut off is not in the ball: such results are to be compared in two
precisions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import sympy as sp
from flint import acb, arb, ctx, fmpq

from theory.core.backends import ball_backend
from theory.core.backends.ball_backend import Undecided

NAME = "complex ball"
FOLDS = False

_EVALUATIONS_PER_BIT = 40  # a corner takes 30; where more are needed, the other quadrature is faster
# Where the integrand is looked at for the place to cut an infinite range.
_DISTANCES = tuple(fmpq(2**octave * (8 + eighth), 8) for octave in range(13) for eighth in range(8))
_INFINITY = arb("inf")
_NAN = acb(math.nan)
# Whether the value that is being computed must be that of an analytic function. Set by the integral around it; flint's
# precision is global in the same way, so whoever computes with balls holds ``mpmath_backend.LOCK``.
_region = {"analytic": False}


def _plain(name: str) -> Callable[..., acb]:
    """A method without branch cuts; of its last argument, as in sympy's besselj(order, x)."""
    return lambda *arguments: getattr(acb(arguments[-1]), name)(*map(acb, arguments[:-1]))


def _aware(name: str) -> Callable[..., acb]:
    """A method that takes the flag itself."""
    return lambda first, *rest: getattr(acb(first), name)(*map(acb, rest), analytic=_region["analytic"])


def _cut(name: str, where: Callable[[acb], bool]) -> Callable[..., acb]:
    """A method with a cut on the part of the real axis, or of the imaginary one, that ``where`` tells."""

    def evaluate(z: Any) -> acb:
        z = acb(z)
        return _NAN if _region["analytic"] and where(z) else getattr(z, name)()

    return evaluate


def _beyond_one(z: acb) -> bool:
    return z.imag.contains(0) and not (abs(z.real) < 1)


def _below_one(z: acb) -> bool:
    return z.imag.contains(0) and not (z.real > 1)


def _beyond_i(z: acb) -> bool:
    return z.real.contains(0) and not (abs(z.imag) < 1)


def _on_the_line(name: str) -> Callable[..., acb]:
    """A function of real numbers, continued to either side of its corner."""

    def evaluate(*arguments: Any) -> acb:
        parts = list(map(acb, arguments))
        if not _region["analytic"] and not all(part.imag.contains(0) for part in parts):
            return _NAN  # a function of real numbers at a number that is not real
        return getattr(parts[0], name)(*parts[1:], analytic=_region["analytic"])

    return evaluate


def _power(base: Any, exponent: Any) -> acb:
    return acb(base).pow(acb(exponent), analytic=_region["analytic"])


def _certain(holds: Callable[[arb, arb], bool], fails: Callable[[arb, arb], bool]) -> Callable[..., bool]:
    """A comparison of real parts that is True or False only if it is so for all numbers in the balls."""

    def compare(left: Any, right: Any) -> bool:
        left, right = acb(left).real, acb(right).real
        if holds(left, right):
            return True
        if fails(left, right):
            return False
        raise Undecided

    return compare


def _phi1(x: Any) -> acb:
    x = acb(x)
    # |phi1(x) - 1| <= |x| for |x| <= 1; a wider ball around 0 is refused by the division.
    if x.contains(0) and x.abs_upper() <= 1:
        size = x.abs_upper()
        return acb(arb(1, size), arb(0, size))
    return (x.exp() - 1) / x


_ENTIRE = (
    *("exp", "sin", "cos", "tan", "cot", "sinh", "cosh", "tanh", "coth", "sech", "csch", "erf", "erfc", "erfi"),
    *("gamma", "zeta"),
)

FUNCTIONS: dict[str, Any] = {
    **{name: _plain(name) for name in _ENTIRE},
    "sqrt": _aware("sqrt"),
    "log": _aware("log"),
    "power": _power,
    "asin": _cut("asin", _beyond_one),
    "acos": _cut("acos", _beyond_one),
    "atanh": _cut("atanh", _beyond_one),
    "acosh": _cut("acosh", _below_one),
    "atan": _cut("atan", _beyond_i),
    "asinh": _cut("asinh", _beyond_i),
    "Abs": _on_the_line("real_abs"),
    "sign": _on_the_line("real_sgn"),
    "Heaviside": lambda x, at_zero=None: _on_the_line("real_heaviside")(x),
    "floor": _on_the_line("real_floor"),
    "ceiling": _on_the_line("real_ceil"),
    "Max": lambda *x: reduce(_on_the_line("real_max"), x),
    "Min": lambda *x: reduce(_on_the_line("real_min"), x),
    "integer_power": lambda x, n: acb(x) ** n,
    "phi1": _phi1,
    "normal_cdf": lambda x: (-acb(x) / acb(2).sqrt()).erfc() / 2,
    "log1p": lambda x: _aware("log")(1 + acb(x)),
    "quotient": lambda x, y: acb(x) / acb(y),
    "correlation": lambda c, v, w: acb(c) / _aware("sqrt")(acb(v) * acb(w)),
    "inf": _INFINITY,
    "ratio": lambda p, q: acb(fmpq(p, q)),
    "Pi": lambda: acb(arb.pi()),
    "Exp1": lambda: acb(arb.const_e()),
    "EulerGamma": lambda: acb(arb.const_euler()),
    "Catalan": lambda: acb(arb.const_catalan()),
    "logical_not": lambda x: not x,
    "less": _certain(lambda a, b: a < b, lambda a, b: a >= b),
    "less_equal": _certain(lambda a, b: a <= b, lambda a, b: a > b),
    "greater": _certain(lambda a, b: a > b, lambda a, b: a <= b),
    "greater_equal": _certain(lambda a, b: a >= b, lambda a, b: a < b),
}


def functions() -> dict[str, Any]:
    """Name of the sympy function -> callable of balls."""
    return FUNCTIONS


def literal(number: sp.Expr) -> str | None:
    """As the ball backend; the ends of the real line besides."""
    if number in (sp.oo, -sp.oo):
        return "inf" if number is sp.oo else "(-inf)"
    return ball_backend.literal(number)


def piecewise(branches: Sequence[tuple[Callable[..., Any] | None, Callable[..., Any]]]) -> Callable[..., Any]:
    """The value of the first branch that holds; where that is not certain, a ball around all that may."""

    def evaluate(*inputs: Any) -> Any:
        possible = []
        for holds, value in branches:
            try:
                chosen = holds is None or holds(*inputs)
            except Undecided:
                if _region["analytic"]:
                    return _NAN
                possible.append(acb(value(*inputs)))
                continue
            if chosen:
                return reduce(acb.union, possible, acb(value(*inputs)))
        raise ArithmeticError("no branch of a piecewise function holds")

    return evaluate


def integral(integrand: Callable[..., Any], low: Callable[..., Any], high: Callable[..., Any]) -> Callable[..., Any]:
    """Flint's adaptive Gauss-Legendre quadrature with certified error."""

    def evaluate(*inputs: Any) -> acb:
        raised: list[BaseException] = []

        def region(z: acb, analytic: bool) -> acb:
            if raised:
                return _NAN
            try:
                _region["analytic"] = analytic
                return acb(integrand(z, *inputs))
            except ArithmeticError:
                return _NAN
            except BaseException as error:  # flint goes on after an exception, and then says SystemError
                raised.append(error)
                return _NAN
            finally:
                _region["analytic"] = False

        ends = _finite(lambda z: region(z, False), acb(low(*inputs)), acb(high(*inputs)))
        if ends is None:
            return _NAN
        result = acb.integral(region, *ends, eval_limit=_EVALUATIONS_PER_BIT * ctx.prec)
        if raised:
            raise raised[0]
        return result

    return evaluate


def _finite(f: Callable[[acb], acb], low: acb, high: acb) -> tuple[acb, acb] | None:
    """The ends of the range, an infinite one moved to where the integrand is below the precision, if it gets there."""
    below, above = low.real == -_INFINITY, high.real == _INFINITY
    origin = acb(0) if below and above else high if below else low
    start = _reach(lambda z: f(origin - z)) if below else None
    end = _reach(lambda z: f(origin + z)) if above else None
    if (below and start is None) or (above and end is None):
        return None
    return (low if start is None else origin - start), (high if end is None else origin + end)


def _reach(f: Callable[[acb], acb]) -> acb | None:
    """The distance beyond which the integrand is below the precision wherever it is sampled; None if it never is."""
    tiny = arb(2) ** -ctx.prec
    reached = None
    for distance in reversed(_DISTANCES):
        z = acb(distance)
        if not abs(f(z) * z) < tiny:
            break
        reached = z
    return reached
