"""Tests of the files of runs: they return what was written; incomplete and damaged files are never results."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import numpy as np
import pytest
import torch
import xarray as xr

from empirics import experiments
from empirics.experiments import two_point
from empirics.runs import trace, trace_file
from empirics.runs.config import as_json, content_hash
from empirics.sweep import store, sweep
from empirics.training import Checkpoint

CONFIG = two_point.Config(depth=3, width=6, seeds=2, epochs=20, outputs=2, layers=(3, 1))


@pytest.fixture
def stored(tmp_path):
    data = store.run_or_load(CONFIG, tmp_path, progress=False)
    return data, store.path_of(CONFIG, tmp_path)


def test_round_trip(stored):
    data, path = stored
    loaded = store.load(path)
    assert loaded.identical(data)
    assert all(variable.dtype == data[name].dtype for name, variable in loaded.variables.items())
    assert path.name == f"two_point-{content_hash(CONFIG)}.nc"
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_second_call_reads(stored, monkeypatch):
    data, path = stored
    monkeypatch.setattr(experiments, "run", lambda *_, **__: pytest.fail("ran again"))
    assert store.run_or_load(CONFIG, path.parent).identical(data)


def test_provenance(stored):
    data, _ = stored
    assert two_point.Config.from_json(data.attrs["config"]) == CONFIG
    assert set(json.loads(data.attrs["versions"])) == {"python", *trace.WRITTEN_BY}
    assert data.attrs["experiment"] == "two_point"
    assert data.attrs["device"] == "cpu"
    assert data.attrs["dtype"] == "float32"
    assert data.attrs["processor_seconds"] > 0
    assert data.attrs["threads"] >= 1
    assert data.attrs["processor"].endswith(torch.backends.cpu.get_cpu_capability())
    assert data.attrs["blas"].startswith("torch: ")
    assert "numpy: " in data.attrs["blas"]
    assert len(data.attrs["commit"].removesuffix("-dirty")) in (0, 40)


def test_no_commit_outside_a_checkout(tmp_path, monkeypatch):
    """Also where git would answer, as it does for a package that is installed inside another project's checkout."""
    answers = {"rev-parse": "0" * 40, "status": ""}
    monkeypatch.setattr(trace, "_git", lambda command, *_: answers[command])
    monkeypatch.setattr(trace, "ROOT", tmp_path)
    assert trace.commit.__wrapped__() == ""
    (tmp_path / ".git").mkdir()
    assert trace.commit.__wrapped__() == "0" * 40
    answers["status"] = " M empirics/runs/trace.py"
    assert trace.commit.__wrapped__() == "0" * 40 + "-dirty"


def test_every_field_changes_the_name():
    other = {"architecture": "skip", "activation": "relu", "optimiser": "adam", "layers": (2,), "device": "cuda",
             "dtype": "float64", "dropout": 0.2, "kernel": 5}  # fmt: skip
    names = {content_hash(CONFIG)}
    for field in fields(CONFIG):
        value = other.get(field.name) or getattr(CONFIG, field.name) + 1
        names.add(content_hash(replace(CONFIG, **{field.name: value})))
    assert len(names) == 1 + len(fields(CONFIG))
    # an equal number is the same configuration
    assert content_hash(replace(CONFIG, gain=1)) == content_hash(CONFIG)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("damage", ["empty", "text", "cut", "bit"])
def test_damaged_file(stored, damage):
    data, path = stored
    content = bytearray(path.read_bytes())
    if damage == "bit":
        content[content.find(data.dy2.values.tobytes()[:32]) + 3] ^= 1
    path.write_bytes(
        {"empty": b"", "text": b"t, dh2", "cut": content[: len(content) // 2], "bit": content}[
            damage
        ]
    )
    with pytest.raises(ValueError, match=r"needs a readable netCDF file.*delete it"):
        store.run_or_load(CONFIG, path.parent, progress=False)
    again = store.run_or_load(CONFIG, path.parent, resume=False, progress=False)
    assert again.drop_attrs().identical(data.drop_attrs())
    assert store.load(path).identical(again)


def test_file_of_another_configuration(stored):
    _, path = stored
    other = replace(CONFIG, gain=0.5)
    path.rename(store.path_of(other, path.parent))
    with pytest.raises(ValueError, match="holds another configuration"):
        store.run_or_load(other, path.parent)


def test_foreign_netcdf(tmp_path):
    path = tmp_path / "x.nc"
    xr.Dataset({"a": ("t", np.zeros(3))}).to_netcdf(path, engine="h5netcdf")
    with pytest.raises(
        ValueError, match="lacks the attribute experiment, config, versions, processor_seconds"
    ):
        store.load(path)
    with pytest.raises(ValueError, match="data: lacks the attribute"):
        store.save(xr.Dataset(), path)


def test_wrong_names(tmp_path, stored):
    with pytest.raises(FileNotFoundError, match=r"absent\.nc"):
        store.load(tmp_path / "absent.nc")
    with pytest.raises(ValueError, match=r"needs a name that ends in .nc"):
        store.save(stored[0], tmp_path / "trace.csv")


def test_failed_write_leaves_nothing(stored, monkeypatch):
    data, path = stored
    # after the writing
    monkeypatch.setattr(trace_file, "read", lambda file: (file.read_bytes(), 1 / 0))
    with pytest.raises(ZeroDivisionError):
        store.save(data, path.with_name("other.nc"))
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_not_a_configuration(tmp_path):
    with pytest.raises(TypeError, match="config: got dict, needs the Config"):
        experiments.run({"gain": 1})


def test_no_run_is_continued_by_other_code(tmp_path, monkeypatch):
    path = store.path_of(CONFIG, tmp_path).with_suffix(store.CHECKPOINT)
    key = json.dumps([as_json(CONFIG), trace.versions(), trace.code()])
    Checkpoint(path, key).save({})
    monkeypatch.setattr(trace, "code", lambda: "of another commit")
    with pytest.raises(
        ValueError,
        match=r"checkpoint: got the state of a run with .*other code.*delete it to start",
    ):
        store.run_or_load(CONFIG, tmp_path, progress=False)


def test_a_sweep_says_which_stored_runs_are_of_other_code(stored, monkeypatch, caplog):
    _, path = stored
    caplog.set_level("INFO", "empirics.sweep")
    sweep({"a": CONFIG}, path.parent, progress=False)
    monkeypatch.setattr(trace, "code", lambda: "of another commit")
    sweep({"a": CONFIG}, path.parent, progress=False)
    assert "other code" not in caplog.messages[0]
    assert caplog.messages[1].endswith(
        f"made by other code (files of commit {trace.commit() or 'unknown'} have changed)"
    )
    monkeypatch.setattr(trace, "versions", lambda: {"python": "9.9"})
    sweep({"a": CONFIG}, path.parent, progress=False)
    assert "other code (python 3" in caplog.messages[2]
    assert "now 9.9)" in caplog.messages[2]


def test_runs_of_other_code_are_run_anew_unless_accepted(stored, monkeypatch):
    _, path = stored
    before = path.stat().st_mtime_ns
    sweep({"a": CONFIG}, path.parent, progress=False, accept_older=False)
    assert path.stat().st_mtime_ns == before
    monkeypatch.setattr(trace, "code", lambda: "of another commit")
    data = sweep({"a": CONFIG}, path.parent, progress=False, accept_older=False)["a"]
    assert path.stat().st_mtime_ns > before
    assert data.attrs["code"] == "of another commit"
