r"""Appendix B.2: the proof of Eq. (2.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from theory.core import numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.labelled_features import (
    Sigma_T,
    any_sizes,
)
from theory.papers.cheong2025.one_pass import with_second_moments


def first_case() -> dict[str, Any]:
    """Samples of three classes with the letters of Appendix B."""
    return next(iter(with_second_moments()))


def covariance_of_the_first() -> float:
    """Variance of the first feature, by numpy."""
    case = first_case()
    rows = np.stack([case["h"](k, s) for k in (1, 2, 3) for s in (1, 2, 3)])
    return float(np.var(rows[:, 0]))


BY_NUMPY = numerically(any_sizes, "numpy's covariances")
WITHOUT_N = Program(
    numerically(with_second_moments, "numpy's covariances"),
    covariance_of_the_first,
    lambda statement: float(evaluate(solved(statement, Sigma_T), first_case())[0, 0]),
)

PROGRAMS: Programs = {
    "B.2 it suffices": numerically(with_second_moments, "numpy's covariances"),
    **dict.fromkeys(("B.2 definition", "B.2 expansion"), BY_NUMPY),
    **dict.fromkeys(("B.2 third line", "B.2 fourth line", "B.2 last lines"), WITHOUT_N),
}
