"""The networks of a map: each result is kept in a file, so that a map is continued, and not begun again.

Which points of a map get networks next: where the boundary may be, and those on which both of its sides rest.

One half of them are the places of which the process is least certain, as long as there are many: the "straddle" of
Bryan et al., "Active learning for identifying function threshold boundaries" (NIPS 2005). The others are the points
that, once their own networks decide them, make the most places known for each network that this is expected to take.
They are chosen one after the other, with what is expected of each in its place.
"""

import json
import math
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import distance

from bridge.statistics.anytime import radius
from bridge.statistics.arrays import Array
from bridge.validity.decision import AT_ONCE, following
from bridge.validity.identity import content
from bridge.validity.prediction import Prediction
from bridge.validity.region import LEVEL, SHARP, Region
from bridge.validity.surface import ROUGH, Decided, Surface, with_nan, with_none
from closedform.untrusted_files import decoded

BATCH = 8  # points that are chosen at a time, however many workers there are, so that the map is the same
STRADDLE = 1.96  # standard deviations, as in the source
CANDIDATES = 600  # places that are weighed, evenly among those that might be
FOUND = 0.6  # share of what may remain undecided that the process may be uncertain of, before points are decided
CLEAR = 0.8  # share of the distance from the boundary that an interval may fill, since the distance is not known

FILE = "validity.jsonl"
Task = tuple[Any, range]  # configuration and seeds
Values = tuple[Array, Array]


@dataclass
class Evaluation:
    """Predicted and measured numbers of configurations and seeds."""

    claim: Prediction
    path: Path | None = None  # file of the results; None keeps them in memory only
    client: Any = None  # client of Dask that computes; None computes here
    known: dict[str, Values] = field(default_factory=dict)  # results by configuration and seeds

    def __post_init__(self) -> None:
        if self.path is None or not self.path.exists():
            return
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:  # a killed process left half a line
            os.truncate(self.path, len(whole))
        for line in whole.decode().splitlines():
            row = decoded("line of results", line)
            self.known[row["key"]] = with_nan(row["predicted"]), with_nan(row["measured"])

    def pairs(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Values]]:
        """Yield every task with its result, in any order; those that are known at once."""
        missing = []
        for task in tasks:
            key = self._key(task)
            if key in self.known:
                yield task, self.known[key]
            else:
                missing.append(task)
        for task, values in self._computed(missing):
            self._keep(task, values)
            yield task, values

    def _computed(self, tasks: list[Task]) -> Iterator[tuple[Task, Values]]:
        if self.client is None:
            with one_thread():
                yield from ((task, self.claim.pair(*task)) for task in tasks)
            return
        import distributed

        futures = {
            self.client.submit(evaluate, self.claim, task, pure=False): task for task in tasks
        }
        for future in distributed.as_completed(list(futures)):
            yield futures[future], future.result()

    def _key(self, task: Task) -> str:
        config, seeds = task
        return f"{self.claim.name} {content(config)} {seeds.start}:{seeds.stop}"

    def _keep(self, task: Task, values: Values) -> None:
        self.known[self._key(task)] = values
        if self.path is not None:
            predicted, measured = values
            row = {
                "key": self._key(task),
                "predicted": with_none(predicted),
                "measured": with_none(measured),
            }
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
                file.flush()
                os.fsync(file.fileno())


def evaluate(claim: Prediction, task: Task) -> Values:
    """Compute a task on a worker."""
    with one_thread():
        return claim.pair(*task)


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute with one thread, in this process or on a worker, so that the bits are the same."""
    import warnings

    import torch
    from threadpoolctl import threadpool_limits

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # networks that diverge are marked
            yield
    finally:
        torch.set_num_threads(threads)


@contextmanager
def evaluating(claim: Prediction, directory: Path | None, scheduler: Any) -> Iterator[Evaluation]:
    """Return an evaluation within this context, with the workers of a scheduler as in ``empirics.sweep``."""
    with ExitStack() as contexts:
        client = None
        if scheduler is not None:
            from empirics.sweep import cluster

            client = contexts.enter_context(cluster.client(scheduler, progress=False))
        path = None
        if directory is not None:
            directory.mkdir(parents=True, exist_ok=True)
            path = directory / FILE
        yield Evaluation(claim, path, client)


def next_places(region: Region, panel: int, counts: Array) -> list[int]:
    """Return the numbers of the next places of the lattice; none where more networks decide no more."""
    lattice, surface, most = region.space.lattice, region.surface(panel), region.claim.most
    uncertain = np.isnan(surface.sides(lattice)) & surface.is_measured(lattice)
    searching = _straddling(surface, lattice, counts, most)
    deciding = _deciding(surface, region.decided(panel), lattice, counts, most)
    if uncertain.mean() > FOUND * SHARP[len(region.space.axes)]:
        return list(dict.fromkeys([*searching[: BATCH // 2], *deciding[: BATCH // 2]]))
    return deciding or searching


def _straddling(surface: Surface, lattice: Array, counts: Array, most: int) -> list[int]:
    """Return the most uncertain places, each with the expected value of those before it."""
    chosen: list[int] = []
    for _ in range(BATCH):
        mean, deviation = surface.at(lattice)
        possible = np.logical_and(counts < most, surface.is_measured(lattice))
        scores = np.where(possible, STRADDLE * deviation - surface.margin(mean), -np.inf)
        scores[chosen] = -np.inf
        best = int(scores.argmax())
        if not 0 < scores[best] < np.inf:
            break
        chosen.append(best)
        surface = surface.with_expected(lattice[best])
    return chosen


def _deciding(
    surface: Surface, decided: Decided, lattice: Array, counts: Array, most: int
) -> list[int]:
    """Return the places whose decision makes the most places known for each network."""
    sides, needed = surface.sides(lattice), _needed(surface, lattice, most)
    cost = np.where(
        (needed > most) | (counts >= most), np.inf, np.maximum(needed - counts, AT_ONCE)
    )
    chosen: list[int] = []
    for _ in range(BATCH):
        nearest, reach = decided.nearest(lattice)
        possible = np.flatnonzero(~np.isnan(sides) & np.isfinite(cost))
        possible = possible[
            np.linspace(0, len(possible) - 1, min(CANDIDATES, len(possible))).astype(int)
        ]
        if not len(possible):
            break
        closer = distance.cdist(lattice[possible], lattice) <= reach
        same = sides == sides[possible][:, None]
        gained = (closer & same & (nearest != sides)).sum(axis=1) - (
            closer & ~same & (nearest == sides)
        ).sum(axis=1)
        worth = gained / cost[possible]
        best = int(possible[worth.argmax()])
        if worth.max() <= 0:
            break
        chosen.append(best)
        cost[best] = np.inf
        decided = decided.with_expected(lattice[best], sides[best])
    return chosen


def _needed(surface: Surface, places: Array, most: int) -> Array:
    """Return how many networks are expected to decide each place, ``[place]``; infinity for more than ``most``."""
    scatter = math.sqrt(surface.typical if math.isfinite(surface.typical) else ROUGH)
    margin = CLEAR * surface.margin(surface.at(places)[0])
    needed, count = np.full(len(places), np.inf), 0
    while count < most:
        count = following(count, most).stop
        needed[np.isinf(needed) & (scatter * radius(count, LEVEL / 2) <= margin)] = count
    return needed
