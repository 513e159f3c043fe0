"""Appendix A.2: the lines of the proof of Theorem 7."""

from __future__ import annotations

from functools import partial
from typing import Any

import sympy as sp

from theory.core import Equation, Finding, Witness, equal, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.transition import programs_of
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import stable_states as states
from theory.papers.jacot2024.inequalities import bounded
from theory.papers.jacot2024.lemmas import with_lemmas
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import A, A_dot, B, H, L, N, S, c, gamma, norm, norm_gamma, trace
from theory.papers.jacot2024.theorem_4 import ell, smallest

mean_root = sp.Symbol("mean_root", nonnegative=True)
root_of = sp.Symbol("extra", nonnegative=True)  # what stands under a root; the condition says that it may
extra, least_extra = sp.symbols("extra least_extra", real=True)
K, one = sp.MatrixSymbol("K", N, N), sp.MatrixSymbol("one", N, N)
pushed = norm_gamma(A_dot / L + gamma * B, S, gamma)
pull = norm_gamma(gamma * B, S, gamma)
stable_cost = norm_gamma(A, S, gamma) ** 2
momentum = gamma * norm(B) ** 2
scaled_speed = norm_gamma(A_dot, S, gamma) / L
slack = sp.sqrt(gamma * c)
LOWER = (pushed - pull, sp.sqrt(root_of + momentum) - slack, sp.sqrt(root_of) - slack)
UPPER = (
    pushed + pull,
    sp.sqrt(root_of + momentum) + slack,
    sp.sqrt(root_of) + sp.sqrt(gamma) * norm(B) + slack,
    sp.sqrt(root_of) + 2 * slack,
)
at_points = numerically(states.pointwise, "ridge regression", tolerance=1e-7)
ADVICE = "Where the smallest extra cost is negative the first chain of the theorem has a lower bound that is trivial."


def _line(label: str, statement: str, printed: Any, evidence: str = "", **fields: Any) -> Equation:
    """A line that holds always."""
    text = evidence or "Random states, slow neurons, neurons at rest and dead neurons."
    fields.setdefault("prove", bounded(states.pointwise, "ridge regression"))
    return PAPER.entry(label, "A.2", statement, Finding.CONFIRMED, text, printed=printed, **fields)


def _line_if(label: str, statement: str, printed: Any, is_path: bool = False, **fields: Any) -> Equation:
    """A line that needs an extra cost that is not negative."""
    cases = partial(states.paths, True) if is_path else states.pointwise
    kinds = "Integrated paths, growing neurons" if is_path else "Random states, slow neurons"
    return PAPER.entry(
        label, "A.2", statement, Finding.CONDITIONAL,
        f"{kinds}, neurons at rest and dead neurons; at rest the extra cost is negative.", printed=printed,
        condition=sp.Ge(least_extra if is_path else extra, 0),
        prove=bounded(cases, "ridge regression"),
        witness=Witness(
            {"A": 1, "B": 1, "gamma": 0.5, "depth": 3, "number": "stable cost, at least -2H/depth"},
            states.cost_at_rest,
            value=lambda chain: evaluate(-2 * H / L, states.at_rest()),
        ),
        consequence=f"With the positive part of the extra cost under the root it holds always. {ADVICE}", **fields,
    )  # fmt: skip


PROGRAMS: Programs = {
    **programs_of(
        (
            _line(
                "A.2 identity, first line",
                "Velocity plus gamma times depth times B, by the equation of A.",
                equal(pushed**2, norm_gamma(B * (K + gamma * one) - A, S, gamma) ** 2),
                prove=at_points,
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "A.2 identity, second line",
                "The square, expanded.",
                equal(pushed**2, norm(B * S.T) ** 2 + momentum - 2 * trace(B * A.T) + stable_cost),
                prove=at_points,
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "A.2 identity",
                "The same in terms of the Hamiltonian.",
                equal(pushed**2, 2 / L * H + momentum + stable_cost),
                "For any A and B, so that the bounds hold for any pair, geodesic or not.",
                prove=with_lemmas(at_points, canonical.IDENTITY),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "A.2 Hamiltonian",
                "The same, solved for -2H/depth.",
                equal(-2 / L * H, stable_cost - pushed**2 + momentum),
                "The upper bound of the first chain is this without the middle term.",
                prove=at_points,
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "A.2 lower bound, first line",
                "The triangle inequality.",
                sp.Ge(scaled_speed, LOWER[0]),
                harmless={
                    f"printed: sign of {side}": "The triangle inequality holds with either sign."
                    for side in ("1/L*A_dot", "gamma*B")
                },
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "A.2 lower bound, second line",
                "The identity, and the bound on gamma B.",
                sp.Ge(scaled_speed, LOWER[1]),
                prove=with_lemmas(bounded(states.pointwise, "ridge regression"), canonical.SMALL),
            ),
        )
    ),
    **programs_of(
        (
            _line_if(
                "(1)",
                "The speed over the depth is at least the root of the extra cost, less sqrt(gamma c).",
                sp.Ge(scaled_speed, LOWER[2]),
                heirs=("A.2 length, second line", "A.2 length"),
            ),
        )
    ),
    **programs_of(
        (
            _line_if(
                "A.2 length, second line",
                "The line before, integrated.",
                sp.Ge(ell / L, mean_root - slack),
                is_path=True,
            ),
        )
    ),
    **programs_of(
        (
            _line_if(
                "A.2 length",
                "With the smallest root under the integral.",
                sp.Ge(ell / L, sp.sqrt(smallest + 2 / L * H) - slack),
                is_path=True,
                harmless={"printed: sign of sqrt(2*H/L + smallest)": "A negative bound says less."},
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "A.2 upper bound, first line",
                "The triangle inequality.",
                sp.Le(scaled_speed, UPPER[0]),
                harmless={
                    f"printed: {change}": "The triangle inequality holds with either sign, and more so for a longer side."
                    for change in ("sign of 1/L*A_dot", "1/L*A_dot twice", "sign of gamma*B")
                },
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "A.2 upper bound, second line",
                "The identity, and the bound on gamma B.",
                sp.Le(scaled_speed, UPPER[1]),
                harmless={"printed: gamma*norm(B)**2 twice": "The bound is larger: it says less."},
            ),
        )
    ),
    **programs_of(
        (
            _line_if(
                "A.2 upper bound, third line",
                "The root of a sum is at most the sum of the roots.",
                sp.Le(scaled_speed, UPPER[2]),
            ),
        )
    ),
    **programs_of(
        (
            _line_if(
                "A.2 upper bound",
                "The speed over the depth is at most the root of the extra cost plus 2 sqrt(gamma c).",
                sp.Le(scaled_speed, UPPER[3]),
            ),
        )
    ),
}
