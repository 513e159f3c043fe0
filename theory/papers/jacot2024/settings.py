"""Figures and Appendix B: what was trained."""

from __future__ import annotations

import sympy as sp

from theory.core import numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.states import states

coi = sp.Symbol("coi_p", real=True)


def costs() -> list[dict[str, object]]:
    """States with their cost of identity, the squared norm of the smallest weights that give A back."""
    return [{**case, "coi_p": float((nets.weights_of(case["A"], case["S"]) ** 2).sum())} for case in states()]


PROGRAMS: Programs = {
    "Figure 1, cost of identity": Program(
        numerically(costs, "least squares", tolerance=1e-8),
        lambda: nets.ridge(states()[0]["A"], states()[0]["S"], 0.0) ** 2,
        value=lambda equation: evaluate(equation.rhs * coi / equation.lhs, costs()[0]),
        tolerance=1e-7,
    ),
}
