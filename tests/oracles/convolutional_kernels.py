"""Kernels of convolutional ReLU networks of infinite width in 30 digits, entry by entry, for the tests of ours.

Positions are pairs of rows and columns, and a kernel is a dictionary of pairs of them.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import mpmath as mp

WEIGHTS, BIASES = mp.mpf("1.5"), mp.mpf("0.1")  # variances
DIGITS, EQUAL = 30, mp.mpf("1e-26")


def convolved(kernel: dict[Any, Any], size: tuple[int, int], padding: str) -> dict[Any, Any]:
    """Return the mean over taps of three by three."""

    def moved(position: tuple[int, int], tap: tuple[int, int]) -> tuple[int, int]:
        place = position[0] + tap[0], position[1] + tap[1]
        return (place[0] % size[0], place[1] % size[1]) if padding == "circular" else place

    taps = list(product((-1, 0, 1), repeat=2))
    return {
        (p, q): mp.fsum(kernel.get((moved(p, tap), moved(q, tap)), 0) for tap in taps) / 9
        for p, q in kernel
    }


def rectified(v: Any, w: Any, c: Any) -> tuple[Any, Any]:
    """Return the means of ``relu relu`` and ``relu' relu'`` by the angle (Cho and Saul, 2009)."""
    size = mp.sqrt(v * w)
    ratio = c / size
    angle = mp.acos(ratio) if 1 - ratio > EQUAL else mp.mpf(0)
    kernel = size * (mp.sin(angle) + (mp.pi - angle) * mp.cos(angle)) / (2 * mp.pi)
    return kernel, (mp.pi - angle) / (2 * mp.pi)


def kernels(first: Any, second: Any, layers: int, padding: str, pooled: bool) -> tuple[Any, Any]:
    """Return the kernel and the tangent kernel of two images ``[height, width, channels]``, readout of variance 1."""
    with mp.workdps(DIGITS):
        size = first.shape[:2]
        places = list(product(range(size[0]), range(size[1])))
        pairs = list(product(places, repeat=2))

        def products(x: Any, y: Any) -> dict[Any, Any]:
            return {(p, q): mp.fdot(map(mp.mpf, x[p]), map(mp.mpf, y[q])) for p, q in pairs}

        kernel, down, right = (
            products(*both) for both in ((first, second), (first, first), (second, second))
        )
        tangent = dict.fromkeys(pairs, mp.mpf(0))
        for _ in range(layers):
            kernel, down, right = (
                {at: WEIGHTS * value + BIASES for at, value in convolved(k, size, padding).items()}
                for k in (kernel, down, right)
            )
            below = convolved(tangent, size, padding)
            above = {(p, q): rectified(down[p, p], right[q, q], kernel[p, q]) for p, q in pairs}
            tangent = {
                at: slope * (WEIGHTS * below[at] + kernel[at]) for at, (_, slope) in above.items()
            }
            kernel = {at: value for at, (value, _) in above.items()}
            down, right = (
                {(p, q): rectified(k[p, p], k[q, q], k[p, q])[0] for p, q in pairs}
                for k in (down, right)
            )
        ends = pairs if pooled else [(p, p) for p in places]
        feature, slopes = (mp.fsum(k[at] for at in ends) / len(ends) for k in (kernel, tangent))
        return feature, feature + slopes
