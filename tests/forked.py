"""Processes of their own for tests, forked from one that has imported the libraries, which takes seconds of each.

The first of them takes as long as a new interpreter, so that this saves time for tests that the same worker of pytest
runs: the first half of all tests. Where a test is about what a new interpreter imports or installs, it starts one.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from multiprocessing import forkserver
from pathlib import Path

IMPORTED = [
    "bridge.campaign", "dask.array", "distributed", "empirics.experiments.collapse.run", "h5netcdf",
    "empirics.experiments.two_point.run", "matplotlib.pyplot", "sklearn.datasets", "torch._dynamo",
]  # fmt: skip


def start() -> None:
    """Start the process that imports; all later ones of the start method ``forkserver`` are forks of it."""
    forkserver.set_forkserver_preload(IMPORTED)
    forkserver.ensure_running()


def run(
    function: Callable[..., object], *arguments: object, folder: Path
) -> subprocess.CompletedProcess[str]:
    """Call an importable function in a process of its own, with ``folder`` as its working directory.

    Returns:
        The arguments, the exit code and what the process wrote to stdout and stderr.
    """
    start()
    with tempfile.TemporaryDirectory() as place:
        out, err = Path(place, "out"), Path(place, "err")
        process = multiprocessing.get_context("forkserver").Process(
            target=_call, args=(function, arguments, folder, out, err)
        )
        process.start()
        process.join()
        written = [
            path.read_text(encoding="utf-8") if path.exists() else "" for path in (out, err)
        ]
        return subprocess.CompletedProcess(arguments, process.exitcode, *written)


def _call(
    function: Callable[..., object],
    arguments: tuple[object, ...],
    folder: Path,
    out: Path,
    err: Path,
) -> None:
    for stream, path in ((sys.stdout, out), (sys.stderr, err)):
        with path.open("wb") as file:
            os.dup2(file.fileno(), stream.fileno())
        stream.reconfigure(encoding="utf-8")
    os.chdir(folder)
    function(*arguments)
