"""Checks the arrays and numbers that the collapse functions are called with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def real_array(name: str, value: ArrayLike, dimensions: int | None = None) -> NDArray[np.float64]:
    """``value`` as a finite float64 array.

    Raises:
        TypeError: if it is not made of real numbers.
        ValueError: if it is empty, not finite, ragged, or does not have so many dimensions.
    """
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be a masked array; fill or drop the masked entries")
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be a regular array, got rows of different lengths") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be an array of real numbers, got {type(value).__name__} {array.dtype}")
    if not array.size:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    if dimensions is not None and array.ndim != dimensions:
        raise ValueError(f"{name} must have {dimensions} dimension(s), got shape {array.shape}")
    array = array.astype(np.float64)
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite, got NaN or infinity")
    return array


def whole(name: str, value: Any, least: int) -> int:
    """``value`` as an int of at least ``least``; TypeError or ValueError naming the argument otherwise."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    return int(value)


def positive(name: str, value: Any, zero: bool = False) -> float:
    """``value`` as a positive (or non-negative) float; TypeError or ValueError naming the argument otherwise."""
    number = float(real_array(name, value, dimensions=0))
    if number < 0 or (number == 0 and not zero):
        raise ValueError(f"{name} must be {'non-negative' if zero else 'positive'}, got {number}")
    return number


def class_labels(labels: ArrayLike, samples: int) -> NDArray[np.int64]:
    """Labels as integers 0 to C - 1, [samples]; every class between must occur.

    Raises:
        TypeError, ValueError: if they are not such labels, one for each sample.
    """
    array = np.asarray(labels)
    if array.dtype.kind not in "iu":
        raise TypeError(f"labels must be integers, got {array.dtype}")
    if array.shape != (samples,):
        raise ValueError(f"labels must have shape ({samples},), one for each row of features, got {array.shape}")
    if array.min() < 0 or len(np.unique(array)) != array.max() + 1:
        raise ValueError("labels must be 0 to C - 1 with every class present")
    if array.max() < 1:
        raise ValueError("labels must have at least two classes, got one")
    return array.astype(np.int64)
