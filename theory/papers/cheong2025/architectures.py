r"""Section 2.3: the two networks, layer by layer, and how they are trained."""

from __future__ import annotations

import math
from functools import partial

from theory.core import Check, Finding
from theory.papers.cheong2025.paper import unlinked as entry

CHANNELS = (3, 64, 128, 256)
IMAGES = {"CIFAR-10": (32, 3), "Fashion-MNIST": (28, 1)}
POOL = {"f_+": (2, 1), "f_-": (3, 4)}
"""Pooling kernel, and what the channels are divided by."""

# Dimensionality of h^1, h^2, h^3 as printed in Section 3.3: side, side, channels.
TABLE = {
    ("f_+", "CIFAR-10"): ((16, 16, 64), (8, 8, 128), (4, 4, 256)),
    ("f_-", "CIFAR-10"): ((10, 10, 16), (3, 3, 32), (1, 1, 64)),
    ("f_+", "Fashion-MNIST"): ((14, 14, 64), (7, 7, 128), (3, 3, 256)),
    ("f_-", "Fashion-MNIST"): ((9, 9, 16), (3, 3, 32), (1, 1, 64)),
}
LAST_LAYER = 2570  # weights of f_+^4, Section 3.3
CLASSES = 10


def shapes(network: str, data: str) -> tuple[tuple[int, int, int], ...]:
    """Representations of the three blocks: convolutions keep the side, pooling divides it and drops the rest."""
    side, found = IMAGES[data][0], []
    kernel, divisor = POOL[network]
    for channels in CHANNELS[1:]:
        side //= kernel
        found.append((side, side, channels // divisor))
    return tuple(found)


def _has_shapes(network: str, data: str, printed: tuple[tuple[int, int, int], ...]) -> bool:
    return shapes(network, data) == printed


def _skip_fits(channels: int) -> bool:
    """X + conv(3 x 3, d_0)(x) needs d_0 channels of x."""
    return channels == CHANNELS[0]


def _last_pool_is_whole() -> bool:
    """sqrt(D_3/d_3) is the side of h^3 of f_+ on both datasets."""
    for data in IMAGES:
        side, _, channels = shapes("f_+", data)[-1]
        if math.isqrt(side * side * channels // channels) != side:
            return False
    return True


DIMENSIONS = entry(
    "3.3 dimensionalities",
    "3.3",
    "Dimensionality of h^1 to h^3 of both networks on both datasets.",
    Finding.CONFIRMED,
    "From the sizes of the images, the pooling kernels and the channels of Section 2.3.",
    printed=r"16 \times 16 \times 64, \quad 8 \times 8 \times 128, \quad 4 \times 4 \times 256, \dots",
    steps=tuple(
        Check(f"{network} on {data}", partial(_has_shapes, network, data, size), "arithmetic of sizes")
        for (network, data), size in TABLE.items()
    ),
)

EQUATIONS = (
    entry(
        "2.3 protocol",
        "2.3",
        "No dropout, no augmentation; batch normalisation without running statistics; training sets cut to the size of "
        "the test sets.",
        Finding.DEFINITION,
        "Without running statistics a representation depends on the batch that it is computed in: NC1 needs a fixed "
        "partition into batches.",
    ),
    entry(
        "2.3 blocks of f_+",
        "2.3",
        "Two convolutions of 3 x 3 with a skip connection over the first, then pooling by 2 x 2.",
        Finding.CONDITIONAL,
        "The first convolution keeps the number of channels, so the sum has one shape.",
        condition="the images have d_0 = 3 channels",
        printed=r"T_+^l(\cdot) = (\mathrm{pool}(2 \times 2) \circ \mathrm{bn} \circ \mathrm{conv}(3 \times 3, "
        r"d_l))(\max\{0, \cdot + (\mathrm{bn} \circ \mathrm{conv}(3 \times 3, d_{l-1}))(\cdot)\})",
        steps=(Check("CIFAR-10", lambda: _skip_fits(IMAGES["CIFAR-10"][1]), "channels"),),
        counterexample=lambda: not _skip_fits(IMAGES["Fashion-MNIST"][1]),
        consequence="Fashion-MNIST has one channel; there d_0 is 1, or the image is repeated three times.",
    ),
    entry(
        "2.3 blocks of f_-",
        "2.3",
        "One convolution of 5 x 5 with a quarter of the channels, then pooling by 3 x 3.",
        Finding.DEFINITION,
        "The text at hand has the index l/4 where a quarter of d_l is meant, as Section 3.3 and the last layer show; "
        "this may be its extraction.",
        printed=r"T_-^l = \mathrm{pool}(3 \times 3) \circ \mathrm{bn} \circ \mathrm{conv}(5 \times 5, d_l/4)",
    ),
    entry(
        "2.3 batch normalisation",
        "2.3",
        "Batch mean and standard deviation, learnable scale and shift.",
        Finding.DEFINITION,
        "Convolutions have no bias of their own.",
        printed=r"\mathrm{bn}(\cdot) = \frac{\cdot - \hat\mu}{\hat\sigma} \gamma + \beta",
    ),
    entry(
        "2.3 last layer of f_+",
        "2.3",
        "Pooling over the whole image, then a fully connected layer.",
        Finding.CONFIRMED,
        "The kernel is the side of h^3: 4 on CIFAR-10, 3 on Fashion-MNIST.",
        printed=r"T_+^4 = \mathrm{fc}(d_3, 10) \circ \mathrm{pool}(\sqrt{D_3/d_3} \times \sqrt{D_3/d_3})",
        steps=(Check("whole kernels", _last_pool_is_whole, "arithmetic of sizes"),),
    ),
    entry(
        "2.3 last layer of f_-",
        "2.3",
        "A fully connected layer with d_3/4 inputs; pooling would be redundant.",
        Finding.CONFIRMED,
        "h^3 has one pixel of 64 channels on both datasets.",
        printed=r"T_-^4 = \mathrm{fc}(d_3/4, 10)",
        steps=(
            Check(
                "one pixel",
                lambda: {shapes("f_-", data)[-1] for data in IMAGES} == {(1, 1, CHANNELS[-1] // 4)},
                "arithmetic of sizes",
            ),
        ),
    ),
    entry(
        "2.3 training",
        "2.3",
        "AdamW, learning rate 2e-3, to a training loss of 0.02 or 50 epochs.",
        Finding.DEFINITION,
        "The batch size is not printed.",
    ),
)
