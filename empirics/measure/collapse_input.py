"""Batches of representations and labels as the accumulators take them: checked, flat, in float64, in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

PIECE = 262_144  # numbers turned into float64 at once: 2 MB, which stays in a processor's cache
ON_DEVICE = 64  # times as many on an accelerator, where a launch costs more than memory


def features_of(value: Any, dimension: int | None = None) -> Tensor:
    """Representations as ``[batch, D]`` on their own device and in their own precision.

    Args:
        value: tensor or array ``[batch, ...]``; everything after the first dimension is flattened.
        dimension: the D that it has to have; any where None.

    Raises:
        TypeError: if it is not made of real numbers.
        ValueError: if it is empty or of another dimension.
    """
    try:
        tensor = torch.as_tensor(value if isinstance(value, Tensor) else np.asarray(value)).detach()
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"features: got {type(value).__name__}, needs a tensor or an array") from error
    if tensor.is_complex() or tensor.dtype == torch.bool:
        raise TypeError(f"features: got {tensor.dtype}, needs real numbers")
    if tensor.ndim < 2 or tensor.numel() == 0:
        raise ValueError(f"features: got shape {list(tensor.shape)}, needs [batch, D], not empty")
    tensor = tensor.flatten(1)
    if tensor.device.type == "mps":  # has no float64
        tensor = tensor.cpu()
    if dimension is not None and tensor.shape[1] != dimension:
        raise ValueError(f"features: got D = {tensor.shape[1]}, needs {dimension} as before")
    return tensor


def labels_of(name: str, value: Any, size: int, classes: int, device: torch.device) -> Tensor:
    """Class indices as int64 ``[batch]`` on ``device``.

    Raises:
        TypeError: if they are not integers.
        ValueError: if there are not ``size`` of them, or one is outside 0 ... ``classes`` - 1.
    """
    try:
        tensor = torch.as_tensor(value).detach()
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{name}: got {type(value).__name__}, needs class indices") from error
    if tensor.is_floating_point() or tensor.is_complex() or tensor.dtype == torch.bool:
        raise TypeError(f"{name}: got {tensor.dtype}, needs integers")
    if tensor.shape != (size,):
        raise ValueError(f"{name}: got shape {list(tensor.shape)}, needs [{size}], one for each row of features")
    if int(tensor.min()) < 0 or int(tensor.max()) >= classes:
        raise ValueError(
            f"{name}: got {int(tensor.min())} ... {int(tensor.max())}, needs 0 ... {classes - 1} (classes - 1)"
        )
    return tensor.to(device, torch.int64)


def whole(name: str, value: Any, least: int = 1) -> int:
    """``value`` if it is an integer of at least ``least``.

    Raises:
        TypeError: if it is not an integer.
        ValueError: if it is smaller.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: got {value!r}, needs an integer")
    if value < least:
        raise ValueError(f"{name}: got {value}, needs an integer >= {least}")
    return value


def pieces(features: Tensor) -> Iterator[slice]:
    """Runs of rows that are small in float64."""
    limit = PIECE if features.device.type == "cpu" else ON_DEVICE * PIECE
    rows = max(1, limit // features.shape[1])
    for start in range(0, len(features), rows):
        yield slice(start, start + rows)


def require_finite(values: Tensor) -> None:
    """Refuse a sum over features that is not finite.

    Raises:
        ValueError: if a feature was NaN or infinite, or its square beyond float64.
    """
    if not bool(torch.isfinite(values).all()):
        raise ValueError("features: have values that are not finite")


def precision(dtype: torch.dtype) -> float:
    """Relative spacing of the numbers that features of this type were rounded to; integers are exact."""
    exact = not dtype.is_floating_point
    return torch.finfo(torch.float64 if exact else dtype).eps
