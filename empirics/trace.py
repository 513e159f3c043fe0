"""A trace: what a run leaves behind. Raw values per seed, dimensions by name, and where they came from.

Attributes of the dataset: ``experiment``, ``config`` (JSON text), ``commit`` (empty outside a git checkout, ``-dirty``
where files differed from it), ``versions`` (JSON text), ``device``, ``dtype``, ``threads``, ``processor`` and ``blas``
(on which the last bits depend), ``wall_seconds``, and what the experiment adds.
"""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr

from empirics.processor import blas, processor

ROOT = Path(__file__).resolve().parent.parent
WRITTEN_BY = ("closedform", "torch", "numpy", "xarray")


def dataset(
    variables: Mapping[str, tuple[Sequence[str], Any, str]],
    coordinates: Mapping[str, tuple[Any, Mapping[str, str]]],
    attributes: Mapping[str, str | float | int],
) -> xr.Dataset:
    """A labelled dataset.

    Args:
        variables: ``{name: (dimensions, values, meaning)}``; the meaning becomes the attribute ``long_name``.
        coordinates: ``{dimension: (values, attributes)}``.
        attributes: of the dataset; text and numbers only (what netCDF stores).

    Raises:
        ValueError: if a variable's shape contradicts the coordinates.
    """
    data = {
        name: (tuple(dims), np.asarray(values), {"long_name": meaning})
        for name, (dims, values, meaning) in variables.items()
    }
    coords = {name: (name, np.asarray(values), dict(attrs)) for name, (values, attrs) in coordinates.items()}
    return xr.Dataset(data, coords, dict(attributes))


def provenance(
    experiment: str, config: str, device: torch.device, dtype: torch.dtype, wall_seconds: float
) -> dict[str, str | float]:
    """The attributes that every trace carries.

    Args:
        experiment: its name.
        config: its configuration as JSON text.
        device: where it ran.
        dtype: of the computation (what is stored is float64).
        wall_seconds: time the run took, in seconds.
    """
    name = str(device)
    if device.type == "cuda":
        name = f"{device} ({torch.cuda.get_device_name(device)})"
    return {
        "experiment": experiment,
        "config": config,
        "commit": commit(),
        "versions": json.dumps(versions(), sort_keys=True),
        "device": name,
        "dtype": str(dtype).removeprefix("torch."),
        "threads": torch.get_num_threads(),
        "processor": processor(),
        "blas": blas(),
        "wall_seconds": wall_seconds,
    }


@cache
def versions() -> dict[str, str]:
    """Versions of Python and of the packages that a trace depends on; ``"unknown"`` where one is not installed."""
    by_package = {"python": platform.python_version()}
    for package in WRITTEN_BY:
        try:
            by_package[package] = version(package)
        except PackageNotFoundError:
            by_package[package] = "unknown"
    return by_package


@cache
def commit() -> str:
    """The commit of the checkout that this code lies in; empty where it lies in none."""
    if not (ROOT / ".git").exists():  # installed somewhere below another project's checkout: that commit says nothing
        return ""
    try:
        return _git("rev-parse", "HEAD") + ("-dirty" if _git("status", "--porcelain", "--", "empirics") else "")
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True, timeout=10)
    return done.stdout.strip()
