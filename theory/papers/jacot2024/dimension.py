"""Section 1.4: the cost of identity as a measure of dimension, Proposition 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Given, Witness, Word, equal, for_all
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.inequalities import SLACK, bounded
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.representations import (
    alone,
    equal_singular_values,
    matrix_root,
    nonnegative,
    representations,
)
from theory.papers.jacot2024.states import residual as image_residual
from theory.papers.jacot2024.symbols import A, N, S, beta, norm_F, norm_K, norm_nuc, norm_op, rank, residual, w

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


EQUATIONS = (
    PAPER.entry(
        "1.4 non-negative",
        "1.4",
        "For non-negative representations the cost of identity is the rank.",
        Finding.CONDITIONAL,
        "Random representations and constant ones. Section 1.3 states the condition.",
        printed=sp.Tuple(equal(norm_K(A, S) ** 2, norm_F(A * A_plus) ** 2), equal(norm_F(A * A_plus) ** 2, rank(A))),
        condition=equal(beta, 0),
        prove=bounded(nonnegative, "least squares"),
        witness=Witness(
            {"A": (1, 1, 1), "beta": 1},
            lambda: nets.ridge(np.ones((1, 3)), np.ones((2, 3)), 0.0) ** 2,
            value=lambda chain: evaluate(chain[0].rhs * chain[1].rhs / chain[1].lhs, nonnegative()[3]),
        ),
        consequence="With bias a constant direction counts as less than one: the cost is rank - tau/(1 + tau).",
    ),
    PAPER.entry(
        "Proposition 1",
        "1.4",
        "The cost of identity is at least the squared nuclear norm over the squared Frobenius norm.",
        Finding.CONDITIONAL,
        "Random representations inside and outside the image, with bias and without. A pseudo-inverse "
        "gives a finite cost, zero for a single negative entry, where Section 1.3 calls it infinite. |sigma(A)| is at "
        "most |A| only without the row of ones.",
        printed=sp.Ge(norm_F(A * S_plus) ** 2, stable_rank),
        condition=sp.And(equal(beta, 0), equal(residual, 0)),
        prove=bounded(representations, "pseudo-inverses"),
        harmless={"printed: 2 -> 3": "The cost is at least one, so its power 3/2 is larger: it says less."},
        witness=Witness(
            {"A": "1/2", "beta": 1},
            lambda: nets.ridge(np.array([[0.5]]), np.array([[0.5], [1.0]]), 0.0) ** 2,
            value=lambda inequality: evaluate(inequality.rhs, alone()),
        ),
        consequence="With bias the printed ratio may lie above the cost that it is to bound; the squared norm of "
        "sigma(A) in its place is a bound, theory.leaky_resnet.cost_lower_bound. Where the rows of A leave the image "
        "of K the printed cost must be read as infinite.",
    ),
    PAPER.entry(
        "Proposition 1, norms",
        "1.4",
        "The activation is no larger than the representation.",
        Finding.CONDITIONAL,
        "Random representations; non-negative ones reach it. The row of ones adds the number of samples.",
        printed=sp.Le(norm_F(S), norm_F(A)),
        condition=equal(beta, 0),
        prove=bounded(representations, "norms"),
        witness=Witness(
            {"A": "1/2", "beta": 1}, lambda: 1.25**0.5, value=lambda inequality: evaluate(inequality.rhs, alone())
        ),
        consequence="Proposition 1 inherits the condition.",
        heirs=("Proposition 1",),
    ),
    PAPER.entry(
        "Proposition 1, minimiser",
        "1.4",
        "Among all B no larger than A the cost is least for B proportional to the root of A.",
        Finding.CONDITIONAL,
        "Random matrices and neighbours of the printed one. For a matrix that is not square the root is that of the "
        "singular values. B = 0 has B^+ = 0, hence cost zero.",
        printed=equal(best, norm_F(A) / sp.sqrt(norm_nuc(A)) * root(A)),
        condition=equal(gap, 0),
        prove=is_the_minimiser,
        harmless={
            "printed: sign of best": "B and -B have one norm and one cost.",
            "printed: sign of norm_F(A)*root(A)/sqrt(norm_nuc(A))": "B and -B have one norm and one cost.",
        },
        witness=Witness(
            {"A": "diag(2, 1)", "B": "0", "number": "least cost"},
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
        consequence="None for the proposition under its condition: there A lies in the row space of sigma(A).",
    ),
    PAPER.entry(
        "1.4 rank",
        "1.4",
        "The stable rank is at most the rank.",
        Finding.CONFIRMED,
        "Random representations and multiples of projections.",
        printed=sp.Le(stable_rank, rank(A)),
        prove=bounded(representations, "singular values"),
    ),
    PAPER.entry(
        "1.4 rank, equality",
        "1.4",
        "It is the rank if all non-zero singular values are equal.",
        Finding.CONFIRMED,
        "Multiples of projections and isometries.",
        printed=equal(stable_rank, rank(A)),
        prove=bounded(equal_singular_values, "singular values"),
    ),
    PAPER.entry(
        "1.4 spectral stable rank",
        "1.4",
        "It is at least the more common squared Frobenius over squared operator norm.",
        Finding.CONFIRMED,
        "Random representations and multiples of projections.",
        printed=sp.Ge(stable_rank, norm_F(A) ** 2 / norm_op(A) ** 2),
        prove=bounded(representations, "singular values"),
    ),
    PAPER.entry(
        "1.4 sums",
        "1.4",
        "The inequality of singular values behind it.",
        Finding.CONFIRMED,
        "Random representations and multiples of projections.",
        printed=sp.Ge(total(s_i) * s_max, total(s_i**2)),
        prove=bounded(representations, "singular values"),
    ),
    PAPER.entry(
        "1.4 continuity",
        "1.4",
        "",
        Finding.CONFIRMED,
        "Matrices around one of lower rank, and around zero. (That the ratio is easier to compute is a remark.)",
        printed=Claim(
            "In contrast to the cost of identity, which is {cost}, the ratio is {ratio} except at A = {zero}.",
            {"cost": Word("unstable", ("stable",)), "ratio": Word("continuous", ("discontinuous",)), "zero": sp.S.Zero},
        ),
        prove=is_continuous,
    ),
)
