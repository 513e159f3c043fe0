"""Comparison of counts, such as numbers of directions above a gap, which may be the same in all networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

import bridge

if TYPE_CHECKING:
    from bridge.statistics.comparison import Comparison

HALF = 0.5  # smallest relevant deviation, which distinguishes consecutive counts


def against(predicted: float, counts: Sequence[float]) -> Comparison:
    """Compare the mean of at least two counts, one for each network, with a prediction.

    All counts may be equal; the standard error is that of one network which differs by one, or more.
    """
    variance = max(float(np.var(counts, ddof=1)), 1 / len(counts))
    error = (variance / len(counts)) ** 0.5
    return bridge.compare(predicted, float(np.mean(counts)), error=error, repetitions=len(counts), resolution=HALF)
