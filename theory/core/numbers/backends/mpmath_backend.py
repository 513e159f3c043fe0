"""The mpmath backend, which evaluates one point at a time in the precision of a context."""

import contextlib
import math
import threading
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from closedform.checks.plain import plain
from theory.core.numbers.backends import ball_backend, certified_integral
from theory.core.numbers.exact import exact, number

NAME = "mpmath"
quiet = contextlib.nullcontext  # there are no warnings
FOLDS = False  # constants must have the precision that is set when the function is called


def piecewise(branches: Sequence[Any], context: Any = mpmath.mp) -> Callable[..., Any]:
    """Return the function of the first branch that holds at a point; it raises ArithmeticError where none does."""
    return ball_backend.piecewise(branches)


# One context for all computations of the core, so that an expression is compiled once. Every evaluation sets its
# precision and that of flint, which is why the lock is needed.
WORK = mpmath.MPContext()
LOCK = threading.RLock()

_RENAMED = {
    "Abs": "fabs",
    "Ei": "ei",
    "Mod": "fmod",
    "LambertW": "lambertw",
    "Si": "si",
    "Ci": "ci",
    "Shi": "shi",
    "Chi": "chi",
    "ceiling": "ceil",
    "elliptic_k": "ellipk",
    "elliptic_f": "ellipf",
    "elliptic_e": "ellipe",
    "polygamma": "psi",
    "power": "power",
}
_SAME_NAME = (
    *(
        "sqrt",
        "exp",
        "log",
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
        "sign",
    ),
    *("asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh", "floor", "mpf", "mpc"),
    *("erf", "erfc", "erfi", "erfinv", "gamma", "loggamma", "beta", "zeta", "expint"),
    *("besselj", "bessely", "besseli", "besselk"),
)


def functions(context: Any = mpmath.mp) -> dict[str, Callable[..., Any]]:
    """Return the map from names of sympy functions to callables of ``context``."""
    mp = context

    def phi1(x: Any) -> Any:
        return mp.expm1(x) / x if x else mp.one

    def quotient(x: Any, y: Any) -> Any:
        return x / y if x or y else mp.zero

    def correlation(c: Any, v: Any, w: Any) -> Any:
        return max(-mp.one, min(mp.one, c / mp.sqrt(v * w))) if v * w else mp.zero

    def erfcinv(x: Any) -> Any:
        with mp.extraprec(max(0, -int(mp.mag(x)))):  # 1 - x then keeps the digits of a small x
            return +mp.erfinv(1 - x)

    def heaviside(x: Any, at_zero: Any = 0.5) -> Any:
        return mp.mpf(at_zero) if x == 0 else mp.mpf(x > 0)

    hypergeometric = {
        f"hyper_{p}_{q}": lambda *a, p=p, q=q: mp.hyper(a[:p], a[p : p + q], a[-1])
        for p, q in product(range(4), range(4))
    }
    return {
        **{name: getattr(mp, name) for name in _SAME_NAME},
        **{sympy_name: getattr(mp, mpmath_name) for sympy_name, mpmath_name in _RENAMED.items()},
        **hypergeometric,
        "Pi": mp.pi,
        "Exp1": mp.e,
        "EulerGamma": mp.euler,
        "Catalan": mp.catalan,
        "GoldenRatio": mp.phi,
        "erfcinv": erfcinv,
        "lowergamma": lambda a, x: mp.gammainc(a, 0, x),
        "uppergamma": lambda a, x: mp.gammainc(a, x),
        "integer_power": lambda x, n: mp.mpmathify(x) ** n,
        "Max": max,
        "Min": min,
        "Heaviside": heaviside,
        "logical_not": lambda x: not x,
        "phi1": phi1,
        "quotient": quotient,
        "correlation": correlation,
        "log1p": mp.log1p,
        "log_ratio": lambda x, y: mp.log(x / y),
        "besselk_scaled": lambda order, x: mp.exp(x) * mp.besselk(order, x),
        "normal_cdf": lambda x: mp.erfc(-x / mp.sqrt(2)) / 2,
        "inf": mp.inf,
    }


_FAR = (mpmath.mpf(10) ** 50, mpmath.mpf(10) ** 100)
"""Where an integrand over an infinite range must fall faster than 1/z; at nodes beyond it has no value in time."""


def literal(number: sp.Expr, context: Any = mpmath.mp) -> str | None:
    """Return the code of a constant; only exact ones are written out, others are computed in the call's precision."""
    if number.is_Rational and not number.is_Integer:
        return f"(mpf({number.p})/{number.q})"
    if number.is_Float:
        return f"mpf({tuple(int(part) for part in number._mpf_)})"
    if number is sp.I:
        return "mpc(0, 1)"
    if number in (sp.oo, -sp.oo):
        return "inf" if number is sp.oo else "(-inf)"
    if isinstance(number, sp.NumberSymbol):
        return f"(+{type(number).__name__})"
    return None


def integral(
    integrand: Callable[..., Any],
    low: Callable[..., Any],
    high: Callable[..., Any],
    context: Any = mpmath.mp,
) -> Callable[..., Any]:
    """Return the integral in the working precision; its error is not bounded: callers compare two precisions."""

    def require_falling(end: Any, points: Sequence[Any], inputs: Sequence[Any]) -> None:
        with contextlib.suppress(ZeroDivisionError):  # a removable singularity
            before, after = (abs(z * integrand(z, *inputs)) for z in points)
            if after >= before > 0:
                raise ArithmeticError(
                    f"an integral diverges: its integrand grows too fast at {end}"
                )

    def evaluate(*inputs: Any) -> Any:
        ends = [low(*inputs), high(*inputs)]
        infinite = [end for end in ends if context.isinf(end)]
        for end in infinite:
            require_falling(end, [context.sign(end) * z for z in _FAR], inputs)
        if len(infinite) == 2:  # otherwise the infinite parts on both sides of 0 may cancel
            require_falling(0, [1 / z for z in _FAR], inputs)
        return context.quad(lambda z: integrand(z, *inputs), ends)

    return evaluate


def certified(
    by_mpmath: Callable[..., Any],
    build: Callable[[], Callable[..., Any]],
    context: Any = mpmath.mp,
) -> Callable[..., Any]:
    """Return an integral that asks flint first; see :func:`certified_integral.certified`."""
    return certified_integral.certified(by_mpmath, build, context, LOCK)


def default_options() -> dict[str, Any]:
    """Return the options with which an expression is compiled before its arguments are known."""
    return {"context": mpmath.mp}


def convert(names: Sequence[str], values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return mpmath numbers, or numpy arrays of them for sequences, in the precision of ``mpmath.mp``."""
    return [
        _numbers(name, value) for name, value in zip(names, values, strict=True)
    ], default_options()


def _numbers(name: str, value: Any) -> Any:
    value = plain(name, value)
    if isinstance(value, (list, tuple, np.ndarray)):
        array = np.asarray(value, dtype=object)
        if not array.size:
            raise ValueError(f"{name}: got shape {array.shape}, needs at least one number")
        return np.frompyfunc(lambda entry: number(exact(name, entry), mpmath.mp), 1, 1)(array)
    return number(exact(name, value), mpmath.mp)


def extremes(value: Any) -> tuple[Any, Any]:
    """Return the smallest and the largest entry, and NaN twice if an entry is NaN or not real."""
    entries = np.ravel(np.asarray(value, dtype=object))
    if any(
        isinstance(entry, mpmath.ctx_mp_python._mpc) or mpmath.isnan(entry) for entry in entries
    ):
        return math.nan, math.nan
    return min(entries), max(entries)


def whole(value: Any) -> bool:
    """Return whether every entry is an integer."""
    return all(mpmath.isint(entry) for entry in np.ravel(np.asarray(value, dtype=object)))


def nonzero(value: Any) -> bool:
    """Return whether no entry is zero."""
    return bool(np.all(np.asarray(value, dtype=object) != 0))


def holds(
    gap: Callable[..., Any], scale: Callable[..., Any], values: Sequence[Any], condition: Any
) -> bool:
    """Return whether the condition holds at every point, up to the rounding that it tolerates."""
    gaps = np.frompyfunc(gap, len(values), 1)(*values)
    if condition.strict:
        return bool(np.all(gaps > 0))
    return bool(
        np.all(gaps + condition.slack * np.frompyfunc(scale, len(values), 1)(*values) >= 0)
    )


def finish(body: Callable[..., Any], values: Sequence[Any]) -> Any:
    """Call the function for each point and return a number, or an array of objects for arrays."""
    return np.frompyfunc(body, len(values), 1)(*values) if values else body()
