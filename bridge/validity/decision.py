"""Whether a prediction holds at one configuration: seeds are drawn until that is decided.

A prediction of a number *holds* if the mean deviation is shown to be below the resolution, and *fails* if it is shown
to be above it; a bound, if the mean is shown to lie on one of its sides. Both are shown by confidence intervals that
hold at all times (:mod:`bridge.statistics.anytime`), so that looking after every few seeds costs no false alarms. What
neither is shown for with the largest number of seeds is *not decided*: the deviation is about as large as the
resolution, or the seeds differ too much.
"""

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bridge.statistics.anytime import mean_interval
from bridge.statistics.arrays import Array
from bridge.validity.prediction import Prediction
from closedform.measured import Measured

AT_ONCE = 4  # seeds that are run together, since a batch of networks takes hardly longer than one
WORDS = {True: "holds", False: "fails", None: "not decided"}


@dataclass(frozen=True)
class Decision:
    """What the seeds of one configuration say."""

    claim: Prediction
    config: Any
    resolution: (
        float  # smallest relevant deviation, see :class:`bridge.validity.prediction.Prediction`
    )
    level: float  # probability of a false alarm
    predicted: Array = field(repr=False)  # [seed]; NaN where a network measures nothing
    measured: Array = field(repr=False)  # [seed]
    holds: bool | None  # None if it is not decided
    seconds: float = field(default=0.0, compare=False)

    @property
    def number(self) -> Measured | None:
        """The mean over seeds with its prediction; None if no network measures it."""
        if not np.isfinite(self.predicted - self.measured).any():
            return None
        return self.claim.measured(
            repr(self.config), self.predicted, self.measured, self.resolution
        )

    @property
    def comparison(self) -> str:
        """The verdict with its numbers, in one line."""
        number, count = self.number, len(self.measured)
        if number is None:
            return f"{self.claim.name} {WORDS[self.holds]}: none of {count} networks measures it"
        seeds = f"{np.isfinite(self.predicted - self.measured).sum()} of {count} seeds"
        unit = "" if self.claim.relation != "=" else f", resolution {number.smallest_relevant:.3g}"
        return (
            f"{self.claim.name} {WORDS[self.holds]}: measured {number.text}, predicted {number.prediction}{unit}, "
            f"{seeds}, level {self.level:.2g}"
        )


def decide(
    claim: Prediction,
    config: Any,
    resolution: float | None = None,
    level: float = 0.01,
    *,
    most: int | None = None,
) -> Decision:
    """Draw at most ``most`` seeds until the claim is decided; ``level`` bounds the error of either answer."""
    began = time.perf_counter()
    relevant = claim.resolution if resolution is None else resolution
    predicted, measured = np.empty(0), np.empty(0)
    holds: bool | None = None
    at_most = claim.most if most is None else most
    while len(measured) < at_most:
        more = claim.pair(config, following(len(measured), at_most))
        predicted, measured = np.append(predicted, more[0]), np.append(measured, more[1])
        holds = verdict(claim, predicted, measured, relevant, level)
        if holds is not None or not np.isfinite(predicted - measured).any():
            break
    seconds = time.perf_counter() - began
    return Decision(claim, config, relevant, level, predicted, measured, holds, seconds)


def following(done: int, most: int) -> range:
    """Return the seeds that follow the first ``done``: four, or about half as many again; none beyond ``most``."""
    return range(done, min(done + AT_ONCE * max(1, round(done / 2 / AT_ONCE)), most))


def verdict(
    claim: Prediction, predicted: Array, measured: Array, resolution: float, level: float
) -> bool | None:
    """Return whether the claim is shown to hold (True) or to fail (False) by these networks; None if neither is."""
    finite = np.isfinite(predicted - measured)
    deviation = (measured - predicted)[finite]
    allowed = claim.allowed(predicted[finite], resolution)
    if claim.relation != "=":
        low, high = mean_interval(deviation if claim.relation == "<" else -deviation, level)
        return False if low > 0 else True if high < 0 else None
    # Both sides are tested, each at half of the level.
    least, most = mean_interval(deviation - allowed, level / 2)
    lowest, highest = mean_interval(deviation + allowed, level / 2)
    return False if least > 0 or highest < 0 else True if most < 0 < lowest else None
