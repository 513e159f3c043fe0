"""The map of a claim: where it holds, where it fails, and where that is not decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from bridge.validity import single
from bridge.validity.axes import Space
from bridge.validity.decision import WORDS, verdict
from bridge.validity.prediction import Prediction
from bridge.validity.surface import Decided, Panel, Point, Surface, modelled, typical_variance

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bridge.report.write import Written

LEVEL = 0.05  # of the verdict at a single point
# share of the places that may remain undecided, by the number of axes
SHARP = {1: 0.05, 2: 0.08, 3: 0.12}


@dataclass(frozen=True, repr=False)
class Region(Result):
    """A map of where a claim holds."""

    claim: Prediction
    space: Space
    base: Any  # configuration of everything else
    resolution: float  # smallest relevant deviation
    panels: tuple[Panel, ...] = field(repr=False)  # one for each combination of choices
    seed: int = 0  # of the first points
    stopped: str = ""  # why the search ended

    def __post_init__(self) -> None:
        for name in ("surface", "decided"):  # which take a while
            object.__setattr__(self, name, cache(getattr(self, name)))

    def surface(self, panel: int) -> Surface:
        """Return the process through the points of a panel."""
        points = self.panels[panel].points
        deviations = [
            self.claim.deviations(point.predicted, point.measured, self.resolution)
            for point in points
        ]
        typical = typical_variance(deviations)
        values = [modelled(deviation, typical) for deviation in deviations]
        mean, variance = np.array(values).T
        places = np.array([self.space.places(point.values) for point in points])
        return Surface(places, mean, variance, self.claim.relation, typical)

    def decided(self, panel: int) -> Decided:
        """Return the points of a panel that their own networks decide."""
        sides = [
            (self.space.places(point.values), self.verdict(point))
            for point in self.panels[panel].points
        ]
        decided = [(place, float(side)) for place, side in sides if side is not None]
        places = np.array([place for place, _ in decided]).reshape(-1, len(self.space.axes))
        return Decided(places, np.array([side for _, side in decided]))

    def verdict(self, point: Point) -> bool | None:
        """Return what the networks of a point alone decide, at a level of 5 %."""
        return verdict(self.claim, point.predicted, point.measured, self.resolution, LEVEL)

    def known(self, panel: int, places: Array) -> Array:
        """Return 1 where the claim holds at places ``[place, axis]``, 0 where it fails, NaN where neither is known.

        A side is known where the process is certain of it and the nearest point that its own networks decide lies on
        it, within a tenth of the axis (a fifth with two axes, 0.3 with three).
        """
        sides = self.surface(panel).sides(places)
        return np.where(self.decided(panel).nearest(places)[0] == sides, sides, np.nan)

    def holds(self, **point: Any) -> bool | None:
        """Return whether the claim holds on average at values of all parameters; None if undecided or outside.

        Raises:
            ValueError: if a parameter is missing, or there is another one.
        """
        return self._at(point, self.known)

    def nine_of_ten(self, **point: Any) -> bool | None:
        """Return whether nine networks of ten agree there, each by itself; as :meth:`holds` in all else."""
        return self._at(point, self.known_of_ten)

    def _at(self, point: Mapping[str, Any], known: Callable[[int, Array], Array]) -> bool | None:
        names = [*(axis.name for axis in self.space.axes), *self.space.choices]
        if sorted(names) != sorted(point):
            raise ValueError(
                f"point: got {', '.join(sorted(point)) or 'nothing'}, needs {', '.join(names)}"
            )
        if any(self.space.outside(point)):
            return None
        panel = self.space.panels.index({name: point[name] for name in self.space.choices})
        value = float(known(panel, self.space.places(point)[None])[0])
        return None if np.isnan(value) else bool(value)

    @property
    def shares(self) -> dict[bool | None, float]:
        """Shares of the map in which the claim holds, fails, and is not decided, in equal steps of every axis."""
        return single.shares(self._everywhere(self.known))

    @property
    def shares_of_ten(self) -> dict[bool | None, float]:
        """Shares of the map in which nine networks of ten agree, fewer do, and neither is shown."""
        return single.shares(self._everywhere(self.known_of_ten))

    def known_of_ten(self, panel: int, places: Array) -> Array:
        """Return 1 where nine networks of ten agree at places ``[place, axis]``, 0 where fewer do, NaN if undecided.

        Networks that do not differ all agree where their mean does.
        """
        known = self.known(panel, places)
        return single.sides(self, panel, places) if self.claim.varies else known

    def _everywhere(self, known: Callable[[int, Array], Array]) -> Array:
        return np.concatenate(
            [known(index, self.space.lattice) for index in range(len(self.panels))]
        )

    @property
    def networks(self) -> int:
        """Number of networks."""
        points = chain.from_iterable(panel.points for panel in self.panels)
        return sum(len(point.measured) for point in points)

    @property
    def points(self) -> pd.DataFrame:
        """One row for each point: parameters, deviation and its error in units of the prediction, seeds, verdict."""
        import pandas as pd

        rows = []
        for panel in self.panels:
            for point in panel.points:
                finite = np.isfinite(point.measured - point.predicted)
                verdict = self.verdict(point)
                number = (
                    self.claim.measured("", point.predicted, point.measured, self.resolution)
                    if finite.any()
                    else None
                )
                unit = (
                    abs(number.predicted)
                    if number and self.claim.is_relative and number.predicted
                    else 1.0
                )
                rows.append({
                    **panel.choices, **point.values,
                    "deviation": number.deviation / unit if number else np.nan,
                    "error": number.error / unit if number and number.error is not None else np.nan,
                    "seeds": len(finite), "measured": int(finite.sum()),
                    "verdict": WORDS[verdict] if finite.any() else "not measured",
                })  # fmt: skip
        return pd.DataFrame(rows)

    @property
    def boundary(self) -> pd.DataFrame:
        """Where the claim stops to hold along the first parameter, for values of the others.

        Columns: the other parameters; ``from`` and ``to``, the last value at which one side is known and the first at
        which the other is; ``below``, whether the claim holds below.
        """
        import pandas as pd

        rows = []
        for index, panel in enumerate(self.panels):
            for others, values, known in self.lines(index):
                settled = np.flatnonzero(~np.isnan(known))
                rows += [
                    {
                        **panel.choices,
                        **others,
                        "from": values[a],
                        "to": values[b],
                        "below": bool(known[a]),
                    }
                    for a, b in pairwise(settled)
                    if known[a] != known[b]
                ]
        return pd.DataFrame(rows)

    def lines(
        self, panel: int, most: int | None = None
    ) -> list[tuple[dict[str, float], Array, Array]]:
        """Return lines along the first parameter: up to ``most`` values of the others, its own, what is known."""
        lattice = self.space.lattice
        along = [np.unique(lattice[:, axis]) for axis in range(lattice.shape[1])]
        lines = []
        some = (
            places if most is None else places[np.linspace(0, len(places) - 1, most).astype(int)]
            for places in along[1:]
        )
        for rest in product(*map(np.unique, some)):
            places = np.array([[first, *rest] for first in along[0]])
            others = self.space.values(places[0])
            name = self.space.axes[0].name
            values = np.array([self.space.axes[0].value(float(first)) for first in along[0]])
            others.pop(name)
            lines.append((others, values, self.known(panel, places)))
        return lines

    @property
    def counterexample(self) -> dict[str, Any] | None:
        """The point that fails nearest to the values of ``base``, its parameters by name; None if none does."""
        failing = self.points[self.points["verdict"] == "fails"]
        if failing.empty:
            return None
        names = [axis.name for axis in self.space.axes]

        def apart(row: Any) -> float:
            base = {name: getattr(self.base, name, row[name]) for name in names}
            return float(
                np.abs(self.space.places(row) - np.clip(self.space.places(base), 0, 1)).sum()
            )

        order = [apart(row) for _, row in failing.iterrows()]
        row = failing.iloc[int(np.argmin(order))]
        return {
            name: getattr(row[name], "item", lambda kept=row[name]: kept)()
            for name in (*self.space.choices, *names)
        }

    def sentences(self) -> tuple[str, ...]:
        """Return where the claim holds, in sentences: shares of the map, boundaries, the simplest failure."""
        from bridge.validity.words import sentences

        return sentences(self)

    def summary(self) -> str:
        """Return the sentences, one line each."""
        return "\n".join([f"{self.claim.name}: {self.claim.sentence}", *self.sentences()])

    def to_dataframe(self) -> pd.DataFrame:
        """Return the points."""
        return self.points

    def write(self, directory: str | Path) -> Written:
        """Write ``report.html``, the points as CSV and ``figures/`` into ``directory``."""
        from bridge.validity.drawing import write_page

        return write_page(self, Path(directory))

    def _figures(self) -> Sequence[Figure]:
        from bridge.validity.drawing import draw

        return (draw(self),)

    def _draw(self, ax: Axes) -> None:
        from bridge.validity.drawing import panel

        panel(ax, self, 0)
