r"""Spearman's rank correlation over points that are independent draws, with an interval for any kind of dependence.

With :math:`F, G` the shares of points below, :math:`\rho = 12\,E[(F - \tfrac12)(G - \tfrac12)]`, to which a point
``i`` contributes

.. math:: 12 \big( F_i G_i + E_j[1(x_i < x_j)\, G_j] + E_j[1(y_i < y_j)\, F_j] \big) + \mathrm{const};

the scatter of these contributions gives the standard error (the delta method). The usual formulas,
:math:`1/\sqrt{n - 3}` and the like, hold for normal variables; where the scatter of one depends on the other, they
cover 54 to 60 % for 68 %. The interval is symmetric in :math:`\operatorname{artanh}\rho`, with Student's limit for
``n - 2`` degrees of freedom. A perfect correlation has no scatter; its interval takes the formula for normal variables.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bridge import arguments
from bridge.arrays import Array
from bridge.ranking import is_constant, ranks, spearman

LEVEL = 0.95
FEWEST = 4  # points; below, a rank correlation says nothing


@dataclass(frozen=True)
class RankCorrelation:
    """A rank correlation over points.

    Attributes:
        rho: between -1 and 1.
        interval: at ``level``, over draws of the points.
        level: of the interval.
        points: how many.
    """

    rho: float
    interval: tuple[float, float]
    level: float
    points: int


def rank_correlation(first: ArrayLike, second: ArrayLike, *, level: float = LEVEL) -> RankCorrelation:
    """Spearman's correlation of two rows of numbers, one pair for each point.

    Args:
        first: ``[point]``, at least four.
        second: ``[point]``.
        level: of the interval, between 0 and 1.

    Raises:
        TypeError: for entries that are not real numbers.
        ValueError: for shapes that do not fit, fewer than four points, or a level outside its range.
    """
    level = arguments.share("level", level)
    x, y = arguments.real_array("first", first), arguments.real_array("second", second)
    if x.ndim != 1 or x.shape != y.shape or x.size < FEWEST:
        raise ValueError(f"second: got shape {y.shape} for {x.shape}, needs one of each, at least {FEWEST} points")
    if is_constant(x) or is_constant(y):
        return RankCorrelation(0.0, (-1.0, 1.0), level, x.size)
    rho = spearman(x, y)
    z, limit = fisher(rho, x.size), float(stats.t.ppf((1 + level) / 2, x.size - 2))
    if abs(rho) > abs(math.tanh(z)):
        half = limit * math.sqrt(1.5 / (x.size - 3))
    else:
        half = limit * standard_error(x, y) / (1 - rho**2)
    ends = math.tanh(z - half), math.tanh(z + half)
    return RankCorrelation(rho, (min(ends[0], rho), max(ends[1], rho)), level, x.size)


def fisher(rho: float, points: int) -> float:
    """``artanh(rho)``; of a perfect correlation, half a step of the possible values below it."""
    largest = 1 - 6 / (points**3 - points)
    return math.atanh(min(max(rho, -largest), largest))


def standard_error(x: Array, y: Array) -> float:
    """Of Spearman's correlation of ``x [point]`` and ``y [point]``, by the delta method."""
    n = x.size
    f, g = ((ranks(row) - 0.5) / n for row in (x, y))
    contributions = f * g + _above(x, g) + _above(y, f)
    return float(contributions.std(ddof=1) / (f.std() * g.std()) / math.sqrt(n))


def _above(x: Array, weights: Array) -> Array:
    """Mean over all points of the ``weights [point]`` of those with larger ``x [point]``; of equal ones, half."""
    order = np.argsort(x)
    total = np.concatenate([[0.0], np.cumsum(weights[order])])
    low, high = (np.searchsorted(x[order], x, side) for side in ("left", "right"))
    return np.asarray((total[-1] - (total[low] + total[high]) / 2) / x.size)
