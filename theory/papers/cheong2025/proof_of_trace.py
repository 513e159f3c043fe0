r"""Appendix B.1, second half: the trace line by line, what Algorithm 1 returns, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Equation, Finding, Witness, Word, equal, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import is_close
from theory.core.ledger.transition import programs_of
from theory.papers.cheong2025.algorithm_1 import definition, lines, value_of
from theory.papers.cheong2025.algorithm_programs import before, true_means
from theory.papers.cheong2025.conditions import apart
from theory.papers.cheong2025.labelled_features import C, N, c, h, i, mu, norm, over_samples
from theory.papers.cheong2025.paper import entry
from theory.papers.cheong2025.proofs import M, S, S_B_plus, V, decomposed

trace_WB = sp.Symbol("trace_WB", real=True)
trace_of, between_residuals, kappa, over = (
    sp.Function(name) for name in ("trace_of", "between_residuals", "kappa", "over")
)


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


def with_lines(result: Callable[[list[int]], Any], right: Callable[[], Any]) -> Any:
    """Proves that a sentence on the algorithm is right with the lines corrected that its condition names."""

    def prove(sentence: Claim | Given) -> tuple[Check, ...]:
        claim, condition = apart(sentence)
        named = [int(k) for k in condition.values.values()] if isinstance(condition, Claim) else []

        def holds() -> bool:
            return is_close(np.array(result(named), float), np.array(right(), float)) is (claim["is"] == "exactly")

        return (Check("run on nine samples", holds, "numpy's averages and pseudo-inverse"),)

    return prove


def means_with(corrected: list[int]) -> Any:
    """Class means from lines 7 and 8 after the class totals, as printed or as corrected."""
    means = lines(7, 8, corrected=corrected).run(**before(7))["mu"]
    return [list(means[k]) for k in (1, 2, 3)]


def value_with(corrected: list[int]) -> float:
    """What the algorithm returns if the class means are right, and the lines named."""
    return value_of(lines(1, 20, corrected=[8, *corrected]))


def _trace(label: str, statement: str, printed: Any) -> Equation:
    evidence = "Balanced classes, with covariances and pseudo-inverse by numpy."
    prove = numerically(traced, "numpy's covariances")
    return entry(label, "B.1", statement, Finding.CONFIRMED, evidence, printed=printed, prove=prove)


def _inherited(label: str, text: str, line: int, prove: Any, witness: Witness) -> Equation:
    return entry(
        label,
        "B.1",
        "",
        Finding.CONDITIONAL,
        "Executed in exact arithmetic, with the other lines as corrected.",
        printed=Claim(text, {"is": Word("exactly", ("not",))}),
        condition=Claim("line {line} is as corrected", {"line": sp.Integer(line)}),
        prove=prove,
        witness=witness,
        consequence=f"It inherits the fault of line {line} of Algorithm 1; the formula of the proof is right.",
    )


residual = h(c, i) - mu(c)

PROGRAMS: Programs = {
    "B.1 global mean": with_lines(lambda _: before(7)["bar_mu"], lambda: sum(true_means().values()) / 3),
    **programs_of(
        (
            _inherited(
                "B.1 class means",
                "Algorithm 1 computes the class means of a balanced dataset {is}.",
                8,
                with_lines(means_with, lambda: [list(mean) for mean in true_means().values()]),
                Witness(
                    {"C": 3, "N": 9, "D": 4, "quantity": "first component of the first mean"},
                    lambda: float(means_with([])[0][0]),
                    value=lambda claim: float(true_means()[1][0]) if claim["is"] == "exactly" else 0.0,
                ),
            ),
        )
    ),
    **programs_of(
        (
            _trace(
                "B.1 trace, first line",
                "The trace as an average over samples.",
                equal(trace_WB, over_samples(trace_of(residual, S_B_plus)) / N),
            ),
        )
    ),
    **programs_of(
        (
            _trace(
                "B.1 trace, second line",
                "The trace of an outer product as a quadratic form.",
                equal(trace_WB, over_samples(between_residuals(residual, S_B_plus)) / N),
            ),
        )
    ),
    **programs_of(
        (
            _trace(
                "B.1 trace, third line",
                "Eq. (B.5) substituted.",
                equal(trace_WB, C * over_samples(between_residuals(residual, M * V * S**-4 * V.T * M.T)) / N),
            ),
        )
    ),
    **programs_of(
        (
            _trace(
                "B.1 trace",
                "Each sample contributes C times the squared length of kappa over the eigenvalues, fourth line.",
                equal(trace_WB, C * over_samples(norm(over(kappa(c, i), S**-2)) ** 2) / N),
            ),
        )
    ),
    **programs_of(
        (
            _inherited(
                "B.1 returned value",
                "The last line is {is} the value returned by Algorithm 1.",
                20,
                with_lines(lambda corrected: value_with([17, *corrected]), definition),
                Witness(
                    {"C": 3, "N": 9, "D": 4, "quantity": "returned value, other lines corrected"},
                    lambda: value_with([17]),
                    value=lambda claim: definition() if claim["is"] == "exactly" else 0.0,
                ),
            ),
        )
    ),
}
