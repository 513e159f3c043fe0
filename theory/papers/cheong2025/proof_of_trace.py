r"""Appendix B.1, second half: the trace line by line, what Algorithm 1 returns, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from theory.core import Check, Claim, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import chosen, is_close
from theory.papers.cheong2025.algorithm_1 import definition, lines, value_of
from theory.papers.cheong2025.algorithm_programs import before, true_means
from theory.papers.cheong2025.conditions import apart
from theory.papers.cheong2025.proofs import decomposed


def traced() -> Iterator[dict[str, Any]]:
    """Balanced classes with the metric from covariances, and what the lines of the trace call."""
    for case in decomposed():

        def projected(k: int, sample: int, case: dict[str, Any] = case) -> Any:
            return case["V"].T @ case["M"].T @ (case["h"](k, sample) - case["mu"](k))

        yield case | {
            "trace_WB": float(np.trace(case["Sigma_W"] @ case["Sigma_B_plus"])),
            "trace_of": lambda vector, matrix: float(np.trace(np.outer(vector, vector) @ matrix)),
            "between_residuals": lambda vector, matrix: float(vector @ matrix @ vector),
            "kappa": projected,
            "over": lambda vector, matrix: vector @ matrix,
        }


RIGHT = {"correctly computes": True, "does not compute": False, "exactly": True, "not": False}


def with_lines(result: Callable[[list[int]], Any], right: Callable[[], Any]) -> Any:
    """Proves that a sentence on the algorithm is right with the lines corrected that its condition names."""

    def prove(sentence: Claim | Given) -> tuple[Check, ...]:
        claim, condition = apart(sentence)
        named = [int(k) for k in condition.values.values()] if isinstance(condition, Claim) else []

        def holds() -> bool:
            return is_close(np.array(result(named), float), np.array(right(), float)) is chosen(claim, "is", RIGHT)

        return (Check("run on nine samples", holds, "numpy's averages and pseudo-inverse"),)

    return prove


def means_with(corrected: list[int]) -> Any:
    """Class means from lines 7 and 8 after the class totals, as printed or as corrected."""
    means = lines(7, 8, corrected=corrected).run(**before(7))["mu"]
    return [list(means[k]) for k in (1, 2, 3)]


def value_with(corrected: list[int]) -> float:
    """What the algorithm returns if the class means are right, and the lines named."""
    return value_of(lines(1, 20, corrected=[8, *corrected]))


TRACE = numerically(traced, "numpy's covariances")

PROGRAMS: Programs = {
    "B.1 global mean": with_lines(lambda _: before(7)["bar_mu"], lambda: sum(true_means().values()) / 3),
    "B.1 class means": Program(
        with_lines(means_with, lambda: [list(mean) for mean in true_means().values()]),
        lambda: float(means_with([])[0][0]),
        lambda claim: float(true_means()[1][0]) if chosen(claim, "is", RIGHT) else 0.0,
    ),
    **dict.fromkeys([f"B.1 trace, {number} line" for number in ("first", "second", "third")], TRACE),
    "B.1 trace": TRACE,
    "B.1 returned value": Program(
        with_lines(lambda corrected: value_with([17, *corrected]), definition),
        lambda: value_with([17]),
        lambda claim: definition() if chosen(claim, "is", RIGHT) else 0.0,
    ),
}
