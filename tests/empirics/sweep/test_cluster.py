"""Tests of sweeps on workers of Dask: the same bits as in one process, whoever did the work and whatever it sees."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from empirics.experiments import collapse, two_point
from empirics.sweep import SweepError, cluster, store, sweep, work
from tests.optional import needs

pytestmark = needs("distributed", "cluster")

QUICK = two_point.Config(depth=2, width=5, seeds=1, epochs=10)
SEEDS = collapse.Config(
    dataset="digits",
    network="mlp",
    depths=(12, 10, 8),
    train_size=60,
    test_size=40,
    epochs=1,
    batch_size=20,
    seeds=2,
)


def without_origin(trace):
    return trace.drop_attrs(deep=False)


def assert_same(traces, expected):
    assert list(traces) == list(expected)
    for label, trace in traces.items():
        assert without_origin(trace).identical(without_origin(expected[label]))


def said(caplog):
    """What the sweep logged, without what Dask logs about a busy machine."""
    return [
        record.getMessage() for record in caplog.records if record.name == "empirics.sweep.driver"
    ]


@pytest.mark.slow
def test_same_bits_and_the_log_names_the_worker(
    client, configs, undisturbed, tmp_path, caplog, capsys
):
    caplog.set_level(logging.INFO, "empirics.sweep")
    traces = sweep(configs, tmp_path, client)
    assert_same(traces, undisturbed)
    workers = set(client.scheduler_info()["workers"])
    lines = [
        re.fullmatch(r"(.*) \(.*\): [\d.]+ s on the worker at (.*)", text) for text in said(caplog)
    ]
    assert {line[1] for line in lines} == set(configs)
    assert {line[2] for line in lines} == workers
    assert capsys.readouterr().err.startswith("2 workers; dashboard: http")
    times = {p: p.stat().st_mtime_ns for p in tmp_path.glob("*.nc")}
    assert len(times) == len(configs)
    assert_same(sweep(configs, tmp_path, client, progress=False), undisturbed)
    assert {p: p.stat().st_mtime_ns for p in tmp_path.glob("*.nc")} == times
    assert all(json.loads(trace.attrs["config"])["epochs"] == 1200 for trace in traces.values())


@pytest.mark.slow
def test_seeds_are_shared_out(client, tmp_path, caplog):
    caplog.set_level(logging.INFO, "empirics.sweep")
    trace = sweep({"digits": SEEDS}, tmp_path, client, progress=False)["digits"]
    assert sorted(text.split(" (")[0] for text in said(caplog)) == [
        f"digits, seed {seed}" for seed in range(2)
    ]
    assert without_origin(trace).identical(without_origin(collapse.run(SEEDS, progress=False)))
    assert [p.name for p in tmp_path.glob("*") if p.name != work.MARK] == [
        store.path_of(SEEDS, tmp_path).name
    ]


@pytest.mark.slow
def test_failures_name_run_and_worker(client, tmp_path):
    configs = {"diverges": replace(QUICK, learning_rate=1e9), "good": QUICK}
    with pytest.raises(
        SweepError, match=r"diverges: DivergedError: .*on the worker at tcp://127"
    ) as caught:
        sweep(configs, tmp_path, client, progress=False)
    assert list(caught.value.failures["diverges"].epochs) == ["seed 0"]
    assert store.path_of(QUICK, tmp_path).exists()
    with pytest.warns(RuntimeWarning, match=r"diverges: training diverged"):
        sweep(configs, tmp_path, client, progress=False, on_divergence="mark")


@pytest.mark.slow
def test_without_a_common_file_system_traces_travel(client, tmp_path, monkeypatch):
    monkeypatch.setattr(work, "marked", lambda directory: "the mark of another machine's folder")
    configs = {"a": QUICK, "seeds": SEEDS}
    traces = sweep(configs, tmp_path, client, progress=False)
    assert_same(traces, sweep(configs, tmp_path / "here", progress=False))
    assert len(list(tmp_path.glob("*.nc"))) == 2


class Lost:
    """A finished future whose result is lost with its worker before it is fetched."""

    status = "finished"

    def __init__(self, then, error):
        self.then, self.error = then, error

    def result(self):
        self.status = self.then
        raise self.error


def test_a_result_that_is_lost_with_its_worker():
    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker

    dead = KilledWorker("key", SimpleNamespace(address="tcp://127.0.0.1:1"), 3)
    assert "needs more memory" in str(cluster._outcome(Lost("error", dead)))
    full = OSError("free space there")
    assert cluster._outcome(Lost("error", full)) is full
    with pytest.raises(ConnectionError, match="start the same runs again"):
        cluster._outcome(Lost("finished", CommClosedError("the scheduler is dead")))


def test_workers_must_do_one_run_at_a_time():
    workers = {"tcp://127.0.0.1:1": {"nthreads": 4, "resources": {}}}
    client = SimpleNamespace(scheduler_info=lambda: {"workers": workers})
    with pytest.raises(
        ValueError, match=r"does 4 runs at a time, needs one; start workers with dask worker"
    ):
        next(cluster.run(client, [item(QUICK)]))


def test_a_client_that_could_not_connect_again_has_lost_its_scheduler():
    """Dask then closes the client, which knows nothing of the scheduler from there on."""
    client = SimpleNamespace(scheduler_info=dict)
    with pytest.raises(ConnectionError, match="start the same runs again"):
        next(cluster.run(client, [item(QUICK)]))


def test_runs_on_a_gpu_need_a_worker_with_one():
    workers = {"tcp://127.0.0.1:1": {"nthreads": 1, "resources": {}}}
    client = SimpleNamespace(scheduler_info=lambda: {"workers": workers})
    with pytest.raises(
        ValueError, match=r"no worker has a GPU for x; start one for each GPU with CUDA_VISIBLE"
    ):
        next(cluster.run(client, [item(replace(QUICK, device="cuda"))]))


def item(config):
    return work.Work("x", config, config, None, True)


def test_no_scheduler_at_the_address(tmp_path):
    import dask

    with (
        dask.config.set({"distributed.comm.timeouts.connect": "200ms"}),
        pytest.raises(
            ConnectionError,
            match=r"nothing usable answers at tcp://.*Start a scheduler there with `dask scheduler`",
        ),
    ):
        sweep({"a": QUICK}, tmp_path, "tcp://127.0.0.1:1", progress=False)


@pytest.mark.slow
def test_certificates_are_not_for_a_connected_client(client, tmp_path):
    with pytest.raises(ValueError, match="security: got one for a connected client, needs None"):
        sweep({"a": QUICK}, tmp_path, client, security=True, progress=False)


@pytest.mark.slow
def test_workers_of_this_machine_may_talk_over_tls(tmp_path, caplog):
    pytest.importorskip("cryptography", reason="cryptography is not installed (extra `cluster`)")
    caplog.set_level(logging.INFO, "empirics.sweep")
    sweep({"a": QUICK}, tmp_path, "local:1", security=True, progress=False)
    (line,) = said(caplog)
    assert "on the worker at tls://127.0.0.1" in line
