"""The rank of a composition of two layers, each of which has full rank."""

from __future__ import annotations

import itertools

import numpy as np

from theory.core import Check, Claim, Given, for_all
from theory.core.numbers.evaluation import evaluate

WIDTHS = range(1, 6)


def least_rank(inputs: int, first: int, second: int) -> int:
    """Of the Jacobian, where the second layer reads the features on which the first depends least."""
    one = np.eye(first, inputs)
    two = np.eye(second, first)[:, ::-1]
    return int(np.linalg.matrix_rank(two @ one))


def rank_is_full(statement: Claim | Given) -> tuple[Check, ...]:
    """Whether the Jacobian has full rank for all widths that the condition allows."""
    condition = statement.condition if isinstance(statement, Given) else None
    claim = statement.statement if isinstance(statement, Given) else statement
    cases = [dict(zip(("d", "n_1", "n_2"), widths, strict=True)) for widths in itertools.product(WIDTHS, repeat=3)]
    allowed = [case for case in cases if condition is None or bool(evaluate(condition, case))]

    def holds(case: dict[str, int]) -> bool:
        full = least_rank(case["d"], case["n_1"], case["n_2"]) == min(case["d"], case["n_2"])
        return full is (claim["rank"] == "full-rank")

    return (Check("layers in the worst position", lambda: for_all(allowed, holds), "ranks of matrices"),)
