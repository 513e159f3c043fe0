r"""Chapter 4: what the discussion says of layers and sizes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.collapse.usable_information import cross_entropy
from theory.core import Check, Claim, Finding, Witness, Word, for_all, numerically
from theory.papers.cheong2025.networks import IMAGES, dimensions
from theory.papers.cheong2025.paper import entry

D = sp.Function("D")
l = sp.Symbol("l", integer=True, nonnegative=True)
JOINT = np.array([[0.3, 0.02], [0.08, 0.2], [0.05, 0.35]])  # of three values of h^l and two labels


def weaker(claim: Claim) -> tuple[Check, ...]:
    """The least cross-entropy of the decoders of two neighbouring layers, for every map from one to the other.

    A decoder of the earlier layer is one of the later layer after any map of three values to two.
    """
    maps = list(itertools.product((0, 1), repeat=3))
    answers = (0.1, 0.35, 0.6, 0.85)
    later = [np.array([[1 - p, p], [1 - q, q]]) for p, q in itertools.product(answers, repeat=2)]
    earlier = [decoder[list(further)] for further in maps for decoder in later]
    least = min(cross_entropy(JOINT, decoder) for decoder in earlier)

    def agrees(encoder: tuple[int, ...]) -> bool:
        seen = np.zeros((2, 2))
        np.add.at(seen, list(encoder), JOINT)
        after = min(cross_entropy(seen, decoder) for decoder in later)
        return bool(after >= least - 1e-12) is (claim["decoder"] == "weaker")

    return (Check("all maps", lambda: for_all(maps, agrees), "cross-entropies of finite families"),)


def neighbours() -> Iterator[dict[str, Any]]:
    """Layers of both networks on both datasets, with the dimensions of a layer and the next."""
    for network in ("f_+", "f_-"):
        for data in IMAGES:
            sizes = dimensions(network, data)
            for layer in range(3):
                yield {"l": layer, "D": lambda index, sizes=sizes: sizes[int(index)]}


EQUATIONS = (
    entry(
        "4 questions",
        "4",
        "Why geometric and information-theoretic compression differ, and what imbalance or another architecture does.",
        Finding.NOTE,
        "Questions, not statements.",
    ),
    entry(
        "4 weaker decoder",
        "4",
        "",
        Finding.CONFIRMED,
        "Finite families: the decoders of a layer are those of the next one after any map between them, so none "
        "of them is lost. Usable information on the label does not grow with depth, for a given encoder.",
        printed=Claim("Increasing l results in a {decoder} decoder.", {"decoder": Word("weaker", ("stronger",))}),
        prove=weaker,
    ),
    entry(
        "4 sizes",
        "4",
        "The size of representations decreases monotonically with depth.",
        Finding.CONDITIONAL,
        "Images and the table of Section 3.3. The information terms are computed for l = 0 as well.",
        printed=sp.Lt(D(l + 1), D(l)),
        condition=sp.Ge(l, 1),
        prove=numerically(neighbours, "arithmetic of sizes"),
        witness=Witness(
            {l: 0, "network": "f_+ on CIFAR-10", "quantity": "D_1 / D_0"},
            lambda: dimensions("f_+", "CIFAR-10")[1] / dimensions("f_+", "CIFAR-10")[0],
            value=lambda _: 1.0,
        ),
        consequence="From the input to the first representation the size grows in three of four scenarios, so the "
        "funnel begins there.",
    ),
    entry(
        "4 another distribution",
        "4",
        "With a continuous distribution of inputs the expectations are expected, not average, losses, which are harder "
        "to minimise.",
        Finding.NOTE,
        "A possible explanation of the results; nothing is computed.",
    ),
)
