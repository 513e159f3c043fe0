"""Sweeps: many configurations, each run into its own file; a sweep can be interrupted and continued at any time.

The runs follow one another in one process by default; with ``workers`` several run at once on one machine and share its
cores. A failed run does not stop the others. To use several machines, start the sweep on each of them with a part of
the configurations and a common directory.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import torch
import xarray as xr
from tqdm.auto import tqdm

from empirics import check, store
from empirics.experiments.config import content_hash


class SweepError(RuntimeError):
    """Some runs of a sweep failed; the others are complete and stored.

    Attributes:
        failures: ``{label: exception}``.
    """

    def __init__(self, failures: Mapping[str, Exception]) -> None:
        self.failures = dict(failures)
        lines = [f"{label}: {type(error).__name__}: {error}" for label, error in self.failures.items()]
        super().__init__("\n".join([f"{len(lines)} runs failed; the others are stored.", *lines]))


def sweep(
    configs: Mapping[str, Any],
    directory: str | os.PathLike[str],
    *,
    workers: int = 1,
    resume: bool = True,
    progress: bool = True,
    **options: Any,
) -> dict[str, xr.Dataset]:
    """Run every configuration that is not stored yet, and load all traces.

    Equal configurations under several labels are run once. A sweep that was interrupted and is started again reads
    complete runs and continues unfinished ones from their checkpoints.

    Args:
        configs: ``{label: Config}`` of any experiments.
        directory: directory of the traces.
        workers: number of processes, default 1; more than one starts new interpreters, so that a script must guard its
            main code with ``if __name__ == "__main__"``.
        resume: whether to use stored traces and checkpoints, default True; see :func:`empirics.store.run_or_load`.
        progress: whether to show a bar on stderr, default True.
        options: keyword arguments of :func:`empirics.store.run_or_load`.

    Returns:
        ``{label: trace}`` in the order of ``configs``.

    Raises:
        ValueError: if ``configs`` is empty or ``workers`` is not positive.
        TypeError: if ``configs`` is not a mapping.
        SweepError: if a run failed; raised when all others are complete.
    """
    check.instance("configs", configs, Mapping, "a mapping of labels to configurations")  # type: ignore[type-abstract]
    check.require(len(configs) > 0, "configs", "none", "at least one configuration")
    workers = check.whole("workers", workers)
    labels = {
        content_hash(config): label for label, config in reversed(list(configs.items()))
    }  # the first label of each
    distinct = {label: configs[label] for label in reversed(labels.values())}
    options |= {"resume": resume}
    disabled = {} if progress else {"disable": True}
    failures: dict[str, Exception] = {}
    with tqdm(total=len(distinct), desc="runs", unit="run", file=sys.stderr, **disabled) as bar:
        runs = _one_by_one(distinct, directory, progress, options)
        if workers > 1:
            runs = _at_once(distinct, directory, min(workers, len(distinct)), options)
        for label, error in runs:
            if error is not None:
                failures[label] = error
            bar.set_postfix_str(label, refresh=False)
            bar.update()
    if failures:
        raise SweepError(failures)
    return {label: store.load(store.path_of(config, directory)) for label, config in configs.items()}


Outcome = Iterator[tuple[str, Exception | None]]


def _one_by_one(
    configs: Mapping[str, Any], directory: str | os.PathLike[str], progress: bool, options: Mapping[str, Any]
) -> Outcome:
    """Run the configurations one after another; yield every label with its error or None."""
    for label, config in configs.items():
        try:
            store.run_or_load(config, directory, progress=progress, **options)
        except Exception as error:  # the other runs continue, and sweep() reports every error
            yield label, error
        else:
            yield label, None


def _at_once(
    configs: Mapping[str, Any], directory: str | os.PathLike[str], workers: int, options: Mapping[str, Any]
) -> Outcome:
    """Run the configurations in several processes; yield every label with its error or None."""
    threads = max(1, torch.get_num_threads() // workers)
    context = multiprocessing.get_context("spawn")  # a forked child would inherit torch's threads in an unknown state
    with ProcessPoolExecutor(workers, context, initializer=torch.set_num_threads, initargs=(threads,)) as pool:
        pending = {
            pool.submit(_run, config, Path(directory), dict(options)): label for label, config in configs.items()
        }
        for finished in as_completed(pending):
            error = finished.exception()
            if isinstance(error, BrokenProcessPool):
                error = RuntimeError("a worker process was killed; run the sweep again to continue")
            yield pending[finished], error if isinstance(error, Exception) else None


def _run(config: Any, directory: Path, options: dict[str, Any]) -> None:
    store.run_or_load(config, directory, progress=False, **options)
