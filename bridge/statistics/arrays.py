"""Arrays of numbers over repetitions: their mean and its standard error."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedform.power_of_two import factor

Array = NDArray[np.float64]


def mean_and_error(values: ArrayLike, axis: int = 0) -> tuple[Any, Any]:
    """Compute the mean over repetitions and its standard error.

    Args:
        values: numbers with repetitions, such as seeds, along ``axis``.
        axis: axis of the repetitions. Default: the first.

    Returns:
        Two numbers, or two arrays of the other axes. The error of a single repetition is NaN.
    """
    array = np.asarray(values, dtype=np.float64)
    times = factor(array)
    array = array * times if times != 1 else array
    mean, count = array.mean(axis=axis), array.shape[axis]
    error = array.std(axis=axis, ddof=1) / np.sqrt(count) if count > 1 else np.full(mean.shape, np.nan)
    if times != 1:
        mean, error = mean / times, error / times
    return (float(mean), float(error)) if mean.ndim == 0 else (mean, error)
