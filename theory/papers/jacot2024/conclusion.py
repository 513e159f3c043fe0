"""Section 4: sentences of the conclusion."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Given, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import deep_limits as deep
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.states import states
from theory.papers.jacot2024.timescales import is_the_sum

potential = sp.Symbol("potential", real=True)


def with_potential() -> list[dict[str, Any]]:
    """States with what is left of the Hamiltonian without the kinetic energy."""
    cases = []
    for case in states():
        kinetic = float(np.linalg.norm(nets.weights_of(case["A_dot"], case["S"]))) ** 2 / (2 * case["L"])
        cases.append({**case, "potential": case["H"] - kinetic})
    return cases


def finite_at_the_minimum(statement: Any) -> tuple[Check, ...]:
    """Kinetic energies of linear geodesics, all of whose layers have the smallest dimension, and of another layer."""
    claim, condition = (
        (statement.statement, statement.condition) if isinstance(statement, Given) else (statement, sp.true)
    )

    def is_allowed(case: dict[str, Any]) -> bool:
        if condition is sp.true:
            return True
        return bool(abs(evaluate(condition.lhs, case) - evaluate(condition.rhs, case)) < deep.CLOSE)

    pairs = [pair for pair in zip(deep.geodesics(1e4), deep.geodesics(1e6), strict=True) if is_allowed(pair[1])]

    def is_finite(pair: Any) -> bool:
        return bool(pair[1]["kinetic"] < 10 * pair[0]["kinetic"]) is (claim["minimal"] == "finite")

    def scales() -> bool:
        return bool(abs(deep.slope(deep.kinetic_elsewhere) - float(claim["power"])) < 1e-3)

    return (
        Check("where the dimension is minimal", lambda: for_all(pairs, is_finite), "closed form of the geodesic"),
        Check("where it is higher", scales, "least squares"),
    )


PROGRAMS: Programs = {
    "4 sum of energies": is_the_sum,
    "4 potential energy": Program(
        numerically(with_potential, "least squares", tolerance=1e-8),
        lambda: -0.35 * nets.ridge(states()[0]["A"], states()[0]["S"], 0.0) ** 2,
        value=lambda equation: evaluate(equation.rhs * potential / equation.lhs, with_potential()[0]),
        tolerance=1e-7,
    ),
    "4 kinetic energy": Program(
        finite_at_the_minimum,
        lambda: deep.geodesics(1e6)[2]["kinetic"] / deep.geodesics(1e4)[2]["kinetic"],
        value=lambda claim: 1.0,
    ),
}
