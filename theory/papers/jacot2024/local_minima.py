"""Section 1.4: stable local minima of the cost of identity, Proposition 2."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Given, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024 import new_neuron
from theory.papers.jacot2024.inequalities import bounded
from theory.papers.jacot2024.symbols import N

outside = sp.Symbol("outside", real=True)
z = sp.MatrixSymbol("z", N, 1)


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


PROGRAMS: Programs = {
    "Proposition 2": Program(
        stable_minima,
        lambda: float(np.linalg.norm(-np.eye(1) @ np.linalg.pinv(np.zeros((1, 1))))),
        value=lambda claim: float(evaluate(claim["cost"], {**nets.FUNCTIONS, "A": -np.eye(1)})),
    ),
    "Proposition 2, nearby cost": numerically(
        lambda: [new_neuron.letters(case, 0.3) for case in new_neuron.CASES], "pseudo-inverses"
    ),
    "Proposition 2, expansion": Program(
        is_the_expansion,
        lambda: new_neuron.second_order(new_neuron.LEAVES),
        value=lambda claim: (
            evaluate(claim["terms"], {**new_neuron.letters(new_neuron.LEAVES, 1.0)})
            - evaluate(claim["terms"], {**new_neuron.letters(new_neuron.LEAVES, 0.0)})
        ),
        tolerance=1e-3,
    ),
    "Proposition 2, direction": numerically(new_neuron.directions, "entries"),
    "Proposition 2, terms": Program(
        bounded(new_neuron.samples, "norms"),
        lambda: 0.25 + 1.0 - 0.25 - 0.01,
        value=lambda inequality: -abs(evaluate(inequality.lhs, new_neuron.samples()[0])),
    ),
    "1.4 wide networks": wide_nets,
}
