"""Section 1.4: stable local minima of the cost of identity, Proposition 2."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Given, Witness, Word, equal, for_all, numerically
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024 import new_neuron
from theory.papers.jacot2024.inequalities import bounded
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import A, N, S, beta, norm, rank, residual, w

eps, negative, outside = sp.symbols("epsilon negative outside", real=True)
coi = sp.Symbol("coi", real=True)
S_plus, sigma_plus_T = sp.MatrixSymbol("S_plus", N, w), sp.MatrixSymbol("sigma_plus_T", w, N)
z, sigma_z, z_row = sp.MatrixSymbol("z", N, 1), sp.MatrixSymbol("sigma_z", N, 1), sp.MatrixSymbol("z_row", N, 1)
sample, sample_active = sp.MatrixSymbol("sample", w, 1), sp.MatrixSymbol("sample_active", w, 1)
trace_plus, cost_of = sp.Function("trace_plus", real=True), sp.Function("cost_of", real=True)
expansion = (
    norm(A * S_plus) ** 2
    + eps**2 * norm(z.T * S_plus) ** 2
    - eps**2 * norm(sigma_z.T * S_plus * sigma_plus_T * A.T) ** 2
)
two_terms = eps**2 * norm(sample_active) ** 2 - eps**2 * norm(sample) ** 2


def is_the_expansion(statement: Any) -> tuple[Check, ...]:
    """What the printed terms leave of the cost, at two sizes of the new neuron, falls with the printed power."""
    claim, condition = (
        (statement.statement, statement.condition) if isinstance(statement, Given) else (statement, sp.true)
    )

    def falls(case: Any) -> bool:
        rest = [
            new_neuron.letters(case, size)["coi"] - evaluate(claim["terms"], new_neuron.letters(case, size))
            for size in (0.02, 0.01)
        ]
        return bool(abs(np.log2(abs(rest[0] / rest[1])) - float(claim["order"])) < 0.05)

    allowed = [case for case in new_neuron.CASES if bool(evaluate(condition, {"outside": case.outside}))]
    return (Check("new neurons", partial(for_all, allowed, falls), "pseudo-inverses of the larger matrices"),)


def stable_minima(statement: Any) -> tuple[Check, ...]:
    """What is not as claimed of a stable minimum has a smaller cost nearby, after a zero neuron is added."""
    claim, condition = (
        (statement.statement, statement.condition) if isinstance(statement, Given) else (statement, sp.true)
    )
    allowed = [M for M in new_neuron.candidates() if bool(evaluate(condition, {"residual": M["residual"]}))]

    def is_as_claimed(M: Any) -> bool:
        sign = M["A"].min() >= 0 if claim["sign"] == "non-negative" else M["A"].max() <= 0
        with_values = {**M, "rank": lambda A_: int(np.linalg.matrix_rank(A_))}
        return bool(sign) and abs(new_neuron.cost(M["A"], M["bias"]) - evaluate(claim["cost"], with_values)) < 1e-8

    return (
        Check(
            "representations", lambda: for_all(allowed, lambda M: is_as_claimed(M) or M["is_lowered"]), "nearby costs"
        ),
    )


def wide_nets(claim: Claim) -> tuple[Check, ...]:
    """The cost does not change with the scale of A, so that a strict minimum is at zero; whether zero is stable."""
    zero = np.zeros((3, 2))

    def strict_minima_are_zero() -> bool:
        draws = [np.random.default_rng(seed).normal(size=(9, 2)) for seed in range(5)]
        return for_all(
            draws, lambda A_: bool(abs(new_neuron.cost(1.1 * A_, False) - new_neuron.cost(A_, False)) < 1e-9)
        )

    def zero_is_stable() -> bool:
        around = [1e-3 * np.random.default_rng(seed).normal(size=(9, 2)) for seed in range(20)]
        least = min(new_neuron.cost(A_, False) for A_ in around)
        return (new_neuron.cost(zero, False) == 0 and least > 0.5) is (claim["stable"] == "stable")

    return (
        Check("scaled", strict_minima_are_zero, "pseudo-inverses"),
        Check("zero and a zero neuron", zero_is_stable, "pseudo-inverses"),
    )


EQUATIONS = (
    PAPER.entry(
        "Proposition 2",
        "1.4",
        "",
        Finding.CONDITIONAL,
        "Every representation that is not as claimed has a smaller cost nearby: with the new neuron of the proof, or, "
        "with bias, scaled down, because the slope of the cost as A is scaled is twice the squared bias. With the "
        "printed pseudo-inverse the cost of a representation without positive entries is zero, the least there is, "
        "whatever neurons are added.",
        printed=Claim(
            "All stable minima of the cost of identity are {sign}, and satisfy |A sigma(A)^+|^2 = {cost}.",
            {"sign": Word("non-negative", ("non-positive",)), "cost": rank(A)},
        ),
        condition=equal(residual, 0),
        prove=stable_minima,
        witness=Witness(
            {"A": "-1", "number": "|A sigma(A)^+|^2"},
            lambda: float(np.linalg.norm(-np.eye(1) @ np.linalg.pinv(np.zeros((1, 1))))),
            value=lambda claim: float(evaluate(claim["cost"], {**nets.FUNCTIONS, "A": -np.eye(1)})),
        ),
        consequence="The cost must be read as infinite where the rows of A leave the image of K, as Section 1.3 does "
        "for the norm. Propositions 3 and 5 rest on that reading, too.",
        heirs=("Proposition 3", "Proposition 6"),
    ),
    PAPER.entry(
        "Proposition 2, nearby cost",
        "1.4",
        "The cost of identity with a small neuron added.",
        Finding.CONFIRMED,
        "Costs of the larger matrices. (The neuron is a row; one bracket is opened twice.)",
        printed=equal(coi, trace_plus(A.T * A + eps**2 * z * z.T, S.T * S + eps**2 * sigma_z * sigma_z.T)),
        prove=numerically(lambda: [new_neuron.letters(case, 0.3) for case in new_neuron.CASES], "pseudo-inverses"),
    ),
    PAPER.entry(
        "Proposition 2, expansion",
        "1.4",
        "",
        Finding.CONDITIONAL,
        "Costs of the larger matrices at two sizes of the new neuron. If sigma(z) leaves the row space of sigma(A), "
        "the cost has no second term: the pseudo-inverse has no such expansion.",
        printed=Claim(
            "The cost of the nearby point equals {terms} up to terms of the order of epsilon to the power {order}.",
            {"terms": expansion, "order": sp.Integer(4)},
        ),
        condition=equal(outside, 0),
        prove=is_the_expansion,
        witness=Witness(
            {"z": (1, -1, 0), "epsilon": 0.001, "number": "second order of the cost"},
            lambda: new_neuron.second_order(new_neuron.LEAVES),
            value=lambda claim: (
                evaluate(claim["terms"], {**new_neuron.letters(new_neuron.LEAVES, 1.0)})
                - evaluate(claim["terms"], {**new_neuron.letters(new_neuron.LEAVES, 0.0)})
            ),
            tolerance=1e-3,
        ),
        consequence="None for the proposition: its z is non-negative, so sigma(z) = z.",
    ),
    PAPER.entry(
        "Proposition 2, direction",
        "1.4",
        "The neuron that the proof adds is its own activation.",
        Finding.CONFIRMED,
        "Random representations: sigma(A) has no negative entry.",
        printed=equal(sigma_z, z_row),
        prove=numerically(new_neuron.directions, "entries"),
    ),
    PAPER.entry(
        "Proposition 2, terms",
        "1.4",
        "For that neuron the two terms of second order sum to something negative.",
        Finding.CONDITIONAL,
        "Samples with and without bias, on both sides of the condition: the first term has an extra beta^2.",
        printed=sp.Lt(two_terms, 0),
        condition=sp.Gt(negative, beta**2),
        prove=bounded(new_neuron.samples, "norms"),
        witness=Witness(
            {"sample": (0.5, -0.1), "beta": 1, "epsilon": 1},
            lambda: 0.25 + 1.0 - 0.25 - 0.01,
            value=lambda inequality: -abs(evaluate(inequality.lhs, new_neuron.samples()[0])),
        ),
        consequence="With bias the contradiction needs the argument of the entry Proposition 2. Proposition 5 takes "
        "over the condition.",
        heirs=("Proposition 8, negative entry",),
    ),
    PAPER.entry(
        "1.4 wide networks",
        "1.4",
        "",
        Finding.CONFIRMED,
        "Without bias the cost does not change if A is multiplied by a number, so that no minimum but A = 0 is strict; "
        "zero is stable. The sentence holds, and says nothing of any other minimum. With bias, too, a minimum has no "
        "bias, and the cost does not rise as it is scaled down.",
        printed=Claim(
            "All strict local minima of wide enough networks are {stable}.", {"stable": Word("stable", ("unstable",))}
        ),
        prove=wide_nets,
    ),
)
