"""Tests of `closedform run` with workers: on this machine, and in jobs that a stand-in for SLURM starts here."""

from __future__ import annotations

import os
import signal
import time

import pytest

from bridge.cli import main
from tests.optional import needs

pytestmark = needs("dask_jobqueue", "cluster")

RUN = ["run", "two-point-adam", "--scale", "smoke", "--epochs", "20"]
SBATCH = """#!/bin/sh
cp "$1" {folder}/script
OMP_NUM_THREADS=1 setsid timeout 120 bash {folder}/script > {folder}/log 2>&1 &
echo $! > {folder}/job
echo "Submitted batch job $!"
"""
SCANCEL = """#!/bin/sh
kill -- -$1
"""


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """Commands of SLURM that start a job at once, on the loopback interface, for at most two minutes."""
    import dask

    for name, text in {"sbatch": SBATCH, "scancel": SCANCEL}.items():
        (tmp_path / name).write_text(text.format(folder=tmp_path))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with dask.config.set({"jobqueue.slurm.interface": "lo", "jobqueue.slurm.memory": "2GB"}):
        yield tmp_path
    if (tmp_path / "job").exists() and is_alive(
        int((tmp_path / "job").read_text(encoding="utf-8"))
    ):
        os.killpg(int((tmp_path / "job").read_text(encoding="utf-8")), signal.SIGKILL)


def is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
def test_jobs_of_slurm(slurm, capfd):
    out = str(slurm / "runs")
    assert (
        main([*RUN, "--out", out, "--scheduler", "slurm", "--jobs", "1", "--queue", "short"]) == 0
    )
    assert "s on the worker at tls://127.0.0.1" in capfd.readouterr().err
    assert "#SBATCH -p short" in (slurm / "script").read_text(encoding="utf-8")
    assert len(list((slurm / "runs" / "traces").glob("*.nc"))) == 1
    deadline = time.monotonic() + 60
    while is_alive(int((slurm / "job").read_text(encoding="utf-8"))):
        assert time.monotonic() < deadline, "the job goes on after the sweep"
        time.sleep(0.1)


@pytest.mark.slow
def test_workers_on_this_machine(capfd, tmp_path):
    assert main([*RUN, "--out", str(tmp_path), "--workers", "1"]) == 0
    assert "1 workers; dashboard: http://127.0.0.1" in (said := capfd.readouterr().err)
    assert "s on the worker at tcp://127.0.0.1" in said  # certificates are asked for by security=
    assert main([*RUN, "--out", str(tmp_path), "--workers", "1"]) == 0
    # nothing is left to do, so no worker is started
    assert "dashboard" not in (said := capfd.readouterr().err)
    assert "exists already" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--workers", "2", "--scheduler", "local:2"], "--workers: got a number with --scheduler"),
        (["--workers", "99999999"], "scheduler: got 99999999, needs an integer from 1 to 1024"),
        (["--scheduler", "local:" + "9" * 5000], "needs None, 'local:N'"),
        (["--scheduler", "slurm"], "--jobs: got nothing with --scheduler slurm"),
        (
            ["--scheduler", "slurm", "--jobs", "99999999"],
            "jobs: got 99999999, needs an integer from 1 to 10000",
        ),
        (["--jobs", "2"], "--jobs, --queue: got one without --scheduler slurm"),
    ],
)
def test_options_that_do_not_fit(options, message, capsys, tmp_path):
    assert main([*RUN, "--out", str(tmp_path), *options]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.glob("traces/*"))


def test_without_slurm(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([*RUN, "--out", str(tmp_path), "--scheduler", "slurm", "--jobs", "1"]) == 2
    assert "slurm needs the command sbatch" in capsys.readouterr().err
