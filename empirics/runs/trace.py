"""Traces: the results of runs, with raw values per seed, named dimensions and a record of their origin.

Attributes of the dataset: ``experiment``, ``config`` (JSON text), ``commit`` (empty outside a git checkout, ending in
``-dirty`` if files differed from it), ``code`` (a digest of these packages), ``own_code`` (JSON text, only of an
experiment of the user's own: a digest of each of its files), ``versions`` (JSON text), ``device``, ``dtype``,
``threads``, ``processor`` and ``blas`` (on which the last bits depend), ``processor_seconds``, and those that the
experiment adds.
"""

import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr

from closedform.untrusted_files import decoded
from empirics.runs import own_code
from empirics.runs.device import blas, processor

ROOT = Path(__file__).resolve().parents[2]
CODE = ("closedform", "empirics")
# the last sums large batches in another order
WRITTEN_BY = ("closedform", "torch", "numpy", "xarray", "numba")


def dataset(
    variables: Mapping[str, tuple[Sequence[str], Any, str]],
    coordinates: Mapping[str, tuple[Any, Mapping[str, str]]],
    attributes: Mapping[str, str | float | int],
) -> xr.Dataset:
    """Return a labelled dataset; see :class:`empirics.runs.session.RunResult` for what the three mappings contain."""
    data = {
        name: (tuple(dims), np.asarray(values), {"long_name": meaning})
        for name, (dims, values, meaning) in variables.items()
    }
    coords = {
        name: (name, np.asarray(values), dict(attrs))
        for name, (values, attrs) in coordinates.items()
    }
    return xr.Dataset(data, coords, dict(attributes))


def provenance(
    experiment: str,
    config: str,
    device: torch.device,
    dtype: torch.dtype,
    processor_seconds: float,
    own: Mapping[str, str] | None = None,
) -> dict[str, str | float]:
    """Return the attributes that every trace has.

    Args:
        experiment: name of the experiment.
        config: its configuration as JSON text.
        device: torch device of the run.
        dtype: number type of the run.
        processor_seconds: time of the processor, interruptions left out.
        own: digests of code of the user's own, see :mod:`empirics.runs.own_code`; default none.
    """
    name = str(device)
    if device.type == "cuda":
        name = f"{device} ({torch.cuda.get_device_name(device)})"
    return {
        "experiment": experiment,
        "config": config,
        "commit": commit(),
        "code": code(),
        **({own_code.ATTRIBUTE: own_code.as_text(own)} if own else {}),
        "versions": json.dumps(versions(), sort_keys=True),
        "device": name,
        "dtype": str(dtype).removeprefix("torch."),
        "threads": torch.get_num_threads(),
        "processor": processor(),
        "blas": blas(),
        "processor_seconds": processor_seconds,
    }


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that a trace depends on; ``"unknown"`` if not installed."""
    by_package = {"python": platform.python_version()}
    for package in WRITTEN_BY:
        try:
            by_package[package] = version(package)
        except PackageNotFoundError:
            by_package[package] = "unknown"
    return by_package


@cache
def code() -> str:
    """Return a digest of the code by which runs are made, sixteen hexadecimal digits: that of these two packages."""
    digest = hashlib.sha256()
    for path in sorted(chain.from_iterable((ROOT / package).rglob("*.py") for package in CODE)):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


def other_code(attributes: Mapping[str, Any]) -> str:
    """Return how the code by which a trace was made differs from the present one; empty if it does not."""
    if attributes.get("code") == code():
        return ""
    before = {
        "commit": attributes.get("commit") or "unknown",
        **decoded("versions", attributes.get("versions")),
    }
    now = {"commit": commit() or "unknown", **versions()}
    parts = [
        f"{name} {before.get(name, 'unknown')}, now {now[name]}"
        for name in now
        if before.get(name) != now[name]
    ]
    return "; ".join(parts) or f"files of commit {now['commit']} have changed"


@cache
def commit() -> str:
    """Return the commit of the checkout that contains this package; empty if there is none."""
    # git would take another project's checkout around an installed package
    if not (ROOT / ".git").exists():
        return ""
    try:
        return _git("rev-parse", "HEAD") + (
            "-dirty" if _git("status", "--porcelain", "--", *CODE) else ""
        )
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(*arguments: str) -> str:
    process = subprocess.run(
        ["git", "-C", str(ROOT), *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=10,
    )
    return process.stdout.strip()
