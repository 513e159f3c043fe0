"""The progress of long computations: a bar in a terminal, removed at the end; sparse plain lines anywhere else.

Nothing is shown for quick runs, on request, or where the environment sets ``TQDM_DISABLE``.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tqdm import TqdmWarning

with warnings.catch_warnings():
    # of notebooks without ipywidgets, where the bar is text
    warnings.simplefilter("ignore", TqdmWarning)
    from tqdm.auto import tqdm

SILENT_SECONDS = 2.0  # a progress bar appears only when a run takes longer than this
LINE_SECONDS: Final = 60.0  # between two lines where the output is not a terminal


def bar(
    label: str,
    total: int,
    unit: str,
    *,
    progress: bool = True,
    initial: int = 0,
    over: Iterable[Any] | None = None,
) -> Any:
    """Return a progress bar that is advanced with ``update``, or by iterating over it, which goes through ``over``."""
    is_asked_to_be_silent = not progress or bool(os.environ.get("TQDM_DISABLE"))
    if not is_asked_to_be_silent and not sys.stderr.isatty() and "ipykernel" not in sys.modules:
        return Lines(label, total, unit, initial, over)
    # not passed otherwise, since tqdm reads TQDM_DISABLE then
    disabled = {} if progress else {"disable": True}
    return tqdm(
        over, desc=label, total=total, unit=unit, initial=initial, file=sys.stderr, leave=False, delay=SILENT_SECONDS,
        **disabled,
    )  # fmt: skip


class Lines:
    """Progress as plain lines on stderr, at most one a minute; used like the bar of ``tqdm``."""

    def __init__(
        self, label: str, total: int, unit: str, initial: int, over: Iterable[Any] | None
    ) -> None:
        self.n = initial
        self._label, self._total, self._unit, self._over = label, total, unit, over
        self._began = self._told = time.monotonic()
        self._initial = self._shown = initial

    def update(self, count: float = 1) -> None:
        """Count further units, and write a line if none was written for a minute."""
        self.n += int(count)
        now = time.monotonic()
        if now - self._told >= LINE_SECONDS and self.n > self._shown:
            rate = (self.n - self._initial) / (now - self._began)
            remaining = max(self._total - self.n, 0) / rate
            units = self._unit if "%" in self._unit else f"{self._unit}s"
            print(
                f"{self._label}: {self.n} of {self._total} {units}, {remaining:.0f} s left",
                file=sys.stderr,
                flush=True,
            )
            self._told, self._shown = now, self.n

    def set_postfix_str(self, text: str = "", refresh: bool = True) -> None:
        """Do nothing; a line does not name the latest unit."""

    def __iter__(self) -> Iterator[Any]:
        for entry in self._over or ():
            yield entry
            self.update()

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Do nothing; every line is complete."""
