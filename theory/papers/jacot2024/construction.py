r"""Appendix A.2, proof of Proposition 8 (Proposition 5): the new weights, and what they cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, equal, for_all, numerically
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import construction_numbers as numbers
from theory.papers.jacot2024.inequalities import bounded
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import L, W, beta, norm, w

larger, padded = sp.symbols("larger padded")
t, eps, order_2, c_0 = sp.symbols("t_p epsilon order_2 c_0", positive=True)
negative = sp.Symbol("negative", real=True)
x, y = sp.MatrixSymbol("sample", w, 1), sp.MatrixSymbol("sample_active", w, 1)
x_dot = sp.MatrixSymbol("sample_dot", w, 1)
old, column, row = sp.MatrixSymbol("W_old", w, w), sp.MatrixSymbol("W_column", w, 1), sp.MatrixSymbol("W_row", 1, w)
row_printed = sp.MatrixSymbol("W_row", w, 1)
new_norm, dot = sp.Symbol("new_norm", positive=True), sp.Function("dot", real=True)
bracket = -2 / L * dot(x.T * W * y) + norm(x) ** 2 + norm(y) ** 2
second_order = norm(W) ** 2 + L**2 * eps**2 * t**2 * bracket
simplified = -(norm(x) ** 2) + norm(y) ** 2


def _old_weights(power: int) -> sp.Eq:
    return equal(old, W - L * eps**2 * t**power * x * y.T)


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


EQUATIONS = (
    PAPER.entry(
        "Proposition 8, zero neuron",
        "A.2",
        "With a zero neuron and zero weights the path stays as it is.",
        Finding.CONFIRMED,
        "Velocities of the larger net.",
        printed=equal(larger, padded),
        prove=numerically(numbers.zero_neurons, "matrix products"),
    ),
    PAPER.entry(
        "Proposition 8, negative entry",
        "A.2",
        "A sample with a negative entry is larger than its activation.",
        Finding.CONDITIONAL,
        "Samples with and without bias, on both sides of the condition. The difference is the sum of the squared "
        "negative entries, less beta^2 with bias.",
        printed=sp.Gt(norm(x) ** 2 - norm(y) ** 2, 0),
        condition=sp.Gt(negative, beta**2),
        prove=bounded(numbers.samples, "norms"),
        witness=Witness(
            {"sample": (0.5, -0.1), "beta": 1, "number": "difference of the squares"},
            lambda: 0.26 - 1.25,
            value=lambda inequality: abs(evaluate(inequality.lhs, numbers.samples()[0])),
        ),
        consequence="The construction lowers the weights only under the condition: with bias the proof leaves small "
        "negative entries possible.",
    ),
    PAPER.entry(
        "Proposition 8, weights",
        "A.2",
        "The new weights of the old neurons, with a triangular function t of p.",
        Finding.MISPRINT,
        "The correction needs the square of t: the lines after it, both the norm and the velocity, have it. With it "
        "the old neurons keep their velocity where the new one is t K.",
        printed=_old_weights(1),
        corrected=_old_weights(2),
        prove=keeps_the_path,
        witness=Witness(
            {"t": 0.5, "epsilon": 0.3, "depth": 3, "number": "the block of the weights"},
            lambda: numbers.needed_block(numbers.cases()[0]),
            value=lambda equation: evaluate(solved_matrix(equation, old), numbers.cases()[0]),
        ),
        consequence="With t itself the path of the old neurons would be off in second order wherever 0 < t < 1.",
    ),
    PAPER.entry(
        "Proposition 8, outgoing weights",
        "A.2",
        "The outgoing weights of the new neuron.",
        Finding.CONFIRMED,
        "What the new neuron adds to the old ones is what the correction takes away.",
        printed=equal(column, eps * L * t * x),
        prove=numerically(numbers.columns, "matrix products"),
    ),
    PAPER.entry(
        "Proposition 8, incoming weights",
        "A.2",
        "The incoming weights of the new neuron.",
        Finding.MISPRINT,
        "They are a row: the activation of the sample has to be transposed.",
        printed=equal(row_printed, eps * L * t * y),
        corrected=equal(row, eps * L * t * y.T),
        prove=drives_the_neuron,
        witness=Witness(
            {"t": 0.5, "epsilon": 0.3, "depth": 3, "number": "the row"},
            lambda: numbers.needed_row(numbers.cases()[0]),
            value=lambda equation: evaluate(
                solved_matrix(equation, equation.lhs.atoms(sp.MatrixSymbol).pop()), numbers.cases()[0]
            ),
        ),
        consequence="None: as a column the block does not fit.",
    ),
    PAPER.entry(
        "Proposition 8, norm",
        "A.2",
        "The squared new weights, at one p.",
        Finding.MISPRINT,
        "Squares of the blocks. The line after it has O(epsilon^4); what is missing is the square of the correction.",
        printed=equal(new_norm, second_order),
        corrected=equal(new_norm, second_order + L**2 * eps**4 * t**4 * norm(x) ** 2 * norm(y) ** 2),
        prove=numerically(numbers.cases, "squares of the blocks"),
        witness=Witness(
            {"t": 0.5, "epsilon": 0.3, "depth": 3},
            lambda: numbers.cases()[0]["new_norm"],
            value=lambda equation: evaluate(equation.rhs * new_norm / equation.lhs, numbers.cases()[0]),
        ),
        consequence="None: the term is of fourth order.",
    ),
    PAPER.entry(
        "Proposition 8, simplified norm",
        "A.2",
        "The term of second order, over (depth t)^2, with the velocity inserted.",
        Finding.MISPRINT,
        "Inserting W sigma(A_i) = velocity + depth A_i into -2/depth A_i'W sigma(A_i) leaves the factor 2 with the "
        "velocity.",
        printed=equal(order_2, simplified - dot(x.T * x_dot) / L),
        corrected=equal(order_2, simplified - 2 * dot(x.T * x_dot) / L),
        prove=numerically(numbers.cases, "squares of the blocks", tolerance=1e-8),
        witness=Witness(
            {"t": 0.5, "depth": 3},
            lambda: numbers.cases()[0]["order_2"],
            value=lambda equation: evaluate(equation.rhs * order_2 / equation.lhs, numbers.cases()[0]),
        ),
        consequence="The velocity term must be smaller than c_0/4 without its factor 2: with the printed bound the sum "
        "is still negative, without any margin.",
        heirs=("Proposition 8, gain",),
    ),
    PAPER.entry(
        "Proposition 8, gain",
        "A.2",
        "",
        Finding.CONFIRMED,
        "The integrand at both bounds, with the factor 2 that is right. It is -c_0 in the centre, so that a bound "
        "above that can be kept nearby.",
        printed=Claim(
            "With r small enough -|A_i|^2 + |sigma(A_i)|^2 is below {gain}, and with a large depth the velocity term "
            "is smaller than {velocity}, so that the parameter norm is strictly smaller.",
            {"gain": -c_0 / 2, "velocity": c_0 / 4},
        ),
        prove=is_a_gain,
    ),
)
