r"""Sizes of the two networks of Section 2.3: images, channels, kernels, and what follows from them."""

import itertools
import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from theory.core import Claim, Programs, chosen, deciding, numerically, stating
from theory.papers.cheong2025.notation import agreed, counted

CHANNELS = (3, 64, 128, 256)
IMAGES = {"CIFAR-10": (32, 3), "Fashion-MNIST": (28, 1)}
"""Side and channels of the images."""
POOL = {"f_+": (2, 1), "f_-": (3, 4)}
"""Pooling kernel, and what the channels are divided by."""
SCENARIOS = dict(zip(("Cplus", "Cminus", "Fplus", "Fminus"), itertools.product(IMAGES, POOL), strict=True))
CLASSES = 10
SAMPLES = 10_000
"""Training samples: as many as test samples."""
LABELS = SAMPLES * CLASSES
"""Numbers that the labels of all samples amount to."""


def shapes(data: str, network: str) -> list[tuple[int, int, int]]:
    """Representations of the three blocks: convolutions keep the side, pooling divides it and drops the rest."""
    kernel, divisor = POOL[network]
    sides = itertools.accumulate([IMAGES[data][0], *[kernel] * 3], lambda side, by: side // by)
    return [(side, side, channels // divisor) for side, channels in list(zip(sides, CHANNELS, strict=True))[1:]]


def dimensions(data: str, network: str) -> list[int]:
    """Dimensions of the input and of the three representations."""
    side, channels = IMAGES[data]
    return [side * side * channels, *map(math.prod, shapes(data, network))]


def weights_of_f_plus() -> Iterator[int]:
    """Learnable numbers of f_+ on each dataset: two normalised convolutions of 3 x 3 a block, and the last layer."""
    for _, image in IMAGES.values():
        pairs = list(itertools.pairwise((image, *CHANNELS[1:])))
        convolutions = sum(9 * before * (before + after) + 2 * (before + after) for before, after in pairs)
        yield convolutions + CHANNELS[-1] * CLASSES + CLASSES


def channels_of(index: float) -> float:
    """Channels d_l of Section 2.3; an index between two layers is read off the line between them."""
    if not 0 <= index <= 3:
        raise ValueError(f"index: got {index}, needs 0 to 3")
    return float(np.interp(index, range(len(CHANNELS)), CHANNELS))


def layers(network: str) -> Iterator[dict[str, Any]]:
    """The channels of Section 2.3 and the sides of all layers on both datasets."""
    for data, (_, image) in IMAGES.items():
        sizes = dimensions(data, network)
        depths = [image, *(shape[-1] for shape in shapes(data, network))]
        for layer in (1, 2, 3):
            yield {
                "l": layer,
                "d": channels_of,
                "channels": lambda index, depths=depths: depths[int(index)],
                "D_l": lambda index, sizes=sizes: sizes[int(index)],
                "kernel": shapes(data, network)[-1][0],
                "inputs": sizes[-1],
            }


def change_of_sizes() -> str:
    """Layers 1 to 3 of the table of Section 3.3. To layer 1 the size grows in three of four scenarios."""
    steps = (pair for each in SCENARIOS.values() for pair in itertools.pairwise(dimensions(*each)[1:]))
    return agreed((after < before for before, after in steps), "monotonically decrease", "monotonically increase")


def batches() -> Iterator[dict[str, Any]]:
    """A batch of values before batch normalisation, with a bias."""

    def normalised(values: Any) -> Any:
        return (values - np.mean(values)) / np.std(values) * 1.7 + 0.3

    yield {"x": np.array([0.2, -1.1, 0.7, 2.5]), "bias_b": 0.9, "bn": normalised}


def avoids_storing(claim: Claim) -> bool:
    """Numbers of G against those of all representations, for layers with dimensions below N, not the first of f_+."""
    sizes = [size for scenario in SCENARIOS.values() for size in dimensions(*scenario)[1:] if size < SAMPLES]
    return all(size**2 < SAMPLES * size for size in sizes) is chosen(claim, "can", {"can still": True, "cannot": False})


def bytes_of(case: Any) -> int:
    """Memory of N numbers of 32 bits in D dimensions."""
    return int(case["N"] * case["D"] * np.dtype(np.float32).itemsize)


FIRST = dimensions("CIFAR-10", "f_+")[1]
OF_THE_TABLE = {name: partial(lambda scenario, _: np.array(shapes(*scenario)), one) for name, one in SCENARIOS.items()}
SIZES_OF_H_2 = {dimensions(data, "f_-")[2] for data in IMAGES}

PROGRAMS: Programs = {
    "Figure 1.1, overparametrised": stating(
        what=lambda: agreed((n > LABELS for n in weights_of_f_plus()), "overparametrised", "not overparametrised")
    ),
    "2.1 storage": counted(
        lambda: [{"N": 50_000, "D": FIRST}],
        size=lambda _: FIRST,
        bits=lambda _: np.finfo(np.float32).bits,
        bytes=bytes_of,
        gibibytes=lambda case: round(bytes_of(case) / 2**30),
    ),
    "2.1 one pass": deciding(avoids_storing),
    "2.3 redundant pool": stating(
        what=lambda: agreed((shapes(data, "f_-")[-1][0] == 1 for data in IMAGES), "redundant", "needed")
    ),
    "2.3 blocks of f_- | 2.3 last layer of f_-": numerically(partial(layers, "f_-")),
    "2.3 no bias": numerically(batches),
    "2.3 blocks of f_+ | 2.3 last layer of f_+": numerically(partial(layers, "f_+")),
    "3.3 dimensionalities": counted(lambda: [{}], **OF_THE_TABLE),
    "3.3 same size of h^2": stating(size=lambda: agreed([len(SIZES_OF_H_2) == 1], "the same size", "another size")),
    "4 sizes": stating(change=change_of_sizes),
}
