r"""Appendix A.2, proof of Proposition 8 (Proposition 5): the new weights, and what they cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import construction_numbers as numbers
from theory.papers.jacot2024.inequalities import bounded
from theory.papers.jacot2024.symbols import L, W, norm, w

larger, padded = sp.symbols("larger padded")
t, eps, order_2, c_0 = sp.symbols("t_p epsilon order_2 c_0", positive=True)
negative = sp.Symbol("negative", real=True)
x, y = sp.MatrixSymbol("sample", w, 1), sp.MatrixSymbol("sample_active", w, 1)
old, column, row = sp.MatrixSymbol("W_old", w, w), sp.MatrixSymbol("W_column", w, 1), sp.MatrixSymbol("W_row", 1, w)
new_norm, dot = sp.Symbol("new_norm", positive=True), sp.Function("dot", real=True)
bracket = -2 / L * dot(x.T * W * y) + norm(x) ** 2 + norm(y) ** 2
second_order = norm(W) ** 2 + L**2 * eps**2 * t**2 * bracket
simplified = -(norm(x) ** 2) + norm(y) ** 2


def keeps_the_path(statement: sp.Eq) -> tuple[Check, ...]:
    """With the printed block the old neurons keep their velocity if the new one is t K."""

    def agrees(case: dict[str, Any]) -> bool:
        block = evaluate(solved_matrix(statement, old), case)
        return bool(np.abs(numbers.velocity_of_old_neurons(case, block) - case["W"] @ case["S"]).max() < 1e-12)

    return (Check("velocity of the old neurons", lambda: for_all(numbers.cases(), agrees), "matrix products"),)


def drives_the_neuron(statement: sp.Eq) -> tuple[Check, ...]:
    """With the printed row the new neuron moves towards t K with the rate of the leakage."""

    def agrees(case: dict[str, Any]) -> bool:
        block = evaluate(solved_matrix(statement, statement.lhs.atoms(sp.MatrixSymbol).pop()), case)
        fits = block.shape == (1, len(case["S"]))
        return bool(
            fits and np.abs(block @ case["S"] - case["epsilon"] * case["L"] * case["t_p"] * case["K_row"]).max() < 1e-12
        )

    return (Check("what it adds to the new neuron", lambda: for_all(numbers.cases(), agrees), "matrix products"),)


def solved_matrix(statement: sp.Eq, letter: sp.MatrixSymbol) -> Any:
    """What the equation says of a matrix that stands alone on its left, up to a factor."""
    factor = sp.S.One if statement.lhs == letter else statement.lhs.as_coeff_mmul()[0]
    return statement.rhs / factor


def is_a_gain(claim: Claim) -> tuple[Check, ...]:
    """What the two bounds leave of the integrand, in units of c_0."""
    gain, velocity = (float(claim[name] / c_0) for name in ("gain", "velocity"))
    return (
        Check("near the centre, where it is -c_0", lambda: -1 < gain < 0, "continuity"),
        Check("the velocity term vanishes with the depth", lambda: velocity > 0, "limit"),
        Check("their sum", lambda: gain + 2 * velocity <= 0, "the factor 2; both bounds are strict"),
    )


PROGRAMS: Programs = {
    "Proposition 8, zero neuron": numerically(numbers.zero_neurons, "matrix products"),
    "Proposition 8, negative entry": Program(
        bounded(numbers.samples, "norms"),
        lambda: 0.26 - 1.25,
        value=lambda inequality: abs(evaluate(inequality.lhs, numbers.samples()[0])),
    ),
    "Proposition 8, weights": Program(
        keeps_the_path,
        lambda: numbers.needed_block(numbers.cases()[0]),
        value=lambda equation: evaluate(solved_matrix(equation, old), numbers.cases()[0]),
    ),
    "Proposition 8, outgoing weights": numerically(numbers.columns, "matrix products"),
    "Proposition 8, incoming weights": Program(
        drives_the_neuron,
        lambda: numbers.needed_row(numbers.cases()[0]),
        value=lambda equation: evaluate(
            solved_matrix(equation, equation.lhs.atoms(sp.MatrixSymbol).pop()), numbers.cases()[0]
        ),
    ),
    "Proposition 8, norm": Program(
        numerically(numbers.cases, "squares of the blocks"),
        lambda: numbers.cases()[0]["new_norm"],
        value=lambda equation: evaluate(equation.rhs * new_norm / equation.lhs, numbers.cases()[0]),
    ),
    "Proposition 8, simplified norm": Program(
        numerically(numbers.cases, "squares of the blocks", tolerance=1e-8),
        lambda: numbers.cases()[0]["order_2"],
        value=lambda equation: evaluate(equation.rhs * order_2 / equation.lhs, numbers.cases()[0]),
    ),
    "Proposition 8, gain": is_a_gain,
}
