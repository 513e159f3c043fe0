"""Averages of repeated measurements, their errors, and the covariance of the errors of several points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special

from bridge.statistics.arrays import Array

FEWEST = 3  # the scatter of fewer repetitions does not determine an error
RESAMPLES = 999  # number of resampled medians
ROUNDING = 1e-15  # relative scatter that a mean of identical numbers may have
TINY = 1e-3  # smallest error, relative to the largest one
MEDIAN = 1.2533141373155003  # sqrt(pi/2): error of a median over that of a mean, for normal scatter
NORMAL_MEDIAN = 0.6744897501960817  # median of |z|, z standard normal


def _mean(y: Array) -> Array:
    return np.asarray(y.mean(axis=-1))


def _median(y: Array) -> Array:
    return np.asarray(np.median(y, axis=-1))


def _geometric(y: Array) -> Array:
    return np.asarray(np.exp(np.log(y).mean(axis=-1)))


AVERAGES: dict[str, Callable[[Array], Array]] = {"mean": _mean, "median": _median, "geometric": _geometric}


def smooth_errors(x: Array, samples: Array, average: str) -> Array:
    """Return standard errors ``[point]`` of the averages of ``samples [point, repetition]``, smoothed over ``x``.

    Few repetitions determine the scatter at one point poorly, and weights from it would increase the error of the fit.
    The errors therefore follow a power law fitted to the logarithms of the scatter at all points. The mean of such a
    logarithm is too low by half of log(n/2) - digamma(n/2) for n degrees of freedom (0.29 for three repetitions), which
    is corrected. ``average`` is a key of ``AVERAGES``. Identical repetitions are a ValueError.
    """
    repetitions = samples.shape[1]
    half = (repetitions - 1) / 2
    bias = (np.log(half) - special.digamma(half)) / 2
    if average == "geometric":
        scatter = np.log(samples).std(axis=1, ddof=1) * _geometric(samples)
    elif average == "median":
        middle = np.median(samples, axis=1, keepdims=True)
        scatter = MEDIAN * np.median(np.abs(samples - middle), axis=1) / NORMAL_MEDIAN
    else:
        scatter = samples.std(axis=1, ddof=1)
    if scatter.max() <= ROUNDING * np.abs(samples).max():
        raise ValueError("y: got identical repetitions, which determine no error, needs different ones, or one column")
    scatter = np.maximum(scatter, TINY * scatter.max())
    logs = np.log(x) - np.log(x).mean()
    slope = float(logs @ np.log(scatter)) / float(logs @ logs)
    return np.asarray(np.exp(np.log(scatter).mean() + bias + slope * logs) / np.sqrt(repetitions))


def covariance(samples: Array, average: str, seed: int) -> Array:
    """Return the covariance ``[point, point]`` of the averages of independent ``samples [point, repetition]``.

    That of means, and of geometric means to first order in the scatter, has a closed form; that of medians is estimated
    by drawing repetitions with replacement, which is conservative for few of them. ``average`` is a key of
    ``AVERAGES``.
    """
    repetitions = samples.shape[1]
    if average == "median":
        drawn = np.random.default_rng(seed).integers(repetitions, size=(RESAMPLES, repetitions))
        return np.asarray(np.cov(np.median(samples[:, drawn], axis=-1)))
    columns = _geometric(samples)[:, None] * np.log(samples) if average == "geometric" else samples
    return np.asarray(np.cov(columns) / repetitions)
