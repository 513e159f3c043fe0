"""A store of values on disk, under keys that contain everything that determines them, such as digests of our code.

Each value is a small file, which is written atomically. The environment variable ``CLOSEDFORM_CACHE`` sets the folder,
and "off" disables the store; the default is a folder in the user's cache directory. If the folder cannot be read or
written, nothing is stored and no error is raised. Each file contains a checksum of its value and its key; the value of
a damaged file is recomputed.
"""

import hashlib
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from closedform.atomic_write import replacing
from closedform.cache import cache_folder
from closedform.untrusted_files import json_in

T = TypeVar("T")
_STARTED = time.time()
_CORE = Path(__file__).resolve().parents[1]
GROUND = _CORE.parents[1] / "closedform"  # the ground floor, on which all code of the theory rests
_ALGEBRA = ("sympy", "python-flint", "mpmath")
_NUMBERS = ("numpy", "scipy")
_version = cache(version)
_DAY = 86_400.0
_DAYS_UNUSED = 60  # age at which the values of other versions of the sources are removed


@dataclass(frozen=True)
class Use:
    """The permissions of the store: whether stored values are read, and whether new values are written."""

    read: bool = True
    write: bool = True


_BOTH = Use()
_use: ContextVar[Use] = ContextVar("use of the store", default=_BOTH)


@contextmanager
def using(*, read: bool = True, write: bool = True) -> Iterator[None]:
    """Allow reading from the store, or writing to it, in the block only if all enclosing blocks allow it as well."""
    token = _use.set(Use(current().read and read, current().write and write))
    try:
        yield
    finally:
        _use.reset(token)


def current() -> Use:
    """Return the permissions that the enclosing blocks give."""
    return _use.get()


def stored(
    version: str | None,
    parts: Sequence[str] | None,
    compute: Callable[[], T],
    *,
    keep: Callable[[T], bool] = lambda value: True,
) -> T:
    """Return the value of ``compute``, which JSON can hold, from the store or, the first time, by computing it.

    Without ``version`` or ``parts`` nothing is stored.
    """
    entry = look_up(version, parts)
    if entry is not None and keep(entry[0]):
        return entry[0]
    value = compute()
    path = _path(version, parts)
    if path is not None and current().write and keep(value):
        with suppress(OSError):
            _write(path, value)
    return value


def look_up(version: str | None, parts: Sequence[str] | None) -> tuple[Any] | None:
    """Return the stored value in a tuple of length 1; None if there is none, or the file is damaged."""
    path = _path(version, parts)
    if path is None or not current().read:
        return None
    try:
        entry = json_in(path)
        return (
            (entry["value"],)
            if entry["checksum"] == _checksum(path.name, entry["value"])
            else None
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _path(version: str | None, parts: Sequence[str] | None) -> Path | None:
    folder = cache_folder()
    if folder is None or version is None or parts is None:
        return None
    digest = hashlib.sha256(version.encode())
    for part in parts:
        digest.update(f"{len(part)}:{part}".encode())
    return folder / "proofs" / version[:24] / digest.hexdigest()


def _checksum(key: str, value: Any) -> str:
    return hashlib.sha256(f"{key} {json.dumps(value, sort_keys=True)}".encode()).hexdigest()


def _write(path: Path, value: Any) -> None:
    """Write a value, so that other processes see either the old entry or the new one."""
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_unused(path.parent)
    with replacing(path, flush=False) as temporary:
        temporary.write_text(
            json.dumps({"checksum": _checksum(path.name, value), "value": value}), encoding="utf-8"
        )


def _remove_unused(folder: Path) -> None:
    """Remove the values that other versions of the sources stored, if their folder was not written to recently."""
    oldest = time.time() - _DAYS_UNUSED * _DAY
    for other in folder.parent.iterdir():
        with suppress(OSError):
            if other != folder and other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)


@cache
def checker() -> str | None:
    """Return the digest of the code that decides a step, with versions; None without the files, or if one changed."""
    return _digest((GROUND, _CORE), _ALGEBRA)


@cache
def everything() -> str | None:
    """Return the digest of the code that decides a program or a named closed form; None as for :func:`checker`."""
    return _digest((GROUND, _CORE.parent), (*_ALGEBRA, *_NUMBERS))


@cache
def paper_digest(package: str) -> str | None:
    """Return the digest of what decides the entries of a ledger, as :func:`checker`; None for another distribution."""
    folder = GROUND.parent.joinpath(*package.split("."))
    if not package.startswith("papers.") or not folder.is_dir():
        return None
    folders = (GROUND, _CORE.parent, folder)
    return digest(
        list(chain.from_iterable(files_below(below) for below in folders)), GROUND.parent
    )


def files_below(folder: Path) -> list[Path]:
    """Return all files of a package in order, without compiled files."""
    return sorted(
        path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__"
    )


def digest(
    files: Sequence[Path],
    root: Path = _CORE.parents[1],
    distributions: Sequence[str] = (*_ALGEBRA, *_NUMBERS),
) -> str | None:
    """Return the digest of files, named relative to ``root``, and versions of packages; None as of :func:`checker`."""
    found = hashlib.sha256(repr(sys.version_info[:2]).encode())
    try:
        for name in distributions:
            found.update(f"{name} {_version(name)}\n".encode())
        if not files or max(path.stat().st_mtime for path in files) > _STARTED:
            return None
        for path in files:
            content = path.read_bytes()
            found.update(
                f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content
            )
    except (OSError, PackageNotFoundError):
        return None
    return found.hexdigest()


def _digest(folders: Sequence[Path], distributions: tuple[str, ...]) -> str | None:
    return digest(
        list(chain.from_iterable(files_below(folder) for folder in folders)),
        folders[0].parent,
        distributions,
    )
