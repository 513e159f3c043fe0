"""What a sweep costs on 0, 1, 2 and 4 local workers: sixteen small runs of two points, each some seconds of CPU.

``python benchmarks/sweep_workers.py`` prints one line for each number of workers (0 is this process):

- ``wall``: seconds from the first run to the last, without the start of the workers, which ``start`` has;
- ``CPU``: CPU seconds of all workers in that time, and ``driver`` those of this process, with Dask's scheduler;
- ``overhead``: CPU of workers and driver beyond that of no workers, in milliseconds for each run;
- ``efficiency``: CPU of no workers over wall time times the cores that the workers can use. On a machine that others
  use at the same time this is what they leave; the overhead in CPU time is not affected by them.

Before the table stands the size of what travels: one run to a worker, its outcome back, and a trace where there is no
common file system. ``--runs`` and ``--epochs`` change the sizes.
"""

from __future__ import annotations

import argparse
import os
import pickle
import tempfile
import time
from pathlib import Path

import psutil

from empirics.experiments import two_point
from empirics.sweep import cluster, run_all, store, work

WORKERS = (0, 1, 2, 4)


def cpu(process: psutil.Process) -> float:
    """Return the CPU time of a process so far, in seconds."""
    times = process.cpu_times()
    return float(times.user + times.system)


def measured(
    configs: dict[str, two_point.Config], workers: int
) -> tuple[float, float, float, float]:
    """Return the seconds of the start and of the sweep, and the CPU seconds of the workers and of this process."""
    this = psutil.Process()
    with tempfile.TemporaryDirectory() as folder:
        if not workers:
            wall, before = time.perf_counter(), cpu(this)
            run_all(configs, folder, progress=False)
            return 0.0, time.perf_counter() - wall, 0.0, cpu(this) - before
        began = time.perf_counter()
        with cluster.client(f"local:{workers}", progress=False) as client:
            client.wait_for_workers(workers)
            # the imports belong to the start
            client.run(__import__, "empirics.experiments.two_point.run")
            processes = [psutil.Process(pid) for pid in client.run(os.getpid).values()]
            start = time.perf_counter() - began
            wall, before, of_workers = time.perf_counter(), cpu(this), sum(map(cpu, processes))
            run_all(configs, folder, client, progress=False)
            return (
                start,
                time.perf_counter() - wall,
                sum(map(cpu, processes)) - of_workers,
                cpu(this) - before,
            )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=6000)
    options = parser.parse_args()
    sizes = {"depth": 10, "width": 30, "seeds": 1, "epochs": options.epochs}
    configs = {str(i): two_point.Config(first_seed=i, **sizes) for i in range(options.runs)}
    one = configs["0"]
    run_all(
        {"warm": two_point.Config(depth=2, width=5, seeds=1, epochs=10)},
        tempfile.mkdtemp(),
        progress=False,
    )
    item = work.Work("0", one, one, Path("runs").absolute(), True)
    trace = store.run_or_load(one, tempfile.mkdtemp(), progress=False)
    parts = {"run": item, "outcome": work.JobResult(1.0, "tcp://127.0.0.1:40000"), "trace": trace}
    print(
        *(f"{name}: {len(pickle.dumps(part)):,} bytes" for name, part in parts.items()), sep="; "
    )
    print(
        f"{'workers':>7}{'start s':>9}{'wall s':>9}{'CPU s':>9}{'driver s':>10}{'overhead ms':>13}{'efficiency':>12}"
    )
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    alone = 0.0
    for workers in WORKERS:
        start, wall, busy, driver = measured(configs, workers)
        alone = alone or driver
        overhead = 1000 * (busy + driver - alone) / len(configs)
        efficiency = alone / (wall * min(max(workers, 1), cores))
        print(
            f"{workers:>7}{start:>9.1f}{wall:>9.1f}{busy:>9.1f}{driver:>10.1f}{overhead:>13.0f}{efficiency:>12.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
