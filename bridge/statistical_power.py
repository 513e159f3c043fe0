r"""How many repetitions would make a deviation show: what to do about "too blunt to say".

A deviation :math:`D` *shows* if the comparison then says "disagrees". With ``n`` repetitions of scatter :math:`s`
it does so with probability

.. math:: P(|T| > \mathrm{limit}_n), \quad T \sim t'_{n-1}\big(D / \sqrt{s^2/n + e^2}\big)

(noncentral t; :math:`e` the error of the prediction, which no repetition makes smaller), and the answer is the smallest
``n`` for which that reaches ``chance``. The scatter is the one found. From few repetitions it is poorly known, and so
is ``n``: ``between`` holds the numbers for the ends of its 68 % interval, and on average over experiments of 3 (5, 10)
repetitions, 55 to 68 % (67 to 71 %, 75 to 78 %) of the deviations asked for show at the ``n`` given for 80 %.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bridge import arguments, verdicts
from bridge.arrays import Array
from bridge.comparison import Comparison

CHANCE = 0.8
ONE_SIGMA = 0.6826894921370859  # share of a normal distribution within one standard deviation
NODES = 400  # quantiles of the scatter over which a probability is averaged: exact to 1e-3
MOST = 10**7  # repetitions; beyond, a deviation is said never to show


@dataclass(frozen=True)
class Power:
    """Repetitions that a deviation needs to show; every array has the shape of the comparison.

    Attributes:
        deviation: that is to show.
        chance: with which it is to show.
        now: repetitions there are; 1 where the error was stated, which counts as one measurement.
        needed: repetitions in all; infinite where the error of the prediction alone hides the deviation.
        between: ``[2, ...]``: ``needed`` for the lower and the upper end of the scatter's 68 % interval.
        chance_now: probability that the deviation shows with the repetitions there are.
        comparison: that was asked about.
    """

    deviation: Array
    chance: float
    now: Array
    needed: Array
    between: Array
    chance_now: Array
    comparison: Comparison

    @property
    def more(self) -> Array:
        """Repetitions that are missing; 0 where there are enough."""
        return np.asarray(np.maximum(self.needed - self.now, 0.0))

    def summary(self) -> str:
        """One sentence for each comparison."""
        names = self.comparison.names or ("",) * self.deviation.size
        return "\n".join(f"{name}: {self._sentence(i)}" if name else self._sentence(i) for i, name in enumerate(names))

    def _sentence(self, index: int) -> str:
        deviation, needed, more, now = (
            float(np.ravel(each)[index]) for each in (self.deviation, self.needed, self.more, self.now)
        )
        what = f"a deviation of {deviation:.2g}{_share(deviation, self.comparison, index)} would show"
        if more == 0:
            return f"{what} already, with a chance of {float(np.ravel(self.chance_now)[index]):.0%}"
        if np.isinf(needed):
            return f"no number of repetitions: {what} only against a prediction with a smaller error"
        span, unit = "", "more measurement like it" if more == 1 else "more measurements like it"
        if np.isfinite(np.ravel(self.comparison.repetitions)[index]):
            low, high = self.between.reshape(2, -1)[:, index]
            most = f"{high:.0f}" if np.isfinite(high) else "any number"
            span = f"; between {low:.0f} and {most}, as {now:.0f} tell the scatter" if low < high else ""
            unit = "more repetition" if more == 1 else "more repetitions"
        return f"{more:.0f} {unit} ({needed:.0f} in all{span}) and {what} with a chance of {self.chance:.0%}"


def _share(deviation: float, comparison: Comparison, index: int) -> str:
    """``(10 % of the prediction)``, where the prediction sets a scale."""
    predicted = abs(float(np.ravel(comparison.predicted)[index]))
    percent = 100 * deviation / predicted if predicted else np.inf
    if percent >= 1000:
        return ""
    return f" ({percent:.0f} % of the prediction)" if percent >= 10 else f" ({percent:.2g} % of the prediction)"


def power(comparison: Comparison, deviation: ArrayLike | None = None, *, chance: float = CHANCE) -> Power:
    """How many repetitions a comparison needs for a deviation to show.

    Args:
        comparison: of :func:`bridge.compare`, single or several.
        deviation: that is to show, in the units of the quantity, positive, one number or of the comparison's shape;
            default its resolution.
        chance: with which it is to show, between 0 and 1.

    Raises:
        TypeError: if ``comparison`` is none, or ``deviation`` has entries that are not real numbers.
        ValueError: for a deviation that is not positive or of another shape, or a chance outside its range.
    """
    if not isinstance(comparison, Comparison):
        raise TypeError(f"comparison: got {type(comparison).__name__}, needs what bridge.compare returns")
    chance = arguments.share("chance", chance)
    shape = comparison.predicted.shape
    wanted = comparison.resolution if deviation is None else arguments.positive_array("deviation", deviation)
    if wanted.shape not in ((), shape):
        raise ValueError(f"deviation: got shape {wanted.shape}, needs one number or shape {shape}")
    wanted = np.broadcast_to(wanted, shape)
    found = np.array([_single(one, float(size), chance) for one, size in zip(comparison, wanted.ravel(), strict=True)])
    now, needed, low, high, current = (column.reshape(shape) for column in found.T)
    return Power(wanted, chance, now, needed, np.stack([low, high]), current, comparison)


def _single(one: Comparison, deviation: float, chance: float) -> tuple[float, float, float, float, float]:
    """``now``, ``needed``, both ends of it, and the chance with what there is."""
    known = not np.isfinite(one.repetitions)
    now = 1.0 if known else float(one.repetitions)
    scatter, fixed = float(one.spread) * np.sqrt(now), float(one.prediction_error)
    ends = [1.0, 1.0]
    if not known:
        tails = stats.chi2.ppf([(1 + ONE_SIGMA) / 2, (1 - ONE_SIGMA) / 2], now - 1)
        ends = list(np.sqrt((now - 1) / tails))
    needed, low, high = (
        _needed(scatter * factor, fixed, deviation, one.threshold, chance, known) for factor in (1.0, *ends)
    )
    return now, needed, low, high, shown(deviation, scatter, fixed, now, one.threshold, known)


def _needed(scatter: float, fixed: float, deviation: float, threshold: float, chance: float, known: bool) -> float:
    """Smallest number of repetitions at which ``deviation`` shows with ``chance``: by doubling, then by halves."""

    def enough(count: int) -> bool:
        return shown(deviation, scatter, fixed, count, threshold, known) >= chance

    low, high = (0 if known else 1), (1 if known else 2)
    while not enough(high):
        low, high = high, 2 * high
        if high > MOST:
            return np.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return float(high)


def shown(deviation: float, scatter: float, fixed: float, count: float, threshold: float, known: bool = False) -> float:
    """Probability that a deviation is beyond the limit.

    Args:
        deviation: the true one.
        scatter: standard deviation of one repetition.
        fixed: standard error of the prediction.
        count: repetitions.
        threshold: standard deviations of a normal variable that the limit corresponds to.
        known: whether the scatter is known instead of estimated from the repetitions.
    """
    spread = scatter / np.sqrt(count)
    found = np.ones(1)  # squared spread that an experiment finds, over the true one
    if not known:
        found = stats.chi2.ppf((np.arange(NODES) + 0.5) / NODES, count - 1) / (count - 1)
    repetitions = np.array(np.inf if known else count)
    allowed = verdicts.allowed(spread * np.sqrt(found), np.array(fixed), repetitions, verdicts.tail(threshold))
    total = np.hypot(spread, fixed)
    return float((stats.norm.sf((allowed - deviation) / total) + stats.norm.cdf((-allowed - deviation) / total)).mean())
