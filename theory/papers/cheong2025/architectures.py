r"""Section 2.3: the two networks, layer by layer, and how they are trained; Figure 1.1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word, equal, numerically
from theory.papers.cheong2025.networks import (
    CHANNELS,
    CLASSES,
    IMAGES,
    SAMPLES,
    dimensions,
    shapes,
    weights_of_f_plus,
)
from theory.papers.cheong2025.paper import entry

channels, depth, d, bn = (sp.Function(name) for name in ("channels", "depth", "d", "bn"))
image_channels, kernel, inputs, D_3 = sp.symbols("image_channels kernel inputs D_3", positive=True)
l = sp.Symbol("l", integer=True, positive=True)
x, bias = sp.symbols("x bias", real=True)


def channels_of(index: float) -> float:
    """Channels d_l of Section 2.3; an index between two layers is read off the line between them."""
    if not 0 <= index <= 3:
        raise ValueError(f"index: got {index}, needs 0 to 3")
    return float(np.interp(index, range(len(CHANNELS)), CHANNELS))


def blocks() -> Iterator[dict[str, Any]]:
    """The input of each block of f_+ on both datasets, with its channels."""
    for _, image in IMAGES.values():
        for block in (1, 2, 3):
            incoming = (image, *CHANNELS[1:])
            yield {
                "l": block,
                "d": channels_of,
                "channels": lambda index, incoming=incoming: incoming[int(index)],
                "image_channels": image,
            }


def blocks_of_the_small_network() -> Iterator[dict[str, Any]]:
    """The output of each block of f_-, with the channels of the table in Section 3.3."""
    for data in IMAGES:
        table = [shape[-1] for shape in shapes("f_-", data)]
        for block in (1, 2, 3):
            yield {"l": block, "d": channels_of, "depth": lambda index, table=table: table[int(index) - 1]}


def last_blocks() -> Iterator[dict[str, Any]]:
    """The last representation of f_+ on both datasets: its side, which the pool is to cover, and its dimension."""
    for data in IMAGES:
        side, _, count = shapes("f_+", data)[-1]
        yield {"kernel": side, "D_3": side * side * count, "d": channels_of}


def last_blocks_of_the_small_network() -> Iterator[dict[str, Any]]:
    """The dimension of the last representation of f_- on both datasets."""
    for data in IMAGES:
        yield {"inputs": dimensions("f_-", data)[-1], "d": channels_of}


def is_one_pixel(claim: Claim) -> tuple[Check, ...]:
    """The last representation of f_- has one pixel."""
    single = {shapes("f_-", data)[-1][:2] for data in IMAGES} == {(1, 1)}
    return (Check("sides", lambda: single is (claim["is"] == "redundant"), "arithmetic of sizes"),)


def has_more_weights(claim: Claim) -> tuple[Check, ...]:
    """Learnable numbers of f_+ on both datasets, and the numbers that labels of all samples amount to."""
    counts = [weights_of_f_plus((image, *CHANNELS[1:])) for _, image in IMAGES.values()]
    more = min(counts) > SAMPLES * CLASSES
    return (Check("counts", lambda: more is (claim["is"] == "overparametrised"), "arithmetic of sizes"),)


def batches() -> Iterator[dict[str, Any]]:
    """A batch of values before batch normalisation, with a bias."""

    def normalised(values: Any) -> Any:
        return (values - np.mean(values)) / np.std(values) * 1.7 + 0.3

    yield {"x": np.array([0.2, -1.1, 0.7, 2.5]), "bias": 0.9, "bn": normalised}


EQUATIONS = (
    entry(
        "2.3 protocol",
        "2.3",
        "No dropout, no augmentation; batch normalisation without running statistics; training sets cut to the size of "
        "the test sets; two datasets and two networks.",
        Finding.NOTE,
        "Settings. Without running statistics a representation depends on the batch that it is computed in: NC1 needs "
        "a fixed partition into batches.",
    ),
    entry(
        "Figure 1.1, overparametrised",
        "1",
        "",
        Finding.CONFIRMED,
        "f_+ has more than half a million learnable numbers; 10,000 labels of ten classes are 100,000.",
        printed=Claim(
            "The network of Figure 1.1 is {is}.", {"is": Word("overparametrised", ("not overparametrised",))}
        ),
        prove=has_more_weights,
    ),
    entry(
        "2.3 architectures",
        "2.3",
        "f_+ follows earlier work with changes; f_- is a smaller version of it; Figure 2.3 draws both.",
        Finding.NOTE,
        "Settings. The drawing is not in the text.",
    ),
    entry(
        "2.3 redundant pool",
        "2.3",
        "",
        Finding.CONFIRMED,
        "h^3 has one pixel on both datasets.",
        printed=Claim(
            "With the larger pooling kernels of f_- its final pooling layer is {is}.",
            {"is": Word("redundant", ("needed",))},
        ),
        prove=is_one_pixel,
    ),
    entry(
        "2.3 T_+",
        "2.3",
        "A block of f_+: two convolutions of 3 x 3 with a skip connection over the first, then pooling by 2 x 2.",
        Finding.DEFINITION,
        "For l = 1, 2, 3, with d_0 to d_3 of 3, 64, 128 and 256 channels.",
        printed=r"T_+^l(\cdot) = (\mathrm{pool}(2 \times 2) \circ \mathrm{bn} \circ \mathrm{conv}(3 \times 3, "
        r"d_l))(\max\{0, \cdot + (\mathrm{bn} \circ \mathrm{conv}(3 \times 3, d_{l-1}))(\cdot)\})",
    ),
    entry(
        "2.3 blocks of f_+",
        "2.3",
        "The skip connection of a block of f_+: its input has the d_{l-1} channels of the first convolution.",
        Finding.CONDITIONAL,
        "The channels of the input of each block on both datasets.",
        printed=equal(channels(l - 1), d(l - 1)),
        condition=equal(image_channels, d(0)),
        prove=numerically(blocks, "images and Section 2.3"),
        witness=Witness(
            {l: 1, "images": "Fashion-MNIST"},
            lambda: float(IMAGES["Fashion-MNIST"][1]),
            value=lambda statement: channels_of(0),
        ),
        consequence="Fashion-MNIST has one channel; there d_0 is 1, or the image is repeated three times, as adding "
        "arrays of one and three channels does in PyTorch.",
    ),
    entry(
        "2.3 blocks of f_-",
        "2.3",
        "A block of f_-, one convolution of 5 x 5 and pooling by 3 x 3: the channels of block l.",
        Finding.ILLEGIBLE,
        "In the text that was read the solidus and the 4 are in the index. Taken out of it, as in the last layer's "
        "d_3/4, they give the numbers of the table of Section 3.3.",
        printed=r"T_-^l = \mathrm{pool}(3 \times 3) \circ \mathrm{bn} \circ \mathrm{conv}(5 \times 5, d_{l/4})",
        inferred=equal(depth(l), d(l) / 4),
        prove=numerically(blocks_of_the_small_network, "table of Section 3.3"),
    ),
    entry(
        "2.3 batch normalisation",
        "2.3",
        "Batch mean and standard deviation, learnable scale and shift.",
        Finding.DEFINITION,
        "PyTorch adds a small number to the variance.",
        printed=r"\mathrm{bn}(\cdot) = \frac{\cdot - \hat\mu}{\hat\sigma} \gamma + \beta",
    ),
    entry(
        "2.3 no bias",
        "2.3",
        "Since each convolution is followed by batch normalisation, it has no bias: it would have no effect.",
        Finding.CONFIRMED,
        "A batch of four values; the batch mean moves by the bias.",
        printed=equal(bn(x + bias), bn(x)),
        prove=numerically(batches, "batch mean and deviation"),
        harmless={
            f"printed: {change}": "A bias of another size or sign has no effect either."
            for change in ("sign of bias", "bias twice")
        }
        | {"printed: x twice": "Batch normalisation divides by the scale."},
    ),
    entry(
        "2.3 last layer of f_+",
        "2.3",
        "Pooling over the whole image, then a fully connected layer: the kernel.",
        Finding.CONFIRMED,
        "The kernel is the side of h^3: 4 on CIFAR-10, 3 on Fashion-MNIST.",
        printed=equal(kernel, sp.sqrt(D_3 / d(3))),
        prove=numerically(last_blocks, "arithmetic of sizes"),
    ),
    entry(
        "2.3 last layer of f_-",
        "2.3",
        "A fully connected layer: its inputs.",
        Finding.CONFIRMED,
        "h^3 has one pixel of 64 channels on both datasets.",
        printed=equal(inputs, d(3) / 4),
        prove=numerically(last_blocks_of_the_small_network, "arithmetic of sizes"),
    ),
    entry(
        "2.3 training",
        "2.3",
        "AdamW, learning rate 2e-3, to a training loss of 0.02 or 50 epochs; measured after each epoch for layers 1 to "
        "3, information for layer 0 as well; Figure 2.4.",
        Finding.NOTE,
        "Settings. The batch size is not printed.",
    ),
)
