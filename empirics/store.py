"""Where traces are kept: one netCDF file per run, named after the experiment and the content of its configuration.

A file appears under its name only when it is complete (written under a temporary name, then renamed), so whatever has
a name can be read. A run that was cut off leaves a checkpoint beside it and is continued from there, to the same
result bit for bit.
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
    """The file that the trace of ``config`` has in ``directory``: ``two_point-0123456789abcdef.nc``."""
    return Path(directory) / f"{config.experiment}-{content_hash(config)}.nc"


def save(data: xr.Dataset, path: str | os.PathLike[str]) -> Path:
    """Write a trace under a temporary name, then rename it.

    Args:
        data: a trace, with the attributes of :func:`empirics.trace.provenance`.
        path: ends in ``.nc``; its directory is made where it is missing.

    Raises:
        ValueError: if ``data`` is no trace or ``path`` does not end in ``.nc``.
    """
    target = Path(path)
    check.require(target.suffix == ".nc", "path", target, "a name that ends in .nc")
    _require_provenance(data, "data")
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        checksums = {  # HDF5 has none for text
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
    """Read a trace into memory; one that was written under a former name of its experiment has the present one then.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: if it is damaged or not a trace of ours.
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
    """The trace of ``config``: from its file where there is one, else run (or continued) now and kept.

    Args:
        config: of any experiment.
        directory: where traces lie; made where it is missing.
        resume: use what is there. False runs anew and replaces the file.
        checkpoint_seconds: least time between two checkpoints, in seconds.
        options: passed on to the experiment's ``run`` (``progress``, ``on_divergence``).

    Raises:
        ValueError: if a file is there but damaged or not what its name says.
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
    """The file of the trace of ``config``, under the present name of the experiment or a former one; None without."""
    former = [path.with_name(f"{n}-{content_hash(config, n)}{path.suffix}") for n in former_names(config.experiment)]
    return next((file for file in (path, *former) if file.exists()), None)


def _with_present_name(data: xr.Dataset) -> xr.Dataset:
    name = present_name(str(data.attrs["experiment"]))
    if name == data.attrs["experiment"]:
        return data
    config = json.dumps(json.loads(data.attrs["config"]) | {"experiment": name}, sort_keys=True)
    return data.assign_attrs(experiment=name, config=config)


def _require_provenance(data: xr.Dataset, name: str) -> None:
    if missing := [attribute for attribute in REQUIRED if attribute not in data.attrs]:
        raise ValueError(f"{name}: lacks the attribute {', '.join(missing)}, so it is not a trace of an experiment")
