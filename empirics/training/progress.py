"""The progress bar of long computations: on stderr, removed at the end, not shown for quick runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from tqdm.auto import tqdm

SILENT_SECONDS = 2.0  # a progress bar appears only when a run takes longer than this


def bar(
    label: str, total: int, unit: str, *, progress: bool = True, initial: int = 0, over: Iterable[Any] | None = None
) -> Any:
    """Return a progress bar that is advanced with ``update``, or by iterating over it.

    Args:
        label: text before the bar.
        total: number of units of work.
        unit: name of the unit.
        progress: whether to show the bar, default True.
        initial: number of units done before, default 0.
        over: iterable that iterating over the bar goes through, default none.
    """
    disabled = {} if progress else {"disable": True}  # not passed otherwise, since tqdm reads TQDM_DISABLE then
    return tqdm(
        over, desc=label, total=total, unit=unit, initial=initial, file=sys.stderr, leave=False, delay=SILENT_SECONDS,
        **disabled,
    )  # fmt: skip
