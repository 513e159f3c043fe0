"""Recorded maps: one JSON file each, from which the region is computed again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from bridge.statistics.arrays import Array
from bridge.validity.axes import space
from bridge.validity.conditions import FOLDER
from bridge.validity.prediction import as_prediction
from bridge.validity.region import Panel, Point, Region
from bridge.validity.words import within
from closedform import atomic_write
from closedform.untrusted_json import decoded


def record(region: Region, name: str, folder: Path = FOLDER) -> Path:
    """Write a map of a claim in :func:`bridge.claims` into a file; it keeps every network.

    Args:
        region: the map.
        name: name of the file without its suffix.
        folder: folder of the file. Default: that of the recorded maps of this package.
    """
    axes = {axis.name: [int(end) if axis.whole else end for end in (axis.low, axis.high)] for axis in region.space.axes}
    data = {
        "claim": region.claim.name, "over": axes | {k: list(v) for k, v in region.space.choices.items()},
        "base": region.base.to_json(), "resolution": region.resolution, "seed": region.seed, "stopped": region.stopped,
        "forms": region.claim.forms, "sentences": sentences(region),
        "panels": [
            [{"values": dict(p.values), "predicted": _listed(p.predicted), "measured": _listed(p.measured)}
             for p in panel.points]
            for panel in region.panels
        ],
    }  # fmt: skip
    path = folder / f"{name}.json"
    atomic_write.text(path, json.dumps(data))
    return path


def read(path: Path) -> Region:
    """Return the map of a file that :func:`record` wrote."""
    data = decoded(str(path), path.read_text(encoding="utf-8"))
    claim = as_prediction(data["claim"])
    base = type(claim.base).from_json(data["base"])
    parameters = space({name: tuple(values) for name, values in data["over"].items()}, base)
    panels = tuple(
        Panel(choices, tuple(Point(p["values"], _array(p["predicted"]), _array(p["measured"])) for p in points))
        for choices, points in zip(parameters.panels, data["panels"], strict=True)
    )
    return Region(claim, parameters, base, data["resolution"], panels, data["seed"], data["stopped"])


def sentences(region: Region) -> list[str]:
    """Return the sentences of a file: the first names the claim."""
    first, *others = region.sentences()
    return [f"{region.claim.name}{within(region)}: {region.claim.sentence} {first}", *others]


def _listed(values: Array) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]


def _array(values: list[float | None]) -> Array:
    return np.array([np.nan if value is None else value for value in values])
