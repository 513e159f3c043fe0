"""A closed form to as many digits as are wanted, all of them right.

The working precision grows until two evaluations, the second with many more digits, print the same.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import mpmath
import sympy as sp

from theory.core.backends import mpmath_backend
from theory.core.backends.call import bind
from theory.core.backends.compiler import compile_expression
from theory.core.normal_form import vanishes

if TYPE_CHECKING:
    from theory.core.closed_form import ClosedForm

_GUARD = 12
_ROUNDS = 9  # the working precision doubles, at most to about 500 times what is asked for
_MOST_DIGITS = 100_000

# One context for all work, so that an expression is compiled once. Its precision is set per round, hence the lock.
_WORK = mpmath.MPContext()
_LOCK = threading.RLock()


def evaluate(form: ClosedForm, given: tuple[Any, ...], named: dict[str, Any], digits: int) -> Any:
    """See :meth:`theory.core.ClosedForm.evaluate`."""
    if isinstance(digits, bool) or not isinstance(digits, int):
        raise TypeError(f"digits must be an integer, got {digits!r}")
    if not 1 <= digits <= _MOST_DIGITS:
        raise ValueError(f"digits must be between 1 and {_MOST_DIGITS}, got {digits}")
    raw = bind(form.name, form.arguments, given, named)
    exact = [mpmath_backend.exact(a.name, v) for a, v in zip(form.arguments, raw, strict=True)]
    with _LOCK:
        _require_domain(form, exact, digits)
        value = _settled(form, exact, digits)
    context = mpmath.MPContext()
    context.dps = digits
    # Not rounded to the new context: printing rounds once, from more digits than it shows.
    return context.make_mpf(value._mpf_)


def _compiled(form: ClosedForm) -> list[Any]:
    """The expression and, for each condition, gap and scale; compiled once for each form."""
    cache = form.__dict__.setdefault("_precise", [])
    if not cache:
        symbols = [argument.symbol for argument in form.arguments]
        parts = [form.expression, *(part for c in form.conditions for part in (c.gap, c.scale))]
        cache.extend(compile_expression(part, symbols, mpmath_backend, context=_WORK) for part in parts)
    return cache


def _require_domain(form: ClosedForm, exact: list[sp.Expr], digits: int) -> None:
    _WORK.dps = digits + _GUARD
    values = [mpmath_backend.number(value, _WORK) for value in exact]
    for argument, value in zip(form.arguments, values, strict=True):
        argument.require(value, mpmath_backend)
    _, *parts = _compiled(form)
    for condition, gap, scale in zip(form.conditions, parts[::2], parts[1::2], strict=True):
        if not mpmath_backend.holds(gap, scale, values, condition):
            raise ValueError(f"{form.name}: {condition.sentence} is required ({condition.relation})")


def _settled(form: ClosedForm, exact: list[sp.Expr], digits: int) -> Any:
    function = _compiled(form)[0]
    previous = None
    precision = digits + _GUARD
    for _ in range(_ROUNDS):
        _WORK.dps = precision
        value = function(*(mpmath_backend.number(argument, _WORK) for argument in exact))
        value = _real(form, _WORK.mpmathify(value), precision)
        if previous is not None and _agree(previous, value, digits):
            return value
        previous = value
        precision = 2 * precision
        if value == 0 and previous == 0:
            continue
        if abs(value) < _WORK.mpf(10) ** (-(digits + _GUARD)) and _is_zero(form, exact):
            return _WORK.zero
    raise ArithmeticError(f"{form.name} does not settle to {digits} digits; last value {_WORK.nstr(previous, 15)}")


def _real(form: ClosedForm, value: Any, precision: int) -> Any:
    if isinstance(value, _WORK.mpc):
        if abs(value.imag) > abs(value) * _WORK.mpf(10) ** (5 - precision):
            raise ArithmeticError(f"{form.name} is not real for these arguments: {_WORK.nstr(value, 15)}")
        value = value.real
    if not _WORK.isfinite(value):
        raise ArithmeticError(f"{form.name} is not finite for these arguments: {value}")
    return value


def _agree(first: Any, second: Any, digits: int) -> bool:
    """Both print alike; or, on the edge between two roundings, they agree to many more digits than are printed."""
    if first == second:
        return True
    difference = abs(first - second)
    if difference > abs(second) * _WORK.mpf(10) ** (-digits - _GUARD // 2):
        return False
    alike = mpmath.libmp.to_str(first._mpf_, digits) == mpmath.libmp.to_str(second._mpf_, digits)
    return alike or difference < abs(second) * _WORK.mpf(10) ** (-4 * digits - 4 * _GUARD)


def _is_zero(form: ClosedForm, exact: list[sp.Expr]) -> bool:
    """Whether the expression at this point is proved to be zero, which no number of digits can show."""
    point = dict(zip([argument.symbol for argument in form.arguments], exact, strict=True))
    return vanishes(form.expression.subs(point))
