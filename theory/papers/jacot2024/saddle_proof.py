"""Appendix A.1: the lines of the proof of Proposition 6."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word, equal, for_all, numerically
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import constant_cost as paths
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import A, N, beta, norm_F, trace, w

i = sp.Symbol("i", integer=True)
t, least_entry, K_gap, dimension = sp.symbols("t least_entry K_gap dimension", real=True)
K_hat, K_sigma, ones, K_t, row_t = sp.symbols("K_hat K_sigma ones K_t row_t")
neurons = sp.Symbol("neurons", integer=True, positive=True)
a = sp.Function("a", nonnegative=True)
outer, active, row = sp.Function("outer"), sp.Function("active"), sp.Function("row_hat")
S_plus = sp.MatrixSymbol("S_plus", N, w)
K_matrix, K_plus = sp.MatrixSymbol("K_matrix", N, N), sp.MatrixSymbol("K_sigma_plus", N, N)
mixed = (1 - t) + t * a(i)


def covariances_stay(statement: sp.Eq) -> tuple[Check, ...]:
    """Both covariances along the path that the printed rows make; its first point, and a zero row at its last."""
    path = paths.inside()

    def at(place: float) -> Any:
        values = {"t": place, "a": lambda i: path.coefficients[i - 1], "row_hat": lambda i: path.start[i - 1]}
        printed = solved(statement, row_t)
        return np.array([evaluate(printed.subs(i, n), values) for n in range(1, len(path.start) + 1)])

    def keeps(place: float) -> bool:
        pairs = [(M.T @ M, np.maximum(M, 0).T @ np.maximum(M, 0)) for M in (at(place), path.start)]
        return bool(np.allclose(pairs[0], pairs[1]))

    return (
        Check("covariances", lambda: for_all((0.2, 0.7, 1.0), keeps, ), "matrix products"),
        Check("first point", lambda: bool(np.allclose(at(0.0), path.start)), "entries"),
        Check("last point", lambda: bool((np.abs(at(1.0)).max(axis=1) < 1e-9).any()), "entries"),
    )  # fmt: skip


def is_what_is_used(claim: Claim) -> tuple[Check, ...]:
    """Not non-negative implies not stable, from: stable implies non-negative."""
    return (Check("truth table", lambda: truth(claim) == [1.0, 1.0, 0.0, 1.0], "logic"),)


def truth(claim: Claim) -> list[float]:
    """Of the named form of "stable implies non-negative", for the four cases of (stable, non-negative)."""
    cases = ((False, False), (False, True), (True, False), (True, True))
    if claim["form"] == "converse":
        return [float(not is_nonnegative or is_stable) for is_stable, is_nonnegative in cases]
    return [float(is_nonnegative or not is_stable) for is_stable, is_nonnegative in cases]


EQUATIONS = (
    PAPER.entry(
        "Proposition 6, cone",
        "A.1",
        "Both covariances are sums over the neurons.",
        Finding.CONDITIONAL,
        "Matrix products. The next sentence subtracts what a bias of size beta adds.",
        printed=sp.Tuple(
            equal(K_hat, sp.Sum(outer(i), (i, 1, neurons))), equal(K_sigma, sp.Sum(active(i), (i, 1, neurons)))
        ),
        condition=equal(beta, 0),
        prove=numerically(paths.covariances, "matrix products"),
        witness=Witness(
            {"beta": 0.7, "number": "the second covariance"},
            lambda: paths.covariances()[1]["K_sigma"],
            value=lambda pair: evaluate(pair[1].rhs, paths.covariances()[1]),
        ),
        consequence="None: the proof goes on with the covariance less beta^2 11'.",
    ),
    PAPER.entry(
        "Proposition 6, dimension",
        "A.1",
        "The dimension of the space of pairs of symmetric matrices.",
        Finding.CONFIRMED,
        "The rank of many random pairs, for one to four samples.",
        printed=equal(dimension, N * (N + 1)),
        prove=numerically(
            lambda: [{"N": size, "dimension": paths.dimension_of_pairs(size)} for size in (1, 2, 3, 4)], "rank"
        ),
    ),
    PAPER.entry(
        "Proposition 6, combination",
        "A.1",
        "A conical combination of at most N(N + 1) neurons has the same covariances.",
        Finding.CONFIRMED,
        "Found by a linear programme for seven neurons on two samples, with bias and without.",
        printed=sp.Tuple(
            equal(K_hat, sp.Sum(a(i) * outer(i), (i, 1, neurons))),
            equal(K_sigma - beta**2 * ones, sp.Sum(a(i) * active(i), (i, 1, neurons))),
        ),
        prove=numerically(paths.covariances, "linear programme", tolerance=1e-8),
    ),
    PAPER.entry(
        "Proposition 6, path",
        "A.1",
        "The neurons along the path.",
        Finding.CONFIRMED,
        "Covariances along it, and its ends: the last one has a neuron that is zero.",
        printed=equal(row_t, sp.sqrt(mixed) * row(i)),
        prove=covariances_stay,
    ),
    PAPER.entry(
        "Proposition 6, covariances",
        "A.1",
        "The covariance along the path does not change.",
        Finding.CONFIRMED,
        "Matrix products along the path.",
        printed=sp.Tuple(
            equal(K_t, sp.Sum(mixed * outer(i), (i, 1, neurons))),
            equal(K_t, (1 - t) * K_hat + t * K_hat),
            equal(K_t, K_hat),
        ),
        prove=numerically(paths.covariances, "matrix products", tolerance=1e-8),
    ),
    PAPER.entry(
        "Proposition 6, cost",
        "A.1",
        "The cost depends on both covariances only.",
        Finding.CONFIRMED,
        "Pseudo-inverses.",
        printed=equal(norm_F(A * S_plus) ** 2, trace(K_matrix * K_plus)),
        prove=numerically(paths.costs, "pseudo-inverses", tolerance=1e-8),
    ),
    PAPER.entry(
        "Proposition 6, non-negative",
        "A.1",
        "A representation is non-negative where both covariances agree.",
        Finding.CONDITIONAL,
        "Representations with entries of all signs. The proof uses both directions.",
        printed=sp.Equivalent(sp.Eq(K_gap, 0), sp.Ge(least_entry, 0)),
        condition=equal(beta, 0),
        prove=numerically(paths.signs, "matrix products"),
        witness=Witness(
            {"A": -0.6, "beta": 0.6, "number": "least entry where the covariances agree"},
            lambda: -0.6,
            value=lambda statement: float(max(0.0, evaluate(statement.args[1].lhs, paths.signs()[0]))),
        ),
        consequence="With bias beta^2 11' is to be subtracted, as in the combination before.",
    ),
    PAPER.entry(
        "Proposition 6, converse",
        "A.1",
        "",
        Finding.MISPRINT,
        "Proposition 2 has: stable implies non-negative. What is used is that what is not non-negative is not stable.",
        printed=Claim(
            "The {form} of Proposition 2 tells that what is not non-negative is no stable minimum.",
            {"form": Word("converse", ("contrapositive",))},
        ),
        corrected=Claim(
            "The {form} of Proposition 2 tells that what is not non-negative is no stable minimum.",
            {"form": Word("contrapositive", ("converse",))},
        ),
        prove=is_what_is_used,
        witness=Witness(
            {"stable": (0, 0, 1, 1), "non-negative": (0, 1, 0, 1), "number": "truth"},
            lambda: np.array([1.0, 1.0, 0.0, 1.0]),
            value=truth,
        ),
        consequence="None: the step that is used follows from Proposition 2.",
    ),
)
