"""Recorded maps: read again they are the same, and formulas name them as their conditions."""

from __future__ import annotations

import pytest

import bridge
from bridge.cli import main
from bridge.validity import recorded
from bridge.validity.conditions import FOLDER, conditions

RECORDED = sorted(path.stem for path in FOLDER.glob("*.json"))


def test_a_map_is_read_as_it_was_recorded(tmp_path):
    found = bridge.validity("geometry.three_units_volume", {"bias": (0.5, 2.0)}, budget=60, progress=False)
    again = recorded.read(recorded.record(found, "units", tmp_path))
    assert again.points.equals(found.points)
    assert again.sentences() == found.sentences()
    assert again.holds(bias=1.0) is found.holds(bias=1.0) is True
    (first, *_) = conditions("geometry.three_unit_volume_element", tmp_path)
    assert "Over bias, by a smooth surface through the deviations, it holds within 0.0001 %" in first
    assert conditions("geometry.three_unit_curvature", tmp_path) == []


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_map_says_what_its_networks_say(name):
    region = recorded.read(FOLDER / f"{name}.json")
    assert recorded.sentences(region) == conditions_of(name)


def conditions_of(name):
    import json

    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["sentences"]


def test_show_names_where_a_form_was_measured_to_hold(capsys):
    assert main(["show", "two_point.final_distance"]) == 0
    assert "measured, on maps of few networks:" in capsys.readouterr().out
    assert main(["show", "two_point.conserved_quantity"]) == 0
    assert "measured, on maps" not in capsys.readouterr().out
