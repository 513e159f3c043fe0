r"""Statistical power: the number of repetitions needed to detect a deviation that is "too blunt to say".

A deviation :math:`D` is *detected* if it is significant, whether by more than matters or not. With ``n`` repetitions of
standard deviation :math:`s` this has the probability

.. math:: P(|T| > \mathrm{limit}_n), \quad T \sim t'_{n-1}\big(D / \sqrt{s^2/n + e^2}\big),

with the noncentral t distribution :math:`t'` and the error :math:`e` of the prediction, which repetitions do not
reduce. Few repetitions determine :math:`s` poorly: ``between`` gives ``n`` for the ends of its 68 % interval. On
average over experiments with 3 (5, 10) repetitions, the ``n`` given for 80 % detects 55 to 68 % (67 to 71 %, 75 to
78 %) of the deviations. Repetitions that are added until a verdict appears decide falsely, at 3, 6, 12 and 24 in turn
in 14 % of cases instead of 4.6 %; :func:`needed` therefore asks for a fresh run.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bridge.plots.result import Result
from bridge.statistics import normal
from bridge.statistics.arrays import Array
from bridge.statistics.comparison import Comparison
from closedform import checks, verdicts
from closedform.checks import arrays
from closedform.measured import Measured
from closedform.verdicts import BLUNT

MANY = 1000  # times the present repetitions; more of them are not counted

CHANCE = 0.8
# quantiles of the scatter over which a probability is averaged, which is accurate to 1e-3
NODES = 400
MOST = 10**7  # repetitions; a deviation that needs more counts as undetectable


@dataclass(frozen=True, repr=False)
class Power(Result):
    """Numbers of repetitions needed to detect a deviation; every array has the shape of the comparison.

    Attributes:
        deviation: the deviation to detect, in the unit of the quantity.
        chance: required probability of detection.
        now: current number of repetitions; 1 where the error was stated, which counts as one measurement.
        needed: total number of repetitions needed; infinite where the error of the prediction hides the deviation.
        between: ``needed`` for the lower and the upper end of the 68 % interval of the scatter, ``[2, ...]``.
        chance_now: probability of detection with the current repetitions.
        comparison: the comparison.
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
        """Number of additional repetitions needed; 0 where there are enough."""
        return np.asarray(np.maximum(self.needed - self.now, 0.0))

    def summary(self) -> str:
        """Return one line of text for each comparison."""
        names = self.comparison.names or ("",) * self.deviation.size
        return "\n".join(
            f"{name}: {self._sentence(i)}" if name else self._sentence(i)
            for i, name in enumerate(names)
        )

    def _sentence(self, index: int) -> str:
        deviation, needed, more = (
            float(np.ravel(array)[index]) for array in (self.deviation, self.needed, self.more)
        )
        subject = f"a deviation of {deviation:.2g}{_share(deviation, self.comparison, index)}"
        if more == 0:
            chance = float(np.ravel(self.chance_now)[index])
            return f"{subject} would already be detected with a probability of {chance:.0%}"
        if np.isinf(needed):
            return (
                f"no number of repetitions detects {subject}; the prediction needs a smaller error"
            )
        span, unit = "", "more measurement like it" if more == 1 else "more measurements like it"
        if np.isfinite(np.ravel(self.comparison.repetitions)[index]):
            low, high = self.between.reshape(2, -1)[:, index]
            most = f"{high:.0f}" if np.isfinite(high) else "infinity"
            span = f", 68 % interval {low:.0f} to {most}" if low < high else ""
            unit = "more repetition" if more == 1 else "more repetitions"
        total = f"{needed:.0f} in all{span}"
        return f"with {more:.0f} {unit} ({total}), {subject} would be detected with a probability of {self.chance:.0%}"


def _share(deviation: float, comparison: Comparison, index: int) -> str:
    """Return ``" (10 % of the prediction)"``, or nothing if the deviation is ten times the prediction or more."""
    predicted = abs(float(np.ravel(comparison.predicted)[index]))
    percent = 100 * deviation / predicted if predicted else np.inf
    if percent >= 1000:
        return ""
    return (
        f" ({percent:.0f} % of the prediction)"
        if percent >= 10
        else f" ({percent:.2g} % of the prediction)"
    )


def power(
    comparison: Comparison, deviation: ArrayLike | None = None, *, chance: float = CHANCE
) -> Power:
    """Compute how many repetitions a comparison needs to detect a deviation.

    Args:
        comparison: result of :func:`bridge.compare`, for one or several predictions.
        deviation: positive deviation to detect, in the unit of the quantity, one number or an array of the comparison's
            shape. Default: the resolution of the comparison.
        chance: required probability of detection, between 0 and 1. Default: 0.8.

    Raises:
        TypeError: if ``comparison`` is not a Comparison, or entries of ``deviation`` are not real numbers.
        ValueError: if the deviation is not positive or has another shape, or the probability is outside its range.

    >>> from bridge import compare
    >>> int(power(compare(1.0, [1.2, 0.7, 1.3, 0.9, 1.0])).needed)
    49
    """
    if not isinstance(comparison, Comparison):
        raise TypeError(
            f"comparison: got {type(comparison).__name__}, needs the result of bridge.compare"
        )
    chance = checks.share("chance", chance)
    shape = comparison.predicted.shape
    sizes = (
        comparison.resolution
        if deviation is None
        else arrays.positive_array("deviation", deviation)
    )
    if sizes.shape not in ((), shape):
        raise ValueError(f"deviation: got shape {sizes.shape}, needs one number or shape {shape}")
    sizes = np.broadcast_to(sizes, shape)
    rows = np.array(
        [
            _single(single, float(size), chance)
            for single, size in zip(comparison, sizes.ravel(), strict=True)
        ]
    )
    now, needed, low, high, current = (column.reshape(shape) for column in rows.T)
    return Power(sizes, chance, now, needed, np.stack([low, high]), current, comparison)


def _single(
    comparison: Comparison, deviation: float, chance: float
) -> tuple[float, float, float, float, float]:
    """Return ``now``, ``needed``, the two ends of its interval, and ``chance_now`` of a single comparison."""
    known = not np.isfinite(comparison.repetitions)
    now = 1.0 if known else float(comparison.repetitions)
    scatter, fixed = (
        float(comparison.standard_error) * np.sqrt(now),
        float(comparison.prediction_error),
    )
    factors = [1.0, 1.0]
    if not known:
        tails = stats.chi2.ppf([(1 + normal.ONE_SIGMA) / 2, (1 - normal.ONE_SIGMA) / 2], now - 1)
        factors = list(np.sqrt((now - 1) / tails))
    needed, low, high = (
        _needed(scatter * factor, fixed, deviation, comparison.threshold, chance, known)
        for factor in (1.0, *factors)
    )
    return (
        now,
        needed,
        low,
        high,
        shown(deviation, scatter, fixed, now, comparison.threshold, known),
    )


def _needed(
    scatter: float, fixed: float, deviation: float, threshold: float, chance: float, known: bool
) -> float:
    """Return the smallest number of repetitions that detects ``deviation`` with ``chance``, found by bisection."""

    def suffices(count: int) -> bool:
        return shown(deviation, scatter, fixed, count, threshold, known) >= chance

    low, high = (0 if known else 1), (1 if known else 2)
    while not suffices(high):
        low, high = high, 2 * high
        if high > MOST:
            return np.inf
    return float(bisect_left(range(high), True, low + 1, key=suffices))


def shown(
    deviation: float,
    scatter: float,
    fixed: float,
    count: float,
    threshold: float,
    known: bool = False,
) -> float:
    """Return the probability that a deviation exceeds ``threshold`` errors; ``fixed`` is that of the prediction."""
    spread = scatter / np.sqrt(count)
    ratios = np.ones(1)  # variance that an experiment estimates, relative to the true one
    if not known:
        ratios = stats.chi2.ppf((np.arange(NODES) + 0.5) / NODES, count - 1) / (count - 1)
    repetitions = np.array(np.inf if known else count)
    allowed = verdicts.allowed(
        spread * np.sqrt(ratios), np.array(fixed), repetitions, verdicts.tail(threshold)
    )
    total = np.hypot(spread, fixed)
    return float(
        (
            stats.norm.sf((allowed - deviation) / total)
            + stats.norm.cdf((-allowed - deviation) / total)
        ).mean()
    )


def needed(measured: Measured) -> float | None:
    """Return the number of repetitions (or measurements of known error) that decide; None beyond ``MANY`` times."""
    present = measured.counted or 1
    low, high = int(present), int(MANY * present)
    if _repeated(measured, high / present).verdict == BLUNT:
        return None
    decides = range(high), True, low + 1
    return float(
        bisect_left(
            *decides, key=lambda count: _repeated(measured, count / present).verdict != BLUNT
        )
    )


def what_would_decide(measured: Measured) -> str:
    """Return what decides if mean and scatter stay, in a few words; empty for a number that is decided."""
    if measured.verdict != BLUNT or measured.error is None:
        return ""
    count = needed(measured)
    if count is None:
        by_prediction = (
            measured.prediction_error > 0 and replace(measured, error=0.0).verdict == BLUNT
        )
        return (
            "a smaller error of the prediction alone"
            if by_prediction
            else f"more than {MANY:,} times as many"
        )
    error = measured.error * ((measured.counted or 1) / count) ** 0.5
    errors = f"an error of {error:.2g} instead of {measured.error:.2g}"
    return (
        errors
        if measured.counted is None
        else f"a fresh run of {count:g} instead of {measured.counted:g} ({errors})"
    )


def _repeated(measured: Measured, factor: float) -> Measured:
    """Return the number as it would be with ``factor`` times the repetitions, with the same mean and scatter."""
    n = None if measured.n is None else max(measured.n * factor, 2)
    return replace(measured, error=(measured.error or 0.0) / factor**0.5, n=n)
