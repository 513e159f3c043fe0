r"""Appendix B.2: the proof of Eq. (2.1)."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Equation, Finding, Witness, equal, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.transition import programs_of
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.labelled_features import (
    N,
    Sigma_T,
    any_sizes,
    bar_mu,
    c,
    h,
    i,
    outer,
    over_samples,
)
from theory.papers.cheong2025.one_pass import G, with_second_moments
from theory.papers.cheong2025.paper import entry

squared_mean = outer(bar_mu, bar_mu)
mean_h = over_samples(h(c, i)) / N
from_left, from_right = sp.Function("from_left"), sp.Function("from_right")


def first_case() -> dict[str, Any]:
    """Samples of three classes with the letters of Appendix B."""
    return next(iter(with_second_moments()))


def covariance_of_the_first() -> float:
    """Variance of the first feature, by numpy."""
    case = first_case()
    rows = np.stack([case["h"](k, s) for k in (1, 2, 3) for s in (1, 2, 3)])
    return float(np.var(rows[:, 0]))


def _wrong(label: str, statement: str, printed: Any, corrected: Any, heirs: tuple[str, ...] = ()) -> Equation:
    return entry(
        label,
        "B.2",
        statement,
        Finding.MISPRINT,
        "G is the sum over samples, so it is divided by N, as in Eq. (2.1) and in the sentence before.",
        printed=printed,
        corrected=corrected,
        prove=numerically(with_second_moments, "numpy's covariances"),
        witness=Witness(
            {"N": 9, "D": 4, "quantity": "first entry of Sigma_T"},
            covariance_of_the_first,
            value=lambda statement: float(evaluate(solved(statement, Sigma_T), first_case())[0, 0]),
        ),
        consequence="None: Eq. (2.1) has the factor.",
        heirs=heirs,
    )


PROGRAMS: Programs = {
    "B.2 it suffices": numerically(with_second_moments, "numpy's covariances"),
    "B.2 definition": numerically(any_sizes, "numpy's covariances"),
    "B.2 expansion": numerically(any_sizes, "numpy's covariances"),
    **programs_of(
        (
            _wrong(
                "B.2 third line",
                "The sums carried out.",
                equal(Sigma_T, G - from_left(bar_mu, mean_h) - from_right(mean_h, bar_mu) + squared_mean),
                equal(Sigma_T, G / N - from_left(bar_mu, mean_h) - from_right(mean_h, bar_mu) + squared_mean),
                heirs=("B.2 fourth line", "B.2 last lines"),
            ),
        )
    ),
    **programs_of(
        (
            _wrong(
                "B.2 fourth line",
                "The means inserted.",
                sp.Eq(Sigma_T, sp.Add(G, -squared_mean, -squared_mean, squared_mean, evaluate=False), evaluate=False),
                sp.Eq(
                    Sigma_T, sp.Add(G / N, -squared_mean, -squared_mean, squared_mean, evaluate=False), evaluate=False
                ),
            ),
        )
    ),
    **programs_of(
        (
            _wrong(
                "B.2 last lines",
                "Sigma_T = G minus the outer product of the mean, fifth line.",
                equal(Sigma_T, G - squared_mean),
                equal(Sigma_T, G / N - squared_mean),
            ),
        )
    ),
}
