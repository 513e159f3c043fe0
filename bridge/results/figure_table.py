"""Every figure and table of the papers with our results: its plan, its command, our numbers, a verdict.

Numbers and verdicts come from recorded results alone (:mod:`bridge.results.record`), at the largest scale that is
current, and there from a run on fresh seeds where one is recorded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bridge.results import plan
from bridge.results import record as records
from bridge.results.analyses import FIGURES
from bridge.results.changed_options import command
from bridge.results.quantity import in_units, version, words
from bridge.results.record import Record
from bridge.statistics.needed_repetitions import what_would_decide
from closedform.decisive import decides, decisive
from closedform.measured import Measured
from closedform.verdicts import DISAGREES, FOR, SMALLER
from empirics.runs.study import SCALES

if TYPE_CHECKING:
    from bridge.results.printed_figure import PrintedFigure

NO_COMMAND, NOT_RUN, STALE, DRAWN = "no command", "not run", "stale", "drawn, no number to compare"
UNKNOWN = "no verdict (nothing to compare it with, or no error)"
SUPERSEDED = "superseded"


def figures_of(study: str) -> tuple[PrintedFigure, ...]:
    """Return the figures that a study reproduces, in the order of the papers."""
    return tuple(figure for paper in FIGURES for figure in FIGURES[paper] if figure.study == study)


def title_of(study: str) -> str:
    """Return the labels of the figures that a study reproduces as text, such as ``"Figures 6, 16"``; empty for none."""
    places = list(dict.fromkeys(figure.where for figure in figures_of(study)))
    numbers = [place.removeprefix("Figure ") for place in places if place.startswith("Figure ")]
    others = [place for place in places if not place.startswith("Figure ")]
    figures = [f"Figure{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"] if numbers else []
    return ", ".join([*figures, *others])


def rows(paper: str | None = None) -> list[dict[str, Any]]:
    """Return one row for each figure and table.

    Args:
        paper: key of a paper; None for all.

    Returns:
        Mappings with ``paper``, ``figure``, ``where``, ``shows``, ``sentence``, ``counter``, ``command`` (that made
        these numbers, with the options that were changed; None without a study), ``scale`` (of the numbers, or None),
        ``scales`` (those with current results), ``plan`` (its hash) and ``kind`` of the run, ``picture`` (its path
        below ``docs/results/``), ``verdict``, ``before`` (the verdict of an earlier plan or of the first seeds),
        ``replicated`` (what became of that on fresh seeds), ``trend`` (the decisive number by scale, for a size
        effect), ``reason``, ``lacking`` (quantities that were recorded by an earlier analysis, or not), ``changed``,
        ``seconds``, and ``measured``: one mapping for each number with the fields of
        :class:`closedform.measured.Measured`, its ``verdict`` and ``why``, the ``meaning`` of its quantity, ``shown``
        and ``expected`` (number and prediction in the paper's unit) and ``needs``, what decides
        it. ``deciding`` is the number whose verdict is that of the row, in the same form, or None.
    """
    return [row(key, figure) for key in ([paper] if paper else FIGURES) for figure in FIGURES[key]]


def row(paper: str, figure: PrintedFigure) -> dict[str, Any]:
    """Return the row of one figure, see :func:`rows`."""
    record = result_for((figure,))
    fresh = records.current(figure.study, fresh=True).get(record.scale) if record else None
    planned = record.plans.get(figure.label) if record else None
    first = judged(figure, record) if record else (STALE if records.load(figure.study) else NOT_RUN)
    if not figure.study:
        first = NO_COMMAND
    elif planned and planned.plan != plan.digest(figure):
        first = f"{SUPERSEDED}: {planned.verdict}"
    verdict, kind = first.partition(":")[0] if first.startswith(SUPERSEDED) else first, planned and planned.kind
    if fresh and selected(fresh, figure):
        confirming = fresh.plans.get(figure.label)
        record, verdict, kind = fresh, judged(figure, fresh), confirming and confirming.kind
    numbers = selected(record, figure) if record else []
    is_open = verdict not in FOR
    reasons = (
        figure.reason if not figure.study or (is_open and record and record.scale != SCALES[-1]) else "",
        figure.cause if is_open and figure.study else "",
        figure.revised if verdict == SUPERSEDED else "",
    )
    scale = record.scale if record else "laptop"
    return {
        "paper": paper,
        "figure": figure.label,
        "where": figure.where,
        "shows": figure.shows,
        "sentence": figure.sentence,
        "counter": figure.counter,
        "command": command(figure.study, scale, record.changed if record else None) if figure.study else None,
        "scale": record.scale if record else None,
        "scales": list(records.current(figure.study)) if figure.study else [],
        "plan": plan.digest(figure) if figure.quantity else "",
        "kind": (kind or plan.EXPLORATORY) if numbers else "",
        "picture": picture_of(figure, record) if record else None,
        "verdict": verdict,
        "before": first if verdict != first else "",
        "replicated": replicated(first, verdict) if fresh and record is fresh else "",
        "trend": _trend(figure, record) if verdict == SMALLER and record else "",
        "measured": [_shown(n, verdict if figure.holds in ("all", "most") else "") for n in numbers],
        "deciding": (one := deciding(figure, numbers)) and _shown(one, verdict),
        "reason": "; ".join(filter(None, reasons)),
        "lacking": lacking(record) if record else [],
        "changed": dict(record.changed) if record else {},
        "seconds": record.seconds if record else None,
    }


def judged(figure: PrintedFigure, record: Record) -> str:
    """Return the verdict of a figure's plan on the numbers of a record, or why there is none."""
    if not (numbers := selected(record, figure)):
        return DRAWN
    if (one := deciding(figure, numbers)) is None:
        return UNKNOWN
    verdict = one.verdict
    is_smaller = verdict == DISAGREES and figure.reason and record.scale != SCALES[-1]
    return SMALLER if is_smaller and not _leads_away(figure, record) else verdict


def deciding(figure: PrintedFigure, numbers: Sequence[Measured]) -> Measured | None:
    """Return the number that has the verdict on a figure; None if its numbers do not decide it."""
    return decisive(numbers, figure.holds) if decides(numbers, figure.holds) else None


def lacking(record: Record) -> list[str]:
    """Return the quantities of a study's rows that a record lacks or has of another version, in words."""
    named = dict.fromkeys(name for figure in figures_of(record.study) for name in figure.quantities)
    known = {one.quantity: record.statistics.get(one.quantity, 1) for one in record.measured}
    return [words(name) for name in named if known.get(name) != version(name)]


def replicated(first: str, second: str) -> str:
    """Return what became of a verdict on fresh seeds: kept, lost, reversed, or decided where it was open before."""
    sides = [1 if any(word in text for word in FOR) else -1 if DISAGREES in text or SMALLER in text else 0
             for text in (first, second)]  # fmt: skip
    if sides[0] == sides[1]:
        return "kept"
    return "decided" if not sides[0] else "lost" if not sides[1] else "reversed"


def picture_of(figure: PrintedFigure, record: Record) -> str | None:
    """Return the picture of a figure below ``docs/results/``: that with its number, or else the first of its study."""
    stem = figure.where.removeprefix("Figure ").lower()
    number = "".join(c for c in stem if not c.isalpha()).replace(".", "-").strip("-").zfill(2)
    names = {f"figure-{stem.replace('.', '')}", f"figure-{stem.replace('.', '-')}", f"figure-{number}"}
    known = [name for name in record.pictures if any(name == one or name.startswith(f"{one}-") for one in names)]
    name = next(iter([*known, *record.pictures]), None)
    return f"{record.study}-{record.scale}/{name}.webp" if name else None


def _by_scale(figure: PrintedFigure, record: Record) -> dict[str, Measured]:
    """Return the decisive number of a figure at every scale up to that of a record that has it, in their order."""
    numbers = selected(record, figure)
    one = decisive(numbers, figure.holds)
    others = {scale: _judged(figure, r.measured) for scale, r in records.current(figure.study).items()}
    same = {
        scale: next((n for n in found if (n.quantity, n.label) == (one.quantity, one.label)), None)
        for scale, found in (others | {record.scale: numbers}).items()
        if SCALES.index(scale) <= SCALES.index(record.scale)
    }
    return {scale: number for scale, number in same.items() if number is not None}


def _leads_away(figure: PrintedFigure, record: Record) -> bool:
    """Return whether a deviation has grown with the size by more than chance, which no size effect does."""
    *smaller, largest = _by_scale(figure, record).values()
    return any(
        abs(largest.deviation) - abs(one.deviation) > math.hypot(largest.allowed, one.allowed) for one in smaller
    )


def _trend(figure: PrintedFigure, record: Record) -> str:
    """Return the decisive number by scale as text, such as ``"smoke 0.3 ± 0.1, laptop 0.53 ± 0.01; 0.63"``."""
    by_scale = _by_scale(figure, record)
    course = ", ".join(f"{scale} {in_units(number)}" for scale, number in by_scale.items())
    return f"{course}; the paper has {next(iter(by_scale.values())).prediction}" if len(by_scale) > 1 else ""


def _shown(number: Measured, verdict: str) -> dict[str, Any]:
    """Return a number for a row with this verdict; without one, as where numbers go a way, it has none itself."""
    fields = ("quantity", "label", "predicted", "relation", "value", "total_error", "n", "verdict", "why")
    shown = {name: getattr(number, name) for name in fields}
    shown["error"] = shown.pop("total_error")
    if not verdict:
        shown["verdict"] = shown["why"] = ""
    elif verdict == SMALLER and number.verdict == DISAGREES:
        shown["verdict"] = SMALLER
    shown["resolution"] = None if number.predicted is None else number.smallest_relevant
    expected = in_units(number, predicted=True)
    return shown | {"meaning": words(number.quantity), "shown": in_units(number), "expected": expected,
                    "needs": what_would_decide(number)}  # fmt: skip


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
