"""Warnings of a long run: the first of a kind at once, and the number and the strongest of the others at the end."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


@contextmanager
def summarised() -> Iterator[None]:
    """Of RuntimeWarnings that differ in numbers only, show the first, and at the end the one whose last is largest."""
    show = warnings.showwarning
    kinds: dict[tuple[type[Warning], str], list[str]] = {}
    is_running = True

    def first_of_its_kind(
        message: Warning | str, category: type[Warning], filename: str, lineno: int, file: Any = None, line: Any = None
    ) -> None:
        kind = category, NUMBER.sub("0", str(message))
        if is_running and issubclass(category, RuntimeWarning) and kind in kinds:
            kinds[kind].append(str(message))
            return
        kinds[kind] = []
        show(message, category, filename, lineno, file, line)

    warnings.showwarning = first_of_its_kind
    try:
        yield
    finally:
        is_running = False
        warnings.showwarning = show
    for (category, _), others in kinds.items():
        if others:
            strongest = max(others, key=_last_number)
            warnings.warn(f"{len(others)} more such warnings, the strongest: {strongest}", category, stacklevel=3)


def _last_number(text: str) -> float:
    numbers = NUMBER.findall(text)
    return float(numbers[-1]) if numbers else 0.0
