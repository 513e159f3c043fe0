r"""Averages of repeated measurements, and the confidence interval and standard error of a scaling exponent.

With repetitions (a second axis of ``y``): if the true exponent is ``p``, the component of the averages along the
contrast at ``p`` (:mod:`bridge.scaling.profile`) has mean zero. Its standard error comes from the scatter of whole
repetitions, which includes correlations between the points, for example those of a common seed. The interval consists
of the exponents at which the ratio of the two is within the quantile of Student's t for the number of repetitions
(Fieller's argument, which does not linearise in ``p``). With stated errors: the interval ends where the profile of
:math:`\chi^2` exceeds its minimum by the square of the normal quantile. With neither: the same, with errors estimated
from the scatter around the curve and the quantile of Student's t for the residual degrees of freedom. If the scatter
of neighbouring points is correlated (:mod:`bridge.fit.correlated_noise`), its variance is multiplied, and the degrees
of freedom divided, by the number of points over which it is. Standard errors are of first order.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import special

from bridge.scaling.profile import FitProfile
from bridge.statistics import normal
from bridge.statistics.arrays import Array

FEWEST = 3  # the scatter of fewer repetitions does not determine an error
RESAMPLES = 999  # number of resampled medians
CANCELLED = 1e-14  # share of the terms of a variance that their rounding may leave of it
ROUNDING = 1e-15  # relative scatter that a mean of identical numbers may have
TINY = 1e-3  # smallest error, relative to the largest one
# sqrt(pi/2): error of a median over that of a mean, for normal scatter
MEDIAN = 1.2533141373155003


class Uncertainty(NamedTuple):
    """Interval and standard error of the exponent, and standard error of the offset (0 if it is fixed)."""

    interval: tuple[float, float]
    error: float
    offset_error: float


def from_repetitions(
    profile: FitProfile,
    exponent: float,
    amplitude: float,
    y: Array,
    covariance: Array,
    level: float,
    repetitions: int,
) -> Uncertainty:
    """Return the uncertainty from the covariance ``[point, point]`` of averages ``y [point]``."""
    scaled, shared = profile.scaled(y), covariance / np.outer(profile.errors, profile.errors)
    quantile = float(special.stdtrit(repetitions - 1, (1 + level) / 2))

    def rises(p: Array) -> Array:
        contrast = profile.contrasts(p)
        variance = np.add.reduce((contrast @ shared) * contrast, axis=-1)
        return np.asarray((contrast @ scaled) ** 2 - quantile**2 * variance)

    best = np.array(exponent)
    contrast = profile.contrasts(best)
    # what common factors leave of the variance is the rounding of its terms, of either sign
    rounding = CANCELLED * float(np.abs(contrast) @ np.abs(shared) @ np.abs(contrast))
    is_determined = float(contrast @ shared @ contrast) > rounding
    if not (is_determined and float(rises(best)) < 0):
        raise ValueError(
            "y: got multiples of one curve as repetitions, which do not determine the error of its exponent, needs one "
            "column, or independent repetitions at every x"
        )
    error, offset_error = (
        _deviation(row, shared) for row in profile.influence(exponent, amplitude)
    )
    return Uncertainty(profile.span(rises, exponent), error, offset_error)


def from_profile(
    profile: FitProfile,
    exponent: float,
    amplitude: float,
    y: Array,
    level: float,
    degrees: float | None,
) -> Uncertainty:
    """Return the uncertainty from the increase of chi^2; ``degrees`` of freedom are None for known errors."""
    probability = (1 + level) / 2
    quantile = float(
        special.ndtri(probability) if degrees is None else special.stdtrit(degrees, probability)
    )
    limit = float(profile(np.array(exponent), y)) + quantile**2
    independent = np.eye(y.size)
    error, offset_error = (
        _deviation(row, independent) for row in profile.influence(exponent, amplitude)
    )
    return Uncertainty(
        profile.span(lambda p: profile(p, y) - limit, exponent), error, offset_error
    )


def _deviation(row: Array, covariance: Array) -> float:
    """Return the standard deviation of a linear combination ``row [point]`` of the points; infinite if it is."""
    if not np.isfinite(row).all():
        return np.inf
    return float(np.sqrt(max(float(row @ covariance @ row), 0.0)))


def _geometric(y: Array) -> Array:
    return np.asarray(np.exp(np.log(y).mean(axis=-1)))


AVERAGES: dict[str, Callable[[Array], Array]] = {
    "mean": lambda y: np.asarray(y.mean(axis=-1)),
    "median": lambda y: np.asarray(np.median(y, axis=-1)),
    "geometric": _geometric,
}


def smooth_errors(x: Array, samples: Array, average: str) -> Array:
    """Return standard errors ``[point]`` of the averages of ``samples [point, repetition]``, smoothed over ``x``.

    They follow a power law fitted to the logarithms of the scatter at all points, since few repetitions determine that
    at one point poorly. The mean of such a logarithm is too low by half of log(n/2) - digamma(n/2) for n degrees of
    freedom (0.29 for three repetitions), which is corrected.
    """
    repetitions = samples.shape[1]
    half = (repetitions - 1) / 2
    bias = (np.log(half) - special.digamma(half)) / 2
    if average == "geometric":
        scatter = np.log(samples).std(axis=1, ddof=1) * _geometric(samples)
    elif average == "median":
        middle = np.median(samples, axis=1, keepdims=True)
        scatter = MEDIAN * np.median(np.abs(samples - middle), axis=1) / normal.MEDIAN
    else:
        scatter = samples.std(axis=1, ddof=1)
    if scatter.max() <= ROUNDING * np.abs(samples).max():
        raise ValueError(
            "y: got identical repetitions, which determine no error, needs different ones, or one column"
        )
    scatter = np.maximum(scatter, TINY * scatter.max())
    logs = np.log(x) - np.log(x).mean()
    slope = float(logs @ np.log(scatter)) / float(logs @ logs)
    return np.asarray(np.exp(np.log(scatter).mean() + bias + slope * logs) / np.sqrt(repetitions))


def covariance(samples: Array, average: str, seed: int) -> Array:
    """Return the covariance of the averages of ``samples [point, repetition]``; of medians by bootstrap."""
    repetitions = samples.shape[1]
    if average == "median":
        drawn = np.random.default_rng(seed).integers(repetitions, size=(RESAMPLES, repetitions))
        return np.asarray(np.cov(np.median(samples[:, drawn], axis=-1)))
    columns = _geometric(samples)[:, None] * np.log(samples) if average == "geometric" else samples
    return np.asarray(np.cov(columns) / repetitions)
