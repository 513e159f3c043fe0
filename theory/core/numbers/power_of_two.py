"""Numbers whose squares leave the range of float64 come near one by a power of two, and thus without rounding."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MODERATE = 1e-100, 1e100


def factor(values: NDArray[np.float64]) -> float:
    """Return the power of two by which finite numbers come near one if they are extreme in size, and 1 otherwise."""
    largest = np.abs(values).max(initial=0.0)
    if largest == 0 or not np.isfinite(largest) or MODERATE[0] <= largest <= MODERATE[1]:
        return 1.0
    return float(np.ldexp(1.0, int(np.clip(-np.frexp(largest)[1], -1000, 1000))))


def moderate(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return finite numbers multiplied by a power of two if they are extreme in size, and unchanged otherwise."""
    times = factor(values)
    return values if times == 1 else values * times
