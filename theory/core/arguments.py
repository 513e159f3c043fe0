"""The checks of what public functions of the theory are called with: each gives the value in one form, or says why not.

A bad value raises TypeError or ValueError that names the argument, what it got and what it needs. Numbers mean what
they mean in ``theory.core.exact``, where text, ratios and numbers of numpy are taken as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.core.backends import numpy_backend
from theory.core.backends.compiler import compile_expression
from theory.core.exact import exact

if TYPE_CHECKING:
    from theory.core.domain import Argument, Condition

Array = NDArray[np.float64]
# Asymmetry and negative eigenvalues, relative to the largest entry, that rounding may leave in a matrix.
_ROUNDING = 1e-10


def integer(name: str, value: Any, least: int | None = None) -> int:
    """``value`` as an int.

    Args:
        name: of the argument, for messages.
        value: an integer of Python, numpy or sympy, or the text of one.
        least: the smallest that is allowed.

    Raises:
        TypeError: if it is no integer; a float is none, whatever its value.
        ValueError: if it is smaller than ``least``, or text that is no integer.
    """
    if isinstance(value, str):
        if not value.strip().isdecimal():
            raise ValueError(f"{name} must be an integer, got {value!r}")
        value = exact(name, value)
    if isinstance(value, (bool, np.bool_)) or not (
        isinstance(value, (int, np.integer)) or getattr(value, "is_Integer", False)
    ):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if least is not None and value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    return int(value)


def switch(name: str, value: Any) -> bool:
    """``value`` if it is True or False; TypeError by name otherwise."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def real_array(name: str, value: ArrayLike, dimensions: int | None = None, last: int | None = None) -> Array:
    """``value`` as a finite float64 array that is not empty.

    Args:
        name: of the argument, for messages.
        value: a number or a regular array of them.
        dimensions: how many it must have.
        last: size that the last axis must have.

    Raises:
        TypeError: if it does not hold real numbers, or is masked.
        ValueError: if it is empty, ragged, not finite or of the wrong shape.
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
    """``value`` as an int64 array that is not empty; TypeError or ValueError by name otherwise."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be a regular array, got rows of different lengths") from None
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} must be integers, got {array.dtype}")
    if not array.size:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    return array.astype(np.int64)


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


def real_number(name: str, value: Any) -> float:
    """``value`` as one finite float; TypeError or ValueError by name otherwise."""
    return float(real_array(name, value, dimensions=0))


def positive_number(name: str, value: Any) -> float:
    """``value`` as one positive float; TypeError or ValueError by name otherwise."""
    return float(positive(name, real_number(name, value)))


def nonnegative_number(name: str, value: Any) -> float:
    """``value`` as one float that is not negative; TypeError or ValueError by name otherwise."""
    return float(nonnegative(name, real_number(name, value)))


def positions(name: str, value: ArrayLike) -> Array:
    """Positions between 0 and 1 as a float64 array [position], in any order."""
    array = one_or_more(name, value)
    if array.min() < 0 or array.max() > 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {array.min():g} to {array.max():g}")
    return array


def one_or_more(name: str, value: ArrayLike) -> Array:
    """A number or a sequence of numbers as a float64 array [entry]."""
    array = real_array(name, value)
    if array.ndim > 1:
        raise ValueError(f"{name} must be one number or a sequence of them, got shape {array.shape}")
    return np.atleast_1d(array)


def increasing(name: str, value: ArrayLike) -> Array:
    """Numbers in strictly increasing order as a float64 array [entry]."""
    array = real_array(name, value, dimensions=1)
    if (np.diff(array) <= 0).any():
        raise ValueError(f"{name} must be in strictly increasing order, got {array}")
    return array


def sign(name: str, value: Any) -> int:
    """``value`` if it is +1 or -1; TypeError or ValueError by name otherwise."""
    if integer(name, value) not in (1, -1):
        raise ValueError(f"{name} must be +1 or -1, got {value!r}")
    return int(value)


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


def one_for_each(name: str, value: Array, stack: tuple[int, ...]) -> Array:
    """One number for each matrix of a stack of shape ``stack``; ValueError by name if that cannot be."""
    try:
        return np.broadcast_to(value, stack)
    except ValueError as error:
        raise ValueError(
            f"{name} must be one number or one for each matrix, shape {stack}, got shape {value.shape}"
        ) from error


def metrics(name: str, value: ArrayLike) -> Array:
    """``value`` as float64 matrices [..., d, d], symmetric and without negative eigenvalues, up to rounding."""
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
    """The values as float64 arrays of one broadcast shape, each within the domain of its argument.

    Args:
        arguments: those of a closed form.
        values: one for each.
        conditions: on several arguments together; one whose arguments are not all there is not looked at.

    Raises:
        TypeError: if a value is not a real number or an array of them.
        ValueError: if one is empty, not finite or outside its domain, if the shapes do not broadcast, or if a condition
            is violated.
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
                raise ValueError(f"{condition.sentence} is required")
    return doubles


@lru_cache(maxsize=64)
def _compiled(condition: Condition, symbols: tuple[Any, ...]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    gap, scale = (compile_expression(part, symbols, numpy_backend) for part in (condition.gap, condition.scale))
    return gap, scale
