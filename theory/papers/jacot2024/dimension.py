"""Section 1.4: the cost of identity as a measure of dimension, Proposition 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Given, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.inequalities import SLACK, bounded
from theory.papers.jacot2024.representations import (
    alone,
    equal_singular_values,
    matrix_root,
    nonnegative,
    representations,
)
from theory.papers.jacot2024.states import residual as image_residual
from theory.papers.jacot2024.symbols import A, N, norm_F, norm_nuc, w

s_i, s_max, gap = sp.symbols("s_i s_max gap", real=True)
best = sp.Symbol("best")
total, root = sp.Function("total", real=True), sp.Function("root", real=True)
S_plus, A_plus = sp.MatrixSymbol("S_plus", N, w), sp.MatrixSymbol("A_plus", N, w)
stable_rank = norm_nuc(A) ** 2 / norm_F(A) ** 2


def is_the_minimiser(statement: Any) -> tuple[Check, ...]:
    """The printed B has the norm of A, and no other matrix of that norm at most has a smaller cost."""
    formula, condition = (
        (statement.statement, statement.condition) if isinstance(statement, Given) else (statement, True)
    )
    M = np.random.default_rng(2).normal(size=(3, 4))
    B = evaluate(solved(formula, best), {**nets.FUNCTIONS, "A": M, "root": matrix_root})
    scale = np.linalg.norm(M)

    def cost(C: nets.Array) -> float:
        return float(np.linalg.norm(M @ np.linalg.pinv(C)) ** 2)

    def others() -> list[nets.Array]:
        draws = [np.random.default_rng(seed).normal(size=(3, 3)) @ M for seed in range(20)]
        near = [B + 0.01 * draw for draw in draws]
        found = [C * scale / np.linalg.norm(C) for C in (*draws, *near)]
        found += [np.random.default_rng(5).normal(size=(3, 4)), np.zeros((3, 4))]
        return [C for C in found if bool(evaluate(condition, {"gap": image_residual(M, C)}))]

    return (
        Check("its norm", lambda: bool(abs(np.linalg.norm(B) - scale) < SLACK * scale), "numbers"),
        Check("its cost", lambda: for_all(others(), lambda C: cost(C) >= cost(B) * (1 - SLACK)), "pseudo-inverses"),
    )


def is_continuous(claim: Claim) -> tuple[Check, ...]:
    """The ratio, and the cost of identity, at matrices that approach a matrix of lower rank, or another point."""

    def ratio(M: nets.Array) -> float:
        return float(evaluate(stable_rank, {**nets.FUNCTIONS, "A": M}))

    def cost(M: nets.Array) -> float:
        return float(nets.FUNCTIONS["norm_K"](M, nets.activation(M, False)) ** 2)

    def jumps(function: Any, at: nets.Array) -> bool:
        around = [at + 1e-6 * np.random.default_rng(seed).uniform(size=(3, 3)) for seed in range(5)]
        return bool(np.ptp([function(M) for M in around]) > 1e-3)

    lower = np.diag([1.0, 0.5, 0.0])
    exception = float(claim["zero"]) * lower

    def agrees() -> bool:
        ratio_is_continuous = not jumps(ratio, lower) and jumps(ratio, exception)
        stable_cost = not bool(abs(cost(lower) - cost(lower + 1e-6 * np.eye(3))) > 0.5)
        return (ratio_is_continuous, stable_cost) == (claim["ratio"] == "continuous", claim["cost"] == "stable")

    return (Check("near a matrix of rank two", agrees, "singular values"),)


PROGRAMS: Programs = {
    "1.4 non-negative": Program(
        bounded(nonnegative, "least squares"),
        lambda: nets.ridge(np.ones((1, 3)), np.ones((2, 3)), 0.0) ** 2,
        value=lambda chain: evaluate(chain[0].rhs * chain[1].rhs / chain[1].lhs, nonnegative()[3]),
    ),
    "Proposition 1": Program(
        bounded(representations, "pseudo-inverses"),
        lambda: nets.ridge(np.array([[0.5]]), np.array([[0.5], [1.0]]), 0.0) ** 2,
        value=lambda inequality: evaluate(inequality.rhs, alone()),
    ),
    "Proposition 1, norms": Program(
        bounded(representations, "norms"), lambda: 1.25**0.5, value=lambda inequality: evaluate(inequality.rhs, alone())
    ),
    "Proposition 1, minimiser": Program(
        is_the_minimiser,
        lambda: float(np.linalg.norm(np.diag([2.0, 1.0]) @ np.linalg.pinv(np.zeros((2, 2))))),
        value=lambda formula: (
            np.linalg.norm(
                np.diag([2.0, 1.0])
                @ np.linalg.pinv(
                    evaluate(formula.rhs, {**nets.FUNCTIONS, "A": np.diag([2.0, 1.0]), "root": matrix_root})
                )
            )
            ** 2
        ),
    ),
    "1.4 rank": bounded(representations, "singular values"),
    "1.4 rank, equality": bounded(equal_singular_values, "singular values"),
    "1.4 spectral stable rank": bounded(representations, "singular values"),
    "1.4 sums": bounded(representations, "singular values"),
    "1.4 continuity": is_continuous,
}
