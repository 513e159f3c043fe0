"""Numbers whose squares leave the range of float64 come near one by a power of two, and thus without rounding."""

from __future__ import annotations

import math

import torch
from torch import Tensor

MODERATE = 1e-100, 1e100  # largest magnitudes whose squares and sums stay far from the limits of float64


def factor(values: Tensor) -> float:
    """Return the power of two by which ``values`` come near one if they are extreme in size, and 1 otherwise.

    Args:
        values: finite numbers of any shape.
    """
    if not values.is_floating_point() or not values.numel():
        return 1.0
    largest = float(torch.linalg.vector_norm(values, math.inf))
    if largest == 0 or not math.isfinite(largest) or MODERATE[0] <= largest <= MODERATE[1]:
        return 1.0
    return math.ldexp(1.0, max(min(-math.frexp(largest)[1], 1000), -1000))


def moderate(values: Tensor) -> Tensor:
    """Return ``values`` times :func:`factor`, in float64 if that is not 1."""
    times = factor(values)
    return values if times == 1 else values.to(torch.float64) * times
