"""Files that anybody may have written: reading one runs no code and stays within limits, or raises one error.

Each kind of file has one reader, which works within :func:`reading`: traces and other netCDF files
``empirics.runs.trace_file``, checkpoints ``empirics.training.checkpoint``, tables of text
``bridge.tables.table_file``, images ``empirics.data``, and what is in JSON, such as records, lists of runs and proofs,
:func:`json_in`.
"""

from __future__ import annotations

import gzip
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, overload

from closedform.untrusted_json import decoded

Kind = TypeVar("Kind")

MOST_BYTES = 256 * 2**20  # of an image file; the largest published one, CIFAR-10's archive, has 178 MB
MOST_JSON = 2**24  # bytes; the largest record of ours has a hundredth of it


class UnreadableFileError(ValueError):
    """A file is not what it should be, or larger than any file of its kind; the message begins with its path."""


@contextmanager
def reading(path: Path, needs: str) -> Iterator[None]:
    """Replace what libraries raise for damaged files, errors of many kinds, by one that names the file.

    Args:
        path: the file.
        needs: what the file has to be, and what to do if it is not.

    Raises:
        UnreadableFileError: if the block raises an error, unless the file does not exist or cannot be opened.
    """
    try:
        yield
    except (UnreadableFileError, FileNotFoundError, PermissionError, MemoryError, ImportError):
        raise
    except Exception as problem:
        raise UnreadableFileError(f"{path}: got {problem}, needs {needs}") from problem


def content(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return all bytes of a file, decompressed if its name ends in ``.gz``.

    No more than ``most`` bytes are read, since a small gzipped file may decompress to any size.

    Raises:
        UnreadableFileError: if it is a folder or a device, has more bytes, or is damaged or cut short.
    """
    with reading(path, "a complete file; fetch or make it again"):
        if not stat.S_ISREG(path.stat().st_mode):
            raise ValueError("a folder, a device or the like")
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            data = file.read(most + 1)
    if len(data) > most:
        raise UnreadableFileError(f"{path}: got more than {most:,} bytes, needs fewer; is it the file that is meant?")
    return data


@overload
def json_in(path: Path) -> dict[str, Any]: ...
@overload
def json_in(path: Path, kind: type[Kind]) -> Kind: ...
def json_in(path: Path, kind: type = dict) -> Any:
    """Return what a file in JSON holds, see :func:`closedform.untrusted_json.decoded`.

    Raises:
        UnreadableFileError: if it is damaged, too large, nested too deeply, or holds another kind of value.
    """
    with reading(path, "JSON of this package"):
        return decoded(path.name, content(path, MOST_JSON), kind)
