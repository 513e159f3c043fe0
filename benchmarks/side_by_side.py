"""Timing of alternatives that take turns, so that other processes disturb all of them alike.

Times are processor seconds of this process and of the processes that it started and waited for; with one thread these
do not count the waiting for others. A garbage collection before every call keeps one alternative from paying for
another. It empties the processor's caches, so that a short call is made once more before it is timed.
"""

from __future__ import annotations

import gc
import resource
import time
import tracemalloc
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

SECONDS = 2.0  # for all alternatives of a row together
FEWEST, MOST = 3, 25  # turns
LEAST_MEMORY = 1_000_000  # bytes that are shown; a process that is started has its own
SHARE = 0.05  # of the processor time of a call, from which a thread counts
SHORT = 0.02  # seconds of a call that depends on what is in the caches

Call = Callable[[], object]


def clock() -> float:
    """Return the processor seconds of this process and of its finished children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@dataclass(frozen=True)
class Row:
    """One job, done by this package and by others.

    Args:
        job: what is computed, and its size.
        ours: the call of this package.
        peers: name -> call of what a user would use instead; none if we know of nothing.
        goal: smallest ratio (fastest peer / ours) that we want; None where ``limit`` says what we want.
        bounds: those of the peers that do less than the job: they are shown, and the ratio does not mean them.
        limit: largest time of ours in seconds that we want.
        tolerance: largest error of a result, relative to the largest number; None where results are not compared. A
            peer that returns None is not compared.
        truth: call of something that has more digits, from which errors are; by default ours is.
        missing: peers that are not installed.
        note: one sentence that the page shows if the row is behind: why.
        repeats: whether the calls are repeated. A job of a minute has one turn only, and nothing is warmed up.
    """

    job: str
    ours: Call
    peers: Mapping[str, Call] = field(default_factory=dict)
    goal: float | None = None
    bounds: tuple[str, ...] = ()
    limit: float | None = None
    tolerance: float | None = None
    truth: Call | None = None
    missing: tuple[str, ...] = ()
    note: str = ""
    repeats: bool = True

    def measured(self) -> dict:
        """Return the job, the goal, and the minimum and median of each alternative's times in seconds.

        Raises:
            ArithmeticError: if a peer computes something else.
        """
        calls, errors = {"ours": self.ours, **self.peers}, {}
        if self.repeats:
            # compiles and loads what is needed
            errors = self._compare({name: call() for name, call in calls.items()})
        threads: dict[str, int] = {}
        counted = {
            name: partial(count_threads, call, name, threads) for name, call in calls.items()
        }
        times = turns(calls) if self.repeats else turns(counted, 0, 1)
        memory = {name: peak(call) for name, call in counted.items()} if self.repeats else {}
        return result(self, times, self.missing) | {
            "memory": memory,
            "threads": threads,
            "errors": errors,
        }

    def _compare(self, results: Mapping[str, object]) -> dict[str, float]:
        """Return the errors of results by name; that of ours, too, if the row has a truth."""
        if self.tolerance is None:
            return {}
        truth = np.asarray(self.truth() if self.truth else results["ours"], dtype=float)
        errors = {
            name: float(
                np.abs(np.asarray(values, dtype=float) - truth).max() / np.abs(truth).max()
            )
            for name, values in results.items()
            if values is not None and (self.truth or name != "ours")
        }
        for name, error in errors.items():
            if not error <= self.tolerance:
                raise ArithmeticError(f"{name} differs by {error:.1e}")
        return errors


def count_threads(call: Call, name: str, threads: dict[str, int]) -> None:
    """Make a call and note how many threads of this process did more than ``SHARE`` of its work; none without Linux."""
    before = work_of_threads()
    call()
    work = [seconds - before.get(thread, 0) for thread, seconds in work_of_threads().items()]
    if work:
        # all zero for a call below a tick
        threads[name] = max(1, sum(part > SHARE * sum(work) for part in work))


def work_of_threads() -> dict[str, int]:
    """Return the processor nanoseconds of each thread of this process so far; empty where the system does not say."""
    found = {}
    for path in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):  # a thread that has ended
            found[str(path)] = int(path.read_text().split()[0])
    return found


def peak(call: Call) -> int | None:
    """Return the most bytes of arrays of numpy and of objects during a call; None if there are none, as in torch."""
    tracemalloc.start()
    try:
        call()
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return most if most > LEAST_MEMORY else None


def result(row, times: Mapping[str, list[float]], missing: tuple[str, ...] = ()) -> dict:
    """Return what the table keeps of a row, from the seconds of each turn."""
    least = {name: min(values) for name, values in times.items()}
    peers = [name for name in least if name not in ("ours", *row.bounds)]
    against = min(peers, key=least.__getitem__, default=None)
    return {
        "job": row.job,
        "goal": row.goal,
        "against": against,
        "limit": row.limit,
        "minimum": least,
        "median": {name: median(values) for name, values in times.items()},
        "turns": len(times["ours"]),
        "ratio": least[against] / least["ours"] if against else None,
        "missing": list(missing),
        "note": row.note,
    }


def turns(
    calls: Mapping[str, Call], seconds: float = SECONDS, fewest: int = FEWEST
) -> dict[str, list[float]]:
    """Return the processor seconds of calls that take turns: ``fewest`` turns, and more until ``seconds`` are over."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    begin = clock()
    for turn in range(MOST):
        if turn >= fewest and clock() - begin > seconds:
            break
        for name, call in calls.items():
            gc.collect()
            if times[name] and times[name][-1] < SHORT:
                call()
            started = clock()
            call()
            times[name].append(clock() - started)
    return times


def growth(job: str, unit: str, sizes: tuple[int, int, int], make: Callable[[int], Call]) -> dict:
    """Return the times of calls of sizes n, 10 n and 100 n, and the exponents of both decades and of all three sizes.

    The slope of the least-squares line through three equidistant points is that between the first and the last.
    """
    seconds = []
    for size in sizes:
        call = make(size)
        call()
        seconds.append(min(turns({"ours": call}, SECONDS / 2)["ours"]))
    decades = np.diff(np.log10(seconds)) / np.diff(np.log10(sizes))
    return {
        "job": job,
        "unit": unit,
        "sizes": list(sizes),
        "seconds": seconds,
        "exponents": [float(decade) for decade in decades],
        "exponent": float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0]),
    }
