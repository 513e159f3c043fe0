"""Digests of the code that reaches verdicts: the sources of a package and the versions of the packages that it uses."""

import hashlib
import sys
import time
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_STARTED = time.time()
_CORE = Path(__file__).resolve().parents[1]
GROUND = _CORE.parents[1] / "closedform"  # the ground floor, on which all code of the theory rests
_ALGEBRA = ("sympy", "python-flint", "mpmath")
_NUMBERS = ("numpy", "scipy")
_version = cache(version)


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
    parent, _, key = package.rpartition(".")
    if parent != "theory.papers":
        return None
    papers = _CORE.parent / "papers"
    others = {folder for folder in papers.iterdir() if folder.is_dir() and folder.name != key}
    files = (path for folder in (GROUND, _CORE.parent) for path in files_below(folder))
    return digest([path for path in files if others.isdisjoint(path.parents)], GROUND.parent)


def files_below(folder: Path) -> list[Path]:
    """Return all files of a package in order, without compiled files."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__")


def digest(
    files: Sequence[Path], root: Path = _CORE.parents[1], distributions: Sequence[str] = (*_ALGEBRA, *_NUMBERS)
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
            found.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    except (OSError, PackageNotFoundError):
        return None
    return found.hexdigest()


def _digest(folders: Sequence[Path], distributions: tuple[str, ...]) -> str | None:
    return digest([path for folder in folders for path in files_below(folder)], folders[0].parent, distributions)
