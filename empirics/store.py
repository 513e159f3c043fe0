"""The store of traces: one netCDF file per run, named after the experiment and a hash of its configuration.

A file is written under a temporary name and renamed when it is complete, so that every file with a trace's name can be
read. An interrupted run leaves a checkpoint next to it and is continued from there, with the same result to the last
bit.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

import xarray as xr

from empirics import check, experiments, trace
from empirics.experiments.config import as_json, content_hash, former_names, present_name
from empirics.training.checkpoint import Checkpoint

ENGINE: Final = "h5netcdf"
REQUIRED = ("experiment", "config", "versions", "wall_seconds")


def path_of(config: Any, directory: str | os.PathLike[str]) -> Path:
    """Return the path of the trace of ``config`` in ``directory``, such as ``two_point-0123456789abcdef.nc``."""
    return Path(directory) / f"{config.experiment}-{content_hash(config)}.nc"


def save(data: xr.Dataset, path: str | os.PathLike[str]) -> Path:
    """Write a trace under a temporary name, then rename it; return its path.

    Args:
        data: a trace, with the attributes of :func:`empirics.trace.provenance`.
        path: file name ending in ``.nc``; its directory is created if it does not exist.

    Raises:
        ValueError: if ``data`` is no trace or ``path`` does not end in ``.nc``.
    """
    target = Path(path)
    check.require(target.suffix == ".nc", "path", target, "a name that ends in .nc")
    _require_provenance(data, "data")
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        checksums = {  # HDF5 has no checksums of text
            name: {"fletcher32": True}
            for name, variable in data.variables.items()
            if variable.ndim and variable.dtype.kind not in "OSU"
        }
        data.to_netcdf(temporary, engine=ENGINE, encoding=checksums)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return target


def load(path: str | os.PathLike[str]) -> xr.Dataset:
    """Read a trace into memory; the former name of an experiment is replaced by the present one.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: if the file is damaged or not a trace.
    """
    source = Path(path)
    if not source.is_file():
        raise FileNotFoundError(f"path: no file {source}")
    try:
        with xr.open_dataset(source, engine=ENGINE) as data:
            loaded = data.load()
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise ValueError(f"{source}: not a readable netCDF file ({error}); delete it to run this again") from error
    _require_provenance(loaded, str(source))
    return _with_present_name(loaded)


def run_or_load(
    config: Any,
    directory: str | os.PathLike[str],
    resume: bool = True,
    *,
    checkpoint_seconds: float = 60.0,
    **options: Any,
) -> xr.Dataset:
    """Return the trace of ``config`` from its file, or run the experiment (or continue its run) and store the trace.

    Args:
        config: configuration of any experiment.
        directory: directory of the traces; created if it does not exist.
        resume: whether to use stored traces and checkpoints, default True; False runs anew and replaces the file.
        checkpoint_seconds: least time between two checkpoints, in seconds, default 60.
        options: keyword arguments of the experiment's ``run`` (``progress``, ``on_divergence``).

    Raises:
        ValueError: if the stored file is damaged or contains another configuration than its name says.
    """
    path = path_of(config, directory)
    path.parent.mkdir(parents=True, exist_ok=True)
    key = json.dumps([as_json(config), trace.versions()])
    checkpoint = Checkpoint(path.with_suffix(".checkpoint"), key, checkpoint_seconds)
    if not resume:
        checkpoint.remove()
    elif (stored := _stored(config, path)) is not None:
        data = load(stored)
        if data.attrs["config"] != as_json(config):
            raise ValueError(f"{stored}: holds another configuration than its name says; delete it to run this again")
        return data
    data = experiments.run(config, checkpoint=checkpoint, **options)
    save(data, path)
    checkpoint.remove()
    return data


def _stored(config: Any, path: Path) -> Path | None:
    """Return the stored file of the trace of ``config``, under a present or former name of the experiment, or None."""
    former = [path.with_name(f"{n}-{content_hash(config, n)}{path.suffix}") for n in former_names(config.experiment)]
    return next((file for file in (path, *former) if file.exists()), None)


def _with_present_name(data: xr.Dataset) -> xr.Dataset:
    """Return a trace with the former name of its experiment replaced by the present one."""
    name = present_name(str(data.attrs["experiment"]))
    if name == data.attrs["experiment"]:
        return data
    config = json.dumps(json.loads(data.attrs["config"]) | {"experiment": name}, sort_keys=True)
    return data.assign_attrs(experiment=name, config=config)


def _require_provenance(data: xr.Dataset, name: str) -> None:
    """Raise ValueError if the attributes of a trace are missing."""
    if missing := [attribute for attribute in REQUIRED if attribute not in data.attrs]:
        raise ValueError(f"{name}: lacks the attribute {', '.join(missing)}, so it is not a trace of an experiment")
