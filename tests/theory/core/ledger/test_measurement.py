"""Tests of measurements that decide ledger entries (beyond, within or too blunt for their limits) and of their file."""

import dataclasses
import json

import pytest

from theory.core import Finding, Measurement, measurements

MEASURED = Measurement("a-study", "laptop", predicted=0.5, measured=0.52, error=0.012, resolution=0.05)


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({}, Finding.SUPPORTED),
        ({"measured": 0.55}, Finding.CONTRADICTED),
        ({"error": 0.03}, Finding.UNRESOLVED),
        ({"error": 0.02}, Finding.UNRESOLVED),  # a deviation of 0.06 is possible
        ({"measured": 0.55, "limit": 4.5, "resolution": 0.11}, Finding.SUPPORTED),
    ],
)
def test_the_finding_follows_the_numbers(change, finding):
    assert dataclasses.replace(MEASURED, **change).finding is finding


@pytest.mark.parametrize("name", ["error", "resolution", "limit"])
def test_what_cannot_be_is_refused(name):
    with pytest.raises(ValueError, match=f"{name}: got 0"):
        dataclasses.replace(MEASURED, **{name: 0})


def test_measurements_are_read_from_the_file_beside_the_ledger(tmp_path, monkeypatch):
    package = tmp_path / "measured"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert measurements("measured") == {}
    kept = {"(8)": {**dataclasses.asdict(MEASURED), "configurations": ["abc"]}}
    (package / "measurements.json").write_text(json.dumps(kept))
    assert measurements("measured")["(8)"] == dataclasses.replace(MEASURED, configurations=("abc",))
