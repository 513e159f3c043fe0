"""The checks of what users pass to ``bridge``: each returns the value in one form, or says what is wrong with it.

A bad value raises TypeError or ValueError that names the argument, what it got and what it needs.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bridge.arrays import Array

if TYPE_CHECKING:
    import xarray as xr

Choice = TypeVar("Choice")


def real_array(name: str, values: Any) -> Array:
    """Return ``values`` as a finite float64 array, which may be empty.

    Raises:
        TypeError: for text, truth values, complex numbers or other objects.
        ValueError: for NaN or infinity.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        entries = array.ravel().tolist() if array.dtype.kind in "OSUT" else [array.dtype]
        other = [entry for entry in entries if isinstance(entry, bool) or not isinstance(entry, (int, float))]
        if other:
            raise TypeError(f"{name}: needs real numbers, got {str(other[0])[:40]!r}")
    result = array.astype(np.float64)
    bad = ~np.isfinite(result)
    if bad.any():
        place = f" (the first in row {int(np.argwhere(bad)[0][0])})" if result.ndim else ""
        raise ValueError(f"{name}: {int(bad.sum())} of {result.size} entries are NaN or infinite{place}; drop them")
    return result


def filled_array(name: str, values: Any) -> Array:
    """Return :func:`real_array` of ``values``; raise ValueError if it is empty."""
    array = real_array(name, values)
    if array.size == 0:
        raise ValueError(f"{name}: is empty, needs at least one number")
    return array


def positive_array(name: str, values: Any, *, or_zero: bool = False) -> Array:
    """Return :func:`filled_array` of ``values``; raise ValueError if one is negative, or zero unless ``or_zero``."""
    array = filled_array(name, values)
    if array.min() < 0 or (array.min() == 0 and not or_zero):
        need = "numbers of at least 0" if or_zero else "positive numbers"
        raise ValueError(f"{name}: got {array.min():g}, needs {need}")
    return array


def real_number(
    name: str, value: Any, need: str, *, least: float = -math.inf, above: float = -math.inf, below: float = math.inf
) -> float:
    """Return ``value`` as a finite float.

    Args:
        name: of the argument.
        value: a number of Python or numpy, or an array of no dimension.
        need: what the argument needs, in words, for the message: ``"a positive number"``.
        least: the smallest number that is allowed.
        above: a bound that is not allowed itself, and nothing below it.
        below: a bound that is not allowed itself, and nothing above it.
    """
    number = value.item() if isinstance(value, (np.ndarray, np.generic)) and np.ndim(value) == 0 else value
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise TypeError(f"{name}: got {value!r}, needs {need}")
    if not (number >= least and above < number < below):  # neither is true of NaN
        raise ValueError(f"{name}: got {number!r}, needs {need}")
    return float(number)


def share(name: str, value: Any) -> float:
    """Return ``value`` as a float between 0 and 1, both excluded."""
    return real_number(name, value, "a number between 0 and 1", above=0, below=1)


def positive_number(name: str, value: Any, unit: str = "") -> float:
    """Return ``value`` as a positive, finite float; ``unit`` says in messages what it counts."""
    return real_number(name, value, f"a positive number{f' of {unit}' if unit else ''}", above=0)


def whole_number(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return ``value`` as an int from ``least`` to ``most``; raise TypeError for a float, even 2.0."""
    need = f"a whole number of at least {least}" if most is None else f"a whole number from {least} to {most}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name}: got {value!r}, needs {need}")
    if value < least or (most is not None and value > most):
        raise ValueError(f"{name}: got {value}, needs {need}")
    return int(value)


def one_of(name: str, value: Choice, choices: Collection[Choice]) -> Choice:
    """Return ``value``; raise ValueError if it is not among ``choices``."""
    if value not in choices:
        raise ValueError(f"{name}: got {value!r}, needs one of {', '.join(map(str, choices))}")
    return value


def dataset(
    value: Any,
    experiment: str,
    variables: Iterable[str],
    dimensions: Iterable[str] = (),
    *,
    attributes: Iterable[str] = (),
    name: str = "trace",
) -> xr.Dataset:
    """Return ``value``; raise an error if it is not a Dataset with what an experiment's trace has.

    Args:
        value: what the user gave.
        experiment: whose trace is needed, for the message.
        variables: names of the variables that are needed.
        dimensions: names of the dimensions that are needed.
        attributes: names of the attributes that are needed.
        name: of the argument.

    Raises:
        TypeError: if it is no Dataset.
        ValueError: if it lacks something; the message says what.
    """
    import xarray as xr

    if not isinstance(value, xr.Dataset):
        raise TypeError(f"{name}: got {type(value).__name__}, needs a Dataset, the trace of {experiment}")
    lacking = [variable for variable in variables if variable not in value]
    lacking += [f"the dimension {dimension}" for dimension in dimensions if dimension not in value.dims]
    lacking += [f"the attribute {attribute}" for attribute in attributes if attribute not in value.attrs]
    if lacking:
        raise ValueError(f"{name}: lacks {', '.join(lacking)}; needs a trace of {experiment}")
    return value


def listed(names: Sequence[str]) -> str:
    """Return the names, quoted and separated by commas, for an error message."""
    return ", ".join(repr(str(name)) for name in names) or "nothing"
