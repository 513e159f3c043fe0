r"""Rank correlation of the volume element with the distance to the decision boundary, with an interval.

Spearman's rank correlation :math:`\rho` of the logarithm of the volume element and the distance, over inputs: -1 where
the volume element falls whenever the distance grows. Inputs of one network are not independent, networks are: the
interval is Student's, over networks, of Fisher's :math:`\operatorname{artanh}\rho`; below three networks there is none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bridge import arguments
from bridge.arrays import Array, mean_and_error
from bridge.rank_correlation import FEWEST, LEVEL, fisher
from bridge.ranking import is_constant, spearman

FEWEST_NETWORKS = 3  # below, their scatter says next to nothing


@dataclass(frozen=True)
class Association:
    """The rank correlation of log-volume and distance, over networks.

    Attributes:
        rho: mean over networks, on Fisher's scale; negative where volume is expanded near the boundary.
        interval: at ``level``, over networks; NaN where there are fewer than three.
        level: of the interval.
        each: of every network, ``[network]``.
        slope: mean change of the log-volume with the distance, nats over the unit of the distance, by least squares.
        slope_error: its standard error over networks, with Student's limits for few; NaN where there is one.
    """

    rho: float
    interval: tuple[float, float]
    level: float
    each: Array = field(repr=False)
    slope: float
    slope_error: float

    @property
    def expands(self) -> bool | None:
        """Whether the whole interval is below zero; None where there is none."""
        return None if np.isnan(self.interval[0]) else self.interval[1] < 0

    @property
    def shown(self) -> str:
        """``-0.81 [-0.86, -0.75]``."""
        low, high = self.interval
        return f"{self.rho:.2f}" if np.isnan(low) else f"{self.rho:.2f} [{low:.2f}, {high:.2f}]"


def association(log_volume: Sequence[ArrayLike], distance: Sequence[ArrayLike], *, level: float = LEVEL) -> Association:
    """Compute the rank correlation of log-volume and distance, for every network and over networks.

    Args:
        log_volume: for each network, ``[input]`` (any shape), finite.
        distance: likewise, of the same shapes, at least 0.
        level: of the interval, between 0 and 1.

    Raises:
        TypeError: for entries that are not real numbers.
        ValueError: for shapes that do not fit, fewer than four inputs, numbers that are not finite or do not vary.
    """
    level = arguments.share("level", level)
    if len(log_volume) == 0 or len(log_volume) != len(distance):
        raise ValueError(f"distance: got {len(distance)} networks, needs {len(log_volume)}, and at least one")
    rhos, scaled, slopes = [], [], []
    for number, (volumes, distances) in enumerate(zip(log_volume, distance, strict=True)):
        volume = arguments.real_array(f"log_volume[{number}]", volumes).ravel()
        gap = arguments.real_array(f"distance[{number}]", distances).ravel()
        if volume.shape != gap.shape or volume.size < FEWEST:
            raise ValueError(
                f"distance[{number}]: got {gap.size} for {volume.size} volumes, needs one for each, at least {FEWEST}"
            )
        arguments.positive_array(f"distance[{number}]", gap, or_zero=True)
        if is_constant(volume) or is_constant(gap):
            raise ValueError(f"log_volume[{number}]: it or the distance is the same everywhere, so neither ranks")
        rhos.append(spearman(volume, gap))
        scaled.append(fisher(rhos[-1], volume.size))
        slopes.append(float(np.polyfit(gap, volume, 1)[0]))
    correlations = np.array(rhos)
    (middle, error), interval = mean_and_error(scaled), (np.nan, np.nan)
    if len(correlations) >= FEWEST_NETWORKS:
        half = float(stats.t.ppf((1 + level) / 2, len(correlations) - 1)) * error
        interval = (math.tanh(middle - half), math.tanh(middle + half))
    return Association(math.tanh(middle), interval, level, correlations, *mean_and_error(slopes))
