"""Appendices B.2 to B.4: data of XOR, of the blobs and of MNIST, and the weighting of Eq. (50)."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word, equal
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.pair_predictions import ABC, WEIGHTED, i, j, shares, weighted
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.toy_tasks import GRID, XOR_INPUTS, XOR_TARGETS

ORDER = ("first", "second", "third", "fourth")
SCALES = {"of the order of one": 1.0, "much larger": 1000.0}
NEAR_ONE = Claim(
    "the predicted squared distances are {scale}", {"scale": Word("of the order of one", ("much larger",))}
)


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


EQUATIONS = (
    entry(
        "B.2 data",
        "B.2",
        "",
        Finding.CONFIRMED,
        "The exclusive or of the two inputs.",
        printed=Claim(
            "The outputs of XOR at (0, 0), (1, 0), (0, 1) and (1, 1) are {first}, {second}, {third} and {fourth}.",
            dict(zip(ORDER, map(sp.Integer, XOR_TARGETS.tolist()), strict=True)),
        ),
        prove=is_exclusive_or,
    ),
    entry(
        "B.2 rates",
        "B.2",
        "Effective learning rates fitted on the default two-point network predict XOR.",
        Finding.ASSUMPTION,
        "Stated with the architecture as the reason. The gains of Table 2 are 0.7, 1.25 and 2.0, that of the default "
        "network is 1.0, and its data are other ones. Only the ratio of the rates enters Eq. (10), so that the "
        "learning rates, which differ by factors of 3 to 6e-7, do not matter as such.",
    ),
    entry(
        "B.3 data",
        "B.3",
        "",
        Finding.CONFIRMED,
        "Counted.",
        printed=Claim(
            "The data are {points} images of 5*5 pixels; with a one-hot encoding of the context they are {inputs} "
            "dimensional.",
            {"points": sp.Mul(2, 30, 30), "inputs": sp.Integer(27)},
        ),
        prove=has_inputs,
    ),
    entry(
        "B.4 triangle inequality",
        "B.4",
        "",
        Finding.CONFIRMED,
        "A_low of three points on a line: A and B have close inputs, B and C the same target.",
        printed=Claim(
            "The prediction may be that A and B are {ab}, B and C {bc}, and A and C {ac}.",
            {
                "ab": Word("close", ("far away",)),
                "bc": Word("close", ("far away",)),
                "ac": Word("far away", ("close",)),
            },
        ),
        prove=are_close_or_far,
    ),
    entry(
        "(50)",
        "B.4",
        "Exponentially weighted predictions.",
        Finding.DEFINITION,
        "Not an average: the weights of a row do not sum to one, and the predicted distance of a point from itself is "
        "positive. The exponent is a squared distance, so that the result depends on the unit of the representation.",
        printed=equal(sp.Function("predicted")(i, j), WEIGHTED),
    ),
    entry(
        "B.4 large distance",
        "B.4",
        "",
        Finding.CONDITIONAL,
        "Eq. (50) on the three points, and on the same points at other scales.",
        printed=Claim(
            "The large distance between A and C causes the predicted distances between A and B, and B and C, to be "
            "{size} too.",
            {"size": Word("large", ("small",))},
        ),
        condition=NEAR_ONE,
        prove=in_every_case("scale", SCALES, becomes_large, lambda claim: claim["size"] == "large", "three points"),
        witness=Witness(
            {"squared distances of A, B and C": (10, 0, 1000), "the number": "B and C after Eq. (50), over 1000"},
            lambda: float(weighted(1000 * ABC)[1, 2] / 1000),
            value=lambda claim: 1.0 if claim["size"] == "large" else 0.0,
            tolerance=1e-3,
        ),
        consequence="The weights fall off with squared distances in the unit of the representation: where these are "
        "large, Eq. (50) leaves the predictions as they are.",
    ),
    entry(
        "B.4 fewer violations",
        "B.4",
        "",
        Finding.CONDITIONAL,
        "Random data: the share of triangles that violate the inequality before and after Eq. (50), and the same with "
        "all squared distances times 1000.",
        printed=Claim(
            "The method {verb} issues with the triangle inequality.", {"verb": Word("reduces", ("does not reduce",))}
        ),
        condition=NEAR_ONE,
        prove=in_every_case(
            "scale", SCALES, reduces, lambda claim: claim["verb"] == "reduces", "four sets of seven points"
        ),
        witness=Witness(
            {"squared distances": "times 1000", "the number": "share of violations after Eq. (50) over that before"},
            lambda: shares(1000.0)[1] / shares(1000.0)[0],
            value=lambda claim: 0.0 if claim["verb"] == "reduces" else 1.0,
            tolerance=1e-3,
        ),
        consequence="It works where squared distances are of the order of one or less, because then all weights are "
        "about one and all predictions become alike.",
    ),
)
