"""Sizes of the two networks of Section 2.3: images, channels, kernels, and what follows from them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

CHANNELS = (3, 64, 128, 256)
IMAGES = {"CIFAR-10": (32, 3), "Fashion-MNIST": (28, 1)}
"""Side and channels of the images."""
POOL = {"f_+": (2, 1), "f_-": (3, 4)}
"""Pooling kernel, and what the channels are divided by."""
CLASSES = 10
SAMPLES = 10_000
"""Training samples: as many as test samples."""

Shape = tuple[int, int, int]


def shapes(network: str, data: str) -> tuple[Shape, ...]:
    """Representations of the three blocks: convolutions keep the side, pooling divides it and drops the rest."""
    side, blocks = IMAGES[data][0], []
    kernel, divisor = POOL[network]
    for channels in CHANNELS[1:]:
        side //= kernel
        blocks.append((side, side, channels // divisor))
    return tuple(blocks)


def dimensions(network: str, data: str) -> list[int]:
    """Dimensions of the input and of the three representations."""
    side, channels = IMAGES[data]
    return [side * side * channels, *(a * b * depth for a, b, depth in shapes(network, data))]


def weights_of_f_plus(channels: Sequence[int] = CHANNELS) -> int:
    """Learnable numbers of f_+: two convolutions of 3 x 3 a block with batch normalisation, and the last layer."""
    total = 0
    for before, after in itertools.pairwise(channels):
        total += 9 * before * before + 2 * before + 9 * before * after + 2 * after
    return total + channels[-1] * CLASSES + CLASSES
