"""Where closed forms were measured to hold: sentences on recorded maps of networks, which ``bridge`` writes.

``closedform validity MAP --record`` writes the file; ``theory`` reads it and knows no map.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from closedform.untrusted_files import json_in, reading

FILE = Path(str(files("theory") / "measured_conditions.json"))
SECTION = "map-{}"  # the label of a map's section in the gallery


def measured_conditions(*names: str | None) -> dict[str, str]:
    """Return where closed forms or entries ("jacot2024 2.1 varies less") were measured to hold, ``{map: sentence}``."""
    return {
        name: recorded_map["sentence"]
        for name, recorded_map in _maps(FILE).items()
        if not {*names}.isdisjoint(recorded_map["forms"])
    }


@cache
def _maps(path: Path) -> dict[str, Any]:
    with reading(path, "conditions that `closedform validity MAP --record` wrote"):
        return dict(json_in(path)) if path.is_file() else {}
