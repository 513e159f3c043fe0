"""Where a case of the user's lies in the recorded maps: inside, with what holds there, or how far outside."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bridge.results.quantity import CLAIMS
from bridge.validity.axes import space
from bridge.validity.decision import WORDS
from closedform.untrusted_files import decoded
from theory.core.text.measured_conditions import SECTION

MAPS = "maps"  # folder of the recorded maps in the wing of their claims
# what is known at a place of the lattice, as a map is recorded
SIDES = {"1": True, "0": False, "?": None}
OF_TEN = {
    True: "nine networks of ten agree",
    False: "fewer than nine networks of ten agree",
    None: "it is not decided whether nine networks of ten agree",
}
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


class Placement(NamedTuple):
    """Where a case lies in one map."""

    map: str
    outside: str  # which parameters lie outside of it, in words; empty inside
    others: tuple[str, ...]  # names of other settings that are not those of the map
    # whether nine networks of ten agree there; None outside, and where it is not decided
    of_ten: bool | None
    holds: bool | None  # what the map says there of their mean; None likewise
    sentence: str


def placed(
    experiment: str, values: Mapping[str, Any], folders: Sequence[Path] | None = None
) -> tuple[str, ...]:
    """Return a sentence for each recorded map of an experiment whose parameters all have known ``values``."""
    return tuple(
        place.sentence for place in _placements("experiment", experiment, values, folders)
    )


def placed_in_one(
    claim: str, values: Mapping[str, Any], folders: Sequence[Path] | None = None
) -> str:
    """Return one sentence on all recorded maps of one claim, empty if there are none.

    It is that of a map which has all known settings, if no other one puts the case outside: of several the one that
    fails for single networks, or is not decided, before one that holds. Otherwise it says what each map lacks.
    """
    places = _placements("claim", claim, values, folders)
    if not places:
        return ""
    if any(place.outside for place in places) or all(place.others for place in places):
        lacking = "; ".join(
            f"{place.map}: {place.outside or 'other ' + ', '.join(place.others)}"
            for place in places
        )
        return f"no recorded map of where the theory holds has these settings ({lacking})"
    covering = [place for place in places if not place.others]
    order = (False, None, True)
    return min(
        covering, key=lambda place: (order.index(place.of_ten), order.index(place.holds))
    ).sentence


def _placements(
    kind: str, name: str, values: Mapping[str, Any], folders: Sequence[Path] | None
) -> tuple[Placement, ...]:
    """Return where a case lies in each map whose entry ``kind`` is a name, such as that of its experiment."""
    maps = (
        (label, _content(path, path.stat().st_mtime_ns))
        for label, path in recorded(folders).items()
    )
    return tuple(
        _placement(label, data, values)
        for label, data in maps
        if data[kind] == name and data["over"].keys() <= values.keys()
    )


@lru_cache(maxsize=64)
def _content(path: Path, changed: int) -> Mapping[str, Any]:
    """Return the content of the file of a map, which is read again when it has changed since.

    Args:
        path: the file.
        changed: when it was changed last, in nanoseconds.
    """
    content: Mapping[str, Any] = decoded(str(path), path.read_text(encoding="utf-8"))
    return content


def _placement(name: str, data: Mapping[str, Any], values: Mapping[str, Any]) -> Placement:
    parameters = space({axis: tuple(ends) for axis, ends in data["over"].items()}, None)
    base, label = decoded("base", data["base"]), SECTION.format(name)
    where = f"[{label}]"
    others = sorted(
        key
        for key in base.keys() & values.keys() - data["over"].keys() - {*ANY}
        if values[key] != base[key]
    )
    listed = ", ".join(f"{key} = {values[key]} (map: {base[key]})" for key in others)
    else_ = f"; other settings: {listed}" if others else ""
    outside = "; ".join(parameters.outside(values))
    if outside:
        sentence = f"outside of a recorded map: {outside}{else_}. {data['sentence']} {where}"
        return Placement(label, outside, tuple(others), None, None, sentence)
    panel = parameters.panels.index({key: values[key] for key in parameters.choices})
    nearest = int(np.linalg.norm(parameters.lattice - parameters.places(values), axis=1).argmin())
    holds, of_ten = (SIDES[data[sides][panel][nearest]] for sides in ("sides", "of ten"))
    side = WORDS[holds].replace("not decided", "is not decided")
    at = ", ".join(f"{key} = {_text(values[key])}" for key in data["over"])
    sentence = (
        f"inside a recorded map at {at}, where {OF_TEN[of_ten]}{data['within']}, and where this {side} on average"
        f"{_survivors(data['panels'][panel], parameters, values)}{else_}: {data['sentence']} {where}"
    )
    return Placement(label, "", tuple(others), of_ten, holds, sentence)


def _survivors(points: Sequence[Mapping[str, Any]], parameters: Any, values: Any) -> str:
    """Return how many networks of the nearest point of a map measure the claim, in words; empty for all of them."""
    places = np.array([parameters.places(point["values"]) for point in points])
    nearest = points[int(np.linalg.norm(places - parameters.places(values), axis=1).argmin())]
    networks = nearest["measured"]
    measuring = sum(number is not None for number in networks)
    alone = f"; {measuring} of {len(networks)} networks at the nearest point measure it"
    return alone if measuring < len(networks) else ""


def _text(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
