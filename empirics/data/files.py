"""Where data files lie, gzipped or not."""

from __future__ import annotations

from pathlib import Path


def present(folder: Path, name: str) -> Path | None:
    """Return the path of ``name`` or ``name.gz`` in ``folder``; None if neither exists."""
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)
