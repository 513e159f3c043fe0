"""Checks of arguments. Every message names the argument, what it got and what it needs.

An argument of the wrong kind raises TypeError; one of the right kind with an unusable value raises ValueError.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Hashable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # configurations are checked, and studies listed, without torch
    from torch import Tensor

Kind = TypeVar("Kind")

LARGEST_SIZE = 10**9  # number of points, neurons, steps or seeds that no machine can finish
LARGEST_SEED = 2**63 - 1  # of torch, whose seeds are signed 64-bit integers
LARGEST_REAL = 1e200  # learning rate or scale; a larger one is a mistake, and its products overflow


def require(good: bool, name: str, got: object, needs: str) -> None:
    """Raise ``ValueError("name: got ..., needs ...")`` unless ``good``."""
    if not good:
        raise ValueError(f"{name}: got {got}, needs {needs}")


def instance(name: str, value: Any, kind: type[Kind], needs: str) -> Kind:
    """Return ``value``, which must be a ``kind``; TypeError otherwise."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: got {type(value).__name__}, needs {needs}")
    return value


def function(name: str, value: Any, needs: str) -> None:
    """Raise TypeError unless ``value`` can be called."""
    if not callable(value):
        raise TypeError(f"{name}: got {type(value).__name__}, needs {needs}")


def one_of(name: str, value: Any, choices: Collection[Any]) -> Any:
    """Return ``value``, which must be one of ``choices``; ValueError otherwise."""
    if not (isinstance(value, Hashable) and value in choices):  # arrays cannot be hashed, nor compared with one choice
        raise ValueError(f"{name}: got {value!r}, needs one of {', '.join(map(str, choices))}")
    return value


def true_or_false(name: str, value: Any) -> bool:
    """Return ``value``, which must be a boolean; TypeError otherwise."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}: got {value!r}, needs True or False")
    return value


# --- numbers ----------------------------------------------------------------------------------------------------------


def whole(name: str, value: Any, at_least: int = 1, at_most: int | None = None) -> int:
    """Return ``value`` as an integer within the given bounds (inclusive); TypeError or ValueError otherwise.

    Without ``at_most`` the bound is ``LARGEST_SIZE``, so that no size exhausts the memory or never ends.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: got {value!r}, needs an integer")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: got {type(value).__name__}, needs an integer") from None
    if at_most is not None and not at_least <= number <= at_most:
        raise ValueError(f"{name}: got {shown(number)}, needs an integer from {at_least} to {at_most}")
    if number < at_least:
        raise ValueError(f"{name}: got {shown(number)}, needs an integer >= {at_least}")
    if at_most is None and number > LARGEST_SIZE:
        raise ValueError(f"{name}: got {shown(number)}, needs an integer of at most {LARGEST_SIZE}")
    return number


def shown(number: int) -> str:
    """Return an integer for an error message; Python refuses to write thousands of digits."""
    return str(number) if abs(number) < 10**30 else f"an integer of {number.bit_length()} bits"


def seed(name: str, value: Any) -> int:
    """Return ``value`` as the seed of a random generator, an integer from 0 to ``LARGEST_SEED``."""
    return whole(name, value, 0, LARGEST_SEED)


def real(
    name: str,
    value: Any,
    *,
    positive: bool = False,
    at_least: float = -math.inf,
    below: float = math.inf,
    at_most: float = math.inf,
) -> float:
    """Return ``value`` as a finite float in the given range; TypeError or ValueError otherwise.

    Args:
        name: name of the argument.
        value: number to check.
        positive: whether the number must be above zero, default False.
        at_least: smallest number allowed, default unbounded.
        below: smallest number that is too large, default unbounded.
        at_most: largest number allowed, default unbounded.
    """
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise TypeError(f"{name}: got {value!r}, needs a number")
    try:
        number = float(value)
    except OverflowError:  # an integer beyond the range of float64
        number = math.inf
    except (TypeError, ValueError, RuntimeError):  # an array of several numbers, or of none
        raise TypeError(f"{name}: got {type(value).__name__}, needs a number") from None
    if not math.isfinite(number):
        raise ValueError(f"{name}: got {number}, needs a finite number")
    if positive and number <= 0:
        raise ValueError(f"{name}: got {number}, needs a positive number")
    if not (at_least <= number < below and number <= at_most):
        start = "(0" if positive else f"[{at_least}"
        end = f"{at_most}]" if at_most < math.inf else f"{below})"
        raise ValueError(f"{name}: got {number}, needs a number in {start}, {end}")
    return number


def sequence(name: str, value: Any, of: str = "numbers") -> Iterable[Any]:
    """Return ``value``, which must be iterable and not text; TypeError otherwise."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name}: got {value!r}, needs a sequence of {of}")
    return value


def whole_numbers(
    name: str, value: Any, at_least: int = 1, at_most: int | None = None, *, some: bool = False
) -> tuple[int, ...]:
    """Return a tuple of integers in the given range; TypeError or ValueError otherwise.

    Args:
        name: name of the argument.
        value: sequence to check.
        at_least: smallest integer allowed, default 1.
        at_most: largest integer allowed, default unbounded.
        some: whether an empty sequence is refused, default False.
    """
    numbers = tuple(whole(name, number, at_least, at_most) for number in sequence(name, value, "integers"))
    require(not some or bool(numbers), name, "none", "at least one")
    return numbers


def increasing(name: str, numbers: tuple[Kind, ...], fewest: int = 1) -> tuple[Kind, ...]:
    """Return the numbers, of which each must be larger than the one before; ValueError otherwise, or for too few."""
    is_increasing = list(numbers) == sorted(set(numbers))  # type: ignore[type-var]
    require(len(numbers) >= fewest and is_increasing, name, numbers, f"at least {fewest}, increasing")
    return numbers


# --- tensors ----------------------------------------------------------------------------------------------------------


def not_masked(name: str, value: Any) -> None:
    """Raise TypeError for a masked array, alone or in a sequence, since torch would use the numbers under its mask."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name}: got a masked array, needs an array without a mask; fill or drop the masked entries")
    if isinstance(value, list | tuple):
        for entry in value:
            not_masked(name, entry)


def shape(name: str, value: Tensor, fits: bool, needs: str) -> None:
    """Raise ValueError with the shape of ``value`` unless it ``fits``."""
    require(fits, name, f"shape {list(value.shape)}", needs)


def finite(name: str, value: Tensor) -> None:
    """Raise ValueError unless all numbers of a tensor are finite."""
    import torch

    require(bool(torch.isfinite(value).all()), name, "values that are not finite", "finite numbers")


def tensor(name: str, value: Any, needs: str = "a tensor, an array or numbers") -> Tensor:
    """Return a tensor, an array or nested numbers as a tensor; device and dtype are kept, gradients are not.

    Raises:
        TypeError: if ``value`` is not made of numbers, or is masked.
        ValueError: if it is sparse, or on the device "meta", without numbers.
    """
    import torch

    not_masked(name, value)
    if isinstance(value, torch.Tensor):
        require(not value.is_meta, name, "a tensor on the device 'meta', without numbers", needs)
        require(value.layout == torch.strided, name, "a sparse tensor", "a dense one; use Tensor.to_dense()")
    try:
        return value.detach() if isinstance(value, torch.Tensor) else torch.as_tensor(_writable(np.asarray(value)))
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{name}: got {type(value).__name__}, needs {needs}") from error


def _writable(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, or a copy if it is read-only, since torch shares its memory with arrays."""
    return array if array.flags.writeable else array.copy()


def real_numbers(name: str, value: Any) -> Tensor:
    """Return :func:`tensor` of real numbers; TypeError for complex numbers and booleans."""
    import torch

    numbers = tensor(name, value)
    if numbers.is_complex() or numbers.dtype == torch.bool:
        raise TypeError(f"{name}: got {numbers.dtype}, needs real numbers")
    return numbers


def finite_numbers(name: str, value: Any) -> Tensor:
    """Return :func:`real_numbers` in float64; ValueError if one of them is not finite."""
    import torch

    numbers = real_numbers(name, value).to(torch.float64)
    finite(name, numbers)
    return numbers


def class_indices(name: str, value: Any) -> Tensor:
    """Return :func:`tensor` of integers; TypeError for other numbers."""
    import torch

    labels = tensor(name, value, "class indices")
    if labels.is_floating_point() or labels.is_complex() or labels.dtype == torch.bool:
        raise TypeError(f"{name}: got {labels.dtype}, needs integers, the class indices")
    return labels
