"""Limits of working memory for a measurement, given as a number of bytes or as text such as ``"4GiB"``."""

from __future__ import annotations

import re

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_UNITS |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}
_TEXT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)


def bytes_of(memory: int | str) -> int:
    """Convert a memory limit, an integer or text with a unit (B, kB ... TB, KiB ... TiB), to a number of bytes."""
    if isinstance(memory, bool) or not isinstance(memory, int | str):
        raise TypeError(f"memory: got {type(memory).__name__}, needs bytes as an integer or text such as '4GiB'")
    if isinstance(memory, str):
        match = _TEXT.fullmatch(memory)
        if match is None or match[2].lower() not in _UNITS:
            raise ValueError(f"memory: got {memory!r}, needs a number and a unit, such as '4GiB' or '500MB'")
        memory = int(float(match[1]) * _UNITS[match[2].lower()])
    if memory < 1:
        raise ValueError(f"memory: got {memory} bytes, needs a positive number")
    return memory


def require(memory: int, needed: float, purpose: str) -> None:
    """Raise ValueError if ``memory`` bytes are fewer than the bytes ``needed`` for ``what``."""
    if needed > memory:
        raise ValueError(f"memory: got {text_of(memory)}, needs at least {text_of(needed)} for {purpose}")


def text_of(size: float) -> str:
    """Format ``size`` bytes as text with a binary unit, for messages."""
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} GiB"
