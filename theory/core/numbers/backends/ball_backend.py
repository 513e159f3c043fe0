"""The backend for balls: real numbers with rigorous error bounds, by flint, in the precision of ``flint.ctx``.

This backend is internal. ``ClosedForm.evaluate`` computes with it, so that the digits which it returns are proved.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from typing import Any

import sympy as sp
from flint import acb, arb, ctx, fmpq

NAME = "ball"
FOLDS = False


PRECISIONS = (192, 384, 768, 1536, 3072, 6144)  # bits
BITS = 55  # of a float64 that must be right, two more than it has
_NO_FLOAT = arb(2) ** -1100  # of which the nearest float is zero


class Undecided(ArithmeticError):
    """A comparison that this precision cannot decide."""


def nearest(value: Callable[[], arb]) -> float | None:
    """Return what ``value`` computes, right to the last digit, by balls of growing precision; None if none suffices."""
    before = ctx.prec
    try:
        for precision in PRECISIONS:
            ctx.prec = precision
            with suppress(ZeroDivisionError, Undecided):
                found = value()
                if found.rel_accuracy_bits() >= BITS or abs(found) < _NO_FLOAT:
                    return float(found.mid())
    finally:
        ctx.prec = before
    return None


def _ratio(p: int, q: int) -> arb:
    return arb(fmpq(p, q))


def certain(
    holds: Callable[[arb, arb], bool],
    fails: Callable[[arb, arb], bool],
    ball: Callable[[Any], arb] = arb,
) -> Callable[..., bool]:
    """Return a comparison that is True or False only if it is so for all numbers in the balls."""

    def compare(left: Any, right: Any) -> bool:
        left, right = ball(left), ball(right)
        if holds(left, right):
            return True
        if fails(left, right):
            return False
        raise Undecided

    return compare


def in_order(ball: Callable[[Any], arb] = arb) -> dict[str, Callable[..., bool]]:
    """Return the comparisons of size of what ``ball`` makes real balls."""
    return {
        "less": certain(lambda a, b: a < b, lambda a, b: a >= b, ball),
        "less_equal": certain(lambda a, b: a <= b, lambda a, b: a > b, ball),
        "greater": certain(lambda a, b: a > b, lambda a, b: a <= b, ball),
        "greater_equal": certain(lambda a, b: a >= b, lambda a, b: a < b, ball),
    }


def _is_certainly_equal(left: arb, right: arb) -> bool:
    return bool(left == right and left.is_exact() and right.is_exact())


def _phi1(x: Any) -> arb:
    x = arb(x)
    if x.is_zero():
        return arb(1)
    # |phi1(x) - 1| <= |x| for |x| <= 1; for a wider ball around 0 the division gives no finite ball.
    is_near_zero = x.contains(0) and x.abs_upper() <= 1
    return arb(1, x.abs_upper()) if is_near_zero else x.expm1() / x


def _quotient(x: Any, y: Any) -> arb:
    x, y = arb(x), arb(y)
    return arb(0) if x.is_zero() and y.is_zero() else x / y


def method(name: str, ball: Callable[[Any], Any] = arb) -> Callable[..., Any]:
    """Return a function that calls the method of its last argument, as sympy's besselk(order, x) requires."""
    return lambda *arguments: getattr(ball(arguments[-1]), name)(*map(ball, arguments[:-1]))


def _complex(name: str) -> Callable[..., arb]:
    return lambda *arguments: getattr(acb(arguments[0]), name)(*map(acb, arguments[1:])).real


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
    ),
    *(
        "asin",
        "acos",
        "atan",
        "asinh",
        "acosh",
        "atanh",
        "erf",
        "erfc",
        "erfi",
        "erfinv",
        "erfcinv",
        "gamma",
        "zeta",
    ),
    *("floor", "expint", "log1p"),
)
_RENAMED = {
    "ceiling": "ceil",
    "sign": "sgn",
    "loggamma": "lgamma",
    "Ei": "ei",
    "Si": "si",
    "Ci": "ci",
    "Shi": "shi",
    "Chi": "chi",
    "LambertW": "lambertw",
    "besselj": "bessel_j",
    "bessely": "bessel_y",
    "besseli": "bessel_i",
    "besselk": "bessel_k",
    "lowergamma": "gamma_lower",
    "uppergamma": "gamma_upper",
    "hyper_0_1": "hypgeom_0f1",
    "hyper_1_1": "hypgeom_1f1",
    "hyper_2_1": "hypgeom_2f1",
}

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: method(name) for name in _SAME_NAME},
    **{sympy_name: method(flint_name) for sympy_name, flint_name in _RENAMED.items()},
    "polygamma": lambda order, x: (
        arb(x).digamma() if order == 0 else acb(x).polygamma(acb(order)).real
    ),
    "elliptic_k": _complex("elliptic_k"),
    "elliptic_e": lambda *a: _complex("elliptic_e" if len(a) == 1 else "elliptic_e_inc")(*a),
    "elliptic_f": _complex("elliptic_f"),
    "atan2": lambda y, x: arb.atan2(arb(y), arb(x)),
    "Abs": lambda x: abs(arb(x)),
    "Max": lambda *x: reduce(lambda a, b: a.max(b), map(arb, x)),
    "Min": lambda *x: reduce(lambda a, b: a.min(b), map(arb, x)),
    "power": lambda x, y: arb(x) ** arb(y),
    "integer_power": lambda x, n: arb(x) ** n,
    "phi1": _phi1,
    "log_ratio": lambda x, y: (arb(x) / arb(y)).log(),
    "quotient": _quotient,
    "correlation": lambda c, v, w: (
        arb(0) if v == 0 or w == 0 else arb(c) / (arb(v) * arb(w)).sqrt()
    ),
    "besselk_scaled": lambda order, x: arb(x).exp() * arb(x).bessel_k(order),
    "normal_cdf": lambda x: (-arb(x) / arb(2).sqrt()).erfc() / 2,
    "ratio": _ratio,
    "Pi": arb.pi,
    "Exp1": arb.const_e,
    "EulerGamma": arb.const_euler,
    "Catalan": arb.const_catalan,
    "logical_not": lambda x: not x,
    **in_order(),
    "equal": certain(_is_certainly_equal, lambda a, b: not a.overlaps(b)),
    "not_equal": certain(lambda a, b: not a.overlaps(b), _is_certainly_equal),
}


def functions() -> dict[str, Callable[..., Any]]:
    """Return the map from names of sympy functions to callables of balls."""
    return FUNCTIONS


def piecewise(
    branches: Sequence[tuple[Callable[..., Any] | None, Callable[..., Any]]],
) -> Callable[..., Any]:
    """Return the function of the first branch that holds at a point; it raises ArithmeticError where none does."""

    def evaluate(*inputs: Any) -> Any:
        for holds, value in branches:
            if holds is None or holds(*inputs):
                return value(*inputs)
        raise ArithmeticError("no condition of a piecewise function holds")

    return evaluate


def literal(number: sp.Expr) -> str | None:
    """Return the code of a constant, which is computed in the precision of the call; a float is exact in binary."""
    if number.is_Float:
        number = sp.Rational(number)
    if number.is_Rational:
        return f"ratio({number.p}, {number.q})" if not number.is_Integer else None
    return f"{type(number).__name__}()" if isinstance(number, sp.NumberSymbol) else None
