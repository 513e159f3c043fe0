"""Where a case of the user's lies in the recorded maps: inside, with what holds there, or how far outside."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from bridge.results.quantity import CLAIMS
from bridge.validity.axes import space
from bridge.validity.decision import WORDS
from closedform.untrusted_files import decoded
from theory.core.text.measured_conditions import SECTION

MAPS = "maps"  # folder of the recorded maps in the wing of their claims
# what is known at a place of the lattice, as a map is recorded
SIDES = {"1": True, "0": False, "?": None}
# settings that need not be those of the map
ANY = ("first_seed", "seeds", "realisations", "device", "experiment")


def recorded(folders: Sequence[Path] | None = None) -> dict[str, Path]:
    """Return the files of the recorded maps by name, in alphabetical order.

    Args:
        folders: where they are. Default: the wings that announce claims.
    """
    known = [wing / MAPS for wing in CLAIMS.folders()] if folders is None else folders
    paths = list(chain.from_iterable(folder.glob("*.json") for folder in known))
    return {path.stem: path for path in sorted(paths, key=lambda path: path.stem)}


def placed(
    experiment: str, values: Mapping[str, Any], folders: Sequence[Path] | None = None
) -> tuple[str, ...]:
    """Return a sentence for each recorded map of an experiment whose parameters all have known ``values``."""
    maps = (
        (name, decoded(str(path), path.read_text(encoding="utf-8")))
        for name, path in recorded(folders).items()
    )
    return tuple(
        _sentence(name, data, values)
        for name, data in maps
        if data["experiment"] == experiment and data["over"].keys() <= values.keys()
    )


def _sentence(name: str, data: Mapping[str, Any], values: Mapping[str, Any]) -> str:
    parameters = space({axis: tuple(ends) for axis, ends in data["over"].items()}, None)
    base, where = decoded("base", data["base"]), f"[{SECTION.format(name)}]"
    others = [
        f"{key} = {values[key]} (map: {base[key]})"
        for key in base.keys() & values.keys() - data["over"].keys() - {*ANY}
        if values[key] != base[key]
    ]
    else_ = f"; other settings: {', '.join(sorted(others))}" if others else ""
    outside = "; ".join(parameters.outside(values))
    if outside:
        return f"outside of a recorded map: {outside}{else_}. {data['sentence']} {where}"
    panel = parameters.panels.index({key: values[key] for key in parameters.choices})
    nearest = np.linalg.norm(parameters.lattice - parameters.places(values), axis=1).argmin()
    side = WORDS[SIDES[data["sides"][panel][int(nearest)]]].replace(
        "not decided", "is not decided"
    )
    at = ", ".join(f"{key} = {_text(values[key])}" for key in data["over"])
    return f"inside a recorded map at {at}, where this {side}{data['within']}{else_}: {data['sentence']} {where}"


def _text(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
