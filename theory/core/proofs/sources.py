"""What verdicts are reached with: the sources of a package, and the versions of the packages that it rests on."""

from __future__ import annotations

import hashlib
import sys
import time
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_STARTED = time.time()
_CORE = Path(__file__).resolve().parents[1]
_ALGEBRA = ("sympy", "python-flint", "mpmath")
_NUMBERS = ("numpy", "scipy")


@cache
def checker() -> str | None:
    """Digest of what decides a step: the sources of ``theory.core``, and the versions of Python and the algebra.

    None where it is not known: there are no sources, or one was changed after this process had started, so that
    what runs may not be what the file says.
    """
    return _digest(_CORE, _ALGEBRA)


@cache
def everything() -> str | None:
    """Digest of what decides a program of the theory, or a closed form by its name: all sources of ``theory``.

    None where it is not known, as of :func:`checker`.
    """
    return _digest(_CORE.parent, (*_ALGEBRA, *_NUMBERS))


def _digest(folder: Path, distributions: tuple[str, ...]) -> str | None:
    digest = hashlib.sha256(repr(sys.version_info[:2]).encode())
    try:
        for name in distributions:
            digest.update(f"{name} {version(name)}\n".encode())
        files = sorted(path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
        if not files or max(path.stat().st_mtime for path in files) > _STARTED:
            return None
        for path in files:
            content = path.read_bytes()
            digest.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    except (OSError, PackageNotFoundError):
        return None
    return digest.hexdigest()
