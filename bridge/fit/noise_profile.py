r"""How large the noise is along each curve: constant, proportional to the curve, of its root, or changing with time.

The variance of the noise of a curve :math:`m(t)` is :math:`s^2 (\rho + f(t))` with one of four shapes :math:`f`:
:math:`m^2` (a share of the curve above a floor), :math:`|m|` (counts), :math:`t` or the time that is left. The most
likely shape and floor :math:`\rho` are taken if they are significantly more likely than constant noise, where the
gain of the likelihood counts less for correlated residuals, and for those with heavy tails, which seem to change.

Values that were rounded, and noise below the step, show neither: the errors of equal values that follow each other are
one error, which averages away only where the curve moves by a step meanwhile. :func:`steps` finds the steps, from the
distances between values that occur again and again, and :func:`runs` gives what they add to a covariance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bridge.fit.search import Array

FLOORS = np.geomspace(1e-6, 1e2, 25)  # values of rho that are compared
# twice the gain of the logarithm of the likelihood, which one white curve in 1,000 exceeds
SIGNIFICANT = 14.0
LIKELY = 2.0  # gain from which noise is expected to grow with the curve beyond what was seen of it
FAVOUR = 8.0  # by which another shape has to gain more than a share of the curve, which is the usual one
NORMAL = 3.0  # kurtosis of normal noise, below which tails are not heavy
STRETCHES = 8  # of equally many points, whose noise may differ without a shape
DEGREES = 12.0  # by which the likelihood of these has to gain more
SMALLEST = 1e-6  # variance of a stretch relative to that of the curve
REPEATED = 0.2  # share of values that occur more than once from which a curve counts as rounded
FEWEST = 4  # different values of a rounded curve that has a step
COARSE = 1e-6  # smallest step relative to the range of a curve; finer ones are rounding of floats
DIGITS = 4  # decimal digits of a rounded number, at most
WHOLE = 0.01  # largest distance of a multiple of a step from a whole number
SHARE = "a share of the curve"
SHAPES = (SHARE, "the root of the curve", "growing with time", "shrinking with time")
IN_STRETCHES = "different between stretches of the curve"


class Profile(NamedTuple):
    """The noise along one curve; its variance is relative to the mean square of the residuals."""

    sizes: (
        Array  # standard deviation relative to the root mean square of the residuals, ``[time]``
    )
    shape: str = ""  # one of :data:`SHAPES`, or :data:`IN_STRETCHES`; empty for constant noise
    floor: float = 0.0  # variance where the curve is 0, if the noise is likely to grow with it
    share: float = 0.0  # variance over the square of the curve, if so, in 1/unit^2; 0 otherwise

    def later(self, curve: Array) -> Array:
        """Return the relative sizes ``[time]`` that are expected later, where the curve is ``curve [time]``."""
        if self.share == 0:
            return np.full(len(curve), self.sizes[-1])
        return np.asarray(np.sqrt(self.floor + self.share * curve**2))


def profile(curve: Array, residuals: Array, times: Array, correlation_time: float) -> Profile:
    """Return how the noise changes along a curve.

    Args:
        curve: the fitted curve, ``[time]``.
        residuals: of the fit, ``[time]``, in the unit of the curve.
        times: increasing times, ``[time]``.
        correlation_time: samples over which residuals are correlated, at least 1.
    """
    power, elapsed = residuals**2, times - times[0]
    typical = float(power.mean())
    if typical == 0:
        return Profile(np.ones(len(curve)))
    shapes = np.stack([curve**2, np.abs(curve), elapsed, elapsed[-1] - elapsed])
    largest = shapes.max(axis=1, keepdims=True)
    shapes = shapes / np.where(largest > 0, largest, 1.0)
    variances = FLOORS[:, None] + shapes[:, None]  # [shape, floor, time]
    variances /= variances.mean(axis=2, keepdims=True)
    gains = np.stack([_gain(power / typical, variance) for variance in variances])
    floors = gains.argmax(axis=1)
    best = gains.max(axis=1)
    shape = int((best + FAVOUR * (np.arange(len(SHAPES)) == 0)).argmax())
    name, chosen, gain = SHAPES[shape], variances[shape, floors[shape]], float(best[shape])
    in_stretches = _in_stretches(power / typical)
    of_stretches = float(_gain(power / typical, in_stretches[None])[0]) - DEGREES
    if of_stretches > gain + DEGREES:
        name, chosen, gain = IN_STRETCHES, in_stretches, of_stretches
    standard = power / chosen
    tails = max(float((standard**2).mean() / standard.mean() ** 2), NORMAL) - 1
    counted = correlation_time * tails / (NORMAL - 1)
    if gain / counted < SIGNIFICANT:
        name, chosen = "", np.ones(len(curve))
    floor = share = 0.0
    if best[0] / counted > LIKELY:
        along = variances[0, floors[0]]
        share = float(np.ptp(along)) / float(np.ptp(curve**2) or 1.0)
        floor = float(along.min()) - share * float((curve**2).min())
    return Profile(np.sqrt(chosen), name, max(floor, 0.0), share)


def _gain(power: Array, variances: Array) -> Array:
    """Return twice the gain of the log-likelihood by ``variances [..., time]`` over constant noise, ``[...]``."""
    scale = (power / variances).mean(axis=-1)
    return np.asarray(-power.size * np.log(scale) - np.log(variances).sum(axis=-1))


def _in_stretches(power: Array) -> Array:
    """Return the mean of ``power [time]`` in the stretch of every point, relative to that of all."""
    stretch = np.arange(power.size) * STRETCHES // power.size
    local = np.bincount(stretch, power) / np.bincount(stretch)
    own = np.maximum(local, SMALLEST)[stretch]
    return np.asarray(own / own.mean())


def steps(values: Array) -> Array:
    """Return by how much rounded values differ from the next ones, ``[curve, time]``; 0 for a curve without rounding.

    A rounded curve has many values that occur again, and all of them are multiples of one step apart, or have at most
    four digits; a curve that has converged has only the former.

    Args:
        values: measured curves, ``[curve, time]``.
    """
    distances = np.zeros(values.shape)
    for curve, row in enumerate(values):
        distinct, counts = np.unique(row, return_counts=True)
        repeated = counts[counts > 1].sum() / row.size
        if repeated < REPEATED or len(distinct) < FEWEST:
            continue
        gaps = np.diff(distinct)
        step = gaps.min()
        multiples = (distinct - distinct[0]) / step
        is_even = step > COARSE * np.ptp(row) and bool(
            (np.abs(multiples - np.round(multiples)) < WHOLE).all()
        )
        if is_even or _have_few_digits(distinct):
            nearest = np.minimum(np.append(gaps, np.inf), np.append(np.inf, gaps))
            distances[curve] = nearest[np.searchsorted(distinct, row)]
    return distances


def _have_few_digits(values: Array) -> bool:
    """Return whether no number ``[N]`` has more than four decimal digits."""
    return all(float(f"{value:.{DIGITS - 1}e}") == value for value in values.tolist())


def without_runs(residuals: Array, values: Array, widths: Array) -> Array:
    """Return residuals ``[curve, time]`` without the mean of every run of equal rounded values, see :func:`runs`."""
    apart = residuals.copy()
    for curve in np.flatnonzero(widths.any(axis=1)):
        first = np.append(True, np.diff(values[curve]) != 0)
        run = np.cumsum(first) - 1
        length = np.bincount(run)
        mean = np.bincount(run, residuals[curve]) / length
        apart[curve] -= np.where(length > 1, mean, 0.0)[run]
    return apart


def runs(values: Array, curves: Array, widths: Array, slopes: Array) -> Array:
    """Return the covariance ``[row, row]`` of the sums of rounding errors times slopes.

    Args:
        values: measured curves, ``[curve, time]``.
        curves: the fitted ones, ``[curve, time]``.
        widths: the :func:`steps` of the values, ``[curve, time]``.
        slopes: what the errors are multiplied by, ``[row, curve, time]``.
    """
    total = np.zeros((len(slopes), len(slopes)))
    for curve in np.flatnonzero(widths.any(axis=1)):
        row = values[curve]
        first = np.flatnonzero(np.append(True, np.diff(row) != 0))
        last = np.append(first[1:], row.size) - 1
        width = widths[curve, first]
        length = last - first + 1
        # the error of a single value is among the residuals
        moved = (
            np.abs(curves[curve, last] - curves[curve, first]) * length / np.maximum(length - 1, 1)
        )
        still = np.where(length > 1, np.maximum(1 - (moved / width) ** 2, 0.0), 0.0)
        shared = width**2 / 12 * still
        sums = np.add.reduceat(slopes[:, curve], first, axis=1)
        total += (sums * shared) @ sums.T
    return total
