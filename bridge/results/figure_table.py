"""Every figure and table of the papers with our results: its plan, its command, our numbers, a verdict.

Numbers and verdicts come from recorded results alone (:mod:`bridge.results.record`), at the largest scale that is
current, and from a run on fresh seeds where one is recorded at that scale or a larger one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from scipy import stats

from bridge.results import plan, settings
from bridge.results import record as records
from bridge.results.analyses import FIGURES
from bridge.results.judging import (
    NO_FAULT,
    NO_VERDICT,
    UNSAID,
    by_scale,
    deciding,
    figures_of,
    fresh_for,
    judged,
    result_for,
    selected,
)
from bridge.results.quantity import in_units, version, words
from bridge.results.record import Record, command
from bridge.results.runs import runs_of, together
from bridge.results.sentences import kind_of_test
from bridge.statistics.power import what_would_decide
from closedform.measured import Measured
from closedform.verdicts import DISAGREES, FOR, SMALLER
from empirics.runs.study import SCALES, Scale

if TYPE_CHECKING:
    from bridge.results.printed_figure import PrintedFigure

NO_COMMAND, NOT_RUN, STALE = "no command", "not run", "stale"
SUPERSEDED = "superseded"
RARE = 0.05  # false discovery rate that is counted


def title_of(study: str) -> str:
    """Return the labels of the figures that a study reproduces as text, such as ``"Figures 6, 16"``; empty for none."""
    places = list(dict.fromkeys(figure.where for figure in figures_of(study)))
    numbers = [where.removeprefix("Figure ") for where in places if where.startswith("Figure ")]
    others = [where for where in places if not where.startswith("Figure ")]
    figures = [f"Figure{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"] if numbers else []
    return ", ".join([*figures, *others])


def rows(paper: str | None = None) -> list[dict[str, Any]]:
    """Return one row for each figure and table of a paper, or of all.

    Each has ``paper``, ``figure``, ``where``, ``shows``, ``sentence`` (also as ``stated``), ``counter``, ``plan`` (its
    hash), ``revised`` (why the plan was changed), ``noted`` (the hash of the row alone, where a plan was noted under
    it), ``command`` (None without a study), ``scale`` of the numbers, ``scales`` with current results, ``kind`` of the
    run, ``picture`` below ``docs/results/``, ``pictured`` (of what it is if not of all, see :func:`picture_of`),
    ``verdict``, the kind of ``test``, ``before`` (of an earlier plan or the first seeds), ``replicated`` (what became
    of that on fresh seeds), ``runs`` (every one, see :func:`bridge.results.runs.runs_of`), ``trend`` (by scale, of a
    size effect), ``reason``, the ``settings`` on which the verdict can hang, ``lacking`` quantities, ``changed``,
    ``networks`` (hashes of the configurations of the run), ``seconds``, and ``measured``: for each number the
    fields of ``Measured``, how many repetitions it has (``counted``), its ``verdict``, ``why``, ``meaning``,
    ``shown`` and ``expected`` in the paper's unit, and what it ``needs``. ``deciding`` is the number with the
    verdict of the row, or None; ``ours`` and ``error`` are values and errors alone. A deciding number that is held
    to an equality has ``q``, the false discovery rate of Benjamini and Hochberg (1995) among the equalities of its
    paper.
    """
    listed: list[dict[str, Any]] = []
    for key in [paper] if paper else FIGURES:
        of_paper = [row(key, figure) for figure in FIGURES[key]]
        _add_discovery_rates(of_paper)
        listed += of_paper
    return listed


def equalities(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the deciding numbers of rows that are held to an equality and have an error, so that they could fail.

    A row whose number the sentence does not state has no verdict, and cannot.
    """
    numbers = (row["deciding"] for row in rows if row["verdict"] not in NO_VERDICT)
    return [
        number
        for number in numbers
        if number and number["relation"] == "=" and math.isfinite(number["z"])
    ]


class Tested(NamedTuple):
    """How many comparisons with a number there are, and how many of them are independent."""

    comparisons: int  # that could fail on either side
    runs: int  # from which they come; runs that have a configuration in common have the same networks, and are one
    rare: int  # that deviate at the false discovery rate ``RARE``


def tested(rows: Iterable[Mapping[str, Any]]) -> Tested:
    """Count the comparisons with a number in rows of :func:`rows`, and the runs from which they come."""
    listed = list(rows)
    numbers = equalities(listed)
    runs: list[set[str]] = []  # of configurations
    for row in (row for row in listed if row["deciding"] in numbers):
        networks = set(row["networks"])
        runs = [run for run in runs if not run & networks] + [
            networks.union(*(run for run in runs if run & networks))
        ]
    return Tested(len(numbers), len(runs), sum(number["q"] < RARE for number in numbers))


def hours(rows: Iterable[Mapping[str, Any]]) -> float:
    """Return the hours of processor time, or of a GPU, of the runs that decide rows, each run counted once."""
    runs = {tuple(row["networks"]): row["seconds"] for row in rows if row["networks"]}
    return float(sum(runs.values())) / 3600


def _add_discovery_rates(of_paper: Iterable[Mapping[str, Any]]) -> None:
    """Give each equality of a paper its ``q``: the share of false alarms among those that deviate as much or more."""
    tested = equalities(of_paper)
    if not tested:
        return
    degrees = np.array([math.inf if number["n"] is None else number["n"] - 1 for number in tested])
    sizes = np.abs([number["z"] for number in tested])
    chances = 2 * stats.t.sf(sizes, degrees) * [number["among"] for number in tested]
    for number, q in zip(tested, stats.false_discovery_control(chances.clip(max=1)), strict=True):
        number["q"] = float(q)


class Standing(NamedTuple):
    """How a figure stands."""

    record: Record | None  # the one that counts
    verdict: str  # on the figure, or why there is none
    kind: str = ""  # "confirmatory" or "exploratory", of the run; empty without a plan
    before: str = ""  # the verdict of the first seeds, or of an earlier plan
    # what became on fresh seeds of the verdict that today's plan has on the first ones
    replicated: str = ""
    noted: str = ""  # the hash of the row alone, under which its plan was noted before the run


def standing(figure: PrintedFigure) -> Standing:
    """Return the verdict on a figure: by a run on fresh seeds where there is one, else by the study's own seeds."""
    if not figure.study:
        return Standing(None, NO_COMMAND)
    record = result_for((figure,))
    if not record:
        return Standing(None, STALE if records.load(figure.study) else NOT_RUN)
    planned = record.plans.get(figure.label)
    is_superseded = planned is not None and planned.plan != plan.digest(figure)
    first = judged(figure, record)
    before = f"{planned.verdict} (by another plan)" if planned and is_superseded else ""
    is_undecided = is_superseded and first != UNSAID
    any_scale = is_undecided or not selected(record, figure)
    fresh = None if record.is_fresh else fresh_for((figure,), record, any_scale=any_scale)
    if fresh:
        fresh = _with_earlier(figure, fresh)
        confirming, now = fresh.plans.get(figure.label), judged(figure, fresh)
        earlier = before or ("" if first in NO_VERDICT else first)
        kind, noted = (confirming.kind, confirming.noted) if confirming else ("", "")
        return Standing(fresh, now, kind, earlier, replicated(first, now), noted)
    verdict = SUPERSEDED if is_undecided else first
    kind, noted = (planned.kind, planned.noted) if planned else ("", "")
    return Standing(record, verdict, kind, before, noted=noted)


def _with_earlier(figure: PrintedFigure, fresh: Record) -> Record:
    """Return a run on fresh seeds with the numbers of earlier ones, if the plan was noted before these, too."""
    own = records.current(fresh.study).get(cast(Scale, fresh.scale))
    planned = own and own.plans.get(figure.label)
    if own is None or own.is_fresh or not planned or planned.kind != plan.PLANNED:
        return fresh
    return together(figure, own, fresh) or fresh


def _reasons(figure: PrintedFigure, now: Standing) -> str:
    """Return why a figure has no verdict for it, or none at all."""
    if now.record is None or now.verdict in FOR:
        return figure.reason if not figure.study else ""
    is_smaller = now.record.scale != SCALES[-1]
    revised = figure.revised if now.verdict == SUPERSEDED else ""
    reason = figure.reason if is_smaller else ""
    return "; ".join(filter(None, (figure.unsaid, reason, figure.cause, revised)))


def row(paper: str, figure: PrintedFigure) -> dict[str, Any]:
    """Return the row of one figure, see :func:`rows`."""
    now = standing(figure)
    numbers = selected(now.record, figure) if now.record else []
    decisive = deciding(figure, numbers)
    # and not the way that numbers go, on which a single one says nothing
    judges = figure.holds in ("all", "most") and not figure.unsaid
    open_settings = settings.hanging(figure, now.record.changed) if now.record else ()
    return {
        "paper": paper,
        "figure": figure.label,
        "where": figure.where,
        "shows": figure.shows,
        "sentence": figure.sentence,
        "stated": figure.sentence,
        "counter": figure.counter,
        "revised": figure.revised,
        "scales": list(records.current(figure.study)) if figure.study else [],
        "plan": plan.digest(figure) if figure.quantity else "",
        "kind": (now.kind or plan.EXPLORATORY) if numbers else "",
        "noted": now.noted,
        "verdict": now.verdict,
        "before": now.before,
        "replicated": now.replicated,
        "trend": _trend(figure, now.record) if now.record and now.verdict == SMALLER else "",
        "measured": [_shown(number, now.verdict if judges else "") for number in numbers],
        "ours": _plain([number.value for number in numbers]),
        "error": _plain([number.total_error for number in numbers]),
        "deciding": decisive and _shown(decisive, now.verdict),
        "runs": runs_of(figure),
        "reason": _reasons(figure, now),
        "test": kind_of_test(figure, decisive),
        "settings": [str(setting) for setting in open_settings],
        **_of_run(figure, now.record),
    }


def _of_run(figure: PrintedFigure, record: Record | None) -> dict[str, Any]:
    """Return what a row says of the run: command, scale, picture, what it lacks, changed options, seconds."""
    if record is None:
        made = command(figure.study, "laptop") if figure.study else None
        return {
            "command": made,
            "scale": None,
            "picture": None,
            "pictured": "",
            "lacking": [],
            "changed": {},
            "networks": [],
            "seconds": None,
        }
    picture, pictured = picture_of(figure, record)
    return {
        "command": command(figure.study, record.scale, record.changed),
        "scale": record.scale,
        "picture": picture,
        "pictured": pictured,
        "lacking": lacking(record, (figure,)),
        "changed": dict(record.changed),
        "networks": sorted(record.configurations.values()),
        "seconds": record.seconds,
    }


def lacking(record: Record, figures: Iterable[PrintedFigure]) -> list[str]:
    """Return the quantities of figures that a record lacks or has of another version of the statistic, in words."""
    named = dict.fromkeys(chain.from_iterable(figure.quantities for figure in figures))
    known = {
        number.quantity: record.statistics.get(number.quantity, 1) for number in record.measured
    }
    return [words(name) for name in named if known.get(name) != version(name)]


def replicated(first: str, second: str) -> str:
    """Return what became of a verdict on fresh seeds: kept, lost, reversed, or decided; empty if there was none."""
    if first in NO_VERDICT:
        return ""
    before, after = _side(first), _side(second)
    if before == after:
        return "kept"
    return "decided" if not before else "lost" if not after else "reversed"


def _side(verdict: str) -> int:
    """Return 1 for a verdict that speaks for a prediction, -1 for one against it, and 0 for an open one."""
    return -1 if verdict == DISAGREES else int(verdict in FOR)


def picture_of(figure: PrintedFigure, record: Record) -> tuple[str | None, str]:
    """Return the picture of a figure below ``docs/results/``: that with its number, or else the first of its study.

    It is of the run that decides, or of the largest one where that has none.

    Returns:
        The path, None without a picture, and of what it is if not of all that decides, such as "5 of 50 seeds" or
        "another run: laptop, seeds from 0".
    """
    drawn = records.drawn(record.study)
    if not drawn:
        return None, ""
    shown = next((run for run in drawn if run.name == record.name), drawn[-1])
    stem = figure.where.removeprefix("Figure ").lower()
    number = "".join(c for c in stem if not c.isalpha()).replace(".", "-").strip("-").zfill(2)
    names = {
        f"figure-{stem.replace('.', '')}",
        f"figure-{stem.replace('.', '-')}",
        f"figure-{number}",
    }

    def is_of_the_figure(picture: str) -> bool:
        return picture in names or picture.startswith(tuple(f"{name}-" for name in names))

    name = next(iter([*filter(is_of_the_figure, shown.pictures), *shown.pictures]))
    of_another = f"another run: {shown.scale}, seeds from {shown.changed.get('first_seed', 0)}"
    return f"{shown.name}/{name}.webp", shown.share if shown.name == record.name else of_another


def _trend(figure: PrintedFigure, record: Record) -> str:
    """Return the decisive number by scale as text, such as ``"smoke 0.3 ± 0.1, laptop 0.53 ± 0.01; 0.63"``."""
    numbers = by_scale(figure, record)
    course = ", ".join(f"{scale} {in_units(number)}" for scale, number in numbers.items())
    return (
        f"{course}; the paper has {next(iter(numbers.values())).prediction}"
        if len(numbers) > 1
        else ""
    )


def _shown(number: Measured, verdict: str) -> dict[str, Any]:
    """Return a number for a row with this verdict; without one, as where numbers go a way, it has none itself."""
    fields = (
        "quantity",
        "label",
        "predicted",
        "relation",
        "value",
        "total_error",
        "n",
        "counted",
        "among",
        "z",
        "verdict",
        "why",
    )
    shown = {name: getattr(number, name) for name in fields}
    shown["error"] = shown.pop("total_error")
    if not verdict:
        shown["verdict"] = shown["why"] = ""
    elif verdict in NO_FAULT and number.verdict == DISAGREES:
        shown["verdict"] = verdict
    shown["resolution"] = None if number.predicted is None else number.smallest_relevant
    expected = in_units(number, predicted=True)
    return shown | {"meaning": words(number.quantity), "shown": in_units(number), "expected": expected,
                    "needs": what_would_decide(number) if verdict else ""}  # fmt: skip


def _plain(values: list[float]) -> float | list[float] | None:
    return values[0] if len(values) == 1 else values or None
