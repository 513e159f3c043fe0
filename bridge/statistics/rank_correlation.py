r"""Spearman's rank correlation of independent points, with a confidence interval for any kind of dependence.

With :math:`F, G` the fractions of points below a point, :math:`\rho = 12\,E[(F - \tfrac12)(G - \tfrac12)]`. Point ``i``
contributes

.. math:: 12 \big( F_i G_i + E_j[1(x_i < x_j)\, G_j] + E_j[1(y_i < y_j)\, F_j] \big) + \mathrm{const},

and the scatter of these contributions gives the standard error (the delta method). The usual formulas such as
:math:`1/\sqrt{n - 3}` hold for normal variables; otherwise their 68 % intervals may cover 54 to 60 %. The interval is
symmetric in :math:`\operatorname{artanh}\rho`, with Student's t; docs/calibration.md has its coverage. A perfect
correlation has no scatter; its interval uses the formula for normal variables. Numbers that differ only by rounding, by
at most :data:`SAME` times the largest magnitude, share their average rank.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from closedform import checks
from closedform.checks import arrays
from closedform.measured import SAME

LEVEL = 0.95
FEWEST = 4  # points; the interval is not defined for fewer


@dataclass(frozen=True, repr=False)
class RankCorrelation(Result):
    """A rank correlation over points."""

    rho: float  # Spearman's correlation
    interval: tuple[float, float]  # confidence interval of ``rho`` over draws of the points
    level: float  # confidence level of the interval
    points: int  # number of points


def rank_correlation(
    first: ArrayLike, second: ArrayLike, *, level: float = LEVEL
) -> RankCorrelation:
    """Compute Spearman's rank correlation of two variables ``[point]``, at least four, with its interval."""
    level = checks.share("level", level)
    x, y = arrays.real_array("first", first), arrays.real_array("second", second)
    if x.ndim != 1 or x.shape != y.shape or x.size < FEWEST:
        raise ValueError(
            f"second: got shape {y.shape}, needs that of first, {x.shape}, and at least {FEWEST} points"
        )
    if is_constant(x) or is_constant(y):
        return RankCorrelation(0.0, (-1.0, 1.0), level, x.size)
    rho = spearman(x, y)
    z, limit = fisher(rho, x.size), float(stats.t.ppf((1 + level) / 2, x.size - 2))
    if abs(rho) > abs(math.tanh(z)):
        half = limit * math.sqrt(1.5 / (x.size - 3))
    else:
        half = limit * standard_error(x, y) / (1 - rho**2)
    low, high = math.tanh(z - half), math.tanh(z + half)
    return RankCorrelation(rho, (min(low, rho), max(high, rho)), level, x.size)


def fisher(rho: float, points: int) -> float:
    """Return ``artanh(rho)``, for a perfect correlation of the value half a step of the possible values below 1."""
    largest = 1 - 6 / (points**3 - points)
    return math.atanh(min(max(rho, -largest), largest))


def standard_error(x: Array, y: Array) -> float:
    """Return the standard error of Spearman's correlation of ``x [point]`` and ``y [point]`` by the delta method."""
    n = x.size
    f, g = ((ranks(row) - 0.5) / n for row in (x, y))
    contributions = f * g + _above(x, g) + _above(y, f)
    return float(contributions.std(ddof=1) / (f.std() * g.std()) / math.sqrt(n))


def _above(x: Array, weights: Array) -> Array:
    """Return for each point the mean of ``weights [point]`` over points with larger ``x``; equal ones count by half."""
    order = np.argsort(x)
    total = np.concatenate([[0.0], np.cumsum(weights[order])])
    low, high = (np.searchsorted(x[order], x, side) for side in ("left", "right"))
    return np.asarray((total[-1] - (total[low] + total[high]) / 2) / x.size)


def is_constant(values: ArrayLike) -> bool:
    """Return whether all numbers ``[...]``, which must be finite, are equal up to rounding."""
    array = np.asarray(values, dtype=np.float64)
    return bool(np.ptp(array) <= SAME * np.abs(array).max())


def has_repeated(values: ArrayLike) -> bool:
    """Return whether two of the numbers ``[N]``, with N at least 2, are equal up to rounding."""
    increasing = np.sort(np.asarray(values, dtype=np.float64))
    return bool(
        (
            np.diff(increasing)
            <= SAME * np.maximum(np.abs(increasing[1:]), np.abs(increasing[:-1]))
        ).any()
    )


def ranks(values: ArrayLike) -> Array:
    """Return ranks along the last axis from 1, the average for tied numbers; NaN for a row with a NaN."""
    array = np.asarray(values, dtype=np.float64)
    order = np.argsort(array, axis=-1, kind="stable")
    increasing = np.take_along_axis(array, order, axis=-1)
    magnitude = np.where(np.isfinite(array), np.abs(array), 0.0)
    with np.errstate(invalid="ignore"):  # inf - inf is NaN, which counts as no step
        step = np.diff(increasing, axis=-1) > SAME * magnitude.max(axis=-1, keepdims=True)
    group = np.concatenate([np.zeros_like(increasing[..., :1]), np.cumsum(step, axis=-1)], axis=-1)
    tied = np.empty_like(group)
    np.put_along_axis(tied, order, group, axis=-1)
    return np.asarray(
        stats.rankdata(np.where(np.isnan(array), np.nan, tied), axis=-1), dtype=np.float64
    )


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Return Spearman's rank correlation of two arrays ``[N]``; NaN if one of them is constant up to rounding."""
    first_ranks, second_ranks = ranks(first), ranks(second)
    if np.ptp(first_ranks) == 0 or np.ptp(second_ranks) == 0:
        return float("nan")
    return float(np.corrcoef(first_ranks, second_ranks)[0, 1])
