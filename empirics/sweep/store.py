"""The store of traces: one netCDF file per run, named after the experiment and a hash of its configuration.

A file is written under a temporary name, read again, and renamed when it is complete, so that every file with a
trace's name can be read; checksums of its bytes and of its content detect what happens to it later. An interrupted run
leaves a checkpoint next to it and is continued from there, with the same result to the last bit. Of several processes
that want the same run, one does it and the others wait for it. Tiny runs have files of their own, too, since a file is
what is locked, verified and replaced as a whole; it takes 5 ms to write and 7 ms to read.
"""

import json
import logging
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import xarray as xr

from closedform import atomic_write, checks
from empirics import experiments
from empirics.runs import own_code, trace, trace_file
from empirics.runs.config import as_json, content_hash
from empirics.sweep import run_lock
from empirics.training.checkpoint import Checkpoint, listening

logger = logging.getLogger(__name__)
CHECKPOINT: Final = ".checkpoint"
REQUIRED = ("experiment", "config", "versions", "processor_seconds")


def path_of(config: Any, directory: str | os.PathLike[str]) -> Path:
    """Return the path of the trace of ``config`` in ``directory``, such as ``two_point-0123456789abcdef.nc``."""
    return Path(directory) / f"{config.experiment}-{content_hash(config)}.nc"


def save(data: xr.Dataset, path: str | os.PathLike[str]) -> xr.Dataset:
    """Write a trace ``.nc`` under a temporary name, read it, rename it, and return it as it was read."""
    target = Path(path)
    checks.require(target.suffix == ".nc", "path", target, "a name that ends in .nc")
    _require_provenance(data, "data")
    content = trace_file.content(data)
    with atomic_write.replacing(target) as temporary:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        return trace_file.read(temporary)


def load(path: str | os.PathLike[str]) -> xr.Dataset:
    """Read a trace into memory; FileNotFoundError if there is none, ValueError if it is damaged or not a trace."""
    loaded = trace_file.read(Path(path))
    _require_provenance(loaded, str(path))
    return loaded


def run_or_load(
    config: Any,
    directory: str | os.PathLike[str],
    resume: bool = True,
    *,
    find: Callable[[], xr.Dataset | None] | None = None,
    own: Mapping[str, str] | None = None,
    checkpoint_seconds: float = 60.0,
    **options: Any,
) -> xr.Dataset:
    """Return the trace of ``config`` from its file, or run the experiment (or continue its run) and store the trace.

    What other code of the user's own has made, a trace or a checkpoint, is not used; the log says which files differ.

    Args:
        config: which run.
        directory: folder of the traces.
        resume: whether a stored trace and a checkpoint are used; default True.
        find: looks for a result, by default :func:`stored` if ``resume``; it is called again when the claim on the run
            is held, since another process may have worked on the run until then.
        own: digests of the code of the user's own that makes the run, see :mod:`empirics.runs.own_code`; default:
            those of this process.
        checkpoint_seconds: least time between two writes of the checkpoint, in seconds; default 60.
        options: keyword arguments of the experiment's ``run``.

    Raises:
        ValueError: if the stored file is damaged or contains another configuration.
        OSError: if nothing can be written.
    """
    own = own_code.of(config) if own is None else own
    look = find or (partial(stored, config, directory, own) if resume else lambda: None)
    data = look()
    if data is not None:
        sweep_up(config, directory)
        return data
    path = path_of(config, directory)
    with run_lock.claimed(path):
        data = look()
        if data is not None:
            return data
        key = json.dumps([as_json(config), trace.versions(), trace.code()])
        checkpoint = Checkpoint(path.with_suffix(CHECKPOINT), key, checkpoint_seconds, own)
        if not resume:
            checkpoint.remove()
        with listening(checkpoint):
            data = save(experiments.run(config, checkpoint=checkpoint, **options), path)
            checkpoint.remove()
    return data


def sweep_up(config: Any, directory: str | os.PathLike[str]) -> None:
    """Delete what a process left next to the finished trace of ``config`` when it was killed just after storing it."""
    path = path_of(config, directory)
    checkpoint = path.with_suffix(CHECKPOINT)
    if path.exists() and (checkpoint.exists() or run_lock.lock_of(path).exists()):
        with suppress(OSError), run_lock.claimed(path, wait=False) as is_free:
            if is_free:
                checkpoint.unlink(missing_ok=True)


def stored(
    config: Any,
    directory: str | os.PathLike[str],
    own: Mapping[str, str] | None = None,
    *,
    quiet: bool = False,
) -> xr.Dataset | None:
    """Return the trace of ``config`` in ``directory``; ValueError if the file is damaged or of another run.

    None if there is none, or if it was made by other code of the user's own than ``own``, by default that of this
    process; the log says which files differ, unless ``quiet``.
    """
    file = path_of(config, directory)
    if not file.exists():
        return None
    data = load(file)
    if data.attrs["config"] != as_json(config):
        raise ValueError(
            f"{file}: holds another configuration than its name says; delete it to run this again"
        )
    text, now = data.attrs.get(own_code.ATTRIBUTE), own_code.of(config) if own is None else own
    changed = own_code.changed(text, now)
    if changed:
        if not quiet:
            _say(
                f"{file.stem}: {changed} since it was run; it is run again",
                file.stat().st_mtime_ns,
            )
        return None
    return data


def is_stored(config: Any, directory: str | os.PathLike[str]) -> bool:
    """Return whether the trace of ``config`` is in ``directory``, by the present code where that is the user's own."""
    file, now = path_of(config, directory), own_code.of(config)
    if not now:
        return file.is_file()
    return file.is_file() and not own_code.changed(
        trace_file.text_attribute(file, own_code.ATTRIBUTE), now
    )


@cache
def _say(text: str, _written_at: int) -> None:
    """Log a sentence on a file, once as long as the file stays, since several look at it before it is replaced."""
    logger.warning(text)


def _require_provenance(data: xr.Dataset, name: str) -> None:
    """Raise ValueError if the attributes of a trace are missing."""
    missing = [attribute for attribute in REQUIRED if attribute not in data.attrs]
    if missing:
        raise ValueError(
            f"{name}: lacks the attribute {', '.join(missing)}, so it is not a trace of an experiment"
        )
