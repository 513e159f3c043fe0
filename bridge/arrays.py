"""Real numbers from whatever a user gives, or an error that names what was wrong with them; means with their errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def numbers(values: Any, what: str) -> Array:
    """``values`` as float64, refusing text, complex numbers, NaN and infinity in the name of ``what``."""
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        entries = array.ravel().tolist() if array.dtype.kind in "OSUT" else [array.dtype]
        other = [each for each in entries if isinstance(each, bool) or not isinstance(each, (int, float))]
        if other:
            raise TypeError(f"{what}: needs real numbers, got {str(other[0])[:40]!r}")
    result = array.astype(np.float64)
    bad = ~np.isfinite(result)
    if bad.any():
        place = f" (the first in row {int(np.argwhere(bad)[0][0])})" if result.ndim else ""
        raise ValueError(f"{what}: {int(bad.sum())} of {result.size} entries are NaN or infinite{place}; drop them")
    return result


def mean_and_error(values: ArrayLike, axis: int = 0) -> tuple[Any, Any]:
    """Mean over repetitions and its standard error: numbers, or arrays of the other axes; NaN errors for a single one.

    Args:
        values: repetitions, say seeds, along ``axis``.
        axis: theirs.
    """
    array = np.asarray(values, dtype=np.float64)
    mean, count = array.mean(axis=axis), array.shape[axis]
    error = array.std(axis=axis, ddof=1) / np.sqrt(count) if count > 1 else np.full(mean.shape, np.nan)
    return (float(mean), float(error)) if mean.ndim == 0 else (mean, error)


def listed(names: Sequence[str]) -> str:
    """Names for an error message."""
    return ", ".join(repr(str(name)) for name in names) or "nothing"
