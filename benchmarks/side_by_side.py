"""Timing of alternatives that take turns, so that other processes disturb all of them alike.

Times are processor seconds of this process; with one thread these do not count the waiting for others. A garbage
collection before every call keeps one alternative from paying for another.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median

import numpy as np

SECONDS = 3.0  # for all alternatives of a row together
FEWEST, MOST = 3, 25  # turns

Call = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """One job, done by this package and by others.

    Args:
        job: what is computed, and its size.
        ours: the call of this package.
        peers: name -> call of what a user would use instead; none if we know of nothing.
        goal: smallest ratio (fastest peer / ours) that we want; None without peers.
        against: the peer that the goal means; None (default) for the fastest.
        limit: largest time of ours in seconds that we want, where there are no peers.
        tolerance: largest relative difference of the peers' results from ours, of the largest number; None where
            results are not compared.
    """

    job: str
    ours: Call
    peers: Mapping[str, Call] = field(default_factory=dict)
    goal: float | None = None
    against: str | None = None
    limit: float | None = None
    tolerance: float | None = None


def measured(row: Row) -> dict:
    """Return the job, the goal, and the minimum and median of each alternative's times in seconds.

    Raises:
        AssertionError: if a peer computes something else.
    """
    calls = {"ours": row.ours, **row.peers}
    results = {name: call() for name, call in calls.items()}  # compiles and loads what is needed
    if row.tolerance is not None:
        ours = np.asarray(results["ours"], dtype=float)
        for name in row.peers:
            difference = np.abs(np.asarray(results[name], dtype=float) - ours).max() / np.abs(ours).max()
            assert difference <= row.tolerance, f"{row.job}: {name} differs by {difference:.1e}"
    del results
    times = turns(calls)
    return {
        "job": row.job,
        "goal": row.goal,
        "against": row.against,
        "limit": row.limit,
        "minimum": {name: min(values) for name, values in times.items()},
        "median": {name: median(values) for name, values in times.items()},
        "turns": len(times["ours"]),
    }


def turns(calls: Mapping[str, Call], seconds: float = SECONDS) -> dict[str, list[float]]:
    """Return the processor seconds of calls that take turns."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    begin = time.process_time()
    for turn in range(MOST):
        if turn >= FEWEST and time.process_time() - begin > seconds:
            break
        for name, call in calls.items():
            gc.collect()
            started = time.process_time()
            call()
            times[name].append(time.process_time() - started)
    return times


def growth(job: str, unit: str, sizes: tuple[int, ...], make: Callable[[int], Call]) -> dict:
    """Return the times of calls of growing size, and the exponent of a power law through the last three."""
    seconds = []
    for size in sizes:
        call = make(size)
        call()
        seconds.append(min(turns({"ours": call}, SECONDS / len(sizes))["ours"]))
    exponent = np.polyfit(np.log(sizes[-3:]), np.log(seconds[-3:]), 1)[0]
    return {"job": job, "unit": unit, "sizes": list(sizes), "seconds": seconds, "exponent": float(exponent)}
