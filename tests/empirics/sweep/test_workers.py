"""Tests of what workers may use and what a user sees of them: threads, GPUs, the time left, the dashboard."""

from __future__ import annotations

import itertools
import os
import re
import time
import urllib.request
from dataclasses import replace

import pytest
import torch

from empirics.experiments import two_point
from empirics.sweep import cluster, sweep, work
from empirics.training import progress
from tests.optional import needs

pytestmark = needs("distributed", "cluster")

QUICK = two_point.Config(depth=2, width=5, seeds=1, epochs=10)
CONFIGS = {f"gain {gain}": replace(QUICK, gain=gain) for gain in (0.9, 1.0, 1.1)}
BEGUN: list[tuple[str, str, float, float]] = []  # runs of `recorded`: label, worker, begin and end


@pytest.fixture(scope="module")
def two_workers():
    """A client of two workers in this process, of which one has a GPU, and the address of that one."""
    import distributed

    options = {"host": "127.0.0.1", "nthreads": 1, "dashboard_address": None}
    workers = {
        "plain": {"cls": distributed.Worker, "options": options},
        "gpu": {"cls": distributed.Worker, "options": options | {"resources": {"GPU": 1}}},
    }
    scheduler = {
        "cls": distributed.Scheduler,
        "options": {"host": "127.0.0.1", "port": 0, "dashboard_address": None},
    }
    with (
        distributed.SpecCluster(workers, scheduler) as here,
        distributed.Client(here) as connected,
    ):
        yield connected, here.workers["gpu"].address


def recorded(item: work.Work, mark: str) -> work.JobResult:
    """Take a while and do nothing, in place of `work.run_on_worker`."""
    from distributed import get_worker

    began = time.monotonic()
    # on a busy machine, too, a GPU still works when the others begin
    time.sleep(0.2 if item.needs_gpu else 0.02)
    worker = get_worker().address
    BEGUN.append((item.label, worker, began, time.monotonic()))
    return work.JobResult(0.02, worker)


def test_a_run_has_one_thread_where_nobody_limits_the_worker(two_workers, tmp_path, monkeypatch):
    """As on workers that a user starts; a worker of `local:N` has the limit of Dask, see below."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    connected, _ = two_workers
    # a thread of its own for the runs of each worker
    for address in connected.scheduler_info()["workers"]:
        connected.submit(torch.set_num_threads, 2, workers=[address], pure=False).result()
    threads = []
    monkeypatch.setattr(work, "run_here", lambda *_, **__: threads.append(torch.get_num_threads()))
    works = [work.Work(label, config, config, tmp_path, True) for label, config in CONFIGS.items()]
    assert len(list(cluster.run(connected, works))) == len(threads)
    assert set(threads) == {1}


def test_workers_of_this_machine_have_one_thread(client):
    assert set(client.run(os.getenv, "OMP_NUM_THREADS").values()) == {"1"}
    assert {worker["nthreads"] for worker in client.scheduler_info()["workers"].values()} == {1}


def test_a_gpu_has_one_run_at_a_time(two_workers, tmp_path, monkeypatch):
    connected, gpu = two_workers
    monkeypatch.setattr(work, "run_on_worker", recorded)
    configs = {f"gpu {seed}": replace(QUICK, first_seed=seed, device="cuda") for seed in range(4)}
    configs |= {f"cpu {seed}": replace(QUICK, first_seed=seed) for seed in range(4)}
    BEGUN.clear()
    works = [work.Work(label, config, config, tmp_path, True) for label, config in configs.items()]
    assert len(list(cluster.run(connected, works))) == len(works) == len(BEGUN)
    on_gpu = sorted(
        (began, ended) for label, worker, began, ended in BEGUN if label.startswith("gpu")
    )
    assert {worker for label, worker, *_ in BEGUN if label.startswith("gpu")} == {gpu}
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(on_gpu))
    assert len({worker for _, worker, *_ in BEGUN}) == 2  # runs without a GPU do not wait for it


def test_the_only_worker_of_this_machine_has_its_gpu(monkeypatch):
    """Several workers would share it."""
    started = []

    def start(**options):
        started.append(options)
        raise LookupError

    monkeypatch.setattr("distributed.LocalCluster", start)
    for scheduler in ("local:1", "local:2"):
        with pytest.raises(LookupError), cluster.client(scheduler, progress=False):
            pass
    assert [options["resources"] for options in started] == [{"GPU": 1}, {}]
    assert {options["threads_per_worker"] for options in started} == {1}


def test_the_time_left_counts_the_runs_of_all_workers(two_workers, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    sweep(CONFIGS, tmp_path, two_workers[0])
    lines = re.findall(r"runs: (\d) of 3 runs, (\d+) s left", capsys.readouterr().err)
    assert [int(number) for number, _ in lines] == [1, 2, 3]
    assert int(lines[-1][1]) == 0


def test_the_dashboard_answers_at_the_address_that_is_printed(client, capsys):
    with cluster.client(client):
        pass
    address = re.fullmatch(
        r"2 workers; dashboard: (http://127\.0\.0\.1:\d+/status)\n", capsys.readouterr().err
    )
    assert urllib.request.urlopen(address[1], timeout=60).status == 200
