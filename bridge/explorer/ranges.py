"""The ranges of the sliders of a closed form, and the point at which its page starts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from theory.core import Argument, ClosedForm

WIDER = 10.0  # factor of the range of a positive argument beyond the one from which tests draw
# share of a range between the end of a slider and a bound that is outside of the domain
INSIDE = 1e-3
LARGEST_COUNT = 10_000
START_DIGITS = 2
# of a range, at which a page starts; two equal arguments may cancel
SHARES = (0.55, 0.7, 0.4, 0.8, 0.25)


@dataclass(frozen=True)
class Range:
    """The range of the slider of one argument."""

    low: float  # smallest number
    high: float  # largest number
    is_log: bool  # whether equal steps of the slider are equal factors

    @property
    def middle(self) -> float:
        """The number in the middle of the slider."""
        return math.sqrt(self.low * self.high) if self.is_log else (self.low + self.high) / 2


def ranges(form: ClosedForm) -> list[Range]:
    """Return the range of each argument: within its domain, around the numbers from which tests draw."""
    return [_range(argument, *_bounds(form, argument)) for argument in form.arguments]


def start(form: ClosedForm) -> list[float]:
    """Return a point that satisfies all conditions: the examples of the arguments, or a random point of the ranges."""
    from theory.core.numbers.backends import load
    from theory.core.numbers.backends.source import compile_expression

    symbols = [argument.symbol for argument in form.arguments]
    gaps = [
        (compile_expression(condition.gap, symbols, load("numpy")), condition.strict)
        for condition in form.conditions
    ]
    sampled = form.sample(1)
    for candidate in (
        _middle(form.arguments),
        [_rounded(float(sampled[a.name][0])) for a in form.arguments],
    ):
        if all(
            gap(*candidate) > 0 or (gap(*candidate) == 0 and not is_strict)
            for gap, is_strict in gaps
        ):
            return candidate
    return [float(sampled[argument.name][0]) for argument in form.arguments]


def _middle(arguments: Sequence[Argument]) -> list[float]:
    """Return the examples, and else points in the middle of the ranges, at different places for the same range."""
    point: list[float] = []
    earlier: Counter[tuple[float, float]] = Counter()
    for argument in arguments:
        low, high = argument.range
        share = SHARES[earlier[low, high] % len(SHARES)]
        earlier[low, high] += 1
        if argument.example is not None:
            point.append(argument.example)
            continue
        number = low * (high / low) ** share if low > 0 else low + share * (high - low)
        point.append(float(round(number)) if argument.allowed.is_integer else _rounded(number))
    return point


def _rounded(number: float) -> float:
    return float(f"{number:.{START_DIGITS}g}")


def _range(argument: Argument, low: float, high: float) -> Range:
    """Return the range of a slider for an argument between two bounds, which may be infinite."""
    allowed, (first, last) = argument.allowed, argument.range
    is_positive = allowed.low == 0 and not allowed.has_low
    if allowed.is_integer:
        return Range(
            max(low, 1.0 if is_positive else 0.0), min(high, LARGEST_COUNT, 2 * last), False
        )
    if is_positive and math.isinf(high):
        return Range(max(low, first / WIDER), last * WIDER, True)
    if is_positive:
        return Range(max(low, INSIDE * high), high, False)
    if allowed.high == 0 and not allowed.has_high:
        return Range(max(low, 2 * first), last / WIDER, False)
    if allowed.low == 0:
        return Range(low, min(high, last if first == 0 else 2 * last), False)
    half = (last - first) / 2
    return Range(max(low, first - half), min(high, last + half), False)


def _bounds(form: ClosedForm, argument: Argument) -> tuple[float, float]:
    """Return the bounds of an argument by its sign and by the conditions that are linear in it and in nothing else."""
    symbol, allowed = argument.symbol, argument.allowed
    low, high = allowed.low, allowed.high
    for condition in form.conditions:
        if condition.gap.free_symbols != {symbol}:
            continue
        slope = condition.gap.diff(symbol)
        if slope.is_number and slope != 0:
            end = -condition.gap.subs(symbol, 0) / slope
            inwards = 1 if slope > 0 else -1
            if allowed.is_integer:
                bound = float(
                    math.ceil(inwards * end) * inwards
                    + inwards * (condition.strict and end.is_integer)
                )
            else:
                bound = float(end) + inwards * condition.strict * INSIDE * (
                    argument.range[1] - argument.range[0]
                )
            low, high = (max(low, bound), high) if slope > 0 else (low, min(high, bound))
    return low, high
