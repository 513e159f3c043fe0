r"""Confidence intervals of a mean that hold at all times: one may look after every number and stop when one likes.

For numbers of a normal distribution with unknown mean and variance, the ratio of the marginal likelihoods with a normal
prior of variance :math:`\sigma^2/\phi` on the mean, and Jeffreys' prior on :math:`\sigma`, is a nonnegative martingale
of expectation one in the filtration of the scale-invariant data. By Ville's inequality it exceeds
:math:`1/\mathrm{level}` at any time with at most the probability *level*, and the means that it does not exclude are

.. math:: |\mu - \bar x| \le \frac{s}{\sqrt n} t, \quad t^2 = (n - 1) \frac{1 - q}{q - r}, \quad
    r = \frac{\phi}{\phi + n}, \quad q = (r\, \mathrm{level}^2)^{1/n}.

Numbers that are not normal break this promise in three ways, each of which has its own remedy:

* *Equal numbers* have no scatter from which an error follows. If more than half of the numbers are equal, the interval
  is infinite; for numbers within known limits, :mod:`bridge.statistics.bounded_mean` has an interval.
* *Rare numbers* that carry the mean may not have been seen. :func:`shows` tells whether there are so many numbers that
  a share of them would have been seen; whoever decides asks for that.
* *Skewed numbers* have a longer tail on the side on which few of them have been seen. The interval is wider on that
  side by a quarter of the first correction of Hall for the skewness :math:`g` of the sample,
  :math:`\frac{s}{\sqrt n} \frac{|g| (2 t^2 + 1)}{6 \sqrt n}`. The quarter was chosen by simulation.

What is left of false alarms is simulated (docs/calibration.md).

Sources: Lindon, Ham, Tingley and Bojinov, "Anytime-valid linear models and regression adjusted causal inference in
randomized experiments" (arXiv 2210.08589), Theorem 2; Lai, Annals of Statistics 4, 265 (1976); Hall, Journal of the
Royal Statistical Society B 54, 221 (1992).
"""

import math

import numpy as np

from bridge.statistics.arrays import Array, mean_and_error
from closedform.rounding import ROUNDING, moderate

PRIOR = 0.1  # φ: means are expected about three standard deviations away, so that few numbers decide what is clear
TIED = 0.5  # share of equal numbers above which no error follows from the scatter of the others
SKEW = 0.25  # share of Hall's correction; all of it finds a quarter fewer of the deviations of skewed numbers


def mean_interval(values: Array, level: float) -> tuple[float, float]:
    r"""Return the interval of the mean of ``values [repetition]``, at a level for all counts of them at once.

    It is infinite for fewer than two numbers, for the few numbers with :math:`q \le r`, and if more than half of the
    numbers are equal.
    """
    count = len(values)
    if count < 2 or share_of_equals(values) > TIED:
        return -math.inf, math.inf
    mean, error = mean_and_error(values)
    t = radius(count, level) * math.sqrt(count)
    if not math.isfinite(t):
        return -math.inf, math.inf
    apart = moderate(values) - moderate(values).mean()
    skewness = float((apart**3).mean() / (apart**2).mean() ** 1.5)
    longer = SKEW * skewness * (2 * t**2 + 1) / (6 * math.sqrt(count))
    return mean - error * (t + max(-longer, 0.0)), mean + error * (t + max(longer, 0.0))


def radius(count: int, level: float) -> float:
    """Return half the width of the interval of ``count`` numbers, in units of their standard deviation."""
    ratio = PRIOR / (PRIOR + count)
    power = (ratio * level**2) ** (1 / count)
    return (
        math.sqrt((count - 1) * (1 - power) / (power - ratio) / count)
        if power > ratio
        else math.inf
    )


def share_of_equals(values: Array) -> float:
    """Return the largest share of ``values [repetition]`` that are equal up to rounding."""
    ordered = np.sort(moderate(values))
    starts = np.flatnonzero(np.diff(ordered) > ROUNDING * np.abs(ordered).max()) + 1
    return float(np.diff(np.concatenate([[0], starts, [len(ordered)]])).max() / len(ordered))


def shows(rare: float, level: float) -> int:
    """Return of how many numbers one is at least among a share ``rare`` of all, but for the probability ``level``."""
    return math.ceil(math.log(level) / math.log1p(-rare))
