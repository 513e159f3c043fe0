r"""Section 1.2: the centred means and the rank of Sigma_B, with Eq. (1.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, equal, for_all, numerically
from theory.papers.cheong2025.conditions import exactly_where
from theory.papers.cheong2025.labelled_features import (
    CLASSES,
    DIMENSION,
    C,
    N,
    any_sizes,
    c,
    features,
    letters,
    mu_tilde,
)
from theory.papers.cheong2025.paper import entry

rank = sp.Function("rank", integer=True)
rank_M, n_min, n_max = sp.symbols("rank_M n_min n_max", integer=True)
S_B, M, N_matrix = (
    sp.MatrixSymbol(name, *shape)
    for name, shape in (
        ("Sigma_B_matrix", (DIMENSION, DIMENSION)),
        ("M", (DIMENSION, CLASSES)),
        ("N_matrix", (CLASSES, CLASSES)),
    )
)


def ranked() -> Iterator[dict[str, Any]]:
    """Samples of any class sizes, with ranks; in the last the three class means lie on a line."""
    on_a_line = features((2, 3, 1))
    on_a_line[3] += 2 * on_a_line[1].mean(axis=0) - on_a_line[2].mean(axis=0) - on_a_line[3].mean(axis=0)
    for case in (*any_sizes(), letters(on_a_line)):
        sizes = np.diag([float(case["n"](k)) for k in range(1, CLASSES + 1)])
        yield case | {
            "rank": lambda matrix: int(np.linalg.matrix_rank(matrix, tol=1e-9)),
            "rank_M": int(np.linalg.matrix_rank(case["M"], tol=1e-9)),
            "Sigma_B_matrix": case["Sigma_B"],
            "N_matrix": sizes,
            "least": min,
        }


def invertible_up_to(claim: Claim) -> tuple[Check, ...]:
    """The largest number of dimensions in which Sigma_B of C random classes is invertible, for two to five classes."""

    def agrees(count: int) -> bool:
        means = np.random.default_rng(1).normal(size=(count, count + 2))
        regular = [
            size
            for size in range(1, count + 3)
            if np.linalg.matrix_rank(np.atleast_2d(np.cov(means[:, :size].T)), tol=1e-9) == size
        ]
        return bool(max(regular) == claim["dimensions"].subs(C, count))

    return (Check("two to five classes", lambda: for_all(range(2, 6), agrees), "ranks of covariances"),)


least = sp.Function("least")


EQUATIONS = (
    entry(
        "1.2 centred means sum to zero",
        "1.2",
        "By definition the centred class means sum to zero.",
        Finding.CONDITIONAL,
        "Classes of equal and of unequal sizes. It is the sum weighted by class sizes that vanishes by definition.",
        printed=equal(sp.Sum(mu_tilde(c), (c, 1, C)), 0),
        condition=equal(n_min, n_max),
        prove=exactly_where(any_sizes, "numpy's averages", scale=1.0),
        witness=Witness(
            {"means": (0, 4), "n_c": (1, 3), "quantity": "sum of the centred means"},
            lambda: float(np.sum(np.array([0.0, 4.0]) - np.average([0.0, 4.0], weights=[1, 3]))),
            value=lambda statement: float(statement.rhs),
        ),
        consequence="None for the rank. A simplex about the global mean is not one for imbalanced classes: see NC2.",
        heirs=("NC2",),
    ),
    entry(
        "1.2 rank of M",
        "1.2",
        "The rank of M is at most C - 1.",
        Finding.CONFIRMED,
        "The sum weighted by class sizes vanishes for all sizes, so the columns are dependent. Shown for two sets of "
        "class sizes and for means on a line.",
        printed=sp.Le(rank_M, C - 1),
        prove=numerically(ranked, "singular values"),
    ),
    entry(
        "(1.4), Sigma_B",
        "1.2",
        "Sigma_B from the centred means and the class sizes.",
        Finding.CONFIRMED,
        "Two sets of class sizes and means on a line; the covariance by numpy.",
        printed=equal(S_B, M * N_matrix * M.T / N),
        prove=numerically(ranked, "numpy's covariances"),
    ),
    entry(
        "(1.4), rank of Sigma_B",
        "1.2",
        "The rank of Sigma_B from those of M and N.",
        Finding.CONFIRMED,
        "Two sets of class sizes and means on a line; the covariance by numpy.",
        printed=sp.Tuple(
            equal(rank(S_B), rank(M * N_matrix * M.T / N)),
            sp.Le(rank(M * N_matrix * M.T / N), least(rank(M), rank(N_matrix))),
        ),
        prove=numerically(ranked, "singular values"),
        harmless={
            "printed: rank(1/N*M*N_matrix*M.T) <= least(rank(M), rank(N_matrix)) flipped": "Both are equal, as N is "
            "positive definite.",
            **dict.fromkeys(("printed: -1 -> 1", "printed: -1 -> 1 (2)"), "A factor does not change a rank."),
        },
    ),
    entry(
        "(1.4)",
        "1.2",
        "The rank of Sigma_B is at most C - 1, the last inequality.",
        Finding.CONFIRMED,
        "Two sets of class sizes and means on a line; the covariance by numpy.",
        printed=sp.Le(least(rank(M), rank(N_matrix)), C - 1),
        prove=numerically(ranked, "singular values"),
    ),
    entry(
        "1.2 invertible only in few dimensions",
        "1.2",
        "",
        Finding.CONFIRMED,
        "Ranks of the covariances of two to five random class means in one dimension more each time.",
        printed=Claim(
            "Sigma_B is only invertible if the representation is at most {dimensions}-dimensional.",
            {"dimensions": C - 1},
        ),
        prove=invertible_up_to,
    ),
)
