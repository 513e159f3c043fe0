"""Appendices B.2 to B.4: data of XOR, of the blobs and of MNIST, and the weighting of Eq. (50)."""

from __future__ import annotations

import numpy as np

from theory.core import Check, Claim
from theory.core.ledger.ledger import Program, Programs
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.pair_predictions import ABC, shares, weighted
from theory.papers.vanrossem2024.toy_tasks import GRID, XOR_INPUTS

ORDER = ("first", "second", "third", "fourth")
SCALES = {"of the order of one": 1.0, "much larger": 1000.0}


def are_close_or_far(claim: Claim) -> tuple[Check, ...]:
    """Predicted distances of the three pairs."""
    found = tuple("close" if ABC[pair] < 0.02 else "far away" for pair in ((0, 1), (1, 2), (0, 2)))
    return (Check("A, B and C", lambda: found == (claim["ab"], claim["bc"], claim["ac"]), "A_low of three pairs"),)


def becomes_large(scale: str) -> bool:
    """Whether Eq. (50) makes both distances at least half of that of A and C as predicted."""
    after = weighted(SCALES[scale] * ABC)
    return bool(min(after[0, 1], after[1, 2]) > 0.5 * SCALES[scale] * ABC[0, 2])


def reduces(scale: str) -> bool:
    """Whether Eq. (50) leaves less than a tenth of the triangles that violate the inequality."""
    before, after = shares(SCALES[scale])
    return after < 0.1 * before


def has_inputs(claim: Claim) -> tuple[Check, ...]:
    """Pixels and context of a blob, and the number of blobs in both contexts."""
    image, context = np.zeros((5, 5)), np.zeros(2)
    return (
        Check("inputs", lambda: image.size + context.size == claim["inputs"], "counted"),
        Check("points", lambda: len(GRID) * context.size == claim["points"], "counted"),
    )


def is_exclusive_or(claim: Claim) -> tuple[Check, ...]:
    """The four outputs."""
    outputs = [claim[name] for name in ORDER]
    return (Check("truth table", lambda: [a ^ b for a, b in XOR_INPUTS.tolist()] == outputs, "bitwise"),)


PROGRAMS: Programs = {
    "B.2 data": is_exclusive_or,
    "B.3 data": has_inputs,
    "B.4 triangle inequality": are_close_or_far,
    "B.4 large distance": Program(
        in_every_case("scale", SCALES, becomes_large, lambda claim: claim["size"] == "large", "three points"),
        lambda: float(weighted(1000 * ABC)[1, 2] / 1000),
        value=lambda claim: 1.0 if claim["size"] == "large" else 0.0,
        tolerance=1e-3,
    ),
    "B.4 fewer violations": Program(
        in_every_case("scale", SCALES, reduces, lambda claim: claim["verb"] == "reduces", "four sets of seven points"),
        lambda: shares(1000.0)[1] / shares(1000.0)[0],
        value=lambda claim: 0.0 if claim["verb"] == "reduces" else 1.0,
        tolerance=1e-3,
    ),
}
