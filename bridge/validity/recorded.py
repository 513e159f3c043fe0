"""Recorded maps: one JSON file each, from which the region is computed again, and what their formulas show."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bridge.results.plan import hashed
from bridge.results.quantity import CLAIMS
from bridge.results.record import FRESH
from bridge.results.recording import PICTURES
from bridge.statistics.arrays import Array
from bridge.validity.axes import space
from bridge.validity.drawing import draw
from bridge.validity.placed import MAPS, SIDES, recorded
from bridge.validity.prediction import Prediction, announced, as_prediction
from bridge.validity.region import LEVEL, SHARP, Region
from bridge.validity.surface import REACH, Panel, Point, with_nan, with_none
from bridge.validity.words import condition
from closedform import atomic_write
from closedform.untrusted_files import decoded
from theory.core.text.measured_conditions import FILE

__all__ = ["read", "record", "recorded"]


def record(
    region: Region, plan: PlannedMap, folder: Path | None = None, conditions: Path = FILE
) -> list[Path]:
    """Write a planned map with every network, and its sentence for its formulas; return the paths written.

    Args:
        region: the map.
        plan: its plan.
        folder: where it goes, without a picture. Default: the wing of the claim, with a picture in a checkout.
        conditions: file of the sentences that formulas show.
    """
    from bridge.plots import style

    over: dict[str, list[Any]] = {}
    for axis in region.space.axes:
        over[axis.name] = [int(axis.low), int(axis.high)] if axis.whole else [axis.low, axis.high]
    data = {
        "plan": plan.digest, "claim": region.claim.name,
        "over": over | {name: list(values) for name, values in region.space.choices.items()},
        "experiment": region.claim.experiment, "sentence": region.claim.sentence,
        "within": region.claim.within(region.resolution),
        "sides": [_letters(region, region.known, index) for index in range(len(region.panels))],
        "of ten": [_letters(region, region.known_of_ten, index) for index in range(len(region.panels))],
        "base": region.base.to_json(), "resolution": region.resolution, "seed": region.seed, "stopped": region.stopped,
        "panels": [list(map(_as_json, panel.points)) for panel in region.panels],
    }  # fmt: skip
    wing = CLAIMS.folder(region.claim.name.partition(".")[0]) if folder is None else None
    home = folder if wing is None else wing / MAPS
    if home is None:
        raise ValueError(
            f"record: the claim {region.claim.name!r} is of no paper's wing, needs a folder"
        )
    path = home / f"{plan.name}.json"
    atomic_write.text(path, json.dumps(data))
    shown = (
        decoded(str(conditions), conditions.read_text(encoding="utf-8"))
        if conditions.exists()
        else {}
    )
    shown[plan.name] = {
        "forms": [*region.claim.forms, *region.claim.entries],
        "sentence": condition(region),
    }
    atomic_write.text(
        conditions, json.dumps(dict(sorted(shown.items())), indent=1, ensure_ascii=False) + "\n"
    )
    if wing is None or not PICTURES.is_dir():
        return [path, conditions]
    return [path, conditions, style.save(draw(region), PICTURES / "maps" / f"{plan.name}.webp")]


def _letters(region: Region, known: Callable[[int, Array], Array], panel: int) -> str:
    """Return on which side every point of the lattice of a panel is, a letter of :data:`SIDES` each."""
    letters = {side: letter for letter, side in SIDES.items()}
    values = known(panel, region.space.lattice)
    return "".join(letters[None if np.isnan(side) else bool(side)] for side in values)


def _as_json(point: Point) -> dict[str, Any]:
    return {
        "values": dict(point.values), "predicted": with_none(point.predicted), "measured": with_none(point.measured)
    }  # fmt: skip


def _from_json(point: Mapping[str, Any]) -> Point:
    return Point(point["values"], with_nan(point["predicted"]), with_nan(point["measured"]))


def read(path: Path) -> Region:
    """Return the map of a file that :func:`record` wrote."""
    data = decoded(str(path), path.read_text(encoding="utf-8"))
    claim = as_prediction(data["claim"])
    base = type(claim.base).from_json(data["base"])
    parameters = space({name: tuple(values) for name, values in data["over"].items()}, base)
    panels = []
    for choices, points in zip(parameters.panels, data["panels"], strict=True):
        panels.append(Panel(choices, tuple(map(_from_json, points))))
    return Region(
        claim, parameters, base, data["resolution"], tuple(panels), data["seed"], data["stopped"]
    )


@dataclass(frozen=True)
class PlannedMap:
    """The plan of a map."""

    name: str  # such as "two-point-points"
    claim: Prediction
    over: Mapping[str, tuple[Any, ...]]  # the parameters, see :func:`bridge.validity`
    networks: int  # the most
    resolution: float | None = None  # by default that of the claim
    first_seed: int = FRESH  # fresh

    @property
    def base(self) -> Any:
        """Configuration of everything else, with fresh seeds if it has any."""
        base = self.claim.base
        return base.changed(first_seed=self.first_seed) if hasattr(base, "first_seed") else base

    @property
    def digest(self) -> str:
        """Hash of the plan: of all that decides about the map but the program that chooses the points."""
        return hashed({
            "claim": [self.claim.name, self.claim.sentence, self.claim.relation, self.claim.is_relative],
            "over": {name: list(values) for name, values in self.over.items()}, "base": self.base.to_json(),
            "networks": [self.networks, self.claim.most], "resolution": self.resolution or self.claim.resolution,
            "rule": [LEVEL, SHARP, REACH],
        })  # fmt: skip


def planned_maps() -> dict[str, PlannedMap]:
    """Return the planned maps of all subjects by name."""
    return {planned.name: planned for planned in announced(PlannedMap)}
