"""A record keeps of the one that it replaces the other networks of the same run, and what earlier runs said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge.results import plan, record, runs, succession
from bridge.results.printed_figure import PrintedFigure
from bridge.results.record import Earlier, Planned, Record
from closedform.measured import Measured

STUDY = "compression-amplification"
CONFIGS = record.present(STUDY, "laptop", {"first_seed": 1000})
FIRST, SECOND = list(CONFIGS)[:2]
ROWS = tuple(
    PrintedFigure(label, "", STUDY, "It grows.", "c.exponent", names, value=0.5, resolution=0.05)
    for label, names in (("5", FIRST), ("6", SECOND), ("7", (FIRST, SECOND)))
)
KIND = plan.CONFIRMATORY


@pytest.fixture(autouse=True)
def rows(monkeypatch):
    """Three rows: of each of two configurations, and of both."""
    monkeypatch.setattr(succession, "figures_of", lambda study: ROWS)
    return ROWS


def run_of(*labels, value=0.49, first_seed=1000, kind=KIND, seconds=1.0):
    """Return the record of a run of some configurations, with verdicts of its day."""
    numbers = tuple(Measured("c.exponent", label, value, 0.01, 40) for label in labels)
    changed = {"first_seed": first_seed}
    hashes = record.present(STUDY, "laptop", changed)
    plans = {row.label: Planned(plan.digest(row), kind, "of its day") for row in ROWS}
    missing = tuple(label for label in hashes if label not in labels)
    return Record(
        STUDY, "laptop", changed, {label: hashes[label] for label in labels}, missing, {}, "cpu", seconds, numbers,
        (f"found {labels[0]}",), (), {}, plans=plans,
    )  # fmt: skip


def test_a_part_of_a_run_adds_to_its_other_part():
    before = replace(run_of(FIRST), pictures={"a-picture": ""}, share="2 of 3 seeds")
    joint = succession.of_one_run(run_of(SECOND, value=0.9, seconds=2.0), before)
    assert (joint.pictures, joint.share) == (before.pictures, before.share)
    assert {number.label: number.value for number in joint.measured} == {FIRST: 0.49, SECOND: 0.9}
    assert joint.configurations == {label: CONFIGS[label] for label in (FIRST, SECOND)}
    assert not {FIRST, SECOND} & set(joint.missing)
    assert (joint.seconds, joint.findings) == (3.0, (f"found {FIRST}", f"found {SECOND}"))
    assert [joint.plans[row.label].verdict for row in ROWS] == ["agrees", "disagrees", "disagrees"]


def test_a_part_that_was_run_again_replaces_its_own_numbers():
    joint = succession.of_one_run(run_of(SECOND, value=0.9), run_of(FIRST, SECOND))
    assert {number.label: number.value for number in joint.measured} == {FIRST: 0.49, SECOND: 0.9}


@pytest.mark.parametrize("changes", [{"first_seed": 2000}, {}])
def test_another_run_and_a_whole_one_add_nothing(changes):
    before = replace(run_of(FIRST), configurations={FIRST: "another hash"})
    part = run_of(SECOND, **changes)
    assert succession.of_one_run(part, run_of(FIRST) if changes else before) is part
    whole = run_of(*CONFIGS)
    assert succession.of_one_run(whole, run_of(FIRST)) is whole


def test_a_row_of_two_parts_is_confirmed_if_its_plan_was_noted_before_both():
    part, before = run_of(SECOND, kind=plan.EXPLORATORY), run_of(FIRST)
    kinds = [succession.of_one_run(part, before).plans[row.label].kind for row in ROWS]
    assert kinds == [KIND, plan.EXPLORATORY, plan.EXPLORATORY]
    old = {
        "5": Planned("older", KIND, ""),
        "6": Planned("older", KIND, ""),
        "7": Planned("older", KIND, ""),
    }
    plans = succession.of_one_run(run_of(SECOND), replace(before, plans=old)).plans
    assert [plans[row.label].plan for row in ROWS] == ["older", plan.digest(ROWS[1]), "older"]


@pytest.mark.parametrize(
    ("noted", "kinds"),
    [
        (KIND, [KIND, KIND, plan.EXPLORATORY]),
        (plan.EXPLORATORY, [plan.EXPLORATORY] * 3),
    ],
)
def test_a_run_that_was_made_again_has_the_plans_that_were_noted_before_its_numbers_were_known(
    noted, kinds
):
    """Row 6 had another plan then, by which it stays superseded, and row 7 none."""
    before = run_of(*CONFIGS, kind=noted)
    old = replace(before.plans["6"], plan="older")
    before = replace(before, plans={"5": before.plans["5"], "6": old})
    again = replace(run_of(*CONFIGS, value=0.48), pictures={"a-picture": "As Figure 5."})
    elsewhere = replace(again, changed=again.changed | {"device": "cuda"})
    assert succession.of_one_run(elsewhere, before).plans == (
        succession.of_one_run(again, before).plans
    )
    joint = succession.of_one_run(again, before)
    assert [joint.plans[row.label].kind for row in ROWS] == kinds
    assert joint.plans["6"] == old
    assert joint.pictures == again.pictures
    assert joint.measured == again.measured
    on_others = run_of(*CONFIGS, first_seed=2000)
    assert succession.of_one_run(on_others, before) is on_others


def test_a_run_on_some_of_the_seeds_gives_its_pictures_and_nothing_else():
    """On another device, as well; where it has other seeds or settings, or not all parts, it replaces the record."""
    before = replace(run_of(*CONFIGS), pictures={"an-older-one": ""})

    def again(**options):
        changed = {"first_seed": 1000, "seeds": 2, "device": "cuda"} | options
        pictures = {"a-picture": "As Figure 5."}
        return replace(run_of(*CONFIGS, value=0.48), changed=changed, pictures=pictures)

    part = again()
    drawn = replace(before, pictures=part.pictures, share="2 of 300 seeds")
    assert succession.of_one_run(part, before) == drawn
    others = [again(first_seed=999), again(seeds=300), again(width=7)]
    others.append(replace(part, configurations={FIRST: part.configurations[FIRST]}))
    others.append(replace(part, changed=before.changed))
    assert {succession.of_one_run(other, before).measured for other in others} == {part.measured}


def test_a_run_on_some_of_the_recorded_seeds_and_others_is_exploratory():
    """Some of its numbers were known when its seeds were chosen; on seeds that are all new, it confirms."""

    def kinds_of(**options):
        changed = {"first_seed": 1000, "seeds": 400} | options
        longer = replace(run_of(*CONFIGS), changed=changed)
        joint = succession.of_one_run(longer, run_of(*CONFIGS))
        assert joint.measured == longer.measured
        return {planned.kind for planned in joint.plans.values()}

    assert kinds_of() == kinds_of(first_seed=900, seeds=500) == {plan.EXPLORATORY}
    assert kinds_of(first_seed=1299) == {plan.EXPLORATORY}  # the last one is shared
    assert kinds_of(first_seed=2000) == kinds_of(width=7) == {KIND}


def test_a_row_lists_the_runs_on_other_seeds_that_a_record_replaced(monkeypatch):
    first, second, third = (run_of(FIRST, first_seed=seed) for seed in (1000, 2000, 3000))
    kept = succession.with_earlier(third, succession.with_earlier(second, first))
    listed = kept.plans["5"].earlier
    assert [run.first_seed for run in listed] == [1000, 2000]
    assert listed[0] == Earlier(1000, 40, "0.49 ± 0.01", "of its day", plan.digest(ROWS[0]), KIND)
    assert kept.plans["6"].earlier == ()  # they had no numbers for it
    again = succession.with_earlier(second, kept)
    assert [run.first_seed for run in again.plans["5"].earlier] == [1000, 3000]
    wider = replace(first, changed={"first_seed": 1000, "width": 9})
    (of_others,) = succession.with_earlier(second, wider).plans["5"].earlier
    assert of_others.verdict == "of its day (of other networks)"
    monkeypatch.setattr(
        record, "load", lambda study, *, fresh=False: {"laptop": kept} if fresh else {}
    )
    shown = runs.runs_of(ROWS[0])
    assert [(run["first_seed"], run["verdict"]) for run in shown] == [
        (1000, "of its day"),
        (2000, "of its day"),
        (3000, "agrees"),
    ]
    later = runs.runs_of(replace(ROWS[0], value=0.6))
    assert later[0]["verdict"] == "of its day (by another plan)"


def test_earlier_runs_are_read_as_they_were_written(tmp_path):
    kept = succession.with_earlier(run_of(FIRST, first_seed=2000), run_of(FIRST))
    record.write(kept, tmp_path)
    assert record.load(STUDY, tmp_path, fresh=True)["laptop"].plans == kept.plans
