"""The comparisons of a study in a report: each verdict with its numbers, and what would decide a blunt one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from bridge.results.analysis import Column, Compared, Table
from bridge.statistics.power import power
from closedform.verdicts import AGREES, BLUNT, DISAGREES

COLUMNS = (
    Column("configuration", "configuration"), Column("quantity", "quantity"), Column("verdict", "verdict"),
    Column("predicted", "predicted"), Column("measured", "measured"), Column("percent", "off by, %", 2),
    Column("z", "z", 2), Column("limit", "limit", 2), Column("n", "n"), Column("largest", "at most", 2),
    Column("resolution", "resolution", 2),
)  # fmt: skip
OVERVIEW = (
    Column("study", "study"), Column("quantity", "quantity"), Column("agrees", "agree"),
    Column("disagrees", "disagree"), Column("blunt", "too blunt"), Column("which", "that disagree"),
)  # fmt: skip


def overview(studies: Iterable[tuple[str, Sequence[Compared]]]) -> Table:
    """Return the table of how many comparisons of each quantity agree, and which disagree.

    Args:
        studies: name and comparisons of each study.
    """
    rows = [
        _counts(study, quantity, [each for each in compared if each.quantity == quantity])
        for study, compared in studies
        for quantity in dict.fromkeys(each.quantity for each in compared)
    ]
    return Table("agreements", "Predictions and measurements", "", OVERVIEW, tuple(rows))


def _counts(study: str, quantity: str, compared: Sequence[Compared]) -> dict[str, Any]:
    verdicts = [each.verdict for each in compared]
    return {
        "study": study,
        "quantity": quantity,
        "agrees": verdicts.count(AGREES),
        "disagrees": verdicts.count(DISAGREES),
        "blunt": verdicts.count(BLUNT),
        "which": ", ".join(each.label for each in compared if each.verdict == DISAGREES) or "none",
    }


def table(compared: Sequence[Compared], how_compared: str) -> Table:
    """Return the table of all comparisons; ``n`` is the number of repetitions behind the error, if it is not known."""
    return Table("comparisons", "Predicted and measured", how_compared, COLUMNS, tuple(map(_row, compared)))


def _row(compared: Compared) -> dict[str, Any]:
    comparison, is_number = compared.comparison, compared.relation == "="
    predicted, measured, repetitions = (
        float(getattr(comparison, name)) for name in ("predicted", "measured", "repetitions")
    )
    return {
        "configuration": compared.label,
        "quantity": compared.quantity,
        "verdict": compared.verdict,
        "predicted": predicted if is_number else compared.prediction,
        "measured": measured,
        "measured_error": float(comparison.error),
        "percent": 100 * (measured - predicted) / abs(predicted) if predicted and is_number else None,
        "z": comparison.z,
        "limit": comparison.limit,
        "n": int(repetitions) if math.isfinite(repetitions) else None,
        "largest": comparison.largest if is_number else None,
        "resolution": float(comparison.resolution) if is_number else None,
    }


def what_would_decide(compared: Compared) -> str:
    """Return how many repetitions would decide a number that is too blunt to say; empty for any other and a bound."""
    return power(compared.comparison).summary() if compared.relation == "=" and compared.verdict == BLUNT else ""
