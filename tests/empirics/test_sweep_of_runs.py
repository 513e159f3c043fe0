"""Tests of many runs: each is stored once, a failure is reported without losing others, and a kill is survived."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace

import pytest

from empirics import store
from empirics.experiments import two_point
from empirics.sweep import SweepError, sweep

BASE = two_point.Config(depth=2, width=5, seeds=1, epochs=10)
CONFIGS = {f"gain {g}": replace(BASE, gain=g) for g in (0.5, 1.0, 1.5)}


def test_all_are_run_and_loaded(tmp_path):
    traces = sweep(CONFIGS, tmp_path, progress=False)
    assert list(traces) == list(CONFIGS)
    assert len(list(tmp_path.iterdir())) == 3
    for label, config in CONFIGS.items():
        assert traces[label].drop_attrs().identical(two_point.run(config, progress=False).drop_attrs())


def test_equal_configurations_are_run_once(tmp_path):
    traces = sweep({"a": BASE, "b": BASE}, tmp_path, progress=False)
    assert traces["a"].identical(traces["b"])
    assert len(list(tmp_path.iterdir())) == 1


def test_second_sweep_runs_what_is_missing(tmp_path):
    sweep(CONFIGS, tmp_path, progress=False)
    missing = store.path_of(CONFIGS["gain 1.0"], tmp_path)
    missing.unlink()
    before = {p: p.stat().st_mtime_ns for p in tmp_path.iterdir()}
    sweep(CONFIGS, tmp_path, progress=False)
    assert missing.exists()
    assert all(p.stat().st_mtime_ns == t for p, t in before.items())


def test_a_failure_does_not_stop_the_others(tmp_path):
    configs = {"diverges": replace(BASE, learning_rate=1e9), **CONFIGS}
    with pytest.raises(SweepError, match=r"1 runs failed.*\ndiverges: DivergedError: ") as caught:
        sweep(configs, tmp_path, progress=False)
    assert list(caught.value.failures) == ["diverges"]
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(
    ("configs", "workers", "error"),
    [({}, 1, ValueError), ([BASE], 1, TypeError), (CONFIGS, 0, ValueError), (CONFIGS, 1.5, TypeError)],
)  # fmt: skip
def test_bad_input(configs, workers, error, tmp_path):
    with pytest.raises(error, match=r"^(configs|workers): got"):
        sweep(configs, tmp_path, workers=workers, progress=False)


@pytest.mark.slow
def test_killed_sweep_with_workers_goes_on(tmp_path):
    configs = {str(g): replace(BASE, width=30, depth=5, epochs=4000, gain=1 + g / 100) for g in range(4)}
    script = f"""
        from empirics.experiments import two_point
        from empirics.sweep import sweep
        if __name__ == "__main__":
            texts = { {k: c.to_json() for k, c in configs.items()}!r}
            configs = {{k: two_point.Config.from_json(v) for k, v in texts.items()}}
            sweep(configs, {str(tmp_path / "runs")!r}, workers=2, progress=False)
    """
    file = tmp_path / "sweep_script.py"
    file.write_text(textwrap.dedent(script))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    process = subprocess.Popen([sys.executable, str(file)], env=environment, start_new_session=True)
    deadline = time.monotonic() + 120
    while len(list((tmp_path / "runs").glob("two_point*.nc"))) < 1 and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)  # the driver and its workers, nothing else: it leads its own session
    process.wait()
    done = {p: p.stat().st_mtime_ns for p in (tmp_path / "runs").glob("two_point*.nc")}
    assert 1 <= len(done) < 4
    traces = sweep(configs, tmp_path / "runs", progress=False)
    assert len(traces) == 4
    assert all(p.stat().st_mtime_ns == t for p, t in done.items())
