"""Reading of whole files, gzipped or not."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

LARGEST_FILE = 256 * 2**20  # bytes when decompressed; the largest published file, CIFAR-10's archive, has 178 MB


def content(path: Path, at_most: int = LARGEST_FILE) -> bytes:
    """Return all bytes of ``path``, decompressed if its name ends in ``.gz``.

    No more than ``at_most`` bytes are read, since a small gzipped file may decompress to any size.

    Raises:
        ValueError: if the content is larger, or a gzipped file is damaged or cut short.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            data = file.read(at_most + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: is damaged or incomplete ({error}); fetch it again") from error
    if len(data) > at_most:
        raise ValueError(f"{path}: holds more than {at_most:,} bytes; is it the published file?")
    return data


def present(folder: Path, name: str) -> Path | None:
    """Return the path of ``name`` or ``name.gz`` in ``folder``; None if neither exists."""
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)
