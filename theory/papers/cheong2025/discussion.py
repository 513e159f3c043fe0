r"""Chapter 4: what the discussion says of layers and sizes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from theory.collapse.usable_information import cross_entropy
from theory.core import numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import stating
from theory.papers.cheong2025.networks import IMAGES, dimensions
from theory.papers.cheong2025.notation import letters

D, l = letters("D_of l_non")
JOINT = np.array([[0.3, 0.02], [0.08, 0.2], [0.05, 0.35]])  # of three values of h^l and two labels


def of_the_later_layer() -> str:
    """What decoder a later layer has, by the least cross-entropies of two neighbours for every map between them.

    A decoder of the earlier layer is one of the later layer after any map of three values to two.
    """
    maps = list(itertools.product((0, 1), repeat=3))
    answers = (0.1, 0.35, 0.6, 0.85)
    later = [np.array([[1 - p, p], [1 - q, q]]) for p, q in itertools.product(answers, repeat=2)]
    earlier = [decoder[list(further)] for further in maps for decoder in later]
    least = min(cross_entropy(JOINT, decoder) for decoder in earlier)

    def change(encoder: tuple[int, ...]) -> float:
        seen = np.zeros((2, 2))
        np.add.at(seen, list(encoder), JOINT)
        return min(cross_entropy(seen, decoder) for decoder in later) - least

    changes = np.array([change(encoder) for encoder in maps])
    return "weaker" if (changes >= -1e-12).all() else "stronger" if (changes <= 1e-12).all() else "neither"


def neighbours() -> Iterator[dict[str, Any]]:
    """Layers of both networks on both datasets, with the dimensions of a layer and the next."""
    for network in ("f_+", "f_-"):
        for data in IMAGES:
            sizes = dimensions(network, data)
            for layer in range(3):
                yield {"l": layer, "D": lambda index, sizes=sizes: sizes[int(index)]}


PROGRAMS: Programs = {
    "4 weaker decoder": stating({"decoder": of_the_later_layer}, "cross-entropies for all maps"),
    "4 sizes": Program(
        numerically(neighbours, "arithmetic of sizes"),
        lambda: dimensions("f_+", "CIFAR-10")[1] / dimensions("f_+", "CIFAR-10")[0],
        value=lambda _: 1.0,
    ),
}
