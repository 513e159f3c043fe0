"""Checks of arguments as in ``closedform.checks``, of numbers that are read as in ``theory.core.numbers.exact``.

Text, ratios and the numbers of numpy, mpmath and sympy are numbers here. Further checks are of arrays that only the
theory takes, and of the domains of a closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from closedform import checks
from closedform.checks import arrays
from closedform.checks.arrays import Array
from closedform.checks.numbers import LARGEST_INTEGER
from theory.core.formula.domain import violation
from theory.core.numbers.backends import numpy_backend
from theory.core.numbers.backends.source import compile_expression
from theory.core.numbers.exact import exact

if TYPE_CHECKING:
    from theory.core.formula.domain import Argument, Condition

Kind = TypeVar("Kind")
# Largest asymmetry and negative eigenvalue that count as rounding errors, relative to the largest entry of a matrix.
_ROUNDING = 1e-10
LARGEST_ARRAY = 10**7
"""Largest number of entries of an array whose size is an argument."""


def integer(name: str, value: Any, least: int | None = None, most: int = LARGEST_INTEGER) -> int:
    """Return :func:`closedform.checks.integer` of ``value``, which may also be text with the digits of an integer."""
    if isinstance(value, str):
        checks.require(
            value.strip().removeprefix("-").isdecimal(), name, repr(value), "an integer"
        )
        value = exact(name, value)
    return checks.integer(name, value, least, most)


def _of_exact_numbers(check: Callable[..., Kind]) -> Callable[..., Kind]:
    """Return a check of numbers that also takes what ``exact`` reads, such as text, and refuses empty arrays."""

    @wraps(check)
    def checked(name: str, value: Any, *options: Any, **named: Any) -> Kind:
        is_read = type(value) is np.ndarray and value.dtype == np.float64 and value.size
        return check(
            name, value if is_read else numpy_backend.array(name, value), *options, **named
        )

    return checked


real_array = _of_exact_numbers(arrays.real_array)
positive_array = _of_exact_numbers(arrays.positive_array)
real_number = _of_exact_numbers(checks.real_number)
positive_number = _of_exact_numbers(checks.positive_number)
nonnegative_number = _of_exact_numbers(checks.nonnegative_number)


def positions(name: str, value: ArrayLike) -> Array:
    """Return positions between 0 and 1, in any order, as a float64 array [position]; raise ValueError otherwise."""
    array = one_or_more(name, value)
    if array.min() < 0 or array.max() > 1:
        raise ValueError(
            f"{name}: got {array.min():g} to {array.max():g}, needs numbers from 0 to 1"
        )
    return array


def one_or_more(name: str, value: ArrayLike) -> Array:
    """Return a number or a sequence of numbers as a float64 array [entry]; raise ValueError for more dimensions."""
    array = real_array(name, value)
    if array.ndim > 1:
        raise ValueError(
            f"{name}: got shape {array.shape}, needs one number or a sequence of them"
        )
    return np.atleast_1d(array)


def increasing(name: str, value: ArrayLike) -> Array:
    """Return numbers in strictly increasing order as a float64 array [entry]; raise ValueError otherwise."""
    array = real_array(name, value, dimensions=1)
    if (np.diff(array) <= 0).any():
        raise ValueError(f"{name}: got {array}, needs numbers in strictly increasing order")
    return array


def sign(name: str, value: Any) -> int:
    """Return ``value`` as an int if it is +1 or -1; raise TypeError or ValueError otherwise."""
    if integer(name, value) not in (1, -1):
        raise ValueError(f"{name}: got {value!r}, needs +1 or -1")
    return int(value)


def matrices(name: str, value: ArrayLike) -> Array:
    """Return ``value`` as float64 matrices [..., width, samples]; raise TypeError or ValueError otherwise."""
    array = real_array(name, value)
    if array.ndim < 2:
        raise ValueError(
            f"{name}: got shape {array.shape}, needs a matrix [width, samples] or a stack of them"
        )
    return array


def same_shape(first: str, a: Array, second: str, b: Array) -> None:
    """Raise ValueError unless both arrays have the same shape; the message names both."""
    if a.shape != b.shape:
        raise ValueError(f"{second}: got shape {b.shape}, needs that of {first}, {a.shape}")


def one_for_each(name: str, value: Array, stack: tuple[int, ...]) -> Array:
    """Return ``value`` broadcast to ``stack``, the shape of a stack of matrices; raise ValueError if that fails."""
    try:
        return np.broadcast_to(value, stack)
    except ValueError as error:
        raise ValueError(
            f"{name}: got shape {value.shape}, needs one number or one for each matrix, shape {stack}"
        ) from error


def metrics(name: str, value: ArrayLike) -> Array:
    """Return ``value`` as symmetric float64 matrices [..., d, d] without negative eigenvalues, up to rounding."""
    array = real_array(name, value)
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise ValueError(f"{name}: got shape {array.shape}, needs [..., d, d]")
    scale = np.abs(array).max(axis=(-1, -2), keepdims=True)
    if (np.abs(array - array.swapaxes(-1, -2)) > _ROUNDING * scale).any():
        raise ValueError(f"{name}: got matrices that are not symmetric, needs symmetric ones")
    if (np.linalg.eigvalsh(array)[..., 0] < -_ROUNDING * scale[..., 0, 0]).any():
        raise ValueError(
            f"{name}: got the eigenvalue {np.linalg.eigvalsh(array).min()}, needs no negative one"
        )
    return array


def in_domain(
    arguments: Sequence[Argument],
    values: Sequence[ArrayLike],
    conditions: Sequence[Condition] = (),
) -> list[Array]:
    """Return values as float64 arrays, each in the domain of its argument; raise TypeError or ValueError otherwise."""
    arrays, _ = numpy_backend.convert([argument.name for argument in arguments], values)
    for argument, array in zip(arguments, arrays, strict=True):
        argument.require(array, numpy_backend)
    doubles = [np.asarray(array, dtype=np.float64) for array in arrays]
    symbols = tuple(argument.symbol for argument in arguments)
    for condition in conditions:
        if condition.gap.free_symbols <= set(symbols):
            gap, scale = _compiled(condition, symbols)
            if not numpy_backend.holds(gap, scale, doubles, condition):
                broken = violation(
                    condition, arguments, doubles, numpy_backend.finish(gap, doubles)
                )
                raise ValueError(f"required: {broken}")
    return doubles


@lru_cache(maxsize=64)
def _compiled(condition: Condition, symbols: tuple[Any, ...]) -> list[Callable[..., Any]]:
    return [
        compile_expression(part, symbols, numpy_backend)
        for part in (condition.gap, condition.scale)
    ]
