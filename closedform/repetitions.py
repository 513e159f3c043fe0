"""Mean and standard error of repeated measurements, for numbers of any size that float64 holds."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from closedform.rounding import MODERATE


def mean_and_error(values: ArrayLike, axis: int = 0) -> tuple[Any, Any]:
    """Compute the mean over repetitions and its standard error.

    Repetitions whose squares leave the range of float64 are taken near one by a power of two, without rounding.

    Args:
        values: numbers with repetitions, such as seeds, along ``axis``.
        axis: axis of the repetitions. Default: the first.

    Returns:
        Two numbers, or two arrays of the other axes. The error of a single repetition is NaN.
    """
    array = np.asarray(values, dtype=np.float64)
    largest = np.abs(array).max(axis=axis, keepdims=True, initial=0.0)
    is_moderate = (
        (largest == 0)
        | ~np.isfinite(largest)
        | ((largest >= MODERATE[0]) & (largest <= MODERATE[1]))
    )
    exponents = np.where(is_moderate, 0, np.frexp(largest)[1])
    array = np.ldexp(array, -exponents)
    mean, count = array.mean(axis=axis), array.shape[axis]
    error = (
        array.std(axis=axis, ddof=1) / np.sqrt(count) if count > 1 else np.full(mean.shape, np.nan)
    )
    mean, error = (np.ldexp(numbers, exponents.squeeze(axis)) for numbers in (mean, error))
    return (float(mean), float(error)) if mean.ndim == 0 else (mean, error)
