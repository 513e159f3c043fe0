"""Sections 4.4 to 4.6: XOR, feature collapse and MNIST."""

from __future__ import annotations

import itertools

import numpy as np

from theory.core import Check, Claim
from theory.core.ledger.ledger import Program, Programs
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


def those_merge(claim: Claim) -> tuple[Check, ...]:
    """Which pairs of XOR merge at small weights."""
    named = [same is (claim["which"] == "the same") for same in SAME]
    return (Check("six pairs", lambda: merged_pairs(SMALL, 0.5) == named, "positive root of rest"),)


def none_merge(strength: str) -> bool:
    """Whether no pair of XOR merges at large weights."""
    return not any(merged_pairs(LARGE, DECODERS[strength]))


def collapses(claim: Claim) -> tuple[Check, ...]:
    """Along which direction of the features the representation loses its extent as the weights become small."""
    finals = [[final_number(size, size / 2, target2=target2) for size in (1e-4, 1e-6)] for target2 in (0.0, 1.0)]
    gone = [last < 0.02 * first for first, last in finals]
    named = claim["direction"] == "irrelevant"
    return (Check("two directions", lambda: gone == [named, not named], "positive root of rest"),)


def keeps_inputs(strength: str) -> bool:
    """Whether the final distance at large weights is proportional to that of the inputs, and large."""
    near, far = (final_number(LARGE, LARGE * DECODERS[strength], dx2=dx2) for dx2 in (1.0, 2.0))
    return abs(far / near - 2) < 1e-4 and near > 0.1 * LARGE


def breaks_inequality(claim: Claim) -> tuple[Check, ...]:
    """Three points on a line with two targets."""
    broken = share_of_violations(ABC) > 0
    return (Check("A, B and C", lambda: broken is (claim["what"] == "not expected"), "A_low of three pairs"),)


PROGRAMS: Programs = {
    "4.4 small weights": those_merge,
    "4.4 large weights": Program(
        in_every_case("strength", DECODERS, none_merge, lambda claim: claim["which"] == "no such", "root of rest"),
        lambda: float(any(merged_pairs(LARGE, 2.0))),
        value=lambda claim: 0.0 if claim["which"] == "no such" else 1.0,
    ),
    "4.5 small weights": collapses,
    "4.5 large weights": Program(
        in_every_case("strength", DECODERS, keeps_inputs, lambda claim: claim["what"] == "input data", "root of rest"),
        lambda: final_number(LARGE, 2 * LARGE) / LARGE,
        value=lambda claim: 1.0 if claim["what"] == "input data" else 0.0,
    ),
    "4.6 triangle inequality": breaks_inequality,
}
