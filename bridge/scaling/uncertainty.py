r"""How uncertain an exponent is.

From repetitions (a second axis of ``y``): by resampling them as whole columns, which keeps what the points share (the
same seed, say), widened to Student's t for few of them. From stated errors: where the profile of :math:`\chi^2` has
risen by the square of the wanted number of deviations. With neither: the same with the scatter around the curve.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy import stats

from bridge.arrays import Array
from bridge.scaling import repetitions
from bridge.scaling.profile import Profile

ONE_SIGMA = 0.6826894921370859  # share of a normal distribution within one standard deviation


class Uncertainty(NamedTuple):
    """Interval and standard error of the exponent, standard error of the offset (0 where it is held)."""

    interval: tuple[float, float]
    error: float
    offset_error: float


def from_repetitions(
    profile: Profile, exponent: float, samples: Array, average: str, level: float, seed: int
) -> Uncertainty:
    """By resampling the columns of ``samples [point, repetition]``."""
    few = samples.shape[1]
    averages = repetitions.resampled(samples, average, seed)
    drawn = profile.best(averages)
    inflation = math.sqrt(few / (few - 1))  # resampling underestimates a variance by the factor (n - 1)/n
    widening = inflation * float(stats.t.ppf((1 + level) / 2, few - 1) / stats.norm.ppf((1 + level) / 2))
    low, high = (float(end) for end in np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]))
    offset_error = 0.0
    if profile.offset is None:
        offsets = [profile.coefficients(float(p), row)[1] for p, row in zip(drawn, averages, strict=True)]
        offset_error = inflation * float(np.std(offsets))
    interval = exponent + widening * (low - exponent), exponent + widening * (high - exponent)
    return Uncertainty(interval, inflation * float(drawn.std()), offset_error)


def from_profile(profile: Profile, exponent: float, y: Array, level: float, degrees: int | None) -> Uncertainty:
    """From the rise of chi^2; ``degrees`` of freedom where the errors themselves are estimated from the scatter."""
    quantile = (1 + level) / 2
    wanted = float(stats.norm.ppf(quantile) if degrees is None else stats.t.ppf(quantile, degrees))
    low, high = profile.interval(exponent, y, 1.0)
    offset_error = _offset_error(profile, exponent, y) if profile.offset is None else 0.0
    return Uncertainty(profile.interval(exponent, y, wanted**2), (high - low) / 2, offset_error)


def _offset_error(profile: Profile, p: float, y: Array) -> float:
    """Standard error of the offset, to first order."""
    amplitude, _ = profile.coefficients(p, y)
    power = profile.x**p
    slopes = np.stack([amplitude * power * np.log(profile.x), power, np.ones_like(power)], axis=1)
    slopes = slopes / profile.errors[:, None]
    scale = np.linalg.norm(slopes, axis=0)
    covariance = np.linalg.pinv((slopes / scale).T @ (slopes / scale))
    return float(np.sqrt(covariance[2, 2]) / scale[2])
