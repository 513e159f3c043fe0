"""Checks of the arguments of public functions of the theory, which return the value in a standard form.

An invalid value raises TypeError or ValueError; the message names the argument, the value and the requirement. Numbers
are read as in ``theory.core.numbers.exact``, which also accepts strings, ratios and numpy numbers. Every function
takes the name of the argument, for messages, and its value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.core.formula.error_messages import violation
from theory.core.numbers.backends import numpy_backend
from theory.core.numbers.backends.compiler import compile_expression
from theory.core.numbers.exact import exact

if TYPE_CHECKING:
    from theory.core.formula.domain import Argument, Condition

Array = NDArray[np.float64]
# Largest asymmetry and negative eigenvalue that count as rounding errors, relative to the largest entry of a matrix.
_ROUNDING = 1e-10
_LARGEST = 2**63 - 1
LARGEST_ARRAY = 10**7
"""Largest number of entries of an array whose size is an argument."""


def integer(name: str, value: Any, least: int | None = None, most: int = _LARGEST) -> int:
    """Return ``value`` as an int.

    Args:
        name: name of the argument, for messages.
        value: an integer of Python, numpy or sympy, or a string with its digits.
        least: smallest value allowed. Default: no limit.
        most: largest value allowed. Default: that of a signed 64-bit integer.

    Raises:
        TypeError: if the value is not an integer; a float is an error whatever its value.
        ValueError: if the value is smaller than ``least`` or larger than ``most``, or a string that is not an integer.
    """
    if isinstance(value, str):
        if not value.strip().removeprefix("-").isdecimal():
            raise ValueError(f"{name} must be an integer, got {value!r}")
        value = exact(name, value)
    if isinstance(value, (bool, np.bool_)) or not (
        isinstance(value, (int, np.integer)) or getattr(value, "is_Integer", False)
    ):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if least is not None and value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    if value > most:
        shown = value if value < 10**30 else f"an integer of {int(value).bit_length()} bits"
        raise ValueError(f"{name} must be at most {most}, got {shown}")
    return int(value)


def switch(name: str, value: Any) -> bool:
    """Return ``value`` as a bool if it is True or False; raise TypeError otherwise."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def one_of(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """Return ``value`` if it is one of the words in ``choices``; raise ValueError otherwise."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")
    return value


def real_array(name: str, value: ArrayLike, dimensions: int | None = None, last: int | None = None) -> Array:
    """Return ``value`` as a nonempty float64 array of finite numbers.

    Args:
        name: name of the argument, for messages.
        value: a number, or an array of numbers.
        dimensions: required number of dimensions. Default: any.
        last: required size of the last axis. Default: any.

    Raises:
        TypeError: if the entries are not real numbers, or the array is masked.
        ValueError: if the array is empty, ragged, not finite or of the wrong shape.
    """
    array = np.asarray(numpy_backend.convert([name], [value])[0][0], dtype=np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got NaN or infinity")
    if dimensions is not None and array.ndim != dimensions:
        raise ValueError(f"{name} must have {dimensions} dimension(s), got shape {array.shape}")
    if last is not None and (not array.ndim or array.shape[-1] != last):
        raise ValueError(f"{name} must have shape [..., {last}], got {array.shape}")
    return array


def integers(name: str, value: ArrayLike) -> NDArray[np.int64]:
    """Return ``value`` as a nonempty int64 array; raise TypeError or ValueError if this is not possible."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be a masked array; fill or drop the masked entries")
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be a regular array, got rows of different lengths") from None
    except TypeError as error:
        raise TypeError(f"{name} cannot be read as an array: {error}") from None
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} must be integers, got {array.dtype}")
    if not array.size:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    return array.astype(np.int64)


def positive(name: str, value: ArrayLike) -> Array:
    """Return ``value`` as a float64 array of positive numbers; raise TypeError or ValueError otherwise."""
    array = real_array(name, value)
    if not (array > 0).all():
        raise ValueError(f"{name} must be positive, got {array.min():g}")
    return array


def nonnegative(name: str, value: ArrayLike) -> Array:
    """Return ``value`` as a float64 array of nonnegative numbers; raise TypeError or ValueError otherwise."""
    array = real_array(name, value)
    if not (array >= 0).all():
        raise ValueError(f"{name} must not be negative, got {array.min():g}")
    return array


def real_number(name: str, value: Any) -> float:
    """Return ``value`` as a finite float; raise TypeError or ValueError otherwise."""
    return float(real_array(name, value, dimensions=0))


def positive_number(name: str, value: Any) -> float:
    """Return ``value`` as a positive float; raise TypeError or ValueError otherwise."""
    return float(positive(name, real_number(name, value)))


def nonnegative_number(name: str, value: Any) -> float:
    """Return ``value`` as a nonnegative float; raise TypeError or ValueError otherwise."""
    return float(nonnegative(name, real_number(name, value)))


def positions(name: str, value: ArrayLike) -> Array:
    """Return positions between 0 and 1, in any order, as a float64 array [position]; raise ValueError otherwise."""
    array = one_or_more(name, value)
    if array.min() < 0 or array.max() > 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {array.min():g} to {array.max():g}")
    return array


def one_or_more(name: str, value: ArrayLike) -> Array:
    """Return a number or a sequence of numbers as a float64 array [entry]; raise ValueError for more dimensions."""
    array = real_array(name, value)
    if array.ndim > 1:
        raise ValueError(f"{name} must be one number or a sequence of them, got shape {array.shape}")
    return np.atleast_1d(array)


def increasing(name: str, value: ArrayLike) -> Array:
    """Return numbers in strictly increasing order as a float64 array [entry]; raise ValueError otherwise."""
    array = real_array(name, value, dimensions=1)
    if (np.diff(array) <= 0).any():
        raise ValueError(f"{name} must be in strictly increasing order, got {array}")
    return array


def sign(name: str, value: Any) -> int:
    """Return ``value`` as an int if it is +1 or -1; raise TypeError or ValueError otherwise."""
    if integer(name, value) not in (1, -1):
        raise ValueError(f"{name} must be +1 or -1, got {value!r}")
    return int(value)


def matrices(name: str, value: ArrayLike) -> Array:
    """Return ``value`` as float64 matrices [..., width, samples]; raise TypeError or ValueError otherwise."""
    array = real_array(name, value)
    if array.ndim < 2:
        raise ValueError(f"{name} must be a matrix [width, samples] or a stack of them, got shape {array.shape}")
    return array


def same_shape(first: str, a: Array, second: str, b: Array) -> None:
    """Raise ValueError unless both arrays have the same shape; the message names both."""
    if a.shape != b.shape:
        raise ValueError(f"{second} must have the shape of {first}, {a.shape}, got {b.shape}")


def one_for_each(name: str, value: Array, stack: tuple[int, ...]) -> Array:
    """Return ``value`` broadcast to ``stack``, the shape of a stack of matrices; raise ValueError if that fails."""
    try:
        return np.broadcast_to(value, stack)
    except ValueError as error:
        raise ValueError(
            f"{name} must be one number or one for each matrix, shape {stack}, got shape {value.shape}"
        ) from error


def metrics(name: str, value: ArrayLike) -> Array:
    """Return ``value`` as symmetric float64 matrices [..., d, d] without negative eigenvalues, up to rounding.

    Raises:
        TypeError, ValueError: if the value does not consist of such matrices.
    """
    array = real_array(name, value)
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise ValueError(f"{name} must have shape [..., d, d], got {array.shape}")
    scale = np.abs(array).max(axis=(-1, -2), keepdims=True)
    if (np.abs(array - array.swapaxes(-1, -2)) > _ROUNDING * scale).any():
        raise ValueError(f"{name} must be symmetric, got matrices that are not")
    if (np.linalg.eigvalsh(array)[..., 0] < -_ROUNDING * scale[..., 0, 0]).any():
        raise ValueError(f"{name} must have no negative eigenvalue, got {np.linalg.eigvalsh(array).min()}")
    return array


def in_domain(
    arguments: Sequence[Argument], values: Sequence[ArrayLike], conditions: Sequence[Condition] = ()
) -> list[Array]:
    """Return the values as float64 arrays, after checking that each lies in the domain of its argument.

    Args:
        arguments: arguments of a closed form.
        values: one number or array for each argument; their shapes must broadcast.
        conditions: conditions on several arguments; a condition with a symbol outside ``arguments`` is not checked.
            Default: none.

    Raises:
        TypeError: if a value is not a real number or an array of real numbers.
        ValueError: if a value is empty or outside its domain, the shapes do not broadcast, or a condition is violated.
    """
    arrays, _ = numpy_backend.convert([argument.name for argument in arguments], values)
    for argument, array in zip(arguments, arrays, strict=True):
        argument.require(array, numpy_backend)
    doubles = [np.asarray(array, dtype=np.float64) for array in arrays]
    symbols = tuple(argument.symbol for argument in arguments)
    for condition in conditions:
        if condition.gap.free_symbols <= set(symbols):
            gap, scale = _compiled(condition, symbols)
            if not numpy_backend.holds(gap, scale, doubles, condition):
                broken = violation(condition, arguments, doubles, numpy_backend.finish(gap, doubles))
                raise ValueError(f"required: {broken}")
    return doubles


@lru_cache(maxsize=64)
def _compiled(condition: Condition, symbols: tuple[Any, ...]) -> list[Callable[..., Any]]:
    return [compile_expression(part, symbols, numpy_backend) for part in (condition.gap, condition.scale)]
