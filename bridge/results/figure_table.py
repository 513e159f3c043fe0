"""Every figure and table of the papers with our results: its command, what it states, our numbers, a verdict.

Numbers and verdicts come from recorded results alone (:mod:`bridge.results.record`), at the largest scale that is
current.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bridge.results import record as records
from bridge.results.analyses import FIGURES
from bridge.results.changed_options import command
from bridge.results.quantity import words
from bridge.results.record import Record
from bridge.statistics.needed_repetitions import what_would_decide
from closedform.measured import Measured
from closedform.verdicts import BLUNT, DISAGREES
from empirics.runs.study import SCALES

if TYPE_CHECKING:
    from bridge.results.printed_figure import PrintedFigure

NO_COMMAND, NOT_RUN, STALE, DRAWN = "no command", "not run", "stale", "drawn, no number to compare"
UNKNOWN = "no verdict (nothing to compare it with, or no error)"


def figures_of(study: str) -> tuple[PrintedFigure, ...]:
    """Return the figures that a study reproduces, in the order of the papers."""
    return tuple(figure for paper in FIGURES for figure in FIGURES[paper] if figure.study == study)


def title_of(study: str) -> str:
    """Return the labels of the figures that a study reproduces as text, such as ``"Figures 6, 16"``; empty for none."""
    labels = list(dict.fromkeys(figure.label.partition(" (")[0] for figure in figures_of(study)))
    numbers = [label for label in labels if label[0].isdigit() or label[1:2] == "."]
    others = [label for label in labels if label not in numbers]
    figures = [f"Figure{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"] if numbers else []
    return ", ".join([*figures, *others])


def rows(paper: str | None = None) -> list[dict[str, Any]]:
    """Return one row for each figure and table.

    Args:
        paper: key of a paper; None for all.

    Returns:
        Mappings with ``paper``, ``figure``, ``shows``, ``command`` (that made these numbers, with the options that were
        changed; None without a study), ``scale`` (of the numbers, or None), ``scales`` (those with current results),
        ``stated``, ``measured`` (one mapping for each number: the fields of
        :class:`closedform.measured.Measured` with ``meaning`` of the quantity, ``verdict``, ``why`` and ``needs``, what
        would decide it), ``ours`` and ``error`` (their values and errors: a number, a list, or None), ``verdict``,
        ``reason``, ``changed`` and ``seconds``.
    """
    return [row(key, figure) for key in ([paper] if paper else FIGURES) for figure in FIGURES[key]]


def row(paper: str, figure: PrintedFigure) -> dict[str, Any]:
    """Return the row of one figure, see :func:`rows`."""
    record = result_for((figure,))
    numbers = selected(record, figure) if record else []
    verdict = _verdict(figure, record, numbers)
    is_open = any(word in verdict for word in (DISAGREES, BLUNT))
    scale = record.scale if record else "laptop"
    is_smaller = scale != SCALES[-1] and is_open
    reasons = (figure.reason if not figure.study or is_smaller else "", figure.cause if is_open else "")
    return {
        "paper": paper,
        "figure": figure.label,
        "shows": figure.shows,
        "command": command(figure.study, scale, record.changed if record else None) if figure.study else None,
        "scale": record.scale if record else None,
        "scales": list(records.current(figure.study)) if figure.study else [],
        "stated": figure.stated,
        "measured": [_shown(number) for number in numbers],
        "ours": _plain([number.value for number in numbers]),
        "error": _plain([number.total_error for number in numbers]),
        "verdict": verdict,
        "reason": "; ".join(filter(None, reasons)),
        "changed": dict(record.changed) if record else {},
        "seconds": record.seconds if record else None,
    }


def _shown(number: Measured) -> dict[str, Any]:
    fields = ("quantity", "label", "predicted", "relation", "value", "total_error", "n", "verdict", "why")
    shown = {name: getattr(number, name) for name in fields}
    shown["error"] = shown.pop("total_error")
    resolution = None if number.predicted is None else number.smallest_relevant
    needs = what_would_decide(number)
    return shown | {"resolution": resolution, "meaning": words(number.quantity), "needs": needs}


def result_for(figures: Sequence[PrintedFigure], *, complete: bool = False) -> Record | None:
    """Return the current results with the numbers for figures of one study, or else any for it; of the largest scale.

    Args:
        figures: figures that one study reproduces.
        complete: whether to leave out results without all configurations of their study. Default: False.
    """
    results = list(reversed(records.current(figures[0].study).values()))
    results = [result for result in results if not (complete and result.missing)]
    whole = (result for result in results if all(selected(result, figure) for figure in figures))
    return next(whole, next(iter(results), None))


def selected(record: Record, figure: PrintedFigure) -> list[Measured]:
    """Return the recorded numbers that are compared with a figure, each with what the figure or the theory predicts.

    A number that the paper states is not compared with the smallest scale, whose networks and data are other ones.
    """
    if figure.value is not None and record.scale == SCALES[0]:
        return []
    return _judged(figure, record.measured)


def without_verdict(study: str, numbers: Sequence[Measured]) -> str:
    """Return the labels of the figures for which the numbers of a study, of which some have no error, give no verdict.

    Figures of which the paper states a number are left out, since not every scale is compared with them.
    """
    compared = [figure for figure in figures_of(study) if figure.quantity and figure.value is None]
    return ", ".join(f.label for f in compared if not any(number.verdict for number in _judged(f, numbers)))


def _judged(figure: PrintedFigure, numbers: Sequence[Measured]) -> list[Measured]:
    return [figure.judged(number) for number in numbers if figure.selects(number)]


def _verdict(figure: PrintedFigure, record: Record | None, numbers: Sequence[Measured]) -> str:
    if not figure.study:
        return NO_COMMAND
    if record is None:
        return STALE if records.load(figure.study) else NOT_RUN
    if not numbers:
        return DRAWN
    verdicts = Counter(number.verdict or UNKNOWN for number in numbers)
    if len(verdicts) == 1:
        return next(iter(verdicts))
    return "; ".join(f"{verdict}: {count} of {len(numbers)}" for verdict, count in verdicts.items())


def _plain(values: list[float]) -> float | list[float] | None:
    return values[0] if len(values) == 1 else values or None
