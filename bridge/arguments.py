"""Checks of the arguments of public functions of ``bridge``, which return the value in a standard form.

An invalid value raises TypeError or ValueError; the message names the argument, the value and the requirement. Every
function takes the name of the argument, for messages, and its value.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from closedform.untrusted_json import decoded

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]

Choice = TypeVar("Choice")
Kind = TypeVar("Kind")


def not_masked(name: str, values: Any) -> None:
    """Raise TypeError for a masked array, alone or in a sequence, since numpy would use the numbers under its mask."""
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"{name}: got a masked array, needs an array without a mask; fill or drop the masked entries")
    if isinstance(values, (list, tuple)):
        for entry in values:
            not_masked(name, entry)


def real_array(name: str, values: Any) -> Array:
    """Return ``values`` as a finite float64 array, which may be empty.

    Raises:
        TypeError: for strings, bools, complex numbers, masked arrays or other objects.
        ValueError: for NaN or infinity.
    """
    not_masked(name, values)
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name}: needs a regular array of numbers, got rows of different lengths") from error
    except (RuntimeError, TypeError) as error:  # a tensor that requires a gradient, has no data or no dtype of numpy
        raise TypeError(f"{name}: needs a regular array of numbers, got {type(values).__name__}: {error}") from None
    if array.dtype.kind not in "fiu":
        entries = array.ravel().tolist() if array.dtype.kind in "OSUT" else [array.dtype]
        other = [entry for entry in entries if isinstance(entry, bool) or not isinstance(entry, (int, float))]
        if other:
            raise TypeError(f"{name}: needs real numbers, got {str(other[0])[:40]!r}")
    result = _floats(name, array)
    bad = ~np.isfinite(result)
    if bad.any():
        place = f" (the first in row {int(np.argwhere(bad)[0][0])})" if result.ndim else ""
        raise ValueError(f"{name}: {int(bad.sum())} of {result.size} entries are NaN or infinite{place}; drop them")
    return result


def _floats(name: str, array: Array) -> Array:
    try:
        return array.astype(np.float64)
    except OverflowError:
        raise ValueError(f"{name}: got an integer beyond the range of float64, needs finite numbers") from None


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
        name: name of the argument, for messages.
        value: a number of Python or numpy, or an array of shape [].
        need: requirement in words, for messages, such as ``"a positive number"``.
        least: smallest number allowed. Default: no limit.
        above: lower bound, which is not allowed itself. Default: no bound.
        below: upper bound, which is not allowed itself. Default: no bound.

    Raises:
        TypeError: if the value is not a real number.
        ValueError: if the value is NaN or outside its bounds.
    """
    number = value.item() if isinstance(value, (np.ndarray, np.generic)) and np.ndim(value) == 0 else value
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise TypeError(f"{name}: got {value!r}, needs {need}")
    if isinstance(number, int) and abs(number) > sys.float_info.max:
        raise ValueError(f"{name}: got an integer beyond the range of float64, needs {need}")
    if not (number >= least and above < number < below):  # neither is true of NaN
        raise ValueError(f"{name}: got {number!r}, needs {need}")
    return float(number)


def share(name: str, value: Any) -> float:
    """Return ``value`` as a float between 0 and 1, both excluded."""
    return real_number(name, value, "a number between 0 and 1", above=0, below=1)


def positive_number(name: str, value: Any, unit: str = "") -> float:
    """Return ``value`` as a positive, finite float; messages give its ``unit``."""
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
    if not (isinstance(value, Hashable) and value in choices):  # arrays cannot be hashed, nor compared with one choice
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
    """Return ``value`` after checking that it is a Dataset with the parts of an experiment's trace.

    Args:
        value: the user's value.
        experiment: name of the experiment whose trace is needed, for messages.
        variables: names of the required variables.
        dimensions: names of the required dimensions. Default: none.
        attributes: names of the required attributes. Default: none.
        name: name of the argument, for messages. Default: ``"trace"``.

    Raises:
        TypeError: if the value is not a Dataset.
        ValueError: if a required part is missing; the message names it.
    """
    import xarray as xr

    if not isinstance(value, xr.Dataset):
        raise TypeError(f"{name}: got {type(value).__name__}, needs a Dataset, the trace of {experiment}")
    missing = [variable for variable in variables if variable not in value]
    missing += [f"the dimension {dimension}" for dimension in dimensions if dimension not in value.dims]
    missing += [f"the attribute {attribute}" for attribute in attributes if attribute not in value.attrs]
    if missing:
        raise ValueError(f"{name}: lacks {', '.join(missing)}; needs a trace of {experiment}")
    return value


@overload
def attribute(trace: xr.Dataset, name: str) -> dict[str, Any]: ...
@overload
def attribute(trace: xr.Dataset, name: str, kind: type[Kind]) -> Kind: ...
def attribute(trace: xr.Dataset, name: str, kind: type = dict) -> Any:
    """Return what the JSON in an attribute of a trace holds.

    Args:
        trace: the trace.
        name: name of the attribute.
        kind: dict (the default) for an object, or list.

    Raises:
        ValueError: if there is no such attribute, or it holds something else.
    """
    if name not in trace.attrs:
        raise ValueError(f"trace: lacks the attribute {name!r}")
    return decoded(f"trace: {name}", trace.attrs[name], kind)


def listed(names: Sequence[str]) -> str:
    """Return the names, quoted and separated by commas, for an error message."""
    return ", ".join(repr(str(name)) for name in names) or "nothing"
