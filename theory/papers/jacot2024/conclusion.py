"""Section 4: sentences of the conclusion."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Given, Witness, Word, equal, for_all, numerically
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import deep_limits as deep
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.slow_layers import SHORT_PATHS
from theory.papers.jacot2024.states import states
from theory.papers.jacot2024.symbols import A, L, S, norm_K
from theory.papers.jacot2024.timescales import SUM_OF_ENERGIES, is_the_sum

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


EQUATIONS = (
    PAPER.entry(
        "4 sum of energies",
        "4",
        "The Hamiltonian is the sum of the kinetic and the potential energy.",
        Finding.CONFIRMED,
        "It sums up Section 2.1, which states the condition that is shown. Without it: a dead neuron, both of whose "
        "energies are infinite by the convention of Section 1.3, while its Hamiltonian is finite.",
        printed=SUM_OF_ENERGIES,
        prove=is_the_sum,
        consequence="By Section 2.1 the condition rarely holds in practice; with gamma added to K the sum is the "
        "stable Hamiltonian, which is not conserved.",
    ),
    PAPER.entry(
        "4 potential energy",
        "4",
        "The potential energy is inversely proportional to the cost of identity.",
        Finding.MISPRINT,
        "It is proportional with a negative factor, -depth/2, as Section 1.3 defines it: the Hamiltonian less the "
        "kinetic energy.",
        printed=equal(potential, -L / 2 * norm_K(A, S) ** (-2)),
        corrected=equal(potential, -L / 2 * norm_K(A, S) ** 2),
        prove=numerically(with_potential, "least squares", tolerance=1e-8),
        witness=Witness(
            {"state": "nine neurons, three samples, with bias", "depth": 0.7},
            lambda: -0.35 * nets.ridge(states()[0]["A"], states()[0]["S"], 0.0) ** 2,
            value=lambda equation: evaluate(equation.rhs * potential / equation.lhs, with_potential()[0]),
            tolerance=1e-7,
        ),
        consequence="A sentence of the conclusion; none for the rest.",
    ),
    PAPER.entry(
        "4 kinetic energy",
        "4",
        "",
        Finding.CONDITIONAL,
        "The kinetic energy is depth/2 times the cost beyond -2H/depth. Geodesics of linear nets have the smallest "
        "dimension at all layers: with fixed ends their kinetic energy stays finite, with ends at a ratio of "
        "exp(depth/2) it is depth/8. A finite kinetic energy E bounds the derivative by sqrt(2 depth E) only, in the "
        "norm of K.",
        printed=Claim(
            "At layers with minimal dimensionality over the path the kinetic energy is {minimal}; where the "
            "representation is higher-dimensional, it must scale with the depth to the power {power}.",
            {"minimal": Word("finite", ("infinite",)), "power": sp.S.One},
        ),
        condition=SHORT_PATHS,
        prove=finite_at_the_minimum,
        witness=Witness(
            {"end/start": "exp(depth/2)", "number": "kinetic energy at depth 1e6 over that at depth 1e4"},
            lambda: deep.geodesics(1e6)[2]["kinetic"] / deep.geodesics(1e4)[2]["kinetic"],
            value=lambda claim: 1.0,
        ),
        consequence="The sentence needs a length that grows more slowly than the depth, as Section 2.1 assumes; then "
        "the smallest extra cost is at most the square of length/depth, and the kinetic energy there at most "
        "length^2/(2 depth).",
    ),
)
