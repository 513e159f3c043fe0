"""Files that anybody may have written: reading one runs no code and stays within limits, or raises one error.

Each kind of file has one reader, which works within :func:`reading`: traces and other netCDF files
``empirics.runs.trace_file``, checkpoints ``empirics.training.checkpoint``, tables of text
``bridge.tables.table_file``, images ``empirics.data``, and what is in JSON, such as records, lists of runs and proofs,
:func:`json_in`; JSON that is within another file is read by :func:`decoded`.
"""

import gzip
import json
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar, overload

Kind = TypeVar("Kind")

# of an image file; the largest published one, CIFAR-10's archive, has 178 MB
MOST_BYTES = 256 * 2**20
MOST_JSON = 2**24  # bytes; the largest record of ours has a hundredth of it
MOST_LEVELS = 100  # of nesting; the deepest file of ours has fewer than ten, and Python ends at about a thousand
KINDS: dict[type, str] = {dict: "an object", list: "a list"}


class UnreadableFileError(ValueError):
    """A file is not what it should be, or larger than any file of its kind; the message begins with its path."""


@contextmanager
def reading(path: Path, needs: str) -> Iterator[None]:
    """Replace what libraries raise for damaged files by UnreadableFileError with the path and what it has to be."""
    try:
        yield
    except (UnreadableFileError, FileNotFoundError, PermissionError, MemoryError, ImportError):
        raise
    except Exception as problem:
        raise UnreadableFileError(f"{path}: got {problem}, needs {needs}") from problem


def content(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return all bytes of a file, decompressed if it ends in ``.gz``; UnreadableFileError for more than ``most``."""
    with reading(path, "a complete file; fetch or make it again"):
        if not stat.S_ISREG(path.stat().st_mode):
            raise ValueError("a folder, a device or the like")
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            # Python takes memory for as many bytes as it is told to read
            few = min(path.stat().st_size, most)
            data = file.read(few + 1)
            data += file.read(most - few) if len(data) > few else b""
    if len(data) > most:
        raise UnreadableFileError(
            f"{path}: got more than {most:,} bytes, needs fewer; is it the file that is meant?"
        )
    return data


@overload
def json_in(path: Path) -> dict[str, Any]: ...
@overload
def json_in(path: Path, kind: type[Kind]) -> Kind: ...
def json_in(path: Path, kind: type = dict) -> Any:
    """Return what a file in JSON holds, see :func:`decoded`; UnreadableFileError if it is damaged or too large."""
    with reading(path, "JSON of this package"):
        return decoded(path.name, content(path, MOST_JSON), kind)


@overload
def decoded(name: str, text: Any) -> dict[str, Any]: ...
@overload
def decoded(name: str, text: Any, kind: type[Kind]) -> Kind: ...
def decoded(name: str, text: Any, kind: type = dict) -> Any:
    """Return the value of a JSON text, of the kind dict, list, or object for any; ValueError otherwise."""
    if not isinstance(text, str | bytes):
        raise ValueError(f"{name}: got {type(text).__name__}, needs JSON text")
    try:
        value = json.loads(text)
    except RecursionError:
        raise _too_deep(name) from None
    except ValueError as error:
        raise ValueError(f"{name}: got {error}, needs JSON") from error
    level = [value]
    for _ in range(MOST_LEVELS):
        level = list(chain.from_iterable(_children(parent) for parent in level))
    if level:
        raise _too_deep(name)
    if not isinstance(value, kind):
        raise ValueError(
            f"{name}: got JSON of the kind {type(value).__name__}, needs {KINDS[kind]}"
        )
    return value


def _children(value: Any) -> list[Any]:
    return (
        list(value.values())
        if isinstance(value, dict)
        else value
        if isinstance(value, list)
        else []
    )


def _too_deep(name: str) -> ValueError:
    return ValueError(
        f"{name}: got JSON with more than {MOST_LEVELS} levels, which no file of ours has"
    )
