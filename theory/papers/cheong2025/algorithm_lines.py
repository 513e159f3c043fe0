r"""Section 2.1: Algorithm 1, executed as printed, whole and line by line."""

from __future__ import annotations

import numpy as np

from theory.core import numerically
from theory.core.ledger.ledger import Program, Programs
from theory.papers.cheong2025.algorithm_1 import definition, example, value_of
from theory.papers.cheong2025.algorithm_programs import (
    adds_a_term,
    before,
    decomposed,
    keeps_the_rank,
    kept,
    projected,
    projected_residuals,
    projects,
    returns_the_metric,
    runs,
    sums_up,
    true_means,
)

PROGRAMS: Programs = {
    "Algorithm 1": Program(returns_the_metric, definition, value=value_of),
    "Algorithm 1, lines 1 to 5": sums_up,
    "Algorithm 1, line 6": runs(lambda names: names["bar_mu"], lambda: example()[0].mean(axis=0), 6),
    "Algorithm 1, line 8": Program(
        runs(lambda names: [names["mu"][k] for k in (1, 2, 3)], lambda: list(true_means().values()), 7),
        lambda: np.array([float(mean[0]) for mean in true_means().values()]),
        lambda algorithm: np.array([float(mean[0]) for mean in algorithm.run(**before(7))["mu"].values()]),
    ),
    "Algorithm 1, lines 10 and 11": numerically(decomposed, "numpy's eigenvectors"),
    "Algorithm 1, lines 12 to 14": Program(
        keeps_the_rank,
        lambda: float(np.linalg.matrix_rank(np.array(before(10)["M"], dtype=float))),
        lambda algorithm: float(kept(algorithm, "floating point", 100)),
    ),
    "Algorithm 1, lines 15 to 18": Program(projects, projected_residuals, projected),
    "Algorithm 1, line 19": adds_a_term,
    "Algorithm 1, line 20": Program(
        runs(lambda names: names["returned"], definition, 20),
        definition,
        lambda algorithm: float(algorithm.run(**before(20))["returned"]),
    ),
}
