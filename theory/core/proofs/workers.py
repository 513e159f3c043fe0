"""Processes that check closed forms by name.

Each is a Python of its own that reads names and writes verdicts, a line each. Unlike those of ``multiprocessing`` they
do not run the user's script again, so that a script may check forms without a guard around it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from theory.core.proofs.store import current, using

_PROGRAM = "from theory.core.proofs.workers import serve; serve()"
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

Verdicts = tuple[tuple[str, str, str], ...]


class Workers:
    """A number of processes; leaving the block ends them.

    Args:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._own = threading.local()
        self._processes: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Workers:
        # The processes are started from here, because what is said about the store holds in this thread.
        self._idle = [_started() for _ in range(self._count)]
        self._processes = list(self._idle)
        self._threads = ThreadPoolExecutor(self._count, initializer=self._take)
        return self

    def __exit__(self, *exception: object) -> None:
        for process in self._processes:
            process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.communicate()

    def submit(self, name: str) -> Future[Verdicts | None]:
        """The verdicts on the closed form of this name; None if its check raised something, or the process died."""
        return self._threads.submit(self._ask, name)

    def _take(self) -> None:
        self._own.process = self._idle.pop()

    def _ask(self, name: str) -> Verdicts | None:
        process = self._own.process
        try:
            process.stdin.write(json.dumps(name) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
        except (OSError, ValueError):
            return None
        return None if answer is None else tuple((claim, verdict, because) for claim, verdict, because in answer)


def _started() -> subprocess.Popen[str]:
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    use = json.dumps([current().read, current().write])
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, use],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, **_ONE_THREAD, "PYTHONPATH": paths},
    )


def serve(arguments: Sequence[str] = ()) -> None:
    """Reads names from the standard input until it ends, and answers each; what programs print goes to stderr."""
    from theory.core.proofs.many import check_one

    read, write = json.loads((arguments or sys.argv[1:])[0])
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers, using(read=read, write=write):
        os.dup2(2, 1)
        for line in sys.stdin:
            try:
                answer: Any = check_one(json.loads(line)).verdicts
            except Exception:  # the process that asked checks this form itself, and raises what there is to raise
                answer = None
            print(json.dumps(answer), file=answers, flush=True)
