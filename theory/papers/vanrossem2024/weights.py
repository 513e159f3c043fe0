"""Final distances at weights of any size, in numbers: the positive root of rest, and flows of two numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from theory.papers.vanrossem2024.explicit_matrices import scalar_weights

TAUS_OF_EQ_6 = (1.0, 0.5, 0.5)
"""Time constants that are one in Eq. (7)."""


def final_number(
    encoder: float, decoder: float, *, ratio: float = 1.0, dx2: float = 1.0, target2: float = 1.0
) -> float:
    """Where the two-point system rests: the positive root of h^2 - A_high h - A_low^2, without cancellation.

    Args:
        encoder: dh2(0)/dx2, dimensionless.
        decoder: dy2(0)/dh2(0), dimensionless.
        ratio: tau_y/tau_h.
        dx2: squared distance of the inputs.
        target2: squared distance of the targets.
    """
    half, low2 = (encoder - ratio * decoder) * dx2 / 2, ratio * dx2 * target2
    root = math.sqrt(half**2 + low2)
    if half > 0:
        return half + root
    return low2 / (root - half) if low2 else 0.0


def scaled(size: float, decoders: tuple[float, ...]) -> Iterator[dict[str, Any]]:
    """Final distances at encoders of ``size``, decoders in units of it, different data; the letters of Eq. (12)."""
    for decoder in decoders:
        for ratio, dx2, target2 in ((1.0, 0.7, 1.3), (0.6, 1.9, 0.4)):
            first, second = size, decoder / ratio * size  # A_high has the sign of 1 - decoder
            yield {
                "ratio_h": first,
                "ratio_y": second,
                "A_high": (first - ratio * second) * dx2,
                "A_low": math.sqrt(ratio * dx2 * target2),
                "dh2_inf": final_number(first, second, ratio=ratio, dx2=dx2, target2=target2),
            }


@cache
def path(encoder: float, decoder: float, target: float, until: float) -> Any:
    """Time, dh2 and loss along the flow of two numbers, ``[3, 400]``; unit inputs, unit constants in Eq. (7)."""
    problem, weights = scalar_weights(encoder, decoder, 1.0, target)
    times = np.linspace(0, until, 400)
    flow = problem.flow(weights, TAUS_OF_EQ_6, times)
    return np.array([times, [problem.state(at)[0] for at in flow], [problem.loss(at) for at in flow]])
