"""The networks of a map: each result is kept in a file, so that a map is continued, and not begun again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bridge.statistics.arrays import Array
from bridge.validity.prediction import Prediction
from closedform.untrusted_files import decoded

FILE = "validity.jsonl"
Task = tuple[Any, range]  # configuration and seeds
Values = tuple[Array, Array]


@dataclass
class Evaluation:
    """Predicted and measured numbers of configurations and seeds."""

    claim: Prediction
    path: Path | None = None  # file of the results; None keeps them in memory only
    client: Any = None  # client of Dask that computes; None computes here
    known: dict[str, Values] = field(default_factory=dict)  # results by configuration and seeds

    def __post_init__(self) -> None:
        if self.path is None or not self.path.exists():
            return
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:  # a killed process left half a line
            os.truncate(self.path, len(whole))
        for line in whole.decode().splitlines():
            row = decoded("line of results", line)
            numbers = (np.array([np.nan if x is None else x for x in row[k]]) for k in ("predicted", "measured"))
            self.known[row["key"]] = next(numbers), next(numbers)

    def pairs(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Values]]:
        """Yield every task with its result, in any order; those that are known at once."""
        missing = []
        for task in tasks:
            if (key := self._key(task)) in self.known:
                yield task, self.known[key]
            else:
                missing.append(task)
        for task, values in self._computed(missing):
            self._keep(task, values)
            yield task, values

    def _computed(self, tasks: list[Task]) -> Iterator[tuple[Task, Values]]:
        if self.client is None:
            with one_thread():
                yield from ((task, self.claim.pair(*task)) for task in tasks)
            return
        import distributed

        futures = {self.client.submit(evaluate, self.claim, task, pure=False): task for task in tasks}
        for future in distributed.as_completed(list(futures)):
            yield futures[future], future.result()

    def _key(self, task: Task) -> str:
        config, seeds = task
        return f"{self.claim.name} {config!r} {seeds.start}:{seeds.stop}"

    def _keep(self, task: Task, values: Values) -> None:
        self.known[self._key(task)] = values
        if self.path is not None:
            numbers = [[float(x) if np.isfinite(x) else None for x in array] for array in values]
            row = {"key": self._key(task), "predicted": numbers[0], "measured": numbers[1]}
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
                file.flush()
                os.fsync(file.fileno())


def evaluate(claim: Prediction, task: Task) -> Values:
    """Compute a task on a worker."""
    with one_thread():
        return claim.pair(*task)


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute with one thread, in this process or on a worker, so that the bits are the same."""
    import warnings

    import torch
    from threadpoolctl import threadpool_limits

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # networks that diverge are marked
            yield
    finally:
        torch.set_num_threads(threads)


@contextmanager
def evaluating(claim: Prediction, directory: Path | None, scheduler: Any) -> Iterator[Evaluation]:
    """Return an evaluation within this context, with the workers of a scheduler as in ``empirics.sweep``."""
    with ExitStack() as contexts:
        client = None
        if scheduler is not None:
            from empirics.sweep import cluster

            client = contexts.enter_context(cluster.client(scheduler, progress=False))
        path = None
        if directory is not None:
            directory.mkdir(parents=True, exist_ok=True)
            path = directory / FILE
        yield Evaluation(claim, path, client)
