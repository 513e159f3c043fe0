"""Tests of many runs: each is stored once, a failure is reported without losing others."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from empirics.experiments import two_point
from empirics.sweep import SweepError, run_lock, store, sweep

BASE = two_point.Config(depth=2, width=5, seeds=1, epochs=10)
CONFIGS = {f"gain {g}": replace(BASE, gain=g) for g in (0.5, 1.0, 1.5)}


def test_all_are_run_and_loaded(tmp_path):
    traces = sweep(CONFIGS, tmp_path, progress=False)
    assert list(traces) == list(CONFIGS)
    assert len(list(tmp_path.iterdir())) == 3
    for label, config in CONFIGS.items():
        assert (
            traces[label]
            .drop_attrs()
            .identical(two_point.run(config, progress=False).drop_attrs())
        )


def test_equal_configurations_are_run_once(tmp_path):
    traces = sweep({"a": BASE, "b": BASE}, tmp_path, progress=False)
    assert traces["a"].identical(traces["b"])
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no such locks, and claims hold nobody up"
)
def test_runs_of_another_sweep_are_left_to_it(tmp_path):
    theirs, *free = [store.path_of(config, tmp_path) for config in CONFIGS.values()]
    assert not run_lock.is_held(theirs)
    with ThreadPoolExecutor() as pool:
        with run_lock.claimed(theirs):
            assert run_lock.is_held(theirs)
            ours = pool.submit(sweep, CONFIGS, tmp_path, progress=False)
            deadline = time.monotonic() + 60
            while not all(path.exists() for path in free) and time.monotonic() < deadline:
                time.sleep(0.01)
            assert [path.exists() for path in (theirs, *free)] == [False, True, True]
        assert list(ours.result(timeout=60)) == list(CONFIGS)


def test_a_failure_does_not_stop_the_others(tmp_path):
    configs = {"diverges": replace(BASE, learning_rate=1e9), **CONFIGS}
    with pytest.raises(SweepError, match=r"1 runs failed.*\ndiverges: DivergedError: ") as caught:
        sweep(configs, tmp_path, progress=False)
    assert list(caught.value.failures) == ["diverges"]
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(
    ("configs", "scheduler", "error"),
    [
        ({}, None, ValueError), ([BASE], None, TypeError), (CONFIGS, "local:0", ValueError), (CONFIGS, 2, TypeError),
        (CONFIGS, "local", ValueError), (CONFIGS, "local:two", ValueError), (CONFIGS, "localhost", ValueError),
    ],
)  # fmt: skip
def test_bad_input(configs, scheduler, error, tmp_path):
    with pytest.raises(error, match=r"^(configs|scheduler): got"):
        sweep(configs, tmp_path, scheduler, progress=False)
    assert not list(tmp_path.iterdir())


def test_without_dask_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(
        ModuleNotFoundError, match=r"scheduler: needs distributed, .* pip install '\.\[cluster\]'"
    ):
        sweep(CONFIGS, tmp_path, "local:2", progress=False)
