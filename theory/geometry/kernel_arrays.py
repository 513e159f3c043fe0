"""Inputs of kernel matrices, and the arrays or tensors that they are written into."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform.checks.arrays import Array
from closedform.checks.plain import shown
from theory.core.formula.arguments import real_array
from theory.core.numbers.backends import load


def result(shape: tuple[int, int], dtype: Any, out: NDArray[Any] | None) -> NDArray[Any]:
    """Return the array for the result; raise TypeError or ValueError if type or shape are not as described."""
    if out is not None and not isinstance(out, np.ndarray):
        raise TypeError(f"out: got {shown(out)}, needs a numpy array")
    try:
        kind = np.dtype(np.float64 if out is None else out.dtype) if dtype is None else np.dtype(dtype)
    except Exception:  # of objects of the user's, too
        kind = dtype
    if not isinstance(kind, np.dtype) or kind not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise TypeError(f"dtype: got {kind if isinstance(kind, np.dtype) else shown(kind)}, needs float32 or float64")
    if out is None:
        return np.empty(shape, dtype=kind)
    if (out.shape, out.dtype) != (shape, kind) or not out.flags.writeable:
        raise ValueError(f"out: got {shown(out)}, needs a writeable array of shape {shape} and type {kind}")
    return out


def _is_tensor(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "torch"


def like(given: Any, result: Array) -> Any:
    """Return a result as a tensor on the device of what was given, if that is a tensor."""
    return load("torch").torch().as_tensor(result, device=given.device) if _is_tensor(given) else result


def inputs(name: str, value: Any, *, finite: bool = False) -> Array:
    """Return inputs as a float64 array ``[N, d]``, maybe the same one; raise TypeError or ValueError otherwise.

    With ``finite``, the caller finds out from what it computes whether the numbers of an array are finite.
    """
    is_array = type(value) is np.ndarray and value.dtype == np.float64 and value.ndim == 2
    if is_array and value.flags.c_contiguous and value.size and (finite or np.isfinite(value).all()):
        return value
    if _is_tensor(value):
        (tensor,), _ = load("torch").convert([name], [value])
        value = tensor.double().cpu()
    return np.ascontiguousarray(real_array(name, value, dimensions=2))
