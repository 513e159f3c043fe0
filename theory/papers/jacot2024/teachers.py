"""Figures 1 and 2 and Section 3: the bottleneck rank of the teachers."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Equation, Finding
from theory.core.ledger.ledger import Programs
from theory.core.ledger.transition import programs_of
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.paper import PAPER


@cache
def rank_of_a_composition(dimensions: tuple[int, ...]) -> int:
    """Largest rank of the Jacobian of a composition of random networks between these dimensions, at random points."""
    draw = np.random.default_rng(1)
    layers = [
        (draw.normal(size=(100, before + 1)), draw.normal(size=(after, 101)) / 10)
        for before, after in pairwise(dimensions)
    ]

    def teacher(x: nets.Array) -> nets.Array:
        for first, second in layers:
            x = second @ nets.activation(first @ np.vstack([x, [[1.0]]]), True)
        return x

    ranks = []
    for _ in range(3):
        at, size = 1 + np.abs(draw.normal(size=(dimensions[0], 1))), 1e-6
        slope = np.hstack([
            (teacher(at + size * step[:, None]) - teacher(at - size * step[:, None])) / (2 * size)
            for step in np.eye(dimensions[0])
        ])  # fmt: skip
        ranks.append(int(np.linalg.matrix_rank(slope, tol=1e-6 * float(np.linalg.norm(slope)))))
    return max(ranks)


def _teacher(label: str, section: str, dimensions: tuple[int, ...], sentence: str) -> Equation:
    def has_that_rank(claim: Claim) -> tuple[Check, ...]:
        return (
            Check("rank of its derivative", lambda: rank_of_a_composition(dimensions) == claim["k"], "differences"),
            Check("smallest inner dimension", lambda: bool(min(dimensions) == claim["k"]), "an upper bound"),
        )

    return PAPER.entry(
        label,
        section,
        "",
        Finding.CONFIRMED,
        "The rank of the derivative of such a composition bounds the bottleneck rank from below, the smallest inner "
        "dimension from above. (Figure 1: width 100, 20 layers; its panel (a) has a range of depths, (b) depth 7.)",
        printed=Claim(sentence, {"k": sp.Integer(3)}),
        prove=has_that_rank,
    )


PROGRAMS: Programs = {
    **programs_of(
        (
            _teacher(
                "Figure 1", "1.4", (30, 3, 30), "A composition of networks from dimension 30 to 3 to 30 has rank {k}."
            ),
        )
    ),
    **programs_of(
        (_teacher("3 rank", "3", (30, 6, 3, 30), "Inner dimensions of 6 and 3 result in a rank k* of {k}."),)
    ),
}
