r"""The confidence interval and the standard error of a scaling exponent.

With repetitions (a second axis of ``y``): if the true exponent is ``p``, the component of the averages along the
contrast at ``p`` (:mod:`bridge.scaling.profile`) has mean zero. Its standard error comes from the scatter of whole
repetitions, which includes correlations between the points, for example those of a common seed. The interval consists
of the exponents at which the ratio of the two is within the quantile of Student's t for the number of repetitions
(Fieller's argument, which does not linearise in ``p``). With stated errors: the interval ends where the profile of
:math:`\chi^2` exceeds its minimum by the square of the normal quantile. With neither: the same, with errors estimated
from the scatter around the curve and the quantile of Student's t for the residual degrees of freedom. If the scatter
of neighbouring points is correlated (:mod:`bridge.fit.correlated_noise`), its variance is multiplied, and the degrees
of freedom divided, by the number of points over which it is.

Standard errors are of first order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import stats

from bridge.scaling.profile import FitProfile
from bridge.statistics.arrays import Array

ONE_SIGMA = 0.6826894921370859  # share of a normal distribution within one standard deviation


class Uncertainty(NamedTuple):
    """Interval and standard error of the exponent, and standard error of the offset (0 if it is fixed)."""

    interval: tuple[float, float]
    error: float
    offset_error: float


def from_repetitions(
    profile: FitProfile, exponent: float, y: Array, covariance: Array, level: float, repetitions: int
) -> Uncertainty:
    """Return the uncertainty from the covariance ``[point, point]`` of averages ``y [point]`` over repetitions.

    Multiples of one curve, which all have the same exponent, are a ValueError.
    """
    scaled, shared = profile.scaled(y), covariance / np.outer(profile.errors, profile.errors)
    quantile = float(stats.t.ppf((1 + level) / 2, repetitions - 1))

    def rises(p: Array) -> Array:
        contrast = profile.directions(p)[1]
        variance = ((contrast @ shared) * contrast).sum(-1)
        return np.asarray((contrast @ scaled) ** 2 - quantile**2 * variance)

    if not float(rises(np.array(exponent))) < 0:
        raise ValueError(
            "y: got multiples of one curve as repetitions, which do not determine the error of its exponent, needs one "
            "column, or independent repetitions at every x"
        )
    error, offset_error = (_deviation(row, shared) for row in profile.influence(exponent, y))
    return Uncertainty(profile.span(rises, exponent), error, offset_error)


def from_profile(profile: FitProfile, exponent: float, y: Array, level: float, degrees: float | None) -> Uncertainty:
    """Return the uncertainty from the increase of chi^2; ``degrees`` of freedom are None for known errors."""
    probability = (1 + level) / 2
    quantile = float(stats.norm.ppf(probability) if degrees is None else stats.t.ppf(probability, degrees))
    limit = float(profile(np.array(exponent), y)) + quantile**2
    independent = np.eye(y.size)
    error, offset_error = (_deviation(row, independent) for row in profile.influence(exponent, y))
    return Uncertainty(profile.span(lambda p: profile(p, y) - limit, exponent), error, offset_error)


def _deviation(row: Array, covariance: Array) -> float:
    """Return the standard deviation of a linear combination ``row [point]`` of the points; infinite if it is."""
    if not np.isfinite(row).all():
        return np.inf
    return float(np.sqrt(max(float(row @ covariance @ row), 0.0)))
