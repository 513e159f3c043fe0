r"""How uncertain an exponent is.

From repetitions (a second axis of ``y``): if the true exponent is ``p``, the contrast at ``p`` of the averages
(:mod:`bridge.scaling.profile`) has mean zero, and its standard error comes from the scatter of whole columns, which
keeps what the points share (the same seed, say). The interval is made of the exponents at which that ratio is within
Student's limit for so many repetitions (Fieller's argument: nothing is taken as linear in ``p``). From stated errors:
where the profile of :math:`\chi^2` has risen by the square of the wanted number of deviations. With neither: the same
with the scatter around the curve, and Student's limit for the degrees of freedom that are left.

Standard errors are those of first order; with a limit for their degrees of freedom they cover as the intervals do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import stats

from bridge.arrays import Array
from bridge.scaling.profile import Profile

ONE_SIGMA = 0.6826894921370859  # share of a normal distribution within one standard deviation


class Uncertainty(NamedTuple):
    """Interval and standard error of the exponent, standard error of the offset (0 where it is held)."""

    interval: tuple[float, float]
    error: float
    offset_error: float


def from_repetitions(
    profile: Profile, exponent: float, y: Array, covariance: Array, level: float, repetitions: int
) -> Uncertainty:
    """From the covariance ``[point, point]`` of the averages ``y [point]`` of so many repetitions."""
    scaled, shared = profile.scaled(y), covariance / np.outer(profile.errors, profile.errors)
    wanted = float(stats.t.ppf((1 + level) / 2, repetitions - 1))

    def rises(p: Array) -> Array:
        contrast = profile.directions(p)[1]
        variance = ((contrast @ shared) * contrast).sum(-1)
        return np.asarray((contrast @ scaled) ** 2 - wanted**2 * variance)

    error, offset_error = (_length(row, shared) for row in profile.influence(exponent, y))
    return Uncertainty(profile.span(rises, exponent), error, offset_error)


def from_profile(profile: Profile, exponent: float, y: Array, level: float, degrees: int | None) -> Uncertainty:
    """From the rise of chi^2; ``degrees`` of freedom where the errors themselves are estimated from the scatter."""
    quantile = (1 + level) / 2
    wanted = float(stats.norm.ppf(quantile) if degrees is None else stats.t.ppf(quantile, degrees))
    limit = float(profile(np.array(exponent), y)) + wanted**2
    known = np.eye(y.size)
    error, offset_error = (_length(row, known) for row in profile.influence(exponent, y))
    return Uncertainty(profile.span(lambda p: profile(p, y) - limit, exponent), error, offset_error)


def _length(row: Array, covariance: Array) -> float:
    """Standard deviation of a combination ``row [point]`` of the points; infinite where that is."""
    if not np.isfinite(row).all():
        return np.inf
    return float(np.sqrt(max(float(row @ covariance @ row), 0.0)))
