"""When the metric of a network on two inputs can be inverted: parallel weights, and slopes that vanish."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from theory.core import Check, Claim, Given, for_all
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.network import Network

ZERO = 1e-14  # rounding of determinants of order one


def determinant_of_pair(first: float, second: float) -> float:
    """Determinant of the metric of two units with weights along the axes and given slopes."""
    return Network(np.eye(2), np.array([first, second]), np.ones(2)).determinant


def _cases() -> list[dict[str, Any]]:
    """Weights of two or three units; slopes of one pair and of the others."""
    weights = (
        [[0.3, 0.7], [-0.6, -1.4]],
        [[0.3, 0.7], [-0.6, -1.4], [0.15, 0.35]],
        [[0.3, 0.7], [0.5, -0.2]],
        [[0.3, 0.7], [-0.6, -1.4], [0.5, -0.2]],
    )
    slopes = ((1.0, 0.8), (-0.7, 1.3), (1e-3, 1.0), (0.0, 1.0))
    return [
        {"weights": np.array(rows), "units": np.array([*(first for _ in rows[1:]), last]), "slopes": first * last}
        for rows in weights
        for first, last in slopes
    ]


def is_invertible(statement: Claim | Given) -> tuple[Check, ...]:
    """Whether independent pairs decide that the determinant does not vanish, where the condition allows the case."""
    condition = statement.condition if isinstance(statement, Given) else True
    claim = statement.statement if isinstance(statement, Given) else statement
    allowed = [case for case in _cases() if condition is True or evaluate(condition, {"slopes": case["slopes"]})]

    def holds(case: dict[str, Any]) -> bool:
        pairs = [abs(np.linalg.det(np.array(pair))) > ZERO for pair in itertools.combinations(case["weights"], 2)]
        counted = sum(pair is (claim["relation"] == "independent") for pair in map(bool, pairs))
        net = Network(case["weights"], case["units"], np.ones(len(case["units"])))
        return bool(net.determinant > ZERO) is bool(counted >= claim["count"])

    return (Check("networks of two and three units", lambda: for_all(allowed, holds), "determinants"),)
