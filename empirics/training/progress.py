"""The progress bar of everything that takes long: on stderr, removed when done, not shown for quick runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from tqdm.auto import tqdm

SILENT_SECONDS = 2.0  # a progress bar appears only when a run takes longer than this


def bar(
    label: str, total: int, unit: str, *, progress: bool = True, initial: int = 0, over: Iterable[Any] | None = None
) -> Any:
    """A bar to be advanced with ``update``, or by iterating.

    Args:
        label: text before it.
        total: how many units there are.
        unit: what is counted.
        progress: whether to show it.
        initial: units done before.
        over: what iterating over the bar goes through.
    """
    silent = {} if progress else {"disable": True}  # left out otherwise: the environment may ask for silence, too
    return tqdm(
        over, desc=label, total=total, unit=unit, initial=initial, file=sys.stderr, leave=False, delay=SILENT_SECONDS,
        **silent,
    )  # fmt: skip
