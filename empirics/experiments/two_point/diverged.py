"""How a diverged seed shows in a trace: the epoch at which it left the finite numbers, and a warning that names it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from empirics.experiments.seeds import NEVER


def mark_diverged(first_bad: Mapping[int, int], seeds: Sequence[int]) -> NDArray[np.int64]:
    """``[seed]``: the first epoch with a value that is not finite, -1 where there is none; warns when there is one.

    Args:
        first_bad: ``{position in the batch: epoch}``.
        seeds: the seeds of the batch.
    """
    marks = np.full(len(seeds), NEVER, dtype=np.int64)
    for position, epoch in first_bad.items():
        marks[position] = epoch
    if first_bad:
        named = ", ".join(f"{seeds[position]} (epoch {epoch})" for position, epoch in first_bad.items())
        warnings.warn(f"training diverged for seeds {named}: not finite from there on", RuntimeWarning, stacklevel=3)
    return marks
