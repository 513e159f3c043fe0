"""Numbers whose squares leave the range of float64 come near one by a power of two, and thus without rounding."""

from __future__ import annotations

import math

import torch
from torch import Tensor

MODERATE = 1e-100, 1e100  # largest magnitudes whose squares and sums stay far from the limits of float64


def factor(values: Tensor) -> float:
    """Return the power of two by which ``values`` come near one if they are extreme in size, and 1 otherwise.

    Args:
        values: numbers of any shape.
    """
    if values.dtype != torch.float64 or not values.numel():  # shorter types have no extreme numbers
        return 1.0
    low, high = map(float, torch.aminmax(values))
    largest = max(-low, high)
    if largest == 0 or not math.isfinite(largest) or MODERATE[0] <= largest <= MODERATE[1]:
        return 1.0
    return math.ldexp(1.0, max(min(-math.frexp(largest)[1], 1000), -1000))


def moderate(values: Tensor) -> Tensor:
    """Return ``values`` times :func:`factor`, in float64 if that is not 1."""
    times = factor(values)
    return values if times == 1 else values.to(torch.float64) * times
