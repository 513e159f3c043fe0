"""Tests of measurements that decide ledger entries (beyond, within or too blunt for their limits) and of their file."""

import dataclasses
import json

import pytest

from closedform.measured import Measured
from theory.core import Measurement, Ruling, measurements

NUMBER = Measured("a.number", "a network", 0.52, 0.012, predicted=0.5, resolution=0.05)
MEASURED = Measurement("a-study", "laptop", NUMBER)


@pytest.mark.parametrize(
    ("change", "ruling"),
    [
        ({}, Ruling.SUPPORTED),
        ({"value": 0.55}, Ruling.CONTRADICTED),
        ({"error": 0.03}, Ruling.UNRESOLVED),
        ({"error": 0.02}, Ruling.UNRESOLVED),  # a deviation of 0.06 is possible
        ({"value": 0.55, "n": 3, "resolution": 0.11}, Ruling.SUPPORTED),
    ],
)
def test_the_finding_follows_the_number(change, ruling):
    assert (
        dataclasses.replace(MEASURED, measured=dataclasses.replace(NUMBER, **change)).ruling
        is ruling
    )


def test_a_number_without_prediction_or_error_decides_nothing():
    for change in ({"predicted": None}, {"error": None}):
        with pytest.raises(ValueError, match="without a prediction or an error"):
            Measurement("a-study", "laptop", dataclasses.replace(NUMBER, **change))


def test_measurements_are_read_from_the_file_next_to_the_ledger(tmp_path, monkeypatch):
    package = tmp_path / "measured"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert measurements("measured") == {}
    kept = dataclasses.replace(MEASURED, configurations=("abc",))
    (package / "measurements.json").write_text(json.dumps({"(8)": kept.as_json()}))
    assert measurements("measured")["(8)"] == kept
