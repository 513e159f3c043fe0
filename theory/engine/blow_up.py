"""Whether a curve has a value at all times of a range: what ends somewhere must not have gone to infinity before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from theory.core.algebra.signs import sign_of
from theory.core.formula.sampling import rational_point, satisfies
from theory.core.formula.subexpressions import distinct, put_in

_PASSED = sp.Symbol("passed", nonnegative=True)
_GROWTH = sp.Symbol("growth", nonnegative=True)
_TIMES = np.geomspace(
    1.1e-3, 0.9e3, 241
)  # of what has passed, where a range that ends has the length w / (1 + w)
_POINTS = 6
_NEAR = mpmath.mpf(10) ** -9  # distance from a pole, at which a curve is large
_LARGE = 1e6
_DIGITS = 30


def may_end(curve: sp.Expr) -> bool:
    """Return whether a curve has a denominator, a root or a logarithm, whose argument may vanish at some time.

    Args:
        curve: a function of time.
    """
    return any(True for _ in _arguments(_without_poles(curve)))


def has_values(
    curve: sp.Expr, time: sp.Symbol, begin: sp.Expr, end: sp.Expr, cases: sp.Tuple
) -> bool | None:
    """Return whether a curve has a real value at all times of a range.

    Args:
        curve: a function of time.
        time: its symbol.
        begin: first time.
        end: last time, maybe infinite.
        cases: parametrisations of the parameters, each a ``Dict``.

    Returns:
        True if signs of the arguments of roots, logarithms and denominators prove it; False if it goes to infinity or
        becomes complex at parameters that were drawn; None if neither was found.

    >>> t, r = sp.Symbol("t", real=True), sp.Symbol("r", positive=True)
    >>> has_values(1 / (1 + r * t), t, sp.S.Zero, sp.oo, sp.Tuple(sp.Dict()))
    True
    >>> has_values(1 / (1 - r * t), t, sp.S.Zero, sp.oo, sp.Tuple(sp.Dict()))
    False
    """
    passed = _PASSED if end.is_infinite else (end - begin) * _PASSED / (1 + _PASSED)
    moment = begin - _PASSED if end is -sp.oo else begin + passed
    answers = []
    for case in cases:
        along = put_in(_without_poles(curve), dict(case))
        along = put_in(along, {time: put_in(moment, dict(case))})
        answers.append(_by_signs(along) or _by_numbers(along, dict(case)))
    return False if False in answers else True if all(answers) else None


def _without_poles(curve: sp.Expr) -> sp.Expr:
    """Return a curve with the poles of trigonometric functions as denominators."""
    return curve.replace(sp.tan, lambda x: sp.sin(x) / sp.cos(x)).replace(
        sp.cot, lambda x: sp.cos(x) / sp.sin(x)
    )


def _arguments(curve: sp.Expr) -> Iterator[tuple[sp.Expr, bool]]:
    """Yield what must not vanish in a curve, and whether it must be positive."""
    for node in distinct(curve):
        base, exponent = node.as_base_exp() if node.is_Pow else (sp.E, sp.S.One)
        if isinstance(node, sp.log):
            yield node.args[0], True
        elif base is not sp.E and base.free_symbols and not exponent.is_nonnegative:
            yield base, exponent.is_integer is not True
        elif base.free_symbols and exponent.is_integer is not True:
            yield base, True


def _by_signs(along: sp.Expr) -> bool | None:
    for argument, is_positive in _arguments(along):
        is_open = sign_of(_in_growth(argument)) not in ((1,) if is_positive else (1, -1))
        if argument.has(_PASSED) and is_open:
            return None
    return True


def _in_growth(argument: sp.Expr) -> sp.Expr:
    """Return an expression with 1 + growth for exp(rate * passed), since this is at least 1, and its powers."""
    rates = [
        node.exp / _PASSED
        for node in argument.atoms(sp.exp)
        if not (node.exp / _PASSED).has(_PASSED)
    ]
    rate = next((abs(rate) for rate in rates if rate.is_positive or rate.is_negative), sp.S.Zero)
    powers = {
        sp.exp(own * _PASSED): (1 + _GROWTH) ** (own / rate)
        for own in rates
        if rate != 0 and (own / rate).is_integer
    }
    return argument.xreplace(powers)


def _by_numbers(along: sp.Expr, case: dict[sp.Symbol, sp.Expr]) -> bool | None:
    """Return False if the curve goes to infinity or is complex at some parameters, and None otherwise."""
    for seed in range(_POINTS):
        point = rational_point(along.free_symbols - {_PASSED}, f"blow up {seed}")
        if not all(satisfies(symbol, value.subs(point)) for symbol, value in case.items()):
            continue
        curve = along.subs(point)
        with mpmath.workdps(_DIGITS):
            value = sp.lambdify(_PASSED, curve, "mpmath")
            bases = [sp.lambdify(_PASSED, base, "mpmath") for base, _ in _arguments(curve)]
            if _is_complex(value) or any(_has_pole(value, base) for base in bases):
                return False
    return None


def _is_complex(value: Callable[..., Any]) -> bool:
    numbers = [mpmath.mpmathify(_at(value, time)) for time in _TIMES]
    return any(abs(mpmath.im(x)) > _NEAR * abs(x) for x in numbers if mpmath.isfinite(x))


def _has_pole(value: Callable[..., Any], base: Callable[..., Any]) -> bool:
    """Return whether the base of a denominator changes its sign where the curve is large."""
    sizes = [abs(mpmath.mpmathify(_at(value, time))) for time in _TIMES]
    typical = sorted(size for size in sizes if mpmath.isfinite(size))
    if not typical:
        return False
    bases = [mpmath.re(_at(base, time)) for time in _TIMES]
    for before, after, low, high in zip(_TIMES, _TIMES[1:], bases, bases[1:], strict=False):
        if low * high < 0:
            root = mpmath.findroot(lambda w: mpmath.re(_at(base, w)), (before, after), "bisect")
            near = abs(_at(value, root + _NEAR * root))
            if near > _LARGE * (1 + typical[len(typical) // 2]):
                return True
    return False


def _at(function: Callable[..., Any], time: Any) -> Any:
    try:
        return function(mpmath.mpf(time))
    except ZeroDivisionError:
        return mpmath.nan
