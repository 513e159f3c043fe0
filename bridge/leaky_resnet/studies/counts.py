"""Means of counts, such as numbers of directions above a gap, which may be the same in all networks."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bridge.results.quantity import Quantity
from closedform.measured import Measured

HALF = 0.5  # smallest relevant deviation, which distinguishes consecutive counts


def mean(quantity: Quantity, label: str, counts: ArrayLike, predicted: float) -> Measured | None:
    """Return the mean of counts, one for each network, with what is predicted for it; None for fewer than two.

    All counts may be equal; the standard error is that of one network which differs by one, or more.
    """
    values = np.asarray(counts, dtype=np.float64)
    values = values[np.isfinite(values)]
    if values.size < 2:
        return None
    error = (max(float(values.var(ddof=1)), 1 / values.size) / values.size) ** 0.5
    return Measured(quantity, label, float(values.mean()), error, values.size, predicted, resolution=HALF)
