"""Whether a user's own case lies inside a recorded map, or how far outside."""

from __future__ import annotations

import json

import pytest

from bridge.validity.placed import placed, placed_in_one, recorded

MAP = {
    "experiment": "theirs", "claim": "theirs.law", "sentence": "It is so.", "within": " within 10 %",
    "over": {"size": [1, 100], "kind": ["plain", "odd"]},
    "base": json.dumps({"size": 3, "rate": 0.1, "first_seed": 1000}),
    "panels": [
        [{"values": {"size": 2}, "measured": [1, None, 2, None]}, {"values": {"size": 90}, "measured": [1, 2]}],
        [{"values": {"size": 10}, "measured": [1, 2]}],
    ],
}  # fmt: skip
SIDES = {
    "sides": ["0" * 18 + "?" * 8 + "1" * 15, "1" * 41],
    "of ten": ["0" * 26 + "?" * 10 + "1" * 5, "0" * 41],
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "their-map.json").write_text(json.dumps(MAP | SIDES), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"size": 100, "kind": "plain"},
            "at size = 100, kind = plain, where nine networks of ten agree within 10 %, and where this holds on "
            "average: It is so.",
        ),
        (
            {"size": 1, "kind": "plain"},
            "where fewer than nine networks of ten agree within 10 %, and where this fails on average; 2 of 4 networks "
            "at the nearest point measure it: It",
        ),
        (
            {"size": 1, "kind": "odd"},
            "where fewer than nine networks of ten agree within 10 %, and where this holds on average: It",
        ),
        (
            {"size": 40, "kind": "plain"},
            "where it is not decided whether nine networks of ten agree within 10 %, and where this holds",
        ),
        ({"size": 26, "kind": "plain"}, "and where this is not decided on average"),
        (
            {"size": 300, "kind": "odd"},
            "outside of a recorded map: size = 300 lies above the map's 100, by a factor",
        ),
        ({"size": 3, "kind": "other"}, "kind = other is none of the map's plain, odd"),
        (
            {"size": 90, "kind": "odd", "rate": 0.5, "first_seed": 3},
            "; other settings: rate = 0.5 (map: 0.1): It",
        ),
    ],
)
def test_a_case_is_placed(folder, values, said):
    (sentence,) = placed("theirs", values, [folder])
    assert said in sentence
    assert sentence.endswith("[map-their-map]")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        # the first map says that nine of ten agree there, the second that fewer do: the failure is what counts
        ({"size": 100, "kind": "plain"},
         "inside a recorded map at size = 100, kind = plain, where fewer than nine"),
        ({"size": 100, "kind": "plain", "rate": 0.5},
         "has these settings (map-a: other rate; map-their-map: other rate)"),
        ({"size": 300, "kind": "odd"}, "(map-a: size = 300 lies above the map's 100"),
    ],
)  # fmt: skip
def test_several_maps_give_one_sentence(folder, values, said):
    (folder / "a.json").write_text(
        json.dumps(MAP | SIDES | {"of ten": ["0" * 41, "1" * 41]}), encoding="utf-8"
    )
    sentence = placed_in_one("theirs.law", values, [folder])
    assert said in sentence
    assert sentence.count("recorded map") == 1
    assert placed_in_one("theirs.other law", values, [folder]) == ""


def test_what_is_not_known_is_not_placed(folder):
    assert placed("theirs", {"size": 3}, [folder]) == ()
    assert placed("other", {"size": 3, "kind": "odd"}, [folder]) == ()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", recorded())
def test_a_recorded_map_places_a_case_far_outside(name):
    data = json.loads(recorded()[name].read_text(encoding="utf-8"))
    far = {key: 1000 * ends[1] if len(ends) == 2 and not isinstance(ends[0], str) else ends[0]
           for key, ends in data["over"].items()}  # fmt: skip
    assert any(
        "by a factor of 1e+03" in one and f"[map-{name}]" in one
        for one in placed(data["experiment"], far)
    )
