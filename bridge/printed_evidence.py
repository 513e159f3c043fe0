"""What the recorded results of figures say of the ledger: the numbers of a figure decide the entry that it names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from bridge.analysis import Compared
from bridge.bearing import of_all
from bridge.printed import comparison_with, relation_of, result_for, selected, studies_of
from empirics.experiments.study import SCALES

if TYPE_CHECKING:
    from bridge.recorded import Recorded
    from empirics.experiments.printed_figure import PrintedFigure
    from theory.core.measurement import Measurement


def of_figures() -> dict[tuple[str, str], Measurement]:
    """Return the measurements by paper and label of all entries that figures with current results decide.

    Of the results from the laptop scale on, that of the largest scale counts which has all configurations of its study
    and numbers for all figures of the entry. An entry with a number that has no error is left out.

    Raises:
        ValueError: if the figures of one entry have different studies or relations.
    """
    from empirics.experiments import FIGURES

    figures: dict[tuple[str, str], list[PrintedFigure]] = {}
    for paper, found in FIGURES.each(FIGURES.__getitem__):
        for figure in found:
            if figure.entry:
                figures.setdefault((paper, figure.entry), []).append(figure)
    decided = {key: _measurement(*key, rows) for key, rows in figures.items()}
    return {key: measurement for key, measurement in decided.items() if measurement}


def _measurement(paper: str, label: str, figures: list[PrintedFigure]) -> Measurement | None:
    """Return the measurement that decides one entry; None without a result that does."""
    result = result_for(paper, figures[0], beside=figures[1:], complete=True)
    if result is None or result.scale == SCALES[0]:
        return None
    rows = [row for figure in figures for row in _compared(result, figure)]
    relations = {relation for relation, _ in rows}
    if len({studies_of(figure, paper) for figure in figures}) > 1 or len(relations) > 1:
        raise ValueError(f"{paper}, entry {label!r}: got figures with different studies or relations")
    compared = [row for _, row in rows if row is not None]
    if len(compared) < len(rows) or not all(selected(result, figure) for figure in figures):
        return None
    measurement = of_all(paper, label, compared, relations.pop()).measurement(result.study, result.scale)
    hashes = tuple(sorted(result.configurations.values()))
    return replace(measurement, changed=result.changed, configurations=hashes, versions=result.versions)


def _compared(result: Recorded, figure: PrintedFigure) -> Iterator[tuple[str, Compared | None]]:
    """Yield relation and comparison of every number of a figure; None for the comparison of one without an error."""
    for number in selected(result, figure):
        comparison = comparison_with(number, figure)
        row = Compared(number.label, number.quantity, comparison) if comparison else None
        yield relation_of(number, figure), row
