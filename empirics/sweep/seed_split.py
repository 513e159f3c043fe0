"""The pieces of a configuration: one for each seed, where a seed alone gives the same bits as among the others.

This holds for experiments that train their networks one after another. Those that train all seeds as one batch have a
single piece: the matrix products of a batch and of one network round differently.
"""

import dataclasses
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import xarray as xr

from empirics.runs import trace_file
from empirics.sweep import run_lock, store

FOLDER: Final = ".seeds"  # inside the directory of the traces
# may differ between the pieces of one trace
MACHINE: Final = ("commit", "device", "threads", "processor", "blas")


def of(config: Any) -> tuple[Any, ...]:
    """Return the configurations of the pieces of ``config``: ``config`` alone if it cannot be cut."""
    if not config.seeds_are_independent or config.seeds == 1:
        return (config,)
    return tuple(
        dataclasses.replace(config, seeds=1, first_seed=seed) for seed in config.seed_numbers
    )


def folder(directory: str | os.PathLike[str]) -> Path:
    """Return the folder of the traces of pieces."""
    return Path(directory) / FOLDER


def are_begun(config: Any, directory: str | os.PathLike[str]) -> bool:
    """Return whether a piece of ``config`` was finished or interrupted by a sweep that cut this configuration."""
    paths = [store.path_of(piece, folder(directory)) for piece in of(config)]
    return any(path.exists() or path.with_suffix(store.CHECKPOINT).exists() for path in paths)


def join(config: Any, directory: str | os.PathLike[str]) -> None:
    """Store the trace of ``config`` from the traces of all its pieces, and delete these."""
    paths = [store.path_of(piece, folder(directory)) for piece in of(config)]
    target = store.path_of(config, directory)
    with run_lock.claimed(target):
        if target.exists() and not any(path.exists() for path in paths):
            return  # another sweep has joined them
        store.save(joined(config, [store.load(path) for path in paths]), target)
        remove(config, directory)


def remove(config: Any, directory: str | os.PathLike[str]) -> None:
    """Delete the traces and checkpoints of the pieces of ``config``, and their folder if it is empty then."""
    for piece in of(config):
        path = store.path_of(piece, folder(directory))
        for file in (path, path.with_suffix(store.CHECKPOINT), run_lock.lock_of(path)):
            file.unlink(missing_ok=True)
    with suppress(OSError):  # it does not exist, or holds pieces of other configurations
        folder(directory).rmdir()


def sweep_up(config: Any, directory: str | os.PathLike[str]) -> None:
    """Delete pieces of a finished trace of ``config``, except younger ones and those of other code."""
    if not folder(directory).exists():  # as nearly always; the names of the pieces take a while
        return
    pieces = [store.path_of(piece, folder(directory)) for piece in of(config)]
    paths = [path for path in pieces if path.exists()]
    target = store.path_of(config, directory)
    with suppress(OSError, ValueError):  # a damaged piece is left
        joined_at = target.stat().st_mtime_ns
        if paths and all(path.stat().st_mtime_ns < joined_at for path in paths):
            codes = {trace_file.text_attribute(path, "code") for path in (target, *paths)}
            if len(codes) == 1:
                remove(config, directory)


def joined(config: Any, traces: Sequence[xr.Dataset]) -> xr.Dataset:
    """Return the trace made of the pieces of all seeds in order; ValueError if they differ in what seeds share."""
    attributes: dict[str, Any] = {}
    for name in traces[0].attrs:
        values = list(dict.fromkeys(trace.attrs[name] for trace in traces))
        if name == "config":
            attributes[name] = config.to_json()
        elif name == "processor_seconds":
            attributes[name] = sum(trace.attrs[name] for trace in traces)
        elif len(values) == 1:
            attributes[name] = values[0]
        elif name in MACHINE:
            attributes[name] = "; ".join(map(str, values))
        else:
            raise ValueError(
                f"{config.experiment}: the seeds were run with different {name} ({'; '.join(map(str, values))}); "
                f"delete their traces in the folder {FOLDER} to run them again"
            )
    whole = xr.concat(
        traces,
        "seed",
        data_vars="minimal",
        coords="minimal",
        compat="equals",
        join="exact",
        combine_attrs="override",
    )
    return whole.drop_attrs(deep=False).assign_attrs(attributes)
