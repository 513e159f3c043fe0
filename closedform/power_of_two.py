"""Numbers whose squares leave the range of float64 come near one by a power of two, and thus without rounding.

The functions take arrays of numpy and tensors of torch alike.
"""

from __future__ import annotations

import math
from typing import Any, TypeVar

Numbers = TypeVar("Numbers", bound=Any)

MODERATE = 1e-100, 1e100  # largest magnitudes whose squares and sums stay far from the limits of float64


def factor(values: Any) -> float:
    """Return the power of two by which finite numbers come near one if they are extreme in size, and 1 otherwise."""
    if values.dtype.itemsize < 8 or 0 in values.shape:  # shorter types have no extreme numbers
        return 1.0
    largest = max(-float(values.min()), float(values.max()))
    if largest == 0 or not math.isfinite(largest) or MODERATE[0] <= largest <= MODERATE[1]:
        return 1.0
    return math.ldexp(1.0, max(min(-math.frexp(largest)[1], 1000), -1000))


def moderate(values: Numbers) -> Numbers:
    """Return numbers times :func:`factor`."""
    times = factor(values)
    moderate_values: Numbers = values if times == 1 else values * times
    return moderate_values
