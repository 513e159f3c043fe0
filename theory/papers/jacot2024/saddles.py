"""Section 1.4, Proposition 3, and its proof as Proposition 6 in Appendix A.1."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Equation, Finding, Given, Witness, Word, equal, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.transition import programs_of
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import constant_cost as paths
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import N, residual


def leads_to_a_saddle(statement: Any) -> tuple[Check, ...]:
    """The path of the proof, from representations with more neurons than the printed bound."""
    claim, condition = (
        (statement.statement, statement.condition) if isinstance(statement, Given) else (statement, sp.true)
    )
    allowed = [path for path in paths.paths() if bool(evaluate(condition, {"residual": path.residual}))]

    def has_constant_cost(path: paths.Path) -> bool:
        return bool(np.ptp(path.costs) < 1e-8 * max(1.0, path.costs[0])) is (claim["cost"] == "constant")

    def ends_in_a_saddle(path: paths.Path) -> bool:
        return (path.gradients_are_proportional and path.end_is_lowered) is (claim["end"] == "saddle")

    def is_the_bound() -> bool:
        return for_all((1, 2, 3), lambda size: paths.dimension_of_pairs(size) == claim["bound"].subs(N, size))

    return (
        Check("dimension of the cone", is_the_bound, "rank of many pairs"),
        Check("cost along the path", partial(for_all, allowed, has_constant_cost), "pseudo-inverses"),
        Check("its end", partial(for_all, allowed, ends_in_a_saddle), "differences and nearby costs"),
    )


def _proposition(label: str, section: str) -> Equation:
    return PAPER.entry(
        label,
        section,
        "",
        Finding.CONDITIONAL,
        "Paths of the proof on one and two samples. The gradient in each neuron is proportional to its size along the "
        "path, so that the end of a path from a minimum is stationary; by Proposition 2 it is no minimum, and inherits "
        "its condition.",
        printed=Claim(
            "If w > {bound} and a local minimum of |A sigma(A)^+|^2 is not non-negative, a continuous path of {cost} "
            "cost leads from it to a {end}.",
            {
                "bound": N * (N + 1),
                "cost": Word("constant", ("varying",)),
                "end": Word("saddle", ("local minimum",)),
            },
        ),
        condition=equal(residual, 0),
        prove=leads_to_a_saddle,
        witness=Witness(
            {"A": (-1, -1, -1, -1), "number": "1 if a smaller cost is near the end of the path"},
            lambda: float(paths.outside().end_is_lowered),
            value=lambda claim: float(claim["end"] == "saddle"),
        ),
        consequence="With the printed pseudo-inverse a representation without positive entries costs nothing, and no "
        "path of constant cost leads away from the minima. The cost must be read as infinite outside the image of K.",
    )


PROGRAMS: Programs = {
    **programs_of((_proposition("Proposition 3", "1.4"),)),
    "1.4 pushed away": Program(
        paths.pushes, lambda: float(paths.ends_nonnegative()), value=lambda claim: float(claim["sign"] == "negative")
    ),
    **programs_of((_proposition("Proposition 6", "A.1"),)),
}
