"""Checks the arrays and numbers that the functions of Leaky ResNets are called with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def real_array(name: str, value: ArrayLike) -> Array:
    """``value`` as a float64 array without NaN or infinity, not empty.

    Raises:
        TypeError: if it is not an array of real numbers; names the argument.
        ValueError: if it is empty, ragged, masked or not finite; names the argument.
    """
    if isinstance(value, np.ma.MaskedArray):
        raise ValueError(f"{name} must not be masked, got a masked array")
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be a rectangular array of numbers, got a ragged one") from error
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} must be real numbers, got {array.dtype.name}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got NaN or infinity")
    return array


def matrices(name: str, value: ArrayLike) -> Array:
    """``value`` as float64 matrices [..., width, samples]; TypeError or ValueError by name otherwise."""
    array = real_array(name, value)
    if array.ndim < 2:
        raise ValueError(f"{name} must be a matrix [width, samples] or a stack of them, got shape {array.shape}")
    return array


def same_shape(first: str, a: Array, second: str, b: Array) -> None:
    """Raises ValueError unless both arrays have one shape; names both."""
    if a.shape != b.shape:
        raise ValueError(f"{second} must have the shape of {first}, {a.shape}, got {b.shape}")


def positive(name: str, value: ArrayLike) -> Array:
    """``value`` as a float64 array, all positive; TypeError or ValueError by name otherwise."""
    array = real_array(name, value)
    if not (array > 0).all():
        raise ValueError(f"{name} must be positive, got {array.min():g}")
    return array


def nonnegative(name: str, value: ArrayLike) -> Array:
    """``value`` as a float64 array, none negative; TypeError or ValueError by name otherwise."""
    array = real_array(name, value)
    if not (array >= 0).all():
        raise ValueError(f"{name} must not be negative, got {array.min():g}")
    return array


def switch(name: str, value: Any) -> bool:
    """``value`` if it is True or False; TypeError by name otherwise."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def positions(name: str, value: ArrayLike) -> Array:
    """Positions between 0 and 1 as a float64 array [p], in any order; TypeError or ValueError by name otherwise."""
    array = real_array(name, value)
    if array.ndim > 1:
        raise ValueError(f"{name} must be one position or a sequence of them, got shape {array.shape}")
    if array.min() < 0 or array.max() > 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {array.min():g} to {array.max():g}")
    return np.atleast_1d(array)


def each_matrix(name: str, value: Array, stack: tuple[int, ...]) -> Array:
    """One number for each matrix of a stack of shape ``stack``; ValueError by name if that cannot be."""
    try:
        return np.broadcast_to(value, stack)
    except ValueError as error:
        raise ValueError(
            f"{name} must be one number or one for each matrix, shape {stack}, got shape {value.shape}"
        ) from error
