"""Every run of a row: its seeds and its verdict, and what runs of one plan say together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from bridge.results import plan
from bridge.results import record as records
from bridge.results.judging import deciding, has_numbers_of, judged, selected
from bridge.results.quantity import in_units
from empirics.runs.study import SCALES

if TYPE_CHECKING:
    from bridge.results.printed_figure import PrintedFigure
    from bridge.results.record import Record

REPEATED = ("first_seed", "seeds", "realisations", "device")  # options that make no other networks
TOGETHER = "together"


def runs_of(figure: PrintedFigure) -> list[dict[str, Any]]:
    """Return all recorded runs of a row, from the smallest scale on.

    Returns:
        For each run ``scale``, ``first_seed`` (:data:`TOGETHER` for both runs of an unchanged plan as one), ``n`` of
        the number that decides, ``shown`` (that number with its error), ``verdict`` by today's plan, ``plan`` (the hash
        when it was recorded), ``kind``, and ``is_current``, whether the study has these configurations today. A run
        whose record a later one has replaced has the verdict of its day, and the configurations of its successor.
    """
    listed: list[dict[str, Any]] = []
    for scale in SCALES if figure.study else ():
        of_scale = [
            record
            for is_fresh in (False, True)
            if (record := records.load(figure.study, fresh=is_fresh).get(scale)) is not None
            and has_numbers_of(record, figure)
        ]
        for record in of_scale:
            listed += _replaced(figure, record)
            listed.append(_run(figure, record, record.changed.get("first_seed", 0)))
        both = together(figure, *of_scale) if len(of_scale) == 2 else None
        if both is not None:
            listed.append(_run(figure, both, TOGETHER))
    return listed


def _replaced(figure: PrintedFigure, record: Record) -> list[dict[str, Any]]:
    """Return the runs of a row whose records this one has replaced."""
    planned = record.plans.get(figure.label)
    if planned is None:
        return []
    today = (plan.digest(figure), planned.noted)
    return [
        {
            "scale": record.scale,
            **asdict(run),
            "verdict": run.verdict if run.plan in today else f"{run.verdict} (by another plan)",
            "is_current": True,
        }
        for run in planned.earlier
    ]


def _run(figure: PrintedFigure, record: Record, first_seed: int | str) -> dict[str, Any]:
    planned = record.plans.get(figure.label)
    number = deciding(figure, selected(record, figure))
    return {
        "scale": record.scale,
        "first_seed": first_seed,
        "n": number and number.counted,
        "shown": in_units(number) if number else "",
        "verdict": judged(figure, record),
        "plan": planned.plan if planned else "",
        "kind": planned.kind if planned else "",
        "is_current": record.is_current,
    }


def together(figure: PrintedFigure, own: Record, fresh: Record) -> Record | None:
    """Return the run on fresh seeds with the numbers of both runs; None unless both have today's plan and networks.

    Numbers of the figure are joined. One that only one run has, or that has another prediction in each, stays that of
    the fresh seeds.
    """
    if own.scale != fresh.scale or figure.revised or not (own.is_current and fresh.is_current):
        return None
    digest = plan.digest(figure)
    plans = [record.plans.get(figure.label) for record in (own, fresh)]
    if any(planned is None or planned.plan != digest for planned in plans):
        return None
    if networks(own.changed) != networks(fresh.changed):
        return None
    earlier = {
        (number.quantity, number.label): number
        for number in own.measured
        if figure.selects(number)
    }
    numbers = []
    for number in fresh.measured:
        other = earlier.get((number.quantity, number.label))
        numbers.append((other and number.joined(other)) or number)
    return replace(fresh, measured=tuple(numbers))


def networks(changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a run that make other networks: all but those of seeds and device."""
    return {name: value for name, value in changed.items() if name not in REPEATED}


def in_words(runs: list[dict[str, Any]]) -> str:
    """Return runs as text, such as ``"laptop, seeds from 0: 0.5 ± 0.1, agrees; ..."``."""
    texts = []
    for run in runs:
        seeds = "together" if run["first_seed"] == TOGETHER else f"seeds from {run['first_seed']}"
        number = f"{run['shown']}, " if run["shown"] else ""
        stale = "" if run["is_current"] else " (other configurations)"
        texts.append(f"{run['scale']}, {seeds}: {number}{run['verdict']}{stale}")
    return "; ".join(texts)
