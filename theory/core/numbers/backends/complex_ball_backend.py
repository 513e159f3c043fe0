"""The backend for balls of complex numbers with rigorous error bounds, by flint, for its certified quadrature.

A function with a branch cut or a corner in a region where the quadrature requires it to be analytic returns NaN. An
infinite range is truncated where the integrand falls below the precision, and NaN if it decays like a power; the rest
is not in the ball, so that such results must be compared in two precisions.
"""

import math
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from typing import Any

import sympy as sp
from flint import acb, arb, ctx, fmpq

from theory.core.numbers.backends import ball_backend
from theory.core.numbers.backends.ball_backend import Undecided

NAME = "complex ball"
FOLDS = False

# a corner needs 30; where more are needed, the quadrature of mpmath is faster
_EVALUATIONS_PER_BIT = 40
# Distances at which the integrand is sampled to find where an infinite range is truncated.
_DISTANCES = tuple(
    fmpq(2**octave * (8 + eighth), 8) for octave, eighth in product(range(13), range(8))
)
_INFINITY = arb("inf")
_NAN = acb(math.nan)
# Whether the integrand must be analytic on the current region; the integral sets it. The state is global, like flint's
# precision, so every computation with balls must hold ``mpmath_backend.LOCK``.
_region = {"analytic": False}


def _with_flag(name: str) -> Callable[..., acb]:
    """Return a function by a method of flint that has the argument ``analytic`` itself."""
    return lambda first, *rest: getattr(acb(first), name)(
        *map(acb, rest), analytic=_region["analytic"]
    )


def _with_cut(name: str, may_meet_cut: Callable[[acb], bool]) -> Callable[..., acb]:
    """Return a function with a branch cut; ``may_meet_cut`` says whether a ball may contain a point of the cut."""

    def evaluate(z: Any) -> acb:
        z = acb(z)
        return _NAN if _region["analytic"] and may_meet_cut(z) else getattr(z, name)()

    return evaluate


def _beyond_one(z: acb) -> bool:
    return z.imag.contains(0) and not (abs(z.real) < 1)


def _beyond_i(z: acb) -> bool:
    return z.real.contains(0) and not (abs(z.imag) < 1)


def _real_function(name: str) -> Callable[..., acb]:
    """Return a function of real numbers, continued analytically on either side of its corner."""

    def evaluate(*arguments: Any) -> acb:
        parts = list(map(acb, arguments))
        if not _region["analytic"] and not all(part.imag.contains(0) for part in parts):
            return _NAN  # the arguments are certainly not real
        return getattr(parts[0], name)(*parts[1:], analytic=_region["analytic"])

    return evaluate


def _power(base: Any, exponent: Any) -> acb:
    return acb(base).pow(acb(exponent), analytic=_region["analytic"])


def _phi1(x: Any) -> acb:
    x = acb(x)
    # |phi1(x) - 1| <= |x| for |x| <= 1; for a wider ball around 0 the division gives no finite ball.
    if x.contains(0) and x.abs_upper() <= 1:
        size = x.abs_upper()
        return acb(arb(1, size), arb(0, size))
    return (x.exp() - 1) / x


_ENTIRE = (  # without branch cuts
    *(
        "exp",
        "sin",
        "cos",
        "tan",
        "cot",
        "sinh",
        "cosh",
        "tanh",
        "coth",
        "sech",
        "csch",
        "erf",
        "erfc",
        "erfi",
    ),
    *("gamma", "zeta"),
)

FUNCTIONS: dict[str, Any] = {
    **{name: ball_backend.method(name, acb) for name in _ENTIRE},
    "sqrt": _with_flag("sqrt"),
    "log": _with_flag("log"),
    "power": _power,
    "asin": _with_cut("asin", _beyond_one),
    "acos": _with_cut("acos", _beyond_one),
    "atanh": _with_cut("atanh", _beyond_one),
    "acosh": _with_cut("acosh", lambda z: z.imag.contains(0) and not (z.real > 1)),
    "atan": _with_cut("atan", _beyond_i),
    "asinh": _with_cut("asinh", _beyond_i),
    "Abs": _real_function("real_abs"),
    "sign": _real_function("real_sgn"),
    "Heaviside": lambda x, at_zero=None: _real_function("real_heaviside")(x),
    "floor": _real_function("real_floor"),
    "ceiling": _real_function("real_ceil"),
    "Max": lambda *x: reduce(_real_function("real_max"), x),
    "Min": lambda *x: reduce(_real_function("real_min"), x),
    "integer_power": lambda x, n: acb(x) ** n,
    "phi1": _phi1,
    "normal_cdf": lambda x: (-acb(x) / acb(2).sqrt()).erfc() / 2,
    "log1p": lambda x: _with_flag("log")(1 + acb(x)),
    "log_ratio": lambda x, y: _with_flag("log")(acb(x) / acb(y)),
    "quotient": lambda x, y: acb(x) / acb(y),
    "correlation": lambda c, v, w: acb(c) / _with_flag("sqrt")(acb(v) * acb(w)),
    "inf": _INFINITY,
    "ratio": lambda p, q: acb(fmpq(p, q)),
    **{
        name: lambda of=ball_backend.FUNCTIONS[name]: acb(of())
        for name in ("Pi", "Exp1", "EulerGamma", "Catalan")
    },
    "logical_not": lambda x: not x,
    **ball_backend.in_order(lambda number: acb(number).real),
}


def functions() -> dict[str, Any]:
    """Return the map from names of sympy functions to callables of balls."""
    return FUNCTIONS


def literal(number: sp.Expr) -> str | None:
    """Return the code of a constant, as in the ball backend, or of an infinite limit."""
    if number in (sp.oo, -sp.oo):
        return "inf" if number is sp.oo else "(-inf)"
    return ball_backend.literal(number)


def piecewise(
    branches: Sequence[tuple[Callable[..., Any] | None, Callable[..., Any]]],
) -> Callable[..., Any]:
    """Return the function with the value of the first branch that holds, or a ball around those that may."""

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
        raise ArithmeticError("no condition of a piecewise function holds")

    return evaluate


def integral(
    integrand: Callable[..., Any], low: Callable[..., Any], high: Callable[..., Any]
) -> Callable[..., Any]:
    """Return the integral by flint's adaptive Gauss-Legendre quadrature, with a certified error."""

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
            # flint continues after an exception and then raises SystemError
            except BaseException as error:
                raised.append(error)
                return _NAN
            finally:
                _region["analytic"] = False

        limits = _finite_limits(lambda z: region(z, False), acb(low(*inputs)), acb(high(*inputs)))
        if limits is None:
            return _NAN
        result = acb.integral(region, *limits, eval_limit=_EVALUATIONS_PER_BIT * ctx.prec)
        if raised:
            raise raised[0]
        return result

    return evaluate


def _finite_limits(f: Callable[[acb], acb], low: acb, high: acb) -> tuple[acb, acb] | None:
    """Return the limits after truncation of an infinite range; None if the integrand stays above the precision."""
    below, above = low.real == -_INFINITY, high.real == _INFINITY
    origin = acb(0) if below and above else high if below else low
    start = _truncation_distance(lambda z: f(origin - z)) if below else None
    end = _truncation_distance(lambda z: f(origin + z)) if above else None
    if (below and start is None) or (above and end is None):
        return None
    return (low if start is None else origin - start), (high if end is None else origin + end)


def _truncation_distance(f: Callable[[acb], acb]) -> acb | None:
    """Return the distance beyond which all samples of the integrand are below the precision; None if there is none."""
    threshold = arb(2) ** -ctx.prec
    smallest = None
    for distance in reversed(_DISTANCES):
        z = acb(distance)
        if not abs(f(z) * z) < threshold:
            break
        smallest = z
    return smallest
