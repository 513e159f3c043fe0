r"""Rank correlation of the volume element with the distance to the decision boundary, with an interval.

The measure is Spearman's rank correlation :math:`\rho` of the logarithm of the volume element with the distance, over
inputs. It is -1 if the volume element always decreases with the distance. The inputs of one network are not
independent, but networks are. The interval is therefore that of Student's t for Fisher's
:math:`\operatorname{artanh}\rho` over networks; it needs at least three networks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bridge.plots.result import Result
from bridge.statistics.arrays import Array, mean_and_error
from bridge.statistics.rank_correlation import FEWEST, LEVEL, fisher, is_constant, spearman
from closedform import checks
from closedform.checks import arrays
from closedform.checks.plain import plain

FEWEST_NETWORKS = 3  # the scatter of fewer networks does not determine an interval


@dataclass(frozen=True, repr=False)
class Association(Result):
    """The rank correlation of log-volume and distance, over networks.

    Attributes:
        rho: mean correlation over networks, on Fisher's scale; negative if volume is expanded near the boundary.
        error: standard error of ``rho`` over networks, from that of Fisher's artanh; NaN for fewer than three.
        interval: confidence interval of ``rho`` over networks; NaN for fewer than three.
        level: confidence level of the interval.
        per_network: correlations of the single networks, ``[network]``.
        slope: mean slope of the log-volume as a function of the distance, by least squares, in nats per unit of the
            distance.
        slope_error: standard error of ``slope`` over networks; NaN for one network.
    """

    rho: float
    error: float
    interval: tuple[float, float]
    level: float
    per_network: Array = field(repr=False)
    slope: float
    slope_error: float

    @property
    def expands(self) -> bool | None:
        """Whether the whole interval is below zero; None if there is no interval."""
        return None if np.isnan(self.interval[0]) else self.interval[1] < 0

    @property
    def shown(self) -> str:
        """Text such as ``-0.81 [-0.86, -0.75]``."""
        low, high = self.interval
        return f"{self.rho:.2f}" if np.isnan(low) else f"{self.rho:.2f} [{low:.2f}, {high:.2f}]"


def association(
    log_volume: Sequence[ArrayLike], distance: Sequence[ArrayLike], *, level: float = LEVEL
) -> Association:
    """Compute the rank correlation of log-volume and distance, for every network and over networks.

    Args:
        log_volume: for each network, the logarithms of the volume element at all inputs, finite, in any shape.
        distance: for each network, the distances of the same inputs, at least 0, in the same shape.
        level: confidence level of the interval, between 0 and 1. Default: 0.95.

    Raises:
        TypeError: if entries are not real numbers.
        ValueError: if shapes do not match, there are fewer than four inputs, or numbers are not finite or constant.

    >>> found = association([[1, 2, 3, 4], [2, 4, 5, 9]], [[4, 3, 2, 1], [9, 5, 1, 2]])
    >>> round(found.rho, 2)
    -0.86
    """
    level = checks.share("level", level)
    log_volume, distance = (
        list(checks.sequence(name, plain(name, networks), "arrays, one for each network"))
        for name, networks in (("log_volume", log_volume), ("distance", distance))
    )
    if len(log_volume) == 0 or len(log_volume) != len(distance):
        raise ValueError(
            f"distance: got {len(distance)} networks, needs {len(log_volume)}, and at least one"
        )
    rhos, scaled, slopes = [], [], []
    for number, (volumes, distances) in enumerate(zip(log_volume, distance, strict=True)):
        volume = arrays.real_array(f"log_volume[{number}]", volumes).ravel()
        gap = arrays.real_array(f"distance[{number}]", distances).ravel()
        if volume.shape != gap.shape or volume.size < FEWEST:
            raise ValueError(
                f"distance[{number}]: got {gap.size} for {volume.size} volumes, needs one for each, at least {FEWEST}"
            )
        arrays.positive_array(f"distance[{number}]", gap, or_zero=True)
        if is_constant(volume) or is_constant(gap):
            raise ValueError(
                f"log_volume[{number}]: the log-volume or the distance is constant, so it has no ranks"
            )
        rhos.append(spearman(volume, gap))
        scaled.append(fisher(rhos[-1], volume.size))
        slopes.append(float(np.polyfit(gap, volume, 1)[0]))
    correlations = np.array(rhos)
    (middle, error), interval, spread = mean_and_error(scaled), (np.nan, np.nan), np.nan
    if len(correlations) >= FEWEST_NETWORKS:
        half = float(stats.t.ppf((1 + level) / 2, len(correlations) - 1)) * error
        interval = (math.tanh(middle - half), math.tanh(middle + half))
        spread = error / math.cosh(middle) ** 2
    return Association(
        math.tanh(middle), spread, interval, level, correlations, *mean_and_error(slopes)
    )
