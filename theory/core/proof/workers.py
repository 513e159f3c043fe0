"""Worker processes that read names and write answers, one per line.

Unlike the processes of ``multiprocessing``, they do not run the user's script again, so a script may check forms
without a ``__main__`` guard.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from closedform import keyboard
from closedform.subjects import load
from theory.core.proof.store import current, using

_PROGRAM = "from theory.core.proof.workers import serve; serve()"
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def number_of_processes(given: int | None) -> int:
    """Return the given number, by default how many processes can work at a time; ValueError if it is not positive."""
    if given is None:
        return (
            len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count() or 1
        )
    if given < 1:
        raise ValueError(f"processes: got {given}, needs at least 1")
    return given


def answers(
    names: Iterable[Any], missing: Sequence[Any], answer: str, processes: int, least: int
) -> Iterator[tuple[Any, Any]]:
    """Yield names with what workers answer to those that are missing, if each has ``least`` of them, and else None."""
    count = min(processes, len(missing) // least)
    if count < 2:
        yield from ((name, None) for name in names)
        return
    with Workers(count, answer) as workers:
        waiting = {name: workers.submit(name) for name in missing}
        for name in names:
            yield name, waiting[name].result() if name in waiting else None


class Workers:
    """A pool of processes that call ``answer``, a "module:function", with what JSON can hold."""

    def __init__(self, count: int, answer: str) -> None:
        self._count = count
        self._answer = answer
        self._own = threading.local()
        self._processes: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Workers:
        # The processes are started in this thread because the permissions of the store belong to it.
        with keyboard.unseen_by_children():
            self._idle = [_started(self._answer) for _ in range(self._count)]
        self._processes = list(self._idle)
        self._threads = ThreadPoolExecutor(self._count, initializer=self._take)
        return self

    def __exit__(self, *exception: object) -> None:
        for process in self._processes:
            process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.communicate()

    def submit(self, name: Any) -> Future[Any]:
        """Return the future answer to a name; None if the function raised an error or the process died."""
        return self._threads.submit(self._ask, name)

    def _take(self) -> None:
        self._own.process = self._idle.pop()

    def _ask(self, name: Any) -> Any:
        process = self._own.process
        try:
            process.stdin.write(json.dumps(name) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())
        except (OSError, ValueError):
            return None


def _started(answer: str) -> subprocess.Popen[str]:
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    use = json.dumps([answer, current().read, current().write])
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, use],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, **_ONE_THREAD, "PYTHONPATH": paths},
    )


def serve(arguments: Sequence[str] = ()) -> None:
    """Answer the names on standard input until it ends; all else that the process prints goes to standard error."""
    target, read, write = json.loads((arguments or sys.argv[1:])[0])
    function = load(target)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers, using(read=read, write=write):
        os.dup2(2, 1)
        for line in sys.stdin:
            try:
                answer: Any = function(json.loads(line))
            except Exception:  # the parent process repeats the work and raises the error there
                answer = None
            print(json.dumps(answer), file=answers, flush=True)
