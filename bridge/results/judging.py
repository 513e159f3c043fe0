"""The verdict on a figure of a paper: which recorded numbers count, and what its plan says of them together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from bridge.results import record as records
from bridge.results import settings
from bridge.results.analyses import FIGURES
from bridge.results.record import Record
from closedform.decisive import decides, decisive
from closedform.measured import Measured
from closedform.verdicts import BEYOND, DISAGREES, RESERVED, SET_UP, SMALLER
from empirics.runs.study import SCALES

if TYPE_CHECKING:
    from bridge.results.printed_figure import PrintedFigure

DRAWN = "drawn, no number to compare"
UNKNOWN = "no verdict (nothing to compare it with, or no error)"
PARTIAL = "no verdict (some of its networks were not run)"
UNSAID = "no verdict (the sentence does not say it)"
NO_VERDICT = (DRAWN, UNKNOWN, PARTIAL, UNSAID)
NO_FAULT = (SMALLER, SET_UP, RESERVED, BEYOND)
"""The verdicts on numbers that disagree, which are not on what the paper says."""


def figures_of(study: str) -> tuple[PrintedFigure, ...]:
    """Return the figures that a study reproduces, in the order of the papers."""
    figures = chain.from_iterable(FIGURES[paper] for paper in FIGURES)
    return tuple(figure for figure in figures if figure.study == study)


def result_for(figures: Sequence[PrintedFigure], *, complete: bool = False) -> Record | None:
    """Return current results for figures of a study, else any; of the largest scale, if ``complete`` with all runs."""
    results = list(reversed(records.first(figures[0].study).values()))
    results = [result for result in results if not (complete and result.missing)]
    with_numbers = (result for result in results if has_numbers_of_all(result, figures))
    finished = (result for result in results if not result.missing)
    return next(with_numbers, next(finished, next(iter(results), None)))


def has_numbers_of(record: Record, figure: PrintedFigure) -> bool:
    """Return whether a record has numbers for a figure; if runs are missing, all of those that the figure names."""
    return _has_all(record, figure, selected(record, figure))


def _has_all(record: Record, figure: PrintedFigure, numbers: Sequence[Measured]) -> bool:
    return bool(numbers) and (not record.missing or figure.is_covered_by(numbers))


def has_numbers_of_all(record: Record, figures: Iterable[PrintedFigure]) -> bool:
    """Return whether a record has numbers for every figure."""
    return all(has_numbers_of(record, figure) for figure in figures)


def fresh_for(
    figures: Sequence[PrintedFigure], record: Record, *, any_scale: bool = False
) -> Record | None:
    """Return current results on fresh seeds for figures, of the largest scale, from a record's on or ``any_scale``."""
    scales = SCALES if any_scale else SCALES[SCALES.index(record.scale) :]
    results = [
        result
        for result in records.current(record.study, fresh=True).values()
        if result.scale in scales
    ]
    return next(
        (result for result in reversed(results) if has_numbers_of_all(result, figures)), None
    )


def selected(record: Record, figure: PrintedFigure) -> list[Measured]:
    """Return the numbers compared with a figure, with predictions; a paper's own not at the smallest scale."""
    if figure.value is not None and record.scale == SCALES[0]:
        return []
    return _judged(figure, record.measured)


def judged(figure: PrintedFigure, record: Record) -> str:
    """Return the verdict of a figure's plan on the numbers of a record, or why there is none."""
    numbers = selected(record, figure)
    if not numbers:
        return DRAWN
    if not _has_all(record, figure, numbers):
        return PARTIAL
    if figure.unsaid:
        return UNSAID
    number = deciding(figure, numbers)
    if number is None:
        return UNKNOWN
    verdict = number.verdict
    is_smaller = verdict == DISAGREES and figure.reason and record.scale != SCALES[-1]
    if is_smaller and not _leads_away(figure, record):
        return SMALLER
    verdict = settings.attributed(verdict, figure, record.changed)
    if verdict == DISAGREES and figure.reserves(number):
        return RESERVED
    return BEYOND if verdict == DISAGREES and figure.has_own_bound(number) else verdict


def deciding(figure: PrintedFigure, numbers: Sequence[Measured]) -> Measured | None:
    """Return the number that has the verdict on a figure; None if its numbers do not decide it."""
    return decisive(numbers, figure.holds) if decides(numbers, figure.holds) else None


def without_verdict(study: str, numbers: Sequence[Measured]) -> str:
    """Return the figures, without a number of the paper, to which a study's numbers give no verdict."""
    compared = [figure for figure in figures_of(study) if figure.quantity and figure.value is None]

    def has_verdict(figure: PrintedFigure) -> bool:
        return any(number.verdict for number in _judged(figure, numbers))

    return ", ".join(figure.label for figure in compared if not has_verdict(figure))


def by_scale(figure: PrintedFigure, record: Record) -> dict[str, Measured]:
    """Return the decisive number of a figure at every scale up to that of a record that has it, in their order."""
    numbers = selected(record, figure)
    decisive_number = decisive(numbers, figure.holds)
    others = {
        scale: _judged(figure, r.measured) for scale, r in records.current(figure.study).items()
    }
    same: dict[str, Measured] = {}
    for scale, of_scale in (others | {record.scale: numbers}).items():
        for number in of_scale if SCALES.index(scale) <= SCALES.index(record.scale) else ():
            if (number.quantity, number.label) == (
                decisive_number.quantity,
                decisive_number.label,
            ):
                same.setdefault(scale, number)
    return same


def _leads_away(figure: PrintedFigure, record: Record) -> bool:
    """Return whether a deviation has grown with the size by more than chance, which no size effect does."""
    *smaller, largest = by_scale(figure, record).values()
    return any(
        abs(largest.deviation) - abs(number.deviation)
        > math.hypot(largest.allowed, number.allowed)
        for number in smaller
    )


def _judged(figure: PrintedFigure, numbers: Sequence[Measured]) -> list[Measured]:
    return [figure.judged(number) for number in numbers if figure.selects(number)]
