r"""Appendix B.1, its end: what Algorithm 1 costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from theory.core import Check, Claim, for_all
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import stating
from theory.papers.cheong2025.costs import Cost, cost
from theory.papers.cheong2025.notation import letters

D, E, rank_R = letters("D E R")


samples, classes = letters("N_pos C_pos")


SIZES = [(n, k, d, e) for n in (60, 120) for k, d in ((2, 100), (3, 40), (3, 400), (6, 60)) for e in (0, 50)]


def counts(part: Callable[[Cost, tuple[int, ...]], bool | Any], formula: str) -> Any:
    """Proves a count: for each size ``part(cost, size)`` is what the printed formula gives."""

    def prove(claim: Claim) -> tuple[Check, ...]:
        def agrees(size: tuple[int, ...]) -> bool:
            printed = claim[formula].subs(dict(zip((samples, classes, D, E), size, strict=True)))
            return bool(part(cost(*size), size) == printed)

        return (Check("sizes", lambda: for_all(SIZES, agrees), "lines executed on shapes"),)

    return prove


def growth() -> str:
    """How operations between the passes grow with D: differences of equal steps are equal, or grow."""
    spent = np.array([[cost(30, count, d, 0).between for d in (100, 200, 300, 400)] for count in (2, 3, 5)])
    return "quadratic" if np.diff(spent, 2).any() else "at most linear"


def is_within(claim: Claim) -> tuple[Check, ...]:
    """RC is CD at most, for every rank R that a matrix of C columns in D dimensions can have."""

    def agrees(size: tuple[int, int]) -> bool:
        at = {rank_R: min(size[0] - 1, size[1]), classes: size[0], D: size[1]}
        return bool(0 <= claim["inner"].subs(at) <= claim["outer"].subs(at))

    sizes = [(k, d) for k in range(2, 20) for d in range(1, 20)]
    tight = (Check("tight", lambda: bool(claim["inner"].subs({rank_R: 3, classes: 4, D: 3}) == 12), "R = D"),)
    return (Check("sizes", lambda: for_all(sizes, agrees), "counting"), *tight)


def _adds_up(claim: Claim, size: tuple[int, ...]) -> bool:
    count, of_classes, dimension, encoder = size
    at = {samples: count, classes: of_classes, D: dimension, rank_R: of_classes - 1}
    products = (claim["first"] + claim["then"]).subs(at)
    # The difference from the mean, the division and the norm; square and sum of one number; the last line.
    others = dimension + 2 * (of_classes - 1) + 2
    return bool(cost(*size).second == count * (products + encoder + others) + 1)


PROGRAMS: Programs = {
    "B.1 space": counts(lambda spent, _: spent.space, "numbers"),
    "B.1 first pass": lambda claim: (
        *counts(lambda spent, _: spent.evaluations[0], "evaluations")(claim),
        Check(
            "additions",
            lambda: for_all(
                SIZES, lambda size: bool(cost(*size).additions == claim["additions"].subs(samples, size[0]))
            ),
            "lines executed on shapes",
        ),
    ),
    "B.1 between the passes": stating({"growth": growth}, "lines executed on shapes"),
    "B.1 second pass": lambda claim: (
        *counts(lambda spent, _: spent.evaluations[1], "evaluations")(claim),
        Check("operations", lambda: for_all(SIZES, lambda size: _adds_up(claim, size)), "lines executed on shapes"),
    ),
    "B.1 cost of the projections": is_within,
}
