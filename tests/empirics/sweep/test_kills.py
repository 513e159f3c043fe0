"""Tests of processes that die: real workers, drivers and schedulers, killed at random moments.

After every kill the same sweep is started again. Nothing that was finished is done again, no half file is accepted, and
the results are those of an undisturbed process, to the last bit.
"""

from __future__ import annotations

import os
import re
import signal
import textwrap
import threading
import time
from dataclasses import replace

import numpy as np
import psutil
import pytest

from empirics.experiments import two_point
from empirics.sweep import SweepError, cluster, run_lock, store, sweep, work
from tests.optional import needs

pytestmark = needs("distributed", "cluster")

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
NANNY = """
    import asyncio, sys
    from distributed import Nanny

    async def serve():
        async with Nanny(sys.argv[1], nthreads=1, host="127.0.0.1", dashboard_address=None) as nanny:
            await nanny.finished()

    if __name__ == "__main__":
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


def begun(folder):
    """The claims on runs: of those in progress, and of those whose process was killed."""
    return sorted(folder.glob(f".{two_point.Config.experiment}-*{run_lock.LOCK}"))


def left_behind(folder):
    """What is in the folder beside traces and the mark of the driver."""
    return [
        path.name for path in folder.iterdir() if path.suffix != ".nc" and path.name != work.MARK
    ]


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "this takes too long"
        time.sleep(0.002)


def wait_for_moment(number, folder, seconds, is_over):
    """Wait for a random moment within a run that is in progress; return its generator and a description.

    The moment is a part of the time that an undisturbed run takes, after a random number of finished runs. Where the
    machine is busy and a run ends before that, this is the moment. There is always a run left that can be interrupted.
    """
    rng = np.random.default_rng(number)
    traces, part = int(rng.integers(4)), float(rng.uniform())
    wait_until(lambda: (len(finished(folder)) >= traces and begun(folder)) or is_over())
    end = time.monotonic() + part * seconds
    wait_until(lambda: time.monotonic() >= end or len(finished(folder)) > traces or is_over())
    wait_until(lambda: begun(folder) or is_over())
    assert not is_over(), "the sweep ended before the kill"
    return rng, f"after {traces} runs and {part:.2f} of the next"


def stop_at_work(client, processes, rng, is_over):
    """Stop a random worker in the middle of a run, so that it cannot finish before it is killed, and return it."""
    while not is_over():
        working = [worker for worker, tasks in client.processing().items() if tasks]
        if not working:
            continue
        worker = str(rng.choice(working))
        os.kill(processes[worker], signal.SIGSTOP)
        time.sleep(0.1)  # until what it has sent before is received
        if client.processing().get(worker):
            return worker
        os.kill(processes[worker], signal.SIGCONT)
    raise AssertionError("the sweep ended before the kill")


def stop_in_a_run(driver, folder):
    """Stop a driver and its workers while a run is unfinished, so that it cannot end before the kill."""
    while driver.status() != psutil.STATUS_ZOMBIE:
        workers = driver.children(recursive=True)
        for process in (driver, *workers):
            process.suspend()
        if begun(folder):
            return workers
        for process in (driver, *workers):
            process.resume()
        time.sleep(0.01)
    raise AssertionError("the sweep ended before the kill")


@pytest.mark.parametrize("number", KILLS)
def test_killed_worker(number, client, configs, undisturbed, seconds_of_a_run, tmp_path):
    result = {}
    arguments = {"progress": False, "checkpoint_seconds": 0.0}
    thread = threading.Thread(
        target=lambda: result.update(sweep(configs, tmp_path, client, **arguments))
    )
    client.wait_for_workers(2, timeout=PATIENCE)
    processes = client.run(os.getpid)
    thread.start()
    rng, moment = wait_for_moment(
        number, tmp_path, seconds_of_a_run, lambda: not thread.is_alive()
    )
    done = finished(tmp_path)
    killed = stop_at_work(client, processes, rng, lambda: not thread.is_alive())
    os.kill(processes[killed], signal.SIGKILL)
    thread.join(timeout=PATIENCE)
    deaths = [event for _, event in client.get_events("all") if event["action"] == "remove-worker"]
    (interrupted,) = [event["processing-tasks"] for event in deaths if event["worker"] == killed]
    print(
        f"\nkill {number:2d} of a worker {moment}: {len(done)} traces stored, {len(interrupted)} runs interrupted"
    )
    assert interrupted
    assert_same(result, undisturbed)
    assert finished(tmp_path).items() >= done.items()
    # deletes what the worker left, if it died just after storing a trace
    sweep(configs, tmp_path, progress=False)
    assert not left_behind(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(MANY))
def test_killed_driver(number, python, script, configs, undisturbed, seconds_of_a_run, tmp_path):
    folder = tmp_path / "runs"
    scheduler = "local:1" if number % 2 == 0 else "None"
    driver = python(
        script("driver", DRIVER),
        folder,
        scheduler,
        *[config.to_json() for config in configs.values()],
    )
    _, moment = wait_for_moment(
        number, folder, seconds_of_a_run, lambda: driver.poll() is not None
    )
    workers = stop_in_a_run(psutil.Process(driver.pid), folder)
    driver.send_signal(signal.SIGKILL)
    assert driver.wait(timeout=PATIENCE) == -signal.SIGKILL
    for worker in workers:
        worker.resume()
    _, orphans = psutil.wait_procs(workers, timeout=PATIENCE)
    assert not orphans  # workers end with their driver
    done, interrupted = finished(folder), begun(folder)
    print(
        f"\nkill {number:2d} of a driver with scheduler {scheduler} {moment}: {len(done)} traces stored, "
        f"{len(interrupted)} runs interrupted"
    )
    assert interrupted
    again = sweep(configs, folder, progress=False)
    assert_same(again, undisturbed)
    assert finished(folder).items() >= done.items()
    assert not left_behind(folder)


@pytest.mark.slow
def test_a_worker_is_always_started_again(configs, undisturbed, tmp_path):
    """Dask gives up a worker that is absent a while after a death, also when it is only starting for a second time."""
    import dask

    with (
        dask.config.set(
            {
                "distributed.deploy.lost-worker-timeout": "100ms",
                "distributed.worker.multiprocessing-method": "spawn",
            }
        ),
        cluster.client("local:1", progress=False) as client,
    ):
        (pid,) = client.run(os.getpid).values()
        os.kill(pid, signal.SIGKILL)
        client.wait_for_workers(1, timeout=PATIENCE / 2)
        assert_same(sweep(configs, tmp_path, client, progress=False), undisturbed)


@pytest.mark.parametrize("number", KILLS)
def test_lost_scheduler(number, python, script, configs, tmp_path):
    file = tmp_path / "address"
    server = python(script("scheduler", SCHEDULER), file)
    wait_until(lambda: file.exists() and file.read_text(encoding="utf-8"))
    address, error = file.read_text(encoding="utf-8"), []

    def run():
        try:
            sweep(configs, tmp_path / "runs", address, progress=False)
        except OSError as caught:
            error.append(caught)

    thread = threading.Thread(target=run)
    thread.start()
    wait_until(lambda: (tmp_path / "runs" / ".sweep").exists())
    time.sleep(number / MANY)  # while the sweep connects, and while it waits for workers
    server.kill()
    thread.join(timeout=PATIENCE)
    assert re.search("start the same runs again|the same runs can be started again", str(error[0]))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(MANY))
def test_killed_nanny(number, python, script, configs, undisturbed, seconds_of_a_run, tmp_path):
    """A worker ends with the process that looks after it, and its run goes on at another worker."""
    file, folder, result = tmp_path / "address", tmp_path / "runs", {}
    python(script("scheduler", SCHEDULER), file)
    wait_until(lambda: file.exists() and file.read_text(encoding="utf-8"))
    address = file.read_text(encoding="utf-8")
    nannies = [python(script("nanny", NANNY), address) for _ in range(2)]
    arguments = {"progress": False, "checkpoint_seconds": 0.0}
    thread = threading.Thread(
        target=lambda: result.update(sweep(configs, folder, address, **arguments))
    )
    thread.start()
    wait_for_moment(number, folder, seconds_of_a_run, lambda: not thread.is_alive())
    done, workers = (
        finished(folder),
        psutil.Process(nannies[number % 2].pid).children(recursive=True),
    )
    nannies[number % 2].kill()
    thread.join(timeout=PATIENCE)
    _, orphans = psutil.wait_procs(workers, timeout=PATIENCE)
    assert not orphans
    assert_same(result, undisturbed)
    assert finished(folder).items() >= done.items()
    # deletes what the worker left, if it died just after storing a trace
    sweep(configs, folder, progress=False)
    assert not left_behind(folder)


@pytest.mark.slow
def test_worker_out_of_memory(configs, undisturbed, tmp_path):
    import dask
    import distributed

    large = two_point.Config(depth=20, width=5000, seeds=1, epochs=5)  # 2 GB of weights
    limits = {
        "distributed.scheduler.allowed-failures": 0,
        "distributed.worker.memory.pause": False,
    }
    with (
        dask.config.set(limits),
        distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit="1GB",
        ) as cluster,
        distributed.Client(cluster) as client,
        pytest.raises(
            SweepError,
            match=r"large: MemoryError: 1 workers died .*needs more memory than a worker has",
        ),
    ):
        sweep({"large": large, **configs}, tmp_path, client, progress=False)
    assert_same(
        {label: store.load(store.path_of(c, tmp_path)) for label, c in configs.items()},
        undisturbed,
    )


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
