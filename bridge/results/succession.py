"""What a record keeps of the one that it replaces: the other networks of the same run, and what earlier runs said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from bridge.results import plan
from bridge.results.judging import deciding, figures_of, judged, selected
from bridge.results.quantity import in_units
from bridge.results.record import Earlier, Planned, Record, configured
from bridge.results.runs import networks

if TYPE_CHECKING:
    from bridge.results.printed_figure import PrintedFigure


def of_one_run(part: Record, before: Record) -> Record:
    """Return a record of some configurations with what an earlier one has of the others, if both are of one run.

    They are where study, scale, options and seeds are the same, and the others have the configurations of today. A
    number that both have is that of ``part``. Pictures stay those of the earlier record, which show more. A run that
    was made again on the same seeds has the plans that were noted before its numbers were known. One on some of the
    seeds alone gives its pictures and nothing else. One that has some of them and others is exploratory, since its
    seeds were chosen with some of its numbers known.
    """
    if _is_whole_and_same(part, before):
        seeds, recorded = _seeds(part), _seeds(before)
        if seeds < recorded:
            share = f"{len(seeds)} of {len(recorded)} seeds"
            return replace(before, pictures=part.pictures, share=share)
        if seeds == recorded:
            return _with_noted_plans(part, before)
        if seeds & recorded:
            return replace(part, plans=_exploratory(part.plans))
    others = {
        label: before.configurations[label]
        for label in part.missing
        if label in before.configurations
    }
    is_same = part.changed == before.changed and before.is_current
    if not (others and is_same):
        return part
    measured = {(number.quantity, number.label): number for number in before.measured}
    measured |= {(number.quantity, number.label): number for number in part.measured}
    joint = replace(
        part,
        configurations={**others, **part.configurations},
        missing=tuple(label for label in part.missing if label not in others),
        device="; ".join(dict.fromkeys((*before.device.split("; "), *part.device.split("; ")))),
        seconds=before.seconds + part.seconds,
        measured=tuple(measured.values()),
        findings=tuple(dict.fromkeys((*before.findings, *part.findings))),
        doubts=tuple(dict.fromkeys((*before.doubts, *part.doubts))),
        pictures=before.pictures,
        share=before.share,
        statistics={**before.statistics, **part.statistics},
    )
    plans = {
        figure.label: _joint_plan(figure, part, before, judged(figure, joint))
        for figure in figures_of(part.study)
        if figure.label in part.plans
    }
    return replace(joint, plans=plans)


def _is_whole_and_same(part: Record, before: Record) -> bool:
    """Return whether both records have the same configurations, seeds and device apart, and those of today."""
    is_same = networks(part.changed) == networks(before.changed)
    is_whole = part.configurations.keys() == before.configurations.keys()
    return before.is_current and is_same and is_whole


def _seeds(run: Record) -> set[int]:
    configs = configured(run.study, run.scale, run.changed).values()
    return set().union(*(config.seed_numbers for config in configs))


def _with_noted_plans(again: Record, before: Record) -> Record:
    """Return a run whose numbers were known: its plans are those of before, and a row without one is exploratory."""
    noted = {label: before.plans[label] for label in again.plans if label in before.plans}
    return replace(again, plans=_exploratory(again.plans) | noted)


def _exploratory(plans: Mapping[str, Planned]) -> dict[str, Planned]:
    return {label: replace(now, kind=plan.EXPLORATORY) for label, now in plans.items()}


def _joint_plan(figure: PrintedFigure, part: Record, before: Record, verdict: str) -> Planned:
    """Return the plan of a row of two parts of a run: noted before both if both have numbers for it."""
    now, earlier = part.plans[figure.label], before.plans.get(figure.label)
    if earlier is None or not selected(before, figure):
        return replace(now, verdict=verdict)
    kinds = (earlier.kind, now.kind) if selected(part, figure) else (earlier.kind,)
    return replace(earlier, kind=max(kinds, key=plan.KINDS.index), verdict=verdict)


def with_earlier(result: Record, before: Record) -> Record:
    """Return a record whose rows list the runs on other seeds that the one before it was of, and those it lists."""
    plans = {
        figure.label: replace(result.plans[figure.label], earlier=_earlier(figure, result, before))
        for figure in figures_of(result.study)
        if figure.label in result.plans
    }
    return replace(result, plans=plans)


def _earlier(figure: PrintedFigure, result: Record, before: Record) -> tuple[Earlier, ...]:
    planned = before.plans.get(figure.label)
    if planned is None:
        return ()
    numbers = selected(before, figure)
    number = deciding(figure, numbers)
    is_same = networks(before.changed) == networks(result.changed)
    run = Earlier(
        int(before.changed.get("first_seed", 0)),
        number.counted if number else None,
        in_units(number) if number else "",
        planned.verdict if is_same else f"{planned.verdict} (of other networks)",
        planned.plan,
        planned.kind,
    )
    runs = (*planned.earlier, run) if numbers else planned.earlier
    first = int(result.changed.get("first_seed", 0))
    return tuple(run for run in dict.fromkeys(runs) if run.first_seed != first)
