"""The comparisons of a study in a report: each verdict with its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bridge.results.analysis import Table, table_of
from bridge.results.quantity import words
from closedform.measured import Measured
from closedform.verdicts import BLUNT, DISAGREES, FOR


def overview(studies: Iterable[tuple[str, Sequence[Measured]]]) -> Table:
    """Return the table of how many comparisons of each quantity agree, and which disagree, from those of each study."""
    rows = [
        (study, quantity, [one for one in compared if one.quantity == quantity])
        for study, compared in studies
        for quantity in dict.fromkeys(one.quantity for one in compared)
    ]
    return table_of(
        "agreements", "Predictions and measurements", "", rows,
        (
            ("study", lambda row: row[0]),
            ("quantity", lambda row: words(row[1])),
            ("agree", lambda row: len(_with(row[2], *FOR))),
            ("disagree", lambda row: len(_with(row[2], DISAGREES))),
            ("too blunt", lambda row: len(_with(row[2], BLUNT))),
            ("that disagree", lambda row: ", ".join(_with(row[2], DISAGREES)) or "none"),
        ),
    )  # fmt: skip


def _with(compared: Sequence[Measured], *verdicts: str) -> list[str]:
    """Return the labels of the numbers with one of the verdicts."""
    return [one.label for one in compared if one.verdict in verdicts]


def table(compared: Sequence[Measured], how_compared: str) -> Table:
    """Return the table of all comparisons; ``n`` is the number of repetitions behind the error, if it is not known."""
    return table_of(
        "comparisons", "Predicted and measured", how_compared, compared,
        (
            ("configuration", lambda one: one.label),
            ("quantity", lambda one: words(one.quantity)),
            ("verdict", lambda one: one.verdict),
            ("predicted", lambda one: one.predicted if one.relation == "=" else one.prediction),
            ("measured", lambda one: one),
            ("off by, %", _percent),
            ("z", lambda one: one.z if one.is_compared else None),
            ("limit", lambda one: one.limit if one.is_compared else None),
            ("n", lambda one: one.n),
            ("at most", lambda one: one.largest if one.relation == "=" else None),
            ("resolution", lambda one: one.smallest_relevant if one.relation == "=" else None),
        ),
    )  # fmt: skip


def _percent(one: Measured) -> float | None:
    return 100 * one.deviation / abs(one.predicted) if one.predicted and one.relation == "=" else None
