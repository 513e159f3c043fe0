"""Tests that a file which names a module is read without importing it."""

from __future__ import annotations

import json
import sys

import pytest
import xarray as xr

from bridge.results import evidence, record, recording
from bridge.results.folder import StudyRuns
from empirics.experiments import STUDIES

STUDY, SCALE = "two-point-layer", "smoke"
PATH = "ends_the_process:f"
RUNS = StudyRuns(STUDY, "", SCALE, {}, {})


@pytest.fixture(autouse=True)
def module(tmp_path, monkeypatch):
    """A module that may not be imported."""
    (tmp_path / "ends_the_process.py").write_text("raise SystemExit(7)\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    assert "ends_the_process" not in sys.modules


@pytest.fixture
def trace():
    """A trace of the study whose configuration names the module in both fields that take an import path."""
    (config,) = STUDIES[STUDY].configs(SCALE).values()
    options = json.loads(config.to_json()) | {"activation": PATH, "architecture": PATH}
    return xr.Dataset(
        attrs={"experiment": "two_point", "config": json.dumps(options), "versions": "{}"}
    )


def test_the_configuration_of_a_trace_has_a_hash(trace):
    assert record.hash_of(trace) not in evidence.configurations(STUDY, SCALE)


def test_records_refuse_it_as_another_configuration(trace):
    with pytest.raises(
        ValueError, match="traces of two-point-layer: got default with other configurations"
    ):
        recording.of_study(RUNS, {"default": trace}, None)


def test_the_options_of_a_study_file_are_text():
    assert len(record.present(STUDY, SCALE, {"activation": PATH})) == 1
