"""Sections 4.4 to 4.6: XOR, feature collapse and MNIST."""

from __future__ import annotations

import itertools

import numpy as np

from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen, stating
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.pair_predictions import ABC, share_of_violations, squares
from theory.papers.vanrossem2024.weights import final_number

XOR_INPUTS = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
XOR_TARGETS = np.array([0, 1, 1, 0])
GRID = tuple(itertools.product(range(30), repeat=2))
"""Places of the blobs, in pixels of the grid: both coordinates."""
SMALL, LARGE = 1e-3, 1e3  # dh2(0)/dx2 of small and of large weights
DECODERS = {"stronger": 0.5, "weaker": 2.0}
"""Decoder in units of the encoder, by what the encoder is."""


def merged_pairs(scale: float, decoder: float) -> list[bool]:
    """For all six pairs of XOR: whether the final distance is below 5 % of the distance of different targets."""
    pairs = list(itertools.combinations(range(4), 2))
    dx2 = squares(XOR_INPUTS)
    found = [
        final_number(scale, scale * decoder, dx2=dx2[a, b], target2=float(XOR_TARGETS[a] != XOR_TARGETS[b]))
        for a, b in pairs
    ]
    return [distance < 0.05 * max(*found, 1e-3 * scale) for distance in found]


SAME = [bool(XOR_TARGETS[a] == XOR_TARGETS[b]) for a, b in itertools.combinations(range(4), 2)]


def those_that_merge() -> str:
    """Which target outputs the pairs of XOR have that merge at small weights."""
    merged = merged_pairs(SMALL, 0.5)
    return "the same" if merged == SAME else "different" if merged == [not same for same in SAME] else "neither"


def none_merge(strength: str) -> bool:
    """Whether no pair of XOR merges at large weights."""
    return not any(merged_pairs(LARGE, DECODERS[strength]))


def collapses() -> str:
    """Along which directions of the features the representation loses its extent as the weights become small."""
    finals = {
        direction: [final_number(size, size / 2, target2=target2) for size in (1e-4, 1e-6)]
        for direction, target2 in (("irrelevant", 0.0), ("relevant", 1.0))
    }
    return " and ".join(direction for direction, (first, last) in finals.items() if last < 0.02 * first)


def keeps_inputs(strength: str) -> bool:
    """Whether the final distance at large weights is proportional to that of the inputs, and large."""
    near, far = (final_number(LARGE, LARGE * DECODERS[strength], dx2=dx2) for dx2 in (1.0, 2.0))
    return abs(far / near - 2) < 1e-4 and near > 0.1 * LARGE


NONE_MERGE = {"no such": True, "the same": False}
KEPT = {"input data": True, "output": False}

PROGRAMS: Programs = {
    "4.4 small weights": stating({"which": those_that_merge}, "positive root of rest"),
    "4.4 large weights": Program(
        in_every_case("strength", DECODERS, none_merge, ("which", NONE_MERGE), "root of rest"),
        lambda: float(any(merged_pairs(LARGE, 2.0))),
        value=lambda claim: 0.0 if chosen(claim, "which", NONE_MERGE) else 1.0,
    ),
    "4.5 small weights": stating({"direction": collapses}, "positive root of rest"),
    "4.5 large weights": Program(
        in_every_case("strength", DECODERS, keeps_inputs, ("what", KEPT), "root of rest"),
        lambda: final_number(LARGE, 2 * LARGE) / LARGE,
        value=lambda claim: float(chosen(claim, "what", KEPT)),
    ),
    "4.6 triangle inequality": stating(
        {"what": lambda: "not expected" if share_of_violations(ABC) > 0 else "expected"}, "A_low of three pairs"
    ),
}
