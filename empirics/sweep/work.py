"""One piece of work of a sweep: what it is, and how this process or a worker elsewhere does it."""

import ast
import os
import sys
import tempfile
import threading
import time
import uuid
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from types import FrameType
from typing import Any

import torch
import xarray as xr

from closedform import atomic_write
from empirics import imported_files
from empirics.runs import own_code
from empirics.sweep import run_lock, seed_split, store

MESSAGE = (
    "scheduler: line {line} of {file} starts workers, each of which would run the whole script again; "
    "put `if __name__ == '__main__':` before the code that starts the runs, and indent that code"
)

MARK = ".sweep"  # file by which workers recognise the directory of the driver
# torch's number of threads and random state belong to the whole process
ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class Work:
    """One run of a sweep."""

    label: str  # of the configuration
    config: Any  # of this run
    whole: Any  # of which it is a piece; the same one if it was not cut
    directory: Path  # of the traces, absolute
    resume: bool  # whether stored traces and checkpoints are used
    # digests of the code of the user's own that does it
    own: Mapping[str, str] = field(default_factory=dict)
    # of :func:`empirics.sweep.store.run_or_load`
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_piece(self) -> bool:
        """Whether the configuration was cut."""
        return bool(self.config != self.whole)

    @property
    def name(self) -> str:
        """The label, with the seed if the configuration was cut."""
        return f"{self.label}, seed {self.config.first_seed}" if self.is_piece else self.label

    @property
    def path(self) -> Path:
        """The path of its trace."""
        return store.path_of(
            self.config, seed_split.folder(self.directory) if self.is_piece else self.directory
        )

    @property
    def needs_gpu(self) -> bool:
        """Whether the run computes on a GPU."""
        return str(getattr(self.config, "device", "cpu")).startswith("cuda")


@dataclass(frozen=True)
class JobResult:
    """A finished piece of work."""

    seconds: float  # that it took
    worker: str = ""  # empty for this process
    warnings: tuple[str, ...] = ()  # that it raised
    trace: xr.Dataset | None = None  # None if a worker stored it in the directory of the driver


def of(
    label: str,
    config: Any,
    directory: Path,
    *,
    cut: bool,
    resume: bool,
    options: Mapping[str, Any],
) -> list[Work]:
    """Return the work of a configuration, cut as it was begun, or else by ``cut``; ``resume=False`` deletes pieces."""
    if not resume:
        seed_split.remove(config, directory)
    checkpoint = store.path_of(config, directory).with_suffix(store.CHECKPOINT)
    is_cut = seed_split.are_begun(config, directory) or (
        cut and not (resume and checkpoint.exists())
    )
    parts = seed_split.of(config) if is_cut else (config,)
    own = own_code.of(config)
    return [Work(label, part, config, directory, resume, own, options) for part in parts]


def run_here(work: Work, *, progress: bool) -> JobResult:
    """Do the work in this process, into the directory of the traces; ``progress`` shows bars on stderr."""
    began = time.perf_counter()
    options = {**work.options, "own": work.own, "progress": progress}
    if not work.is_piece:
        trace = store.run_or_load(work.config, work.directory, resume=work.resume, **options)
    else:
        folder = seed_split.folder(work.directory)
        trace = store.run_or_load(
            work.config, folder, find=partial(_found, work, folder), **options
        )
    return JobResult(time.perf_counter() - began, trace=trace)


def run_on_worker(work: Work, mark: str) -> JobResult:
    """Do the work in the process of a worker; without the driver's ``mark`` in its directory, the trace is returned."""
    from distributed import get_worker

    worker = get_worker().address
    with ONE_AT_A_TIME, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        if "OMP_NUM_THREADS" not in os.environ:  # Dask sets it to 1 in the workers that it starts
            torch.set_num_threads(1)
        began = time.perf_counter()
        trace = None
        try:
            _require_same_code(work)
            if _mark(work.directory) == mark:
                run_here(work, progress=False)
            else:
                with tempfile.TemporaryDirectory() as folder:
                    trace = store.run_or_load(
                        work.config, folder, own=work.own, **{**work.options, "progress": False}
                    )
        except Exception as error:
            error.add_note(f"on the worker at {worker}")
            raise
        messages = [
            str(warning.message)
            for warning in caught
            if issubclass(warning.category, RuntimeWarning)
        ]
    return JobResult(time.perf_counter() - began, worker, tuple(messages), trace)


def _require_same_code(work: Work) -> None:
    """Raise ValueError if this worker has imported other files of the user's own than the process of the sweep."""
    here = own_code.of_class(type(work.config))
    if here is None:
        return
    other = imported_files.differing(here, {name: work.own.get(name, "") for name in here})
    if other:
        raise ValueError(
            f"{other} since this worker imported it, or differs there; start the workers again"
        )


def _found(work: Work, folder: Path) -> xr.Dataset | None:
    """Return the trace of a piece or, if another sweep has joined the pieces in the meantime, the whole trace."""
    piece = store.stored(work.config, folder, work.own)
    return (
        store.stored(work.whole, work.directory, work.own, quiet=True)
        if piece is None and work.resume
        else piece
    )


def marked(directory: Path) -> str:
    """Return the content of the file :data:`MARK` in a directory; the first sweep with a scheduler creates it."""
    path = directory / MARK
    if _mark(directory) is None:
        with run_lock.claimed(path):
            if _mark(directory) is None:
                with atomic_write.replacing(path) as temporary:
                    temporary.write_text(uuid.uuid4().hex, encoding="utf-8")
    return path.read_text(encoding="utf-8")


def _mark(directory: Path) -> str | None:
    try:
        return (directory / MARK).read_text(encoding="utf-8")
    except OSError:
        return None


def require_guard() -> None:
    """Raise RuntimeError if the running script does not guard its code by ``if __name__ == "__main__"``."""
    script = getattr(sys.modules["__main__"], "__file__", None)
    line = _line_of(script) if script else None
    if script and line and not _is_guarded(Path(script), line):
        raise RuntimeError(MESSAGE.format(line=line, file=Path(script).name))


def _line_of(script: str) -> int | None:
    """Return the line of the script's own code that runs now; None if the script is not being run."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        code = frame.f_code
        if (
            code.co_name == "<module>"
            and code.co_filename == script
            and frame.f_globals["__name__"] == "__main__"
        ):
            return frame.f_lineno
        frame = frame.f_back
    return None


def _is_guarded(script: Path, line: int) -> bool:
    """Return whether a line of a script is inside an ``if`` whose condition has ``__name__``."""
    try:
        statements = ast.parse(script.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return True  # not a readable script, as a program in an archive
    around = [
        node for node in statements if node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    conditions = chain.from_iterable(
        ast.walk(node.test) for node in around if isinstance(node, ast.If)
    )
    return any(isinstance(part, ast.Name) and part.id == "__name__" for part in conditions)
