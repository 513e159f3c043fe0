"""Warnings of noise that errors of constants or bands of a forecast do not follow (docs/calibration.md has shares).

Each is a test of white noise: of the correlation of neighbours (:mod:`bridge.fit.correlated_noise`), of the kurtosis of
the residuals within short stretches, so that noise that changes along the curve has no heavy tails, and of the rank
correlation of their sizes with time. Where the residuals are smooth, they are errors of the theory, and where values
are rounded, also as floats are, their errors are known; neither is tested.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special

from bridge.fit.estimate import Estimate
from bridge.fit.noise_profile import COARSE
from bridge.fit.search import Array

CHANCE = 1e-3  # share of white curves with heavy tails, and of fits with growing noise
HEAVY = 5.0  # kurtosis from which tails matter; that of normal noise is 3
STRETCH = 30  # points at least of which noise is taken to have one size
FEWEST = 20  # points that can show their kurtosis
UNEVEN = 2.0  # ratio of long to short intervals between samples, those of the last and the first tenth of all


def noise_warnings(estimate: Estimate, names: Sequence[str], is_finished: bool) -> list[str]:
    """Return a sentence for each kind of noise whose errors or bands hold less often than they say.

    Args:
        estimate: a fit to measured curves.
        names: of the curves, ``[curve]``.
        is_finished: whether nothing is left to forecast, so that noise that may grow further does not matter.

    Returns:
        The sentences; none where the noise is white, as far as can be seen.
    """
    sizes = np.sqrt((estimate.residuals**2).mean(axis=1))
    is_noisy = sizes > COARSE * np.ptp(estimate.observed, axis=1)
    is_tested = is_noisy & ~estimate.steps.any(axis=1)
    is_correlated = is_tested & (estimate.correlation_time > 1)
    is_white = is_tested & ~is_correlated
    sentences = []
    if estimate.noise is not None and (is_correlated & estimate.noise.rough).any():
        sentences.append(_correlated(estimate, names, is_correlated & estimate.noise.rough))
    tails = np.zeros(len(is_white))
    tails[is_white] = kurtosis(estimate.independent[is_white])
    if tails.any():
        sentences.append(
            f"the noise of {_listed(names, tails > 0)} has heavy tails or outliers (kurtosis {tails.max():.2g}, 3 of "
            "normal noise): bands of a forecast hold much less often than they say; leave outliers out"
        )
    if not is_finished and is_white.any() and is_growing(estimate.independent[is_white]):
        sentences.append(
            f"the noise of {_listed(names, is_white)} grows along the data: bands of a forecast take it to be as large "
            "as at their end, or a share of the curve, and are too narrow if it grows further than that"
        )
    return sentences


def _correlated(estimate: Estimate, names: Sequence[str], is_noise: NDArray[np.bool_]) -> str:
    lasting = float(estimate.correlation_time[is_noise].max())
    short, long = np.quantile(np.diff(estimate.times), [0.1, 0.9])
    of_constants = "intervals of the constants and " if long > UNEVEN * short else ""
    return (
        f"the noise of {_listed(names, is_noise)} is correlated over {lasting:.0f} samples: {of_constants}bands of a "
        "forecast hold less often than they say"
    )


def kurtosis(residuals: Array) -> Array:
    """Return the kurtosis of ``residuals [curve, time]`` with significantly heavy tails, ``[curve]``; 0 for others."""
    points = residuals.shape[1]
    if points < FEWEST:
        return np.zeros(len(residuals))
    stretches = np.array_split(residuals, max(points // STRETCH, 1), axis=1)
    standard = np.concatenate([_standard(stretch) for stretch in stretches], axis=1)
    centred = standard - standard.mean(axis=1, keepdims=True)
    # curves without residuals have no kurtosis, and are none with heavy tails
    with np.errstate(invalid="ignore", divide="ignore"):
        tails = np.asarray((centred**4).mean(axis=1) / (centred**2).mean(axis=1) ** 2)
    return np.where((tails > HEAVY) & (chance_of_kurtosis(tails, points) < CHANCE), tails, 0.0)


def chance_of_kurtosis(kurtosis: Array, points: int) -> Array:
    """Return the chance that ``points`` normal numbers have at least this kurtosis.

    It is the transform of Anscombe and Glynn (Biometrika 70, 227, 1983), as ``scipy.stats.kurtosistest`` has it, whose
    import takes longer than a fit.
    """
    n = float(points)
    mean = 3 * (n - 1) / (n + 1)
    variance = 24 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    skewness = 6 * (n**2 - 5 * n + 2) / ((n + 7) * (n + 9))
    skewness *= np.sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    # a cubed normal number with so many degrees of freedom has the same three moments
    freedom = 6 + 8 / skewness * (2 / skewness + np.sqrt(1 + 4 / skewness**2))
    scaled = 1 + (kurtosis - mean) / np.sqrt(variance) * np.sqrt(2 / (freedom - 4))
    normal = (1 - 2 / (9 * freedom) - np.cbrt((1 - 2 / freedom) / scaled)) / np.sqrt(
        2 / (9 * freedom)
    )
    return np.asarray(special.ndtr(-normal))


def _standard(rows: Array) -> Array:
    """Return ``rows [curve, time]`` with the mean square 1."""
    size = np.sqrt((rows**2).mean(axis=1, keepdims=True))
    return np.asarray(rows / np.where(size > 0, size, 1.0))


def is_growing(residuals: Array) -> bool:
    """Return whether ``residuals [curve, time]`` grow with time: the mean rank of their sizes over curves does.

    Curves may share their noise; means of their ranks do not take it for several.
    """
    ranks = np.mean([_ranks(curve) for curve in np.abs(residuals)], axis=0)
    if np.ptp(ranks) == 0:
        return False
    # the rank correlation, of which Student's t with two degrees of freedom less than points is a test
    correlation = np.corrcoef(_ranks(ranks), np.arange(ranks.size))[0, 1]
    freedom = ranks.size - 2
    with np.errstate(divide="ignore", invalid="ignore"):  # ranks in order, or of two points
        t = correlation * np.sqrt(np.divide(freedom, max(0.0, 1 - correlation**2)))
    return bool(special.stdtr(freedom, -t) < CHANCE)


def _ranks(values: Array) -> Array:
    """Return the ranks of numbers from 1 on; equal numbers share the mean of theirs."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[which])


def _listed(names: Sequence[str], is_chosen: NDArray[np.bool_]) -> str:
    return " and ".join(np.array(names)[is_chosen].tolist())
