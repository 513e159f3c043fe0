"""Sections 4.4 to 4.6: XOR, feature collapse and MNIST."""

from __future__ import annotations

import itertools

import numpy as np

from theory.core import Check, Claim, Finding, Witness, Word
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.pair_predictions import ABC, share_of_violations, squares
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.weights import final_number

XOR_INPUTS = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
XOR_TARGETS = np.array([0, 1, 1, 0])
GRID = tuple(itertools.product(range(30), repeat=2))
"""Places of the blobs, in pixels of the grid: both coordinates."""
SMALL, LARGE = 1e-3, 1e3  # dh2(0)/dx2 of small and of large weights
DECODERS = {"stronger": 0.5, "weaker": 2.0}
"""Decoder in units of the encoder, by what the encoder is."""
STRONGER = Claim("the encoder is the {strength} layer", {"strength": Word("stronger", ("weaker",))})


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


EQUATIONS = (
    entry(
        "4.4 small weights",
        "4.4",
        "",
        Finding.CONFIRMED,
        "Eq. (10) for all six pairs; A_low is zero for the two that merge.",
        printed=Claim(
            "At small initial weights the representations of datapoints with {which} target output will merge.",
            {"which": Word("the same", ("different",))},
        ),
        prove=those_merge,
    ),
    entry(
        "4.4 large weights",
        "4.4",
        "",
        Finding.CONDITIONAL,
        "Eq. (10) for all six pairs.",
        printed=Claim(
            "At large initial weights {which} merging should occur.", {"which": Word("no such", ("the same",))}
        ),
        condition=STRONGER,
        prove=in_every_case(
            "strength", DECODERS, none_merge, lambda claim: claim["which"] == "no such", "root of rest"
        ),
        witness=Witness(
            {"dh2(0)/dx2": LARGE, "dy2(0)/dh2(0)": 2 * LARGE, "y_2": "y_1", "the number": "1 where the pair merges"},
            lambda: float(any(merged_pairs(LARGE, 2.0))),
            value=lambda claim: 0.0 if claim["which"] == "no such" else 1.0,
        ),
        consequence="Where the decoder is the stronger layer, pairs with the same target merge from large weights as "
        "well.",
    ),
    entry(
        "4.4 and Figure 6",
        "4.4",
        "The 20-layer network matches; a two-layer one merges one pair only.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-xor.",
    ),
    entry(
        "4.5 small weights",
        "4.5",
        "",
        Finding.CONFIRMED,
        "Eq. (10) at identical targets vanishes with the weights, and at different ones it does not.",
        printed=Claim(
            "At small initial weights the representation collapses along the feature direction that is {direction} to "
            "the task.",
            {"direction": Word("irrelevant", ("relevant",))},
        ),
        prove=collapses,
    ),
    entry(
        "4.5 large weights",
        "4.5",
        "",
        Finding.CONDITIONAL,
        "For one ratio of encoder and decoder Eq. (10) is then proportional to dx2.",
        printed=Claim(
            "At large initial weights the representation will retain the {what} structure.",
            {"what": Word("input data", ("output",))},
        ),
        condition=STRONGER,
        prove=in_every_case(
            "strength", DECODERS, keeps_inputs, lambda claim: claim["what"] == "input data", "root of rest"
        ),
        witness=Witness(
            {"dh2(0)/dx2": LARGE, "dy2(0)/dh2(0)": 2 * LARGE, "the number": "final over initial squared distance"},
            lambda: final_number(LARGE, 2 * LARGE) / LARGE,
            value=lambda claim: 1.0 if claim["what"] == "input data" else 0.0,
        ),
        consequence="With a decoder stronger than the encoder the representations end close together instead.",
    ),
    entry(
        "4.5 and Figure 8",
        "4.5",
        "At small initial weights the irrelevant direction collapses, also in a 5-layer tanh network.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-blobs.",
    ),
    entry(
        "Figure 8 large weights",
        "4.5",
        "At large initial weights the irrelevant direction remains, also in a 5-layer tanh network.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-blobs.",
    ),
    entry(
        "4.6 triangle inequality",
        "4.6",
        "",
        Finding.CONFIRMED,
        "Three points on a line with two targets.",
        printed=Claim(
            "Simple geometric constraints such as the triangle inequality are {what} of the predictions of Eq. (10).",
            {"what": Word("not expected", ("expected",))},
        ),
        prove=breaks_inequality,
    ),
    entry(
        "4.6 and Figure 9",
        "4.6",
        "Pearson correlation with the theory 0.703, and 0.512 off the diagonal blocks.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-mnist-structure.",
    ),
)
