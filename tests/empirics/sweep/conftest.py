"""Configurations, and a cluster of two real workers on the loopback interface that all tests share."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from empirics.experiments import two_point
from empirics.sweep import cluster, store, sweep
from tests import forked

QUICK = two_point.Config(depth=2, width=5, seeds=1, epochs=10)
# some tenths of a second, with 12 checkpoints
LONG = two_point.Config(depth=3, width=10, seeds=1, epochs=1200)


@pytest.fixture(scope="session")
def client(tmp_path_factory):
    """A client of the two workers of `local:2`; one that is killed is started again.

    They are forks of a process that has imported the libraries, which takes seconds of each worker.
    """
    import dask

    settings = {
        "temporary-directory": str(tmp_path_factory.mktemp("workers")),
        "distributed.worker.multiprocessing-method": "forkserver",
    }
    forked.start()
    with dask.config.set(settings), cluster.client("local:2", progress=False) as connected:
        yield connected


@pytest.fixture(scope="session")
def configs():
    """Six configurations that take some tenths of a second each."""
    return {f"gain {gain}": replace(LONG, gain=gain) for gain in (0.8, 0.9, 1.0, 1.1, 1.2, 1.3)}


@pytest.fixture(scope="session")
def undisturbed(configs, tmp_path_factory):
    """The traces of ``configs`` from one undisturbed process."""
    return sweep(configs, tmp_path_factory.mktemp("undisturbed"), progress=False)


@pytest.fixture
def seconds_of_a_run(configs, undisturbed, tmp_path_factory):
    """The time that one of the runs takes now, with all its checkpoints, while others use the machine."""
    folder = tmp_path_factory.mktemp("timed")
    began = time.monotonic()
    store.run_or_load(next(iter(configs.values())), folder, progress=False, checkpoint_seconds=0.0)
    return time.monotonic() - began


@pytest.fixture
def python():
    """Start a script in a process of its own; what still runs at the end of the test is killed."""
    processes = []

    def start(script: Path, *arguments: object) -> subprocess.Popen:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        command = [sys.executable, str(script), *map(str, arguments)]
        processes.append(
            subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        )
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate(timeout=30)
