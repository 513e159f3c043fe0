"""Whether a prediction holds at one configuration: seeds are drawn until that is decided.

A prediction of a number *holds* if the mean deviation is shown to be below the resolution, and *fails* if it is shown
to be above it; a bound, if the mean is shown to lie on one of its sides. Both are shown by confidence intervals that
hold at all times (:mod:`bridge.statistics.anytime`), so that looking after every few seeds costs no false alarms. What
neither is shown for with the largest number of seeds is *not decided*: the deviation is about as large as the
resolution, the seeds differ too much, or more than half of the measured numbers are equal, so that no error follows.

A few seeds need not have shown the rare numbers that carry a mean. A claim therefore fails only after so many seeds
that a tenth of all networks would have been among them, and holds only after as many for three tenths
(:class:`Patience`); the level is kept for numbers of which at least so many lie on either side of the mean.
Measured numbers within known limits (:attr:`Prediction.bounds`), and indicators, which are 0 or 1, need no such
condition: their intervals hold for every distribution (:mod:`bridge.statistics.bounded_mean`).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from bridge.statistics.anytime import TIED, mean_interval, share_of_equals, shows
from bridge.statistics.arrays import Array
from bridge.statistics.bounded_mean import bounded_interval
from bridge.validity.prediction import Prediction
from closedform.measured import Measured
from closedform.rounding import ROUNDING

AT_ONCE = 4  # seeds that are run together, since a batch of networks takes hardly longer than one
WORDS = {True: "holds", False: "fails", None: "not decided"}
LIKELY = 0.84  # standard errors beyond a limit at which four of five means lie beyond it
INDICATOR = (0.0, 1.0)  # limits of numbers all of which are one of these two


class Patience(NamedTuple):
    """Shares of networks that would have been seen before a claim fails, and before it holds; 0 to wait for none."""

    failing: float = 0.1
    holding: float = 0.3


PATIENT = Patience()
# points of a map, which many others surround, and whose level is not shared
IMPATIENT = Patience(0.0, 0.0)


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
    first_seed: int = 0  # of the networks

    @property
    def deviations(self) -> Array:
        """The deviations in units of the smallest relevant one, ``[seed]``."""
        return self.claim.deviations(self.predicted, self.measured, self.resolution)

    @property
    def number(self) -> Measured | None:
        """The mean over seeds with its prediction; None if no network measures it."""
        if not np.isfinite(self.deviations).any():
            return None
        return self.claim.measured(
            repr(self.config), self.predicted, self.measured, self.resolution
        )

    @property
    def comparison(self) -> str:
        """The verdict with its numbers, and what the seeds would have shown if they show nothing, in one line."""
        number, count = self.number, len(self.measured)
        if number is None:
            return f"{self.claim.name} {WORDS[self.holds]}: none of {count} networks measures it"
        seeds = f"{np.isfinite(self.deviations).sum()} of {count} seeds"
        unit = "" if self.claim.relation != "=" else f", resolution {number.smallest_relevant:.3g}"
        return (
            f"{self.claim.name} {WORDS[self.holds]}: measured {number.text}, predicted {number.prediction}{unit}, "
            f"{seeds}, level {self.level:.2g}{'; ' if self.power else ''}{self.power}"
        )

    @property
    def power(self) -> str:
        """Which deviation these seeds would show four times out of five, in words; empty for what is decided."""
        if self.holds is not None or not np.isfinite(self.deviations).any():
            return ""
        count, visible = int(np.isfinite(self.deviations).sum()), self.visible
        if not math.isfinite(visible):
            if _limits(self.claim, self.predicted, self.measured) is None and _is_tied(self):
                return (
                    f"more than half of {count} numbers are equal, from which no error follows: needs bounds=, the "
                    "limits within which every measured number lies"
                )
            return f"{count} seeds see nothing here"
        if self.claim.relation == "=" and self.claim.is_relative:
            return f"{count} seeds see a factor of {1 + self.resolution * visible:.3g} here"
        number = self.number
        unit = number.smallest_relevant if number is not None else self.resolution
        return f"{count} seeds see a deviation of {unit * visible:.3g} here"

    @property
    def visible(self) -> float:
        """The deviation that is shown with a probability of about 80 %, in units of the smallest relevant one."""
        known = self.deviations[np.isfinite(self.deviations)]
        if len(known) < 2:
            return math.inf
        is_number = self.claim.relation == "="
        level = self.level / 2 if is_number else self.level
        limits = _limits(self.claim, self.predicted, self.measured)
        low, high = _interval(
            self.claim, self.predicted, self.measured, self.resolution, level, limits
        )
        scatter = LIKELY * float(known.std(ddof=1)) / math.sqrt(len(known))
        return is_number + (high - low) / 2 + scatter


def decide(
    claim: Prediction,
    config: Any,
    resolution: float | None = None,
    level: float = 0.01,
    *,
    most: int | None = None,
    patience: Patience = PATIENT,
    known: tuple[Array, Array] | None = None,
    first_seed: int = 0,
) -> Decision:
    """Draw seeds until the claim is decided; ``level`` bounds the error of either answer.

    Args:
        claim: what is claimed.
        config: where.
        resolution: smallest relevant deviation. If every prediction is 0, it is one in the unit of the quantity.
            Default: that of the claim.
        level: probability of a false alarm, and of a false agreement, however often one looks. Default: 0.01.
        most: number of seeds after which a claim is not decided; what seems to fail by then is followed until that
            is shown. Default: that of the claim.
        patience: which shares of all networks must have been seen. Default: a tenth to fail, three tenths to hold.
        known: predicted and measured numbers ``[seed]`` of the first seeds, which are not drawn again.
        first_seed: the first seed. Default: 0.

    Raises:
        ValueError: if every prediction is 0 and no resolution is given, a measured number lies outside of the bounds
            of the claim, or networks differ whose claim says that they do not.
    """
    began = time.perf_counter()
    relevant = claim.resolution if resolution is None else resolution
    predicted, measured = (np.empty(0), np.empty(0)) if known is None else known
    at_most = claim.most if most is None else most
    holds = None
    while True:
        finite = np.isfinite(predicted - measured)
        if claim.is_relative and finite.any() and (predicted[finite] == 0).all():
            claim = _of_zero(claim, resolution)
        side = verdict(claim, predicted, measured, relevant, level, patience)
        enough = shows(patience.failing, level / 2) if patience.failing else 0
        is_pending = (
            side is False
            and finite.sum() < enough
            and claim.varies
            and _limits(claim, predicted, measured) is None
        )
        holds = None if is_pending else side
        count = len(measured)
        is_over = count >= at_most and not (is_pending and count < enough + at_most)
        if holds is not None or is_over or (count and not finite.any()):
            break
        seeds = following(count, max(at_most, enough if is_pending else 0, count + is_pending))
        more = claim.pair(config, range(first_seed + seeds.start, first_seed + seeds.stop))
        predicted, measured = np.append(predicted, more[0]), np.append(measured, more[1])
    seconds = time.perf_counter() - began
    return Decision(
        claim, config, relevant, level, predicted, measured, holds, seconds, first_seed
    )


def following(done: int, most: int) -> range:
    """Return the seeds that follow the first ``done``: four, or about half as many again; none beyond ``most``."""
    return range(done, min(done + AT_ONCE * max(1, round(done / 2 / AT_ONCE)), most))


def verdict(
    claim: Prediction,
    predicted: Array,
    measured: Array,
    resolution: float,
    level: float,
    patience: Patience = IMPATIENT,
) -> bool | None:
    """Return whether the claim is shown to hold (True) or to fail (False) by these networks; None if neither is.

    Of the patience, only what holding needs is asked for here: who draws further seeds asks for the other share.
    """
    deviations = claim.deviations(predicted, measured, resolution)
    known = deviations[np.isfinite(deviations)]
    if not known.size:
        return None
    is_number, waits = claim.relation == "=", False
    if not claim.varies:
        low = high = _without_scatter(claim, known)
    else:
        # Both sides of a number are tested, each at half of the level.
        level = level / 2 if is_number else level
        limits = _limits(claim, predicted, measured)
        low, high = _interval(claim, predicted, measured, resolution, level, limits)
        if limits is None and patience.holding:
            waits = known.size < shows(patience.holding, level)
    if claim.relation == ">":
        low, high = -high, -low
    edge = 1.0 if is_number else 0.0
    if low > edge or (is_number and high < -edge):
        return False
    is_inside = high <= edge + ROUNDING and low >= -edge - ROUNDING if is_number else high < 0
    return True if is_inside and not waits else None


def _interval(
    claim: Prediction,
    predicted: Array,
    measured: Array,
    resolution: float,
    level: float,
    limits: tuple[float, float] | None,
) -> tuple[float, float]:
    """Return the interval of the mean deviation, in units of the smallest relevant one."""
    deviations = claim.deviations(predicted, measured, resolution)
    finite = np.isfinite(deviations)
    if limits is not None:
        centre = predicted[finite][:1]
        size = abs(float(centre[0])) if claim.is_relative else 1.0
        unit = resolution * (size or 1.0)
        low, high = bounded_interval(measured[finite], limits, level)
        return (low - float(centre[0])) / unit, (high - float(centre[0])) / unit
    if share_of_equals(measured[finite]) > TIED:
        return -math.inf, math.inf
    return mean_interval(deviations[finite], level)


def _limits(claim: Prediction, predicted: Array, measured: Array) -> tuple[float, float] | None:
    """Return the limits of the measured numbers, those of an indicator if all are 0 or 1; None if there are none.

    Raises:
        ValueError: if the claim has bounds, and predictions that differ between networks.
    """
    finite = np.isfinite(predicted - measured)
    is_one_number = bool(finite.any()) and bool((predicted[finite] == predicted[finite][0]).all())
    if claim.bounds is not None:
        if finite.any() and not is_one_number:
            raise ValueError(
                f"bounds: got predictions of {claim.name} that differ between networks, needs one for all of them"
            )
        return claim.bounds
    is_share = is_one_number and 0 <= predicted[finite][0] <= 1
    is_indicator = is_share and bool(((measured[finite] == 0) | (measured[finite] == 1)).all())
    return INDICATOR if is_indicator else None


def _is_tied(decision: Decision) -> bool:
    """Return whether more than half of the measured numbers are equal."""
    return share_of_equals(decision.measured[np.isfinite(decision.deviations)]) > TIED


def _without_scatter(claim: Prediction, known: Array) -> float:
    """Return the one deviation of networks that do not differ."""
    if np.ptp(known) > ROUNDING * max(1.0, float(np.abs(known).max())):
        raise ValueError(f"varies: got networks of {claim.name} that differ, needs varies=True")
    return float(known[0])


def _of_zero(claim: Prediction, resolution: float | None) -> Prediction:
    """Return the claim of a prediction of 0, of which no share is a deviation."""
    if resolution is None:
        raise ValueError(
            "resolution: got none, needs the smallest relevant deviation from a prediction of 0"
        )
    return replace(claim, is_relative=False) if claim.relation == "=" else claim
