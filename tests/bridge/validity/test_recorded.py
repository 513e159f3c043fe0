"""Recorded maps: read again they are the same, and formulas name them as their conditions."""

from __future__ import annotations

import dataclasses

import pytest

import bridge
import theory
from bridge.cli import main
from bridge.validity import recorded
from bridge.validity.recorded import PlannedMap, planned_maps
from bridge.validity.words import condition
from closedform.untrusted_files import decoded
from theory.core.text.measured_conditions import measured_conditions

RECORDED = recorded.recorded()
LARGE = 100_000  # bytes of a map of more than 200 points, whose surface takes 0.2 to 1.4 s, others 0.1 s
BY_SIZE = [
    pytest.param(name, marks=[pytest.mark.slow] if path.stat().st_size > LARGE else [])
    for name, path in RECORDED.items()
]


def test_a_map_is_read_as_it_was_recorded(tmp_path):
    claim, shown = bridge.claims()["geometry.three_units_volume"], tmp_path / "conditions.json"
    plan = PlannedMap("units", claim, {"bias": (0.5, 2.0)}, 200)
    found = bridge.validity(claim, plan.over, budget=plan.networks, progress=False)
    path, _ = recorded.record(found, plan, tmp_path, shown)
    again = recorded.read(path)
    assert again.points.equals(found.points)
    assert again.sentences() == found.sentences()
    assert again.holds(bias=1.0) is found.holds(bias=1.0) is True
    kept = decoded("conditions", shown.read_text(encoding="utf-8"))["units"]
    assert kept["forms"] == ["geometry.three_unit_volume_element"]
    assert (
        "On average it holds within 0.0001 % where: bias 0.5 to 2 (100% of the map"
        in kept["sentence"]
    )
    assert "nine of ten do in 100% of the map" in kept["sentence"]  # these networks do not differ


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_map_is_that_of_its_plan_with_fresh_seeds(name):
    data, plan = decoded(name, RECORDED[name].read_text(encoding="utf-8")), planned_maps()[name]
    assert data["plan"] == plan.digest
    assert recorded.read(RECORDED[name]).base == plan.base
    assert plan.base.first_seed >= 1000


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", BY_SIZE)
def test_a_recorded_map_says_what_its_networks_say(name):
    region = recorded.read(RECORDED[name])
    for tested in (*region.claim.forms, *region.claim.entries):
        assert measured_conditions(tested)[name] == condition(region)


def test_a_form_and_its_entry_of_the_ledger_name_where_networks_follow(capsys):
    assert main(["show", "two_point.final_distance"]) == 0
    assert "measured" in (shown := capsys.readouterr().out)
    assert "[map-two-point-points]" in shown
    (entry,) = (one for one in theory.equations("vanrossem2024") if one.label == "(10)")
    assert "two-point-points" in entry.measured_conditions
    assert main(["show", "two_point.conserved_quantity"]) == 0
    assert "measured" not in capsys.readouterr().out


def test_a_plan_has_a_hash_of_what_decides():
    plan = planned_maps()["two-point-points"]
    assert plan.digest == dataclasses.replace(plan).digest
    assert plan.digest != dataclasses.replace(plan, resolution=0.2).digest
    assert plan.digest != dataclasses.replace(plan, over={"dx": (0.3, 3.0)}).digest
