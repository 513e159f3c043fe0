"""Checks of tensors. Every message names the argument, what it got and what it needs, as in ``closedform.checks``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from closedform.checks import require
from closedform.checks.plain import plain, shown

if TYPE_CHECKING:  # configurations are checked, and studies listed, without torch
    from torch import Tensor
    from torch import device as Device


OUT_OF_MEMORY = (  # of torch, in its RuntimeErrors
    "can't allocate memory", "not enough memory", "out of memory", "Storage size calculation overflowed",
    "integer multiplication overflow", "Invalid buffer size",
)  # fmt: skip


@contextmanager
def memory_for(**sizes: int) -> Iterator[None]:
    """Raise ValueError that names the largest of the sizes, if there is no memory for what the block makes."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and not any(
            text in str(error) for text in OUT_OF_MEMORY
        ):
            raise
        name = max(sizes, key=lambda size: sizes[size])
        others = ", ".join(f"{other} = {size}" for other, size in sizes.items() if other != name)
        got = f"{sizes[name]} ({others})" if others else str(sizes[name])
        raise ValueError(f"{name}: got {got}, needs a size for which there is memory") from error


def device(name: str, value: Any) -> Device:
    """Return the device that ``value`` names; raise TypeError or ValueError if it names none."""
    import torch

    needs = "a device that torch knows, such as 'cpu' or 'cuda'"
    if not isinstance(value, (str, torch.device)):
        raise TypeError(f"{name}: got {shown(value)}, needs {needs}")
    try:
        return torch.device(value)
    except RuntimeError as error:
        raise ValueError(f"{name}: got {shown(value)}, needs {needs}") from error


def shape(name: str, value: Tensor, fits: bool, needs: str) -> None:
    """Raise ValueError with the shape of ``value`` unless it ``fits``."""
    require(fits, name, f"shape {list(value.shape)}", needs)


def finite(name: str, value: Tensor) -> None:
    """Raise ValueError unless all numbers of a tensor are finite."""
    import torch

    require(
        bool(torch.isfinite(value).all()), name, "values that are not finite", "finite numbers"
    )


def tensor(name: str, value: Any, needs: str = "a tensor, an array or numbers") -> Tensor:
    """Return a tensor, an array or nested numbers as a tensor; device and dtype are kept, gradients are not."""
    import torch

    value = plain(name, value)
    try:
        return (
            value
            if isinstance(value, torch.Tensor)
            else torch.as_tensor(_writable(np.asarray(value)))
        )
    except Exception as error:  # those of numpy and torch, and of objects of the user's
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
