"""Evaluation of a closed form to any number of correct digits.

Ball arithmetic encloses the value rigorously, with a precision that grows until both ends of the ball print the same
digits. Where a function has no ball arithmetic (mainly integrals), the precision grows until three consecutive results
agree; the correctness of these digits rests on that agreement. flint computes the integrals, and mpmath the rest and
the integrals for which flint fails.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any

import flint
import mpmath
import sympy as sp
from mpmath.libmp import from_man_exp, mpf_add, mpf_pos, mpf_sub, to_str

from closedform.checks import require
from closedform.interruption import OutOfTime, budget
from closedform.suggestions import by_name
from theory.core.formula.deferred_function import Iterated
from theory.core.formula.domain import violation
from theory.core.formula.let import Let
from theory.core.numbers.arguments import integer
from theory.core.numbers.backends import ball_backend, mpmath_backend
from theory.core.numbers.backends.mpmath_backend import LOCK, WORK
from theory.core.numbers.backends.source import compile_expression
from theory.core.numbers.exact import exact, number, without_radicals

if TYPE_CHECKING:
    from theory.core.formula.form import Form

_GUARD_DIGITS = 12
_ROUNDS = 9  # the working precision of balls doubles in each round, so it reaches 500 times the requested one at most
# factor of the precision of mpmath in each round, smaller because quadrature is slow
_GROWTH = 1.5
# no precision separates zero from a tiny number; in this round a proof of zero is tried
_ROUND_TO_PROVE_ZERO = 2
_SECONDS_TO_PROVE_ZERO = 5.0
# of a rational number whose exact power sympy computes within the time for a proof
_LARGEST_EXPONENT = 10_000
# a power loses as many digits of an integral as its exponent has
_LARGEST_EXPONENT_OF_INTEGRALS = 10**40
_MOST_OF_INTEGRALS = 10**200  # a number; larger ones take more than some seconds
_MOST_DIGITS = 100_000
# of all layers and of each; about ten seconds
_MOST_DIGITS_OF_LAYERS, _FEWEST_DIGITS = (200_000, 20)
_BITS_PER_DIGIT = 3.33
# per digit, so that the number is rounded only once, when it is printed
_BITS_TO_KEEP = 4 * _BITS_PER_DIGIT
_SPARE_BITS = 99


def evaluate(form: Form, given: tuple[Any, ...], named: dict[str, Any], digits: int) -> Any:
    """See :meth:`theory.core.ClosedForm.evaluate`."""
    digits = integer("digits", digits, 1, _MOST_DIGITS)
    values = by_name(form.name, [argument.name for argument in form.arguments], given, named)
    point = [exact(argument.name, values[argument.name]) for argument in form.arguments]
    for argument, value in (
        zip(form.arguments, point, strict=True) if form.expression.has(sp.Integral) else ()
    ):
        require(
            bool(abs(value) <= _MOST_OF_INTEGRALS),
            argument.name,
            "a number above 1e200",
            "less for an integral",
        )
    layers = _kept(
        form,
        "layers",
        lambda: max(
            (
                *(node.parts[2] for node in form.expression.atoms(Iterated)),
                *(len(node.definitions) for node in form.expression.atoms(Let)),
            ),
            default=0,
        ),
    )
    if layers * max(digits, _FEWEST_DIGITS) > _MOST_DIGITS_OF_LAYERS:
        most = _MOST_DIGITS_OF_LAYERS // max(digits, _FEWEST_DIGITS)
        raise ValueError(
            f"digits: got {digits} for {layers} layers, needs at most {most} layers or float64"
        )
    with LOCK:
        _require_domain(form, point, digits)
        settle = _enclosed if _ball_function(form) is not None else _agreed
        value = settle(form, point, digits)
    context = mpmath.MPContext()
    context.dps = digits
    # The number keeps more digits than the context shows, so that it is rounded only once, when it is printed.
    return context.make_mpf(value)


def _kept(form: Form, name: str, build: Callable[[], Any]) -> Any:
    """Return what is kept with the form under a name; it is built at first."""
    cache = form.__dict__.setdefault("_precise", {})
    if name not in cache:
        cache[name] = build()
    return cache[name]


def _ball_function(form: Form) -> Callable[..., Any] | None:
    """Return the expression as a function of balls; None where balls lack a function."""

    def build() -> Callable[..., Any] | None:
        try:
            return compile_expression(
                form.expression, [argument.symbol for argument in form.arguments], ball_backend
            )
        except NotImplementedError:
            return None

    return _kept(form, "ball", build)


def _mpmath_functions(form: Form, name: str, *expressions: sp.Expr) -> list[Callable[..., Any]]:
    """Return expressions in the arguments as functions of numbers of ``WORK``."""
    symbols = [argument.symbol for argument in form.arguments]

    def build() -> list[Callable[..., Any]]:
        return [
            compile_expression(expression, symbols, mpmath_backend, context=WORK)
            for expression in expressions
        ]

    return _kept(form, name, build)


def _require_domain(form: Form, point: list[sp.Expr], digits: int) -> None:
    WORK.dps = digits + _GUARD_DIGITS
    values = [number(value, WORK) for value in point]
    for argument, value in zip(form.arguments, values, strict=True):
        argument.require(value, mpmath_backend)
    parts = _mpmath_functions(
        form, "conditions", *chain.from_iterable((c.gap, c.scale) for c in form.conditions)
    )
    for condition, gap, scale in zip(form.conditions, parts[::2], parts[1::2], strict=True):
        if not mpmath_backend.holds(gap, scale, values, condition):
            broken = violation(
                condition, form.arguments, values, mpmath_backend.finish(gap, values)
            )
            raise ValueError(f"{form.name} requires: {broken}")


def _enclosed(form: Form, point: list[sp.Expr], digits: int) -> tuple[int, ...]:
    """Return the raw mpmath number inside a ball whose two ends print the same digits."""
    function = _ball_function(form)
    assert function is not None
    before = flint.ctx.prec
    try:
        for round_ in range(_ROUNDS):
            flint.ctx.prec = int(_BITS_PER_DIGIT * (digits + _GUARD_DIGITS) * 2**round_) + 20
            try:
                ball = flint.arb(function(*(_ball(value) for value in point)))
            except ball_backend.Undecided:
                continue
            if not ball.is_finite():
                continue
            middle, radius = (
                from_man_exp(*map(int, part.man_exp())) for part in (ball.mid(), ball.rad())
            )
            # mpmath cannot print a tiny number that carries thousands of digits.
            bits = int(_BITS_TO_KEEP * digits) + _SPARE_BITS
            low, high = mpf_sub(middle, radius, bits, "f"), mpf_add(middle, radius, bits, "c")
            # Exactly between two roundings the ends never print alike; then far more digits are known than are shown.
            if to_str(low, digits) == to_str(high, digits) or ball.rel_accuracy_bits() > bits:
                return mpf_pos(middle, bits, "n")
            if round_ == _ROUND_TO_PROVE_ZERO and ball.contains(0) and _is_zero(form, point):
                return mpmath.libmp.fzero
    finally:
        flint.ctx.prec = before
    # The root of a ball that contains zero has no enclosure although the number itself may exist.
    return _agreed(form, point, digits)


def _ball(value: sp.Expr) -> flint.arb:
    if value.is_Rational:
        return flint.arb(flint.fmpq(int(value.p), int(value.q)))
    return compile_expression(value, [], ball_backend)()


def _agreed(form: Form, point: list[sp.Expr], digits: int) -> tuple[int, ...]:
    """Return the raw mpmath number on which three precisions agree."""
    if (
        form.expression.has(sp.Integral)
        and (power := _largest_exponent(form, point)) > _LARGEST_EXPONENT_OF_INTEGRALS
    ):
        raise ArithmeticError(
            f"{form.name}: the power {power.n(3)} of an integral would take far too many digits"
        )
    (function,) = _mpmath_functions(form, "mpmath", form.expression)
    results: list[Any] = []
    for round_ in range(_ROUNDS):
        precision = int((digits + _GUARD_DIGITS) * _GROWTH**round_)
        WORK.dps = precision
        try:
            value = WORK.mpmathify(function(*(number(argument, WORK) for argument in point)))
        except ZeroDivisionError:
            raise ArithmeticError(
                f"{form.name} divides by zero at {precision} digits for these arguments"
            ) from None
        results.append(_real(form, value, precision))
        if round_ < _ROUND_TO_PROVE_ZERO:
            continue
        tolerance = abs(results[-1]) * WORK.mpf(10) ** (-digits - _GUARD_DIGITS // 2)
        if results[-1] != 0 and all(
            abs(earlier - results[-1]) <= tolerance for earlier in results[-3:-1]
        ):
            return results[-1]._mpf_
        is_tiny = abs(results[-1]) < WORK.mpf(10) ** (-digits - _GUARD_DIGITS)
        if round_ == _ROUND_TO_PROVE_ZERO and is_tiny and _is_zero(form, point):
            return mpmath.libmp.fzero
    last = f"is {WORK.nstr(results[-1], 15)} at {precision} digits"
    raise ArithmeticError(
        f"{form.name} {last} and has no {digits} right ones; write arguments in simplest form"
    )


def _real(form: Form, value: Any, precision: int) -> Any:
    if isinstance(value, WORK.mpc):
        if abs(value.imag) > abs(value) * WORK.mpf(10) ** (5 - precision):
            raise ArithmeticError(
                f"{form.name} is not real for these arguments: {WORK.nstr(value, 15)}"
            )
        value = value.real
    if not WORK.isfinite(value):
        raise ArithmeticError(f"{form.name} is not finite for these arguments: {value}")
    return value


def _largest_exponent(form: Form, point: list[sp.Expr]) -> sp.Expr:
    """Return the largest absolute exponent of a power whose exponent depends on the arguments; zero without one."""
    values = dict(zip([argument.symbol for argument in form.arguments], point, strict=True))
    exponents = {
        power.exp.subs(values) for power in form.expression.atoms(sp.Pow) if power.exp.free_symbols
    }
    return max(
        (abs(exponent) for exponent in exponents if exponent.is_Rational), default=sp.S.Zero
    )


def _is_zero(form: Form, point: list[sp.Expr]) -> bool:
    """Return whether the expression at this point is proved to be zero, which no number of digits can show."""
    if _largest_exponent(form, point) > _LARGEST_EXPONENT:
        return False  # no limit of time interrupts the power of an integer
    from theory.core.algebra.normal_form import vanishes

    try:
        with budget(_SECONDS_TO_PROVE_ZERO):
            values = {
                a.symbol: without_radicals(value)
                for a, value in zip(form.arguments, point, strict=True)
            }
            return vanishes(form.expression.subs(values))
    except OutOfTime:
        return False
