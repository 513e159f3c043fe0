"""Integrals of the mpmath backend by flint, where flint is certain of their digits; otherwise by mpmath itself."""

from collections.abc import Callable, Sequence
from typing import Any

import flint
import mpmath

_BITS_PER_DIGIT = 3.33
_GUARD_BITS = 40
# Digits that a ball must have to be taken for the number that was asked for.
FRACTION = 0.9
_FRACTION_OF_SMALL = 0.8  # and the number itself, which may be smaller than 1
_MOST_DOUBLINGS = 5  # of the digits of the computation for a small number


def certified(
    by_mpmath: Callable[..., Any], build: Callable[[], Callable[..., Any]], context: Any, lock: Any
) -> Callable[..., Any]:
    """Return a function of numbers of ``context`` that asks flint first and, if it fails, ``by_mpmath``."""
    known: list[Callable[..., Any] | None] = []

    def by_balls() -> Callable[..., Any] | None:
        if not known:
            try:
                known.append(build())
            except NotImplementedError:
                known.append(None)
        return known[0]

    def evaluate(*inputs: Any) -> Any:
        function = by_balls() if all(isinstance(value, context.mpf) for value in inputs) else None
        if function is None:
            return by_mpmath(*inputs)
        with lock:
            for doublings in range(_MOST_DOUBLINGS + 1):
                digits = context.dps * 2**doublings
                ball = enclosed(function, inputs, _ball, digits)
                if ball is None:
                    break
                smallest = int(_FRACTION_OF_SMALL * context.dps) - int(FRACTION * digits)
                if abs(ball) > flint.arb(10) ** smallest:
                    return context.make_mpf(middle(ball))
        return by_mpmath(*inputs)

    return evaluate


def enclosed(
    function: Callable[..., Any],
    inputs: Sequence[Any],
    ball: Callable[[Any], flint.arb],
    digits: int,
) -> flint.arb | None:
    """Return a ball around a real value of a function of balls; None if it is too wide, or flint cannot compute it."""
    before = flint.ctx.prec
    try:
        flint.ctx.prec = int(_BITS_PER_DIGIT * digits) + _GUARD_BITS
        result = function(*(flint.acb(ball(value)) for value in inputs))
        wanted = flint.arb(10) ** -int(FRACTION * digits) * (1 + abs(result.real))
        settled = result.is_finite() and result.real.rad() < wanted and abs(result.imag) < wanted
        return result.real if settled else None
    except ArithmeticError:
        return None
    except SystemError as error:  # raised by flint after an interruption between two of its calls
        raise _root(error) from None
    finally:
        flint.ctx.prec = before


def middle(ball: flint.arb) -> Any:
    """Return the middle of a ball as a raw number of mpmath."""
    return mpmath.libmp.from_man_exp(*map(int, ball.mid().man_exp()))


def _ball(value: Any) -> flint.arb:
    sign, mantissa, exponent, _ = value._mpf_
    if not mantissa and exponent:
        raise ArithmeticError(f"an integral cannot be computed at {value}")
    return flint.arb((-1) ** sign * int(mantissa)) * flint.arb(2) ** int(exponent)


def _root(error: BaseException) -> BaseException:
    """Return the exception from which the others were raised."""
    while (earlier := error.__cause__ or error.__context__) is not None:
        error = earlier
    return error
