r"""Section 2.3: the two networks, layer by layer, and how they are trained; Figure 1.1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theory.core import numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import stating
from theory.papers.cheong2025.networks import (
    CHANNELS,
    CLASSES,
    IMAGES,
    SAMPLES,
    dimensions,
    shapes,
    weights_of_f_plus,
)
from theory.papers.cheong2025.notation import letters

channels, depth, d, bn = letters("channels depth d bn")
image_channels, kernel, inputs, D_3 = letters("image_channels kernel inputs D_3")
l, x, bias = letters("l x bias")


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


def last_pool() -> str:
    """What the last pool of f_- is: redundant if its last representation has one pixel."""
    single = {shapes("f_-", data)[-1][:2] for data in IMAGES} == {(1, 1)}
    return "redundant" if single else "needed"


def has_more_weights() -> bool:
    """Whether f_+ has more learnable numbers on both datasets than the labels of all samples amount to."""
    counts = [weights_of_f_plus((image, *CHANNELS[1:])) for _, image in IMAGES.values()]
    return min(counts) > SAMPLES * CLASSES


def batches() -> Iterator[dict[str, Any]]:
    """A batch of values before batch normalisation, with a bias."""

    def normalised(values: Any) -> Any:
        return (values - np.mean(values)) / np.std(values) * 1.7 + 0.3

    yield {"x": np.array([0.2, -1.1, 0.7, 2.5]), "bias": 0.9, "bn": normalised}


PROGRAMS: Programs = {
    "Figure 1.1, overparametrised": stating(
        {"is": lambda: "overparametrised" if has_more_weights() else "not overparametrised"}, "arithmetic of sizes"
    ),
    "2.3 redundant pool": stating({"is": last_pool}, "arithmetic of sizes"),
    "2.3 blocks of f_+": Program(
        numerically(blocks, "images and Section 2.3"),
        lambda: float(IMAGES["Fashion-MNIST"][1]),
        value=lambda statement: channels_of(0),
    ),
    "2.3 blocks of f_-": numerically(blocks_of_the_small_network, "table of Section 3.3"),
    "2.3 no bias": numerically(batches, "batch mean and deviation"),
    "2.3 last layer of f_+": numerically(last_blocks, "arithmetic of sizes"),
    "2.3 last layer of f_-": numerically(last_blocks_of_the_small_network, "arithmetic of sizes"),
}
