"""A store of values on disk, under keys that contain everything that determines them.

Each value is a small file, which is written atomically. The environment variable ``CLOSEDFORM_CACHE`` sets the folder,
and "off" disables the store; the default is a folder in the user's cache directory. If the folder cannot be read or
written, nothing is stored and no error is raised. Each file contains a checksum of its value and its key; the value of
a damaged file is recomputed.
"""

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from closedform.atomic_write import replacing
from closedform.untrusted_files import json_in

T = TypeVar("T")
VARIABLE = "CLOSEDFORM_CACHE"
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
        return (entry["value"],) if entry["checksum"] == _checksum(path.name, entry["value"]) else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def directory() -> Path | None:
    """Return the folder of the store; None if the store is disabled or the system has no cache directory."""
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


def _path(version: str | None, parts: Sequence[str] | None) -> Path | None:
    folder = directory()
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
        temporary.write_text(json.dumps({"checksum": _checksum(path.name, value), "value": value}), encoding="utf-8")


def _remove_unused(folder: Path) -> None:
    """Remove the values that other versions of the sources stored, if their folder was not written to recently."""
    oldest = time.time() - _DAYS_UNUSED * _DAY
    for other in folder.parent.iterdir():
        with suppress(OSError):
            if other != folder and other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)
