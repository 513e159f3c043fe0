r"""Section 1.2: the centred means and the rank of Sigma_B, with Eq. (1.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.papers.cheong2025.conditions import exactly_where
from theory.papers.cheong2025.labelled_features import (
    CLASSES,
    C,
    any_sizes,
    features,
    in_letters,
)
from theory.papers.cheong2025.notation import letters

rank, rank_M, n_min, n_max, S_B, M, N_matrix = letters("rank rank_M n_min n_max Sigma_B_matrix M N_matrix")


def ranked() -> Iterator[dict[str, Any]]:
    """Samples of any class sizes, with ranks; in the last the three class means lie on a line."""
    on_a_line = features((2, 3, 1))
    on_a_line[3] += 2 * on_a_line[1].mean(axis=0) - on_a_line[2].mean(axis=0) - on_a_line[3].mean(axis=0)
    for case in (*any_sizes(), in_letters(on_a_line)):
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


least = letters("least")

PROGRAMS: Programs = {
    "1.2 centred means sum to zero": Program(
        exactly_where(any_sizes, "numpy's averages", scale=1.0),
        lambda: float(np.sum(np.array([0.0, 4.0]) - np.average([0.0, 4.0], weights=[1, 3]))),
        value=lambda statement: float(statement.rhs),
    ),
    "1.2 rank of M": numerically(ranked, "singular values"),
    "(1.4), Sigma_B": numerically(ranked, "numpy's covariances"),
    "(1.4), rank of Sigma_B": numerically(ranked, "singular values"),
    "(1.4)": numerically(ranked, "singular values"),
    "1.2 invertible only in few dimensions": invertible_up_to,
}
