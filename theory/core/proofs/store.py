"""Values on disk under what determines them: one small file each, written whole or not at all.

``CLOSEDFORM_CACHE`` names the folder; "off" means none. Without it, it is the user's cache directory. A folder that
cannot be read or written is no error: then nothing is stored. A damaged file is recomputed, for each carries a checksum
of its value and its key.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
VARIABLE = "CLOSEDFORM_CACHE"
_DAY = 86_400.0
_DAYS_UNUSED = 60  # after which what other versions of the sources have stored is removed


@dataclass(frozen=True)
class Use:
    """Whether stored values are read, and new ones written."""

    read: bool = True
    write: bool = True


_BOTH = Use()
_use: ContextVar[Use] = ContextVar("use of the store", default=_BOTH)


@contextmanager
def using(*, read: bool = True, write: bool = True) -> Iterator[None]:
    """Within the block values are read from the store, or written to it, only where this and all outer blocks say so.

    ``using(read=False)`` computes everything afresh and stores it; ``using(read=False, write=False)`` leaves the store
    alone.
    """
    token = _use.set(Use(current().read and read, current().write and write))
    try:
        yield
    finally:
        _use.reset(token)


def current() -> Use:
    """What the blocks around the call say."""
    return _use.get()


def stored(
    version: str | None,
    parts: Sequence[str] | None,
    compute: Callable[[], T],
    *,
    keep: Callable[[T], bool] = lambda value: True,
) -> T:
    """The value under a key, or ``compute()``, which is then stored.

    Args:
        version: digest of what computes the value; None if it is not known, and nothing is stored.
        parts: what, together with ``version``, determines the value; None if that is not known.
        compute: takes nothing; its value must survive JSON.
        keep: whether a value is worth storing; one that is not is never taken from the store either.
    """
    found = look_up(version, parts)
    if found is not None and keep(found[0]):
        return found[0]
    value = compute()
    path = _path(version, parts)
    if path is not None and current().write and keep(value):
        with suppress(OSError):
            _write(path, value)
    return value


def look_up(version: str | None, parts: Sequence[str] | None) -> tuple[Any] | None:
    """The stored value, in a tuple; None if there is none, or the file is damaged."""
    path = _path(version, parts)
    if path is None or not current().read:
        return None
    try:
        entry = json.loads(path.read_bytes())
        return (entry["value"],) if entry["checksum"] == _checksum(path.name, entry["value"]) else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def directory() -> Path | None:
    """The folder of the store; None if there is none."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return None if named.strip().lower() in ("", "off") else Path(named)
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
    """A file of its own first, then its name: readers and other writers see the old entry or the new one."""
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_unused(path.parent)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"checksum": _checksum(path.name, value), "value": value}, file)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _remove_unused(folder: Path) -> None:
    """Drops what other versions have stored, where nothing was written for long."""
    oldest = time.time() - _DAYS_UNUSED * _DAY
    for other in folder.parent.iterdir():
        with suppress(OSError):
            if other != folder and other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)
