"""Tests of the folders of results: studies, traces and damaged files."""

import json

import numpy as np
import pytest

from bridge.results import analyses, folder
from bridge.results.folder import StudyRuns


def put(trace, directory, name):
    path = directory / "traces" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    trace.to_netcdf(path, engine="h5netcdf")


def runs(**labels):
    return StudyRuns("two-point-adam", "Why?", "smoke", labels)


def test_what_is_recorded_is_read_back(tmp_path, trace):
    put(trace, tmp_path, "a.nc")
    folder.record(tmp_path, runs(first="a.nc", second="b.nc"))
    (found,) = folder.studies(tmp_path)
    assert found == runs(first="a.nc", second="b.nc")
    traces, missing = folder.load(tmp_path, found)
    assert list(traces) == ["first"]
    assert missing == ("second",)
    np.testing.assert_array_equal(traces["first"]["dh2"], trace["dh2"])


def test_traces_of_no_study_are_single_runs(tmp_path, trace):
    put(trace, tmp_path, "a.nc")
    put(trace, tmp_path, "b.nc")
    put(trace, tmp_path / "..", "ignored.nc")
    trace.to_netcdf(tmp_path / "beside.nc", engine="h5netcdf")
    folder.record(tmp_path, runs(first="a.nc"))
    study, loose = folder.studies(tmp_path)
    assert study.study == "two-point-adam"
    assert set(loose.runs) == {"b", "beside"}
    assert len(folder.load(tmp_path, loose)[0]) == 2


def test_a_trace_that_does_not_say_its_experiment_is_named(tmp_path, trace):
    put(trace.drop_attrs(), tmp_path, "mine.nc")
    with pytest.raises(ValueError, match=r"mine\.nc.*got no text as the attribute 'experiment'"):
        folder.studies(tmp_path)


def test_seeds_that_diverged_are_left_out(tmp_path, trace):
    bad = trace.copy(deep=True)
    bad["diverged_at"][1] = 7
    bad["dh2"][1, 7:] = np.nan
    put(bad, tmp_path, "a.nc")
    traces, _ = folder.load(tmp_path, runs(first="a.nc"))
    assert traces["first"].seed.values.tolist() == [0, 2]
    bad["diverged_at"][:] = 7
    put(bad, tmp_path, "b.nc")
    with pytest.raises(ValueError, match="diverged"):
        analyses.analyse("two-point", folder.load(tmp_path, runs(first="b.nc"))[0])


def test_an_empty_folder_and_none_are_refused(tmp_path):
    with pytest.raises(ValueError, match="without traces"):
        folder.studies(tmp_path)
    with pytest.raises(ValueError, match="needs a folder"):
        folder.studies(tmp_path / "nowhere")


def test_a_file_that_is_no_trace_is_named(tmp_path, trace):
    (tmp_path / "traces").mkdir()
    (tmp_path / "traces" / "a.nc").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match=r"a\.nc.*needs a readable"):
        folder.load(tmp_path, runs(first="a.nc"))
    put(trace.drop_vars("w"), tmp_path, "b.nc")
    with pytest.raises(ValueError, match=r"first.*without w"):
        analyses.analyse("two-point", folder.load(tmp_path, runs(first="b.nc"))[0])


@pytest.mark.parametrize("name", ["../secret.nc", "/etc/passwd", "", "a/b.nc", 3])
def test_a_study_file_does_not_point_out_of_its_folder(tmp_path, name):
    content = {"study": "s", "question": "q", "figure": "f", "scale": "x", "runs": {"a": name}}
    (tmp_path / "study-s.json").write_text(json.dumps(content))
    with pytest.raises(
        ValueError, match=r"study-s\.json: got .*, needs the format of `closedform run`"
    ):
        folder.studies(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "not json", '{"study": "s", "runs": 3}', "[" * 100_000]
)
def test_a_damaged_study_file_is_named(tmp_path, text):
    (tmp_path / "study-s.json").write_text(text)
    with pytest.raises(ValueError, match=r"study-s\.json"):
        folder.studies(tmp_path)
