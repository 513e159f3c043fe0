"""Where closed forms were measured to hold: the sentences of the recorded maps, read without any large package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from closedform.untrusted_json import decoded

FOLDER = Path(__file__).parent / "maps"


def conditions(form: str, folder: Path = FOLDER) -> list[str]:
    """Return where a closed form was measured to hold, in sentences; none without a recorded map.

    Args:
        form: name of the closed form.
        folder: folder of the recorded maps. Default: that of this package.
    """
    found: list[str] = []
    for path in sorted(folder.glob("*.json")):
        data: dict[str, Any] = decoded(str(path), path.read_text(encoding="utf-8"))
        if form in data["forms"]:
            found += data["sentences"]
    return found
