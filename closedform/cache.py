"""The folder in which verdicts and machine code are kept for later processes; the user can move it or turn it off."""

import os
import sys
from pathlib import Path

VARIABLE = "CLOSEDFORM_CACHE"
"""Environment variable with the folder; "off" keeps nothing."""


def cache_folder() -> Path | None:
    """Return the folder; None if the user keeps nothing, or the system has no cache directory."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return None if chosen.strip().lower() in ("", "off") else Path(chosen)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) / "closedform" / "Cache" if local else None
    shared = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(shared):
        return Path(shared) / "closedform"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if not home.is_dir():
        return None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "closedform"
