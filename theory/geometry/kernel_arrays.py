"""Inputs of kernel matrices, and the arrays or tensors that they are written into."""

import math
import mmap
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform.checks.arrays import Array
from closedform.checks.plain import shown
from theory.core.numbers.arguments import real_array, real_number
from theory.core.numbers.backends import load

MOST_WORK = 10**6  # of numpy's search for a byte that two arrays share, milliseconds


def result(
    shape: tuple[int, int], dtype: Any, out: NDArray[Any] | None, given: Mapping[str, Any]
) -> NDArray[Any]:
    """Return the array for the result, which shares no memory with the arrays and tensors that were given, by name.

    Raises:
        TypeError, ValueError: if type, shape or memory are not as described.
    """
    if out is not None and (not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray)):
        got = "a masked array" if isinstance(out, np.ndarray) else shown(out)
        raise TypeError(f"out: got {got}, needs a numpy array")
    try:
        kind = (
            np.dtype(np.float64 if out is None else out.dtype)
            if dtype is None
            else np.dtype(dtype)
        )
    except Exception:  # of objects of the user's, too
        kind = dtype
    if not isinstance(kind, np.dtype) or kind not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise TypeError(
            f"dtype: got {kind if isinstance(kind, np.dtype) else shown(kind)}, needs float32 or float64"
        )
    if out is None:
        return np.empty(shape, dtype=kind)
    if (out.shape, out.dtype) != (shape, kind) or not out.flags.writeable:
        got = f"an array of shape {out.shape} and type {out.dtype}{'' if out.flags.writeable else ', read-only'}"
        raise ValueError(
            f"out: got {got}, needs a writeable array of shape {shape} and type {kind}"
        )
    if _overlaps_itself(out):
        raise ValueError(
            f"out: got strides of {out.strides} bytes, by which entries overlap, needs an array of its own"
        )
    for name, value in given.items():
        if _share_memory(value, out):
            raise ValueError(
                f"out: got memory that overlaps {name}, needs an array apart from it, or {name}.copy()"
            )
    return out


def _overlaps_itself(array: NDArray[Any]) -> bool:
    """Return whether two entries may share a byte, as in a sliding window: rows then reach into one another."""
    reach = array.itemsize
    for stride, length in sorted(
        (abs(stride), length) for stride, length in zip(array.strides, array.shape, strict=True)
    ):
        if length > 1 and stride < reach:
            return True
        reach += stride * (length - 1)
    return False


def _share_memory(value: Any, out: NDArray[Any]) -> bool:
    """Return whether an array, or a tensor in the memory of this processor, shares a byte with ``out``."""
    if (
        _is_tensor(value)
        and value.device.type == "cpu"
        and value.is_floating_point()
        and value.dtype.itemsize >= 4
    ):
        value = value.detach().numpy()
    if not isinstance(value, np.ndarray):
        return False
    try:
        if _share_bytes_of_a_file(value, out):
            return True
        return np.shares_memory(value, out, max_work=MOST_WORK)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def _is_tensor(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "torch"


def _share_bytes_of_a_file(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Return whether two maps of one file, which lie at different addresses, reach into the same bytes of it."""
    part, other_part = _part_of_a_file(one), _part_of_a_file(other)
    if part is None or other_part is None or not os.path.samefile(part[0], other_part[0]):
        return False
    return part[1] < other_part[2] and other_part[1] < part[2]


def _part_of_a_file(array: Any) -> tuple[str, int, int] | None:
    """Return the file of a mapped array or of a view of one, and the bytes from and to which it reaches."""
    low, high = np.lib.array_utils.byte_bounds(array)
    while isinstance(array, np.ndarray) and not (
        isinstance(array, np.memmap) and isinstance(array.base, mmap.mmap)
    ):
        array = array.base
    # copies are made on writing
    if not isinstance(array, np.memmap) or not array.filename or array.mode == "c":
        return None
    start = array.__array_interface__["data"][0] - array.offset
    return str(array.filename), low - start, high - start


def number(name: str, value: Any) -> float:
    """Return a number as a float, which no later change of an array or a tensor reaches.

    Raises:
        TypeError, ValueError: if it is no finite number, or a tensor that requires a gradient, which would be lost.
    """
    if type(value) is float and math.isfinite(value):
        return value
    if _is_tensor(value) and value.requires_grad:
        raise TypeError(
            f"{name}: got a tensor that requires a gradient, needs a number; {name}.detach() is one"
        )
    return float(real_number(name, value))


def like(given: Any, result: Array) -> Any:
    """Return a result as a tensor on the device of what was given, if that is a tensor."""
    return (
        load("torch").torch().as_tensor(result, device=given.device)
        if _is_tensor(given)
        else result
    )


def inputs(name: str, value: Any, *, finite: bool = False, dimensions: int = 2) -> Array:
    """Return inputs as a float64 array ``[N, d]``, maybe the same one; raise TypeError or ValueError otherwise.

    With ``finite``, the caller finds out from what it computes whether the numbers of an array are finite. Images have
    more ``dimensions`` than two.
    """
    is_array = type(value) is np.ndarray and value.dtype == np.float64 and value.ndim == dimensions
    if (
        is_array
        and value.flags.c_contiguous
        and value.size
        and (finite or np.isfinite(value).all())
    ):
        return value
    if _is_tensor(value):
        (tensor,), _ = load("torch").convert([name], [value])
        value = tensor.double().cpu()
    return np.ascontiguousarray(real_array(name, value, dimensions=dimensions))
