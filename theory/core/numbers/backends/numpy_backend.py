"""The numpy backend: vectorised functions that return the dtype of the input (float32, float64 or longdouble).

Values at float32 are computed in float64 and rounded once, since squares underflow and differences cancel in float32.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from closedform.checks.arrays import any_array
from theory.core.numbers.backends import pairs, scipy_functions
from theory.core.numbers.backends.numpy_functions import ELEMENTARY
from theory.core.numbers.backends.numpy_functions import extremes as extremes
from theory.core.numbers.backends.numpy_functions import least as least

# attribute of the backend
from theory.core.numbers.backends.quadrature import (
    double_integral as double_integral,
)
from theory.core.numbers.backends.quadrature import integral as integral
from theory.core.numbers.backends.short_of_digits import watched as watched
from theory.core.numbers.backends.short_of_digits import with_balls as with_balls
from theory.core.numbers.exact import UNTYPED, as_float

NAME = "numpy"
FOLDS = True  # sympy computes subexpressions without symbols once

_OF_PAIRS = pairs.functions(np.sqrt, np.sign)
# Long arrays are processed in blocks of at most so many points. Intermediate results of a block stay in the cache and
# in the memory that the allocator keeps; a few calls of numpy cost nothing beside a block of this size.
BLOCK = 24576
BLOCK_OF_PAIRS = 6144  # of formulas in pairs, which have ten intermediate results at a time


def functions(dtype: type = np.float64) -> dict[str, Any]:
    """Return the map from names of sympy functions to callables; for longdouble without those of scipy."""
    if dtype is np.longdouble:
        return {**ELEMENTARY, **_OF_PAIRS, "longdouble": np.longdouble}
    return {**ELEMENTARY, **_OF_PAIRS, **scipy_functions.FUNCTIONS}


def literal(number: sp.Expr, dtype: type = np.float64) -> str | None:
    """Return the code of a constant: a Python float, which adopts the dtype of the arrays, or a longdouble."""
    if number.is_Integer and abs(number) < 2**53:
        return f"{number}.0"  # numpy multiplies an array by a float in three quarters of the time of an integer
    if number.is_infinite:
        return f"float('{'inf' if number.is_extended_positive else '-inf'}')"
    value = number.evalf(25)
    if not value.is_Float and not value.is_Rational:
        raise ValueError(f"the constant {number}: got {value}, needs a real number")
    if dtype is np.longdouble:
        return f"longdouble('{value}')"
    rounded = float(value)
    return f"{rounded!r}" if math.isfinite(rounded) else f"float('{rounded}')"


def piecewise(
    branches: Sequence[tuple[Callable[..., Any] | None, Callable[..., Any]]],
    dtype: type = np.float64,
) -> Callable[..., Any]:
    """Return the function that evaluates each branch only where its condition is the first to hold, else NaN."""

    def evaluate(*inputs: Any) -> Any:
        arrays = np.broadcast_arrays(*inputs)
        undecided = np.ones(arrays[0].shape, dtype=bool)
        result: Any = np.full(arrays[0].shape, np.nan, dtype=dtype)
        for holds, value in branches:
            here = undecided if holds is None else undecided & holds(*arrays)
            if here.all():
                result[...] = value(*arrays)
                break
            if here.any():
                result[here] = value(*(array[here] for array in arrays))
            undecided = undecided & ~here
        return result[()]

    return evaluate


def are_pairs(dtype: type = np.float64) -> bool:
    """Return whether a number is a pair from the start, as a longdouble is."""
    return dtype is np.longdouble


def compensated(
    plain: Callable[..., Any], doubled: Callable[..., Any], dtype: type = np.float64
) -> Callable[..., Any]:
    """Return the function that computes with ``doubled`` on pairs of float64, or with ``plain`` where they overflow.

    A longdouble is a pair too, whose value is the sum of both numbers, if they are of ordinary size.
    """

    def evaluate(*inputs: Any) -> Any:
        if are_pairs(dtype):
            return _with_longdoubles(plain, doubled, inputs)
        value = doubled(*inputs)[0]
        low, high = extremes(value)
        if low > -math.inf and high < math.inf:
            return value
        return np.where(np.isfinite(value), value, plain(*inputs))

    return evaluate


def _with_longdoubles(
    plain: Callable[..., Any], doubled: Callable[..., Any], inputs: Sequence[Any]
) -> Any:
    pairs = []
    ordinary: Any = True
    for x in inputs:
        high = np.asarray(x, dtype=np.float64)
        pairs.append((high, np.asarray(x - high, np.float64)))
        ordinary = ordinary & ((x == 0) | ((abs(high) > 1e-150) & (abs(high) < 1e150)))
    high, low = doubled(*pairs)
    total = np.asarray(high, np.longdouble) + low
    return np.where(np.isfinite(total) & ordinary, total, plain(*inputs))[()]


def default_options() -> dict[str, Any]:
    """Return the options with which an expression is compiled before its arguments are known."""
    return {"dtype": np.float64}


def quiet() -> Any:
    """Return a context without warnings of intermediate overflow, since the result is checked."""
    return np.errstate(all="ignore")


def convert(names: Sequence[str], values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return arrays of one floating dtype: float32 or longdouble if all arrays have it, otherwise float64.

    TypeError is raised for what does not consist of real numbers or is masked, ValueError for an array that is empty or
    ragged, or shapes that do not broadcast.
    """
    arrays = [array(name, value) for name, value in zip(names, values, strict=True)]
    typed = [a.dtype for a, v in zip(arrays, values, strict=True) if not isinstance(v, UNTYPED)]
    common = np.result_type(*typed) if typed else np.dtype(np.float64)
    dtype = common.type if common.type in (np.float32, np.longdouble) else np.float64
    computed = np.longdouble if dtype is np.longdouble else np.float64
    require_broadcast(names, arrays)
    return [a.astype(dtype, copy=False)[()] for a in arrays], {"dtype": computed}


def require_broadcast(names: Sequence[str], arrays: Sequence[Any]) -> None:
    """Raise ValueError unless the shapes of arrays or tensors broadcast."""
    try:
        np.broadcast_shapes(*(a.shape for a in arrays))
    except ValueError:
        shapes = ", ".join(
            f"{name} {tuple(a.shape)}" for name, a in zip(names, arrays, strict=True)
        )
        raise ValueError(f"the shapes of the arguments do not broadcast: {shapes}") from None


def array(name: str, value: Any) -> np.ndarray:
    """Return a value of the user as a numpy array of real numbers; raise TypeError or ValueError if it is none."""
    array = any_array(name, value)
    # strings, fractions and sympy numbers are exact until they are rounded here
    if array.dtype.kind in "OU":
        array = np.array(
            [as_float(name, entry) for entry in array.flat], dtype=np.float64
        ).reshape(array.shape)
    if array.dtype.kind not in "iuf":
        got = f"{type(value).__name__} {array.dtype}"
        raise TypeError(f"{name}: got {got}, needs a real number or an array of them")
    if not array.size:
        raise ValueError(f"{name}: got shape {array.shape}, needs at least one number")
    return array


def whole(value: Any) -> bool:
    """Return whether every entry is an integer."""
    is_whole = value == np.floor(value)
    return bool(is_whole.item(is_whole.argmin()))  # a third of the time of all


def nonzero(value: Any) -> bool:
    """Return whether no entry is zero."""
    return bool(np.all(value))


def holds(
    gap: Callable[..., Any], scale: Callable[..., Any], values: Sequence[Any], condition: Any
) -> bool:
    """Return whether the condition holds at every point, up to the rounding that it tolerates."""
    gaps = finish(gap, values)
    if condition.strict:
        return bool(np.all(gaps > 0))
    if np.min(gaps) >= 0:
        return True
    slack = max(condition.slack, 64 * float(np.finfo(np.asarray(gaps).dtype).eps))
    return bool(np.all(gaps >= -slack * scale(*map(_widened, values))))


def finish(body: Callable[..., Any], values: Sequence[Any]) -> Any:
    """Evaluate the function and return the result in the broadcast shape and the dtype of the arguments."""
    dtype = values[0].dtype if values else np.dtype(np.float64)
    shape = np.broadcast_shapes(*(np.shape(v) for v in values))
    plain = all(np.ndim(v) == 0 or (v.shape == shape and v.flags.c_contiguous) for v in values)
    if plain and math.prod(shape) > BLOCK:
        flat = [v if np.ndim(v) == 0 else v.reshape(-1) for v in values]
        result = np.empty(math.prod(shape), dtype)
        for part in blocks(result.size, BLOCK):
            result[part] = body(*(_widened(v if np.ndim(v) == 0 else v[part]) for v in flat))
        return result.reshape(shape)
    result = np.asarray(body(*map(_widened, values))).astype(dtype, copy=False)
    return result[()] if result.shape == shape else np.broadcast_to(result, shape).copy()[()]


def blocks(size: int, most: int) -> list[slice]:
    """Return the parts of at most ``most`` points, equally long up to one, of an array of ``size`` points."""
    count = math.ceil(size / most)
    return [slice(size * index // count, size * (index + 1) // count) for index in range(count)]


def _widened(value: Any) -> Any:
    return value.astype(np.float64) if value.dtype == np.float32 else value
