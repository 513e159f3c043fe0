"""Tests of processes that die: real workers, drivers and schedulers, killed at random moments.

After every kill the same sweep is started again. Nothing that was finished is done again, no half file is accepted, and
the results are those of an undisturbed process, to the last bit.
"""

from __future__ import annotations

import os
import signal
import textwrap
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from empirics import cluster, store
from empirics.experiments import two_point
from empirics.sweep import SweepError, sweep

MANY = 20
KILLS = [0, *(pytest.param(number, marks=pytest.mark.slow) for number in range(1, MANY))]
PATIENCE = 240  # seconds that anything may take on a busy machine
DRIVER = """
    import sys, time
    from empirics.experiments import two_point
    from empirics.sweep import sweep

    if __name__ == "__main__":
        directory, scheduler, *texts = sys.argv[1:]
        configs = {text: two_point.Config.from_json(text) for text in texts}
        sweep(configs, directory, None if scheduler == "None" else scheduler, progress=False, checkpoint_seconds=0.0)
"""
SCHEDULER = """
    import asyncio, pathlib, sys
    from distributed import Scheduler

    async def serve():
        async with Scheduler(host="127.0.0.1", port=0, dashboard_address=None) as scheduler:
            pathlib.Path(sys.argv[1]).write_text(scheduler.address)
            await scheduler.finished()

    asyncio.run(serve())
"""


@pytest.fixture
def script(tmp_path):
    """Write a script and return its path."""

    def write(name: str, text: str):
        path = tmp_path / f"{name}.py"
        path.write_text(textwrap.dedent(text))
        return path

    return write


def assert_same(traces, expected):
    assert list(traces) == list(expected)
    for label, trace in traces.items():
        assert trace.drop_attrs(deep=False).identical(expected[label].drop_attrs(deep=False))


def finished(folder):
    """The finished traces with the time of their writing."""
    return {path: path.stat().st_mtime_ns for path in folder.glob("*.nc")}


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "this takes too long"
        time.sleep(0.01)


def moment(number):
    """A random moment, and its generator: how many traces exist, and how many seconds later."""
    rng = np.random.default_rng(number)
    return int(rng.integers(5)), float(rng.uniform(0, 0.4)), rng


def tell(killed, number, done):
    print(f"\nkill {number:2d} of a {killed}: {len(done)} traces stored before it", end=" ")


@pytest.mark.parametrize("number", KILLS)
def test_killed_worker(number, client, configs, undisturbed, tmp_path):
    traces, seconds, rng = moment(number)
    result = {}
    arguments = {"progress": False, "checkpoint_seconds": 0.0}
    thread = threading.Thread(target=lambda: result.update(sweep(configs, tmp_path, client, **arguments)))
    client.wait_for_workers(2, timeout=PATIENCE)
    thread.start()
    wait_until(lambda: len(finished(tmp_path)) >= traces)
    time.sleep(seconds)
    done = finished(tmp_path)
    os.kill(int(rng.choice(list(client.run(os.getpid).values()))), signal.SIGKILL)
    tell("worker", number, done)
    thread.join(timeout=PATIENCE)
    assert_same(result, undisturbed)
    assert finished(tmp_path).items() >= done.items()
    sweep(configs, tmp_path, progress=False)  # deletes what the worker left, if it died just after storing a trace
    assert sorted(p.suffix for p in tmp_path.iterdir() if p.name != ".sweep") == [".nc"] * len(configs)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(MANY))
def test_killed_driver(number, python, script, configs, undisturbed, tmp_path):
    traces, seconds, _ = moment(number)
    folder = tmp_path / "runs"
    scheduler = "local:1" if number % 2 == 0 else "None"
    driver = python(script("driver", DRIVER), folder, scheduler, *[config.to_json() for config in configs.values()])
    wait_until(lambda: len(finished(folder)) >= traces or driver.poll() is not None)
    time.sleep(seconds)
    driver.send_signal(signal.SIGKILL)
    driver.wait(timeout=PATIENCE)
    done = finished(folder)
    tell(f"driver with scheduler {scheduler}", number, done)
    again = sweep(configs, folder, progress=False)
    assert_same(again, undisturbed)
    assert finished(folder).items() >= done.items()
    assert sorted(p.suffix for p in folder.iterdir() if p.name != ".sweep") == [".nc"] * len(configs)


@pytest.mark.slow
def test_a_worker_is_always_started_again(configs, undisturbed, tmp_path):
    """Dask gives up a worker that is absent a while after a death, also when it is only starting for a second time."""
    import dask

    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "100ms"}),
        cluster.client("local:1", progress=False) as client,
    ):
        (pid,) = client.run(os.getpid).values()
        os.kill(pid, signal.SIGKILL)
        client.wait_for_workers(1, timeout=PATIENCE / 2)
        assert_same(sweep(configs, tmp_path, client, progress=False), undisturbed)


def test_lost_scheduler(python, script, configs, tmp_path):
    file = tmp_path / "address"
    server = python(script("scheduler", SCHEDULER), file)
    wait_until(lambda: file.exists() and file.read_text())
    address, error = file.read_text(), []

    def run():
        try:
            sweep(configs, tmp_path / "runs", address, progress=False)
        except OSError as caught:
            error.append(caught)

    thread = threading.Thread(target=run)
    thread.start()
    wait_until(lambda: (tmp_path / "runs" / ".sweep").exists())
    time.sleep(0.5)
    server.kill()
    thread.join(timeout=PATIENCE)
    assert "connection is lost. Finished runs are stored; start the same runs again" in str(error[0])


@pytest.mark.slow
def test_worker_out_of_memory(configs, undisturbed, tmp_path):
    import dask
    import distributed

    large = two_point.Config(depth=20, width=5000, seeds=1, epochs=5)  # 2 GB of weights
    limits = {"distributed.scheduler.allowed-failures": 0, "distributed.worker.memory.pause": False}
    with (
        dask.config.set(limits),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, memory_limit="1GB"
        ) as cluster,
        distributed.Client(cluster) as client,
        pytest.raises(SweepError, match=r"large: MemoryError: 1 workers died .*needs more memory than a worker has"),
    ):
        sweep({"large": large, **configs}, tmp_path, client, progress=False)
    assert_same({label: store.load(store.path_of(c, tmp_path)) for label, c in configs.items()}, undisturbed)


@pytest.mark.slow
def test_two_sweeps_in_one_folder(python, script, configs, undisturbed, tmp_path):
    texts = [replace(config, epochs=4000).to_json() for config in configs.values()]
    folder, file = tmp_path / "runs", script("driver", DRIVER)
    drivers = [python(file, folder, "None", *texts) for _ in range(2)]
    written = {}
    while any(driver.poll() is None for driver in drivers):
        for path, when in finished(folder).items():
            assert written.setdefault(path, when) == when  # no trace is written twice
        time.sleep(0.01)
    assert [driver.returncode for driver in drivers] == [0, 0]
    assert len(written) == len(configs)
    assert np.all([path.suffix == ".nc" for path in folder.iterdir()])
