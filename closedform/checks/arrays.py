"""Checks of arrays of numbers, for arrays of numpy, tensors on the CPU and nested sequences."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform.checks.numbers import exact_number
from closedform.checks.plain import plain, shown
from closedform.rounding import EPSILON

Array = NDArray[np.float64]


def any_array(name: str, value: Any) -> NDArray[Any]:
    """Return ``value`` as an array of any kind; raise TypeError or ValueError if it is ragged or not plain."""
    value = plain(name, value)
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(
            f"{name}: got rows of different lengths, needs a regular array of numbers"
        ) from None
    except MemoryError:
        raise
    except Exception as error:  # a tensor on another device or of a type that numpy lacks, or an object of the user's
        raise TypeError(
            f"{name}: got {type(value).__name__} ({error}), needs a regular array of numbers"
        ) from None


def float_array(name: str, value: Any) -> Array:
    """Return ``value`` as a float64 array of real numbers, finite or not; raise TypeError or ValueError otherwise."""
    array = any_array(name, value)
    if array.dtype.kind not in "fiu":
        entries = array.ravel().tolist() if array.dtype.kind in "OSUT" else [str(array.dtype)]
        other = [
            entry
            for entry in entries
            if isinstance(entry, bool) or not isinstance(entry, numbers.Real)
        ]
        if other:
            raise TypeError(f"{name}: got {shown(other[0])}, needs real numbers")
    try:
        return array.astype(np.float64)
    except OverflowError:
        raise ValueError(
            f"{name}: got a number beyond the range of float64, needs finite numbers"
        ) from None


def exact_array(name: str, value: Any) -> Array:
    """Return :func:`float_array` of ``value``; raise ValueError if float64 does not hold one of its integers."""
    array, result = any_array(name, value), float_array(name, value)
    if array.dtype.kind in "iuO":
        is_large = ~(np.abs(result) < 2 / EPSILON)
        for number, rounded in zip(
            array[is_large].tolist(), result[is_large].tolist(), strict=True
        ):
            exact_number(name, number, rounded)
    return result


def real_array(
    name: str, value: Any, dimensions: int | None = None, last: int | None = None
) -> Array:
    """Return ``value`` as a finite float64 array, which may be empty; raise TypeError or ValueError otherwise."""
    result = float_array(name, value)
    if not np.isfinite(result).all():
        bad = ~np.isfinite(result)
        where = f" (the first in row {int(np.argwhere(bad)[0][0])})" if result.ndim else ""
        got = f"NaN or infinity in {int(bad.sum())} of {result.size} entries{where}"
        raise ValueError(f"{name}: got {got}, needs finite numbers")
    if dimensions is not None and result.ndim != dimensions:
        raise ValueError(f"{name}: got shape {result.shape}, needs {dimensions} dimension(s)")
    if last is not None and (not result.ndim or result.shape[-1] != last):
        raise ValueError(f"{name}: got shape {result.shape}, needs [..., {last}]")
    return result


def epsilon(value: Any) -> float:
    """Return the machine epsilon of the type of an array; that of float64 for integers, sequences and objects."""
    array = any_array("value", value)
    return float(np.finfo(array.dtype).eps) if array.dtype.kind == "f" else EPSILON


def filled_array(name: str, value: Any) -> Array:
    """Return :func:`real_array` of ``value``; raise ValueError if it is empty."""
    array = real_array(name, value)
    if array.size == 0:
        raise ValueError(f"{name}: got shape {array.shape}, needs at least one number")
    return array


def positive_array(name: str, value: Any, *, or_zero: bool = False) -> Array:
    """Return :func:`filled_array` of ``value``; raise ValueError if one is negative, or zero unless ``or_zero``."""
    array = filled_array(name, value)
    if array.min() < 0 or (array.min() == 0 and not or_zero):
        needs = "numbers of at least 0" if or_zero else "positive numbers"
        raise ValueError(f"{name}: got {array.min():g}, needs {needs}")
    return array


def integer_array(name: str, value: Any) -> NDArray[np.int64]:
    """Return ``value`` as a nonempty int64 array; raise TypeError or ValueError if this is not possible."""
    array = any_array(name, value)
    if not array.size:
        raise ValueError(f"{name}: got shape {array.shape}, needs at least one integer")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: got {array.dtype}, needs integers")
    return array.astype(np.int64)
