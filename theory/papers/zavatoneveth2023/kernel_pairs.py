r"""Appendix F.2: the metric of a kernel that is learned from positive pairs, Eqs. (F.12) to (F.21)."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Given, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.kernel_values import feature_metric
from theory.papers.zavatoneveth2023.learned_kernel import (
    PAIRS,
    X,
    at_two_inputs,
    derivatives,
    learned,
    root_inverse,
)

WEIGHTS = np.random.default_rng(1).normal(size=(PAIRS, PAIRS))


def sums_of_entries(statement: sp.Tuple) -> list[float]:
    """Weighted sums of the entries of the four blocks that a statement gives."""
    ones = {f"Z_{index}": np.ones((PAIRS, PAIRS)) for index in (11, 12, 21, 22)}
    multiples = [evaluate(relation.lhs, ones)[0, 0] for relation in statement]
    return [
        float(np.sum(WEIGHTS * evaluate(relation.rhs, learned())) / multiple)
        for relation, multiple in zip(statement, multiples, strict=True)
    ]


def sums_from_features() -> list[float]:
    """Of the four blocks of the averaged outer product of the pairs."""
    return [float(np.sum(WEIGHTS * learned()[name])) for name in ("Z_11", "Z_12", "Z_21", "Z_22")]


def eigenvalues(claim: Claim | None) -> tuple[list[float], int]:
    """Eigenvalues of the whitened matrix of two pairs in three dimensions, and how many are kept."""
    points = np.array([[1.0, 0.2, -0.3], [-0.4, 1.1, 0.5], [0.7, -0.5, 0.4], [0.6, 0.3, -1.2]])
    gram = points @ points.T
    crossed = points[:2].T @ points[2:] / 4
    root = root_inverse(gram)
    whitened = root @ points @ (crossed + crossed.T) @ points.T @ root
    values = sorted(np.linalg.eigvalsh(whitened), reverse=True)
    nonzero = sum(abs(value) > 1e-9 for value in values)
    positive = sum(value > 1e-9 for value in values)
    return values, positive if claim is not None and claim["which"] == "positive" else nonzero


def inverts(statement: Any) -> tuple[Check, ...]:
    """Whether all eigenvalues that are kept can be inverted."""
    claim = statement.statement if isinstance(statement, Given) else statement
    values, kept = eigenvalues(statement.condition if isinstance(statement, Given) else None)

    def agrees() -> bool:
        if min(abs(value) for value in values[:kept]) < 1e-9:
            return False
        matrix = np.diag([*values[:kept], *[0.0] * (len(values) - kept)])
        power = {"1/gamma_i": -1, "gamma_i": 1}[claim["inverse"]]
        return is_close(np.linalg.pinv(matrix), np.diag([v**power for v in values[:kept]] + [0.0] * (4 - kept)))

    return (Check("two pairs in three dimensions", agrees, "pseudo-inverse"),)


def differs(claim: Claim) -> tuple[Check, ...]:
    """Ratio of both metrics in two directions, at which a rescaling would give one number."""
    learned_metric = np.array([case["g_ss"] for case in derivatives()])
    base = feature_metric(X)
    ratios = learned_metric / np.array([base[0, 0], base[0, 1], base[1, 1]])
    differ = bool(np.ptp(ratios) > 0.1 * np.max(np.abs(ratios)))
    return (Check("ratios of entries", lambda: differ is (claim["relation"] == "differ"), "three features"),)


PROGRAMS: Programs = {
    "(F.14)": Program(
        numerically(lambda: [learned()], "outer products of pairs in three features"),
        sums_from_features,
        value=sums_of_entries,
    ),
    "F.2 pseudo-inverse": Program(
        inverts,
        lambda: float(sum(abs(value) > 1e-9 for value in eigenvalues(None)[0][:3])),
        value=lambda claim: 3.0 if claim["inverse"] == "1/gamma_i" else 0.0,
    ),
    "(F.19)": numerically(at_two_inputs, "whitened data"),
    "(F.20)": numerically(derivatives, "features of the learned kernel"),
    "(F.21)": numerically(derivatives, "features of the learned kernel"),
    "F.2 another metric": differs,
}
