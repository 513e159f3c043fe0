"""Reading of whole files, gzipped or not."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path


def content(path: Path) -> bytes:
    """Return all bytes of ``path``, decompressed if its name ends in ``.gz``.

    Raises:
        ValueError: if a gzipped file is damaged or cut short.
    """
    if path.suffix != ".gz":
        return path.read_bytes()
    try:
        return gzip.decompress(path.read_bytes())
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: is damaged or incomplete ({error}); fetch it again") from error


def present(folder: Path, name: str) -> Path | None:
    """Return the path of ``name`` or ``name.gz`` in ``folder``; None if neither exists."""
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)
