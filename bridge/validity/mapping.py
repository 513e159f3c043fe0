"""``bridge.validity``: a map of where a claim holds, from points that are chosen where its boundary is uncertain."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from bridge.statistics.arrays import Array
from bridge.validity.axes import Space, space
from bridge.validity.decision import AT_ONCE, following
from bridge.validity.evaluation import Evaluation, Task, evaluating, next_places
from bridge.validity.identity import content
from bridge.validity.prediction import Prediction, as_prediction
from bridge.validity.region import SHARP, Region
from bridge.validity.surface import Panel, Point
from closedform import atomic_write, checks
from closedform.suggestions import unknown
from closedform.untrusted_files import decoded

SETTINGS = "validity.json"
Place = tuple[int, tuple[float, ...]]  # of a point: number of the panel, place on every axis
STARTS = 4  # random points of a panel for each axis, besides its corners and its middle


def validity(
    claim: Any,
    over: Mapping[str, Sequence[Any]],
    *,
    base: Any = None,
    resolution: float | None = None,
    budget: str | int = "10m",
    scheduler: Any = None,
    seed: int = 0,
    directory: str | Path | None = None,
    progress: bool = True,
) -> Region:
    """Find the region of parameters in which a claim holds.

    The map ends when the side of the boundary is known for 95 % of the places (92 % with two ranges, 88 % with three),
    or with the budget. With a number of networks as the budget, the same seed gives the same map to the last bit, here
    and on any workers, in one attempt or in several.

    Args:
        claim: name in :func:`bridge.claims`, or a function ``(config, seed) -> (predicted, measured)`` of your own.
        over: by name of a field of the configuration, or of another parameter of the claim (``axes``), a range
            ``(low, high)`` of numbers, logarithmic where both are positive, or a sequence of choices, each of which is
            a panel. One to three ranges.
        base: configuration of everything else; of an own claim, a dataclass. The networks have the seeds from its
            ``first_seed`` on, or from 0, and those of every place are others. Default: that of the claim.
        resolution: smallest relevant deviation. Default: that of the claim.
        budget: time such as ``"10m"``, or the largest number of networks. Default: ``"10m"``.
        scheduler: who trains the networks, as in :func:`empirics.sweep.sweep`. Default: this process.
        seed: seed of the first points. Default: 0.
        directory: folder in which results are kept, so that the same call continues an interrupted map. Default: none.
        progress: whether to show a bar with the time left on stderr. Default: True.

    Raises:
        TypeError, ValueError: for an invalid argument, which the message names, or the folder of another map.

    >>> import numpy as np
    >>> from dataclasses import make_dataclass
    >>> Settings = make_dataclass("Settings", [("offset", float, 0.1)], frozen=True)
    >>> def mean(config, seed):
    ...     return 1.0, 1.0 + config.offset + 0.001 * np.random.default_rng(seed).standard_normal()
    >>> validity(mean, {"offset": (0.01, 1.0)}, base=Settings(), resolution=0.1, budget=50, progress=False).networks
    40
    """
    prediction = as_prediction(claim)
    chosen = prediction.base if base is None else base
    kind = object if prediction.base is None else type(prediction.base)
    is_config = is_dataclass(chosen) and isinstance(chosen, kind)
    needs = "a dataclass" if kind is object else f"a configuration of {prediction.experiment}"
    checks.require(
        is_config, "base", type(chosen).__name__, f"{needs}, which holds everything else"
    )
    parameters = space(over, chosen)
    names = [*dict.fromkeys((*(option.name for option in fields(chosen)), *prediction.axes))]
    for name in over:
        if name not in names:
            raise ValueError(f"over: {unknown('parameter', name, names)}")
    from bridge.campaign.driver import seconds

    relevant = (
        prediction.resolution
        if resolution is None
        else checks.positive_number("resolution", resolution)
    )
    _require_distinct(prediction, parameters, chosen)
    folder = None if directory is None else Path(directory)
    with evaluating(prediction, folder, scheduler) as evaluation:
        if folder is not None:
            _require_same(
                folder,
                {
                    "claim": prediction.name,
                    "over": dict(over),
                    "base": content(chosen),
                    "seed": seed,
                },
            )
        search = BoundarySearch(prediction, parameters, chosen, relevant, evaluation, seed)
        allowed = (
            seconds(budget)
            if isinstance(budget, str)
            else float(checks.integer("budget", budget, AT_ONCE))
        )
        stopped = search.run(allowed, budget if isinstance(budget, int) else None, progress)
    return search.region(stopped)


@dataclass
class BoundarySearch:
    """The state of a map in the making."""

    claim: Prediction
    space: Space
    base: Any
    resolution: float
    evaluation: Evaluation
    seed: int
    # predicted, measured by place
    networks: dict[Place, tuple[Array, Array]] = field(default_factory=dict)

    def run(self, seconds: float, most: int | None, progress: bool) -> str:
        """Add points until the map is sharp or the budget is spent; return why it ended, in words."""
        from empirics.training.progress import bar

        began = time.monotonic()
        total = round(seconds) if most is None else most
        with bar("map", total, "s" if most is None else "network", progress=progress) as shown:
            batch = [
                (panel, place)
                for panel, place in product(range(len(self.space.panels)), self._first())
            ]
            last = 0.0
            while batch:
                spent = time.monotonic() - began
                count = sum(len(pair[0]) for pair in self.networks.values())
                shown.update(round(spent if most is None else count) - shown.n)
                while (
                    batch
                    and most is not None
                    and count + sum(len(self._seeds(key)) for key in batch) > most
                ):
                    batch.pop()
                if not batch:
                    return f"the budget of {most} networks is spent"
                if most is None and self.networks and spent + last > seconds:
                    return "the time is up"
                self._evaluate(batch)
                last = time.monotonic() - began - spent
                batch = self._next()
        if self.region("").shares[None] > SHARP[len(self.space.axes)]:
            return "no more points are expected to be decided"
        return "the boundary is known"

    def region(self, stopped: str) -> Region:
        """Return the map as it is."""
        points: list[list[Point]] = [[] for _ in self.space.panels]
        for (index, place), pair in self.networks.items():
            points[index].append(Point(self.space.values(np.array(place)), *pair))
        panels = tuple(map(Panel, self.space.panels, map(tuple, points)))
        return Region(
            self.claim, self.space, self.base, self.resolution, panels, self.seed, stopped
        )

    def _first(self) -> list[tuple[float, ...]]:
        from scipy.stats import qmc

        count = len(self.space.axes)
        corners = np.stack(np.meshgrid(*[[0.0, 1.0]] * count, indexing="ij"), axis=-1).reshape(
            -1, count
        )
        inner = qmc.Sobol(count, rng=np.random.default_rng(self.seed)).random(
            STARTS * 2 ** (count > 1) * 2
        )
        wanted = np.vstack([corners, np.full((1, count), 0.5), inner[: STARTS * count]])
        lattice = self.space.lattice
        nearest = (np.linalg.norm(lattice - place, axis=1).argmin() for place in wanted)
        return list(dict.fromkeys(tuple(lattice[index].tolist()) for index in nearest))

    def _evaluate(self, batch: list[Place]) -> None:
        tasks: dict[int, Task] = {}
        for index, (panel, place) in enumerate(batch):
            values = self.space.panels[panel] | self.space.values(np.array(place))
            first, seeds = self._first_seed(panel, place), self._seeds((panel, place))
            tasks[index] = (
                self.claim.at(self.base, **values),
                range(first + seeds.start, first + seeds.stop),
            )
        # which come back as the same objects
        wanted = {id(task): index for index, task in tasks.items()}
        results = {wanted[id(task)]: pair for task, pair in self.evaluation.pairs(tasks.values())}
        for index, key in enumerate(batch):
            old = self.networks.get(key, (np.empty(0), np.empty(0)))
            self.networks[key] = (
                np.append(old[0], results[index][0]),
                np.append(old[1], results[index][1]),
            )

    def _first_seed(self, panel: int, place: tuple[float, ...]) -> int:
        """Return the first seed of a place, after those of all places before it: no two places share their noise."""
        lattice = self.space.lattice
        number = panel * len(lattice) + int(np.abs(lattice - place).sum(axis=1).argmin())
        return int(getattr(self.base, "first_seed", 0)) + number * self.claim.most

    def _seeds(self, key: Place) -> range:
        """Return the next seeds of a point, counted from 0."""
        return following(
            len(self.networks[key][0]) if key in self.networks else 0, self.claim.most
        )

    def _next(self) -> list[Place]:
        """Return the places of the next points, of all panels that are not known; none where all is."""
        region, lattice = self.region(""), self.space.lattice
        batch: list[Place] = []
        for panel in range(len(region.panels)):
            if np.isnan(region.known(panel, lattice)).mean() > SHARP[len(self.space.axes)]:
                counts = [
                    len(self.networks.get((panel, tuple(place)), ((),))[0])
                    for place in lattice.tolist()
                ]
                batch += [
                    (panel, tuple(lattice[i].tolist()))
                    for i in next_places(region, panel, np.array(counts))
                ]
        return batch


def _require_distinct(claim: Prediction, parameters: Space, base: Any) -> None:
    """Raise an error of a name or value at once, and not after minutes, and for a range that changes nothing."""
    middle = np.full(len(parameters.axes), 0.5)
    for panel in parameters.panels:
        at = partial(claim.at, base, **panel)
        at(**parameters.values(np.zeros(len(parameters.axes))))
        for position, axis in enumerate(parameters.axes):
            ends = [
                np.where(np.arange(len(middle)) == position, place, middle) for place in (0.0, 1.0)
            ]
            lowest, highest = (at(**parameters.values(places)) for places in ends)
            needs = "a parameter that changes the configuration"
            checks.require(
                content(lowest) != content(highest),
                f"over[{axis.name!r}]",
                "a range that changes nothing",
                needs,
            )


def _require_same(folder: Path, settings: Mapping[str, Any]) -> None:
    """Keep the settings of a map in its folder; raise ValueError if they are those of another map."""
    path, text = folder / SETTINGS, json.dumps(settings, sort_keys=True, default=content)
    if not path.exists():
        atomic_write.text(path, text)
    elif decoded(str(path), path.read_text(encoding="utf-8")) != json.loads(text):
        raise ValueError(
            f"directory: {folder} holds another map, needs an empty folder or that of this call"
        )
