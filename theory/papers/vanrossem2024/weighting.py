"""Appendices B.2 to B.4: data of XOR, of the blobs and of MNIST, and the weighting of Eq. (50)."""

from __future__ import annotations

import numpy as np

from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen, stating
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.pair_predictions import ABC, shares, weighted
from theory.papers.vanrossem2024.toy_tasks import GRID, XOR_INPUTS

ORDER = ("first", "second", "third", "fourth")
SCALES = {"of the order of one": 1.0, "much larger": 1000.0}
LARGE = {"large": True, "small": False}
REDUCES = {"reduces": True, "does not reduce": False}


def distance(*pairs: tuple[int, int]) -> str:
    """How far the predictions place the points of these pairs, in one word."""
    (word,) = {"close" if ABC[pair] < 0.02 else "far away" for pair in pairs}
    return word


def becomes_large(scale: str) -> bool:
    """Whether Eq. (50) makes both distances at least half of that of A and C as predicted."""
    after = weighted(SCALES[scale] * ABC)
    return bool(min(after[0, 1], after[1, 2]) > 0.5 * SCALES[scale] * ABC[0, 2])


def reduces(scale: str) -> bool:
    """Whether Eq. (50) leaves less than a tenth of the triangles that violate the inequality."""
    before, after = shares(SCALES[scale])
    return after < 0.1 * before


IMAGE, CONTEXT = np.zeros((5, 5)), np.zeros(2)
"""Pixels and context of a blob."""
XOR = {name: lambda pair=tuple(pair): pair[0] ^ pair[1] for name, pair in zip(ORDER, XOR_INPUTS.tolist(), strict=True)}
"""The four outputs, bitwise."""

PROGRAMS: Programs = {
    "B.2 data": stating(XOR, "truth table"),
    "B.3 data": stating(
        {"inputs": lambda: IMAGE.size + CONTEXT.size, "points": lambda: len(GRID) * CONTEXT.size}, "counted"
    ),
    "B.4 triangle inequality": stating(
        {"ab": lambda: distance((0, 1), (1, 2)), "ac": lambda: distance((0, 2))}, "A_low of three pairs"
    ),
    "B.4 large distance": Program(
        in_every_case("scale", SCALES, becomes_large, ("size", LARGE), "three points"),
        lambda: float(weighted(1000 * ABC)[1, 2] / 1000),
        value=lambda claim: float(chosen(claim, "size", LARGE)),
        tolerance=1e-3,
    ),
    "B.4 fewer violations": Program(
        in_every_case("scale", SCALES, reduces, ("verb", REDUCES), "four sets of seven points"),
        lambda: shares(1000.0)[1] / shares(1000.0)[0],
        value=lambda claim: 0.0 if chosen(claim, "verb", REDUCES) else 1.0,
        tolerance=1e-3,
    ),
}
