"""Checks and conversions of the batches of representations and labels that the accumulators of collapse take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from closedform import checks
from empirics import tensor_checks

MODERATE = 1e-135, 1e150  # sizes of numbers whose squares and products are in the range of float64
PIECE = 24 * 16_384  # entries converted to float64 at once: 3 MB, which stays in a processor's cache
ON_DEVICE = 64  # factor by which pieces are larger on an accelerator, where a kernel launch costs more than memory


def features_of(value: Any, dimension: int | None = None) -> Tensor:
    """Return representations as ``[batch, D]`` on their device and in their precision; D as given, if it is."""
    tensor = tensor_checks.real_numbers("features", value)
    tensor_checks.shape("features", tensor, tensor.ndim >= 2 and tensor.numel() > 0, "[batch, D], not empty")
    tensor = tensor.flatten(1)
    if tensor.device.type == "mps":  # MPS has no float64
        tensor = tensor.cpu()
    if dimension is not None and tensor.shape[1] != dimension:
        raise ValueError(f"features: got D = {tensor.shape[1]}, needs {dimension} as before")
    return tensor


def labels_of(name: str, value: Any, size: int, classes: int, device: torch.device) -> Tensor:
    """Return ``size`` class indices from 0 to ``classes`` - 1 as int64 ``[batch]`` on ``device``."""
    labels = tensor_checks.class_indices(name, value)
    tensor_checks.shape(name, labels, labels.shape == (size,), f"[{size}], one for each row of features")
    least, largest = int(labels.min()), int(labels.max())
    there = least >= 0 and largest < classes
    checks.require(there, name, f"{least} ... {largest}", f"0 ... {classes - 1} (classes - 1)")
    return labels.to(device, torch.int64)


def square(part: Tensor) -> float:
    """Return the sum of the squares of finite representations in float64; ValueError if they leave its range."""
    length = float(torch.linalg.vector_norm(part))
    if not length <= MODERATE[1]:
        tensor_checks.finite("features", part)
    largest = length if MODERATE[0] <= length <= MODERATE[1] else float(torch.linalg.vector_norm(part, torch.inf))
    fits = largest == 0 or MODERATE[0] <= largest <= MODERATE[1]
    needs = "numbers whose squares are in the range of float64; multiply them by a constant"
    checks.require(fits, "features", f"numbers up to {largest:.0e}", needs)
    return length**2


def pieces(features: Tensor) -> Iterator[tuple[slice, Tensor]]:
    """Yield slices of rows with a float64 copy of these rows, which the next piece overwrites."""
    limit = PIECE if features.device.type == "cpu" else ON_DEVICE * PIECE
    rows = min(len(features), max(1, limit // features.shape[1]))
    memory = features.new_empty(rows, features.shape[1], dtype=torch.float64)
    for start in range(0, len(features), rows):
        part = features[start : start + rows]
        yield slice(start, start + rows), memory[: len(part)].copy_(part)


def add_by_class(sums: Tensor, labels: Tensor, values: Tensor) -> Tensor:
    """Add the rows of ``values`` ``[batch, D]`` to the rows of ``sums`` ``[C, D]`` of their classes, in place."""
    if values.device.type == "cpu":
        return sums.index_add_(0, labels, values)
    member = torch.nn.functional.one_hot(labels, len(sums)).to(values.dtype)
    return sums.addmm_(member.T, values)  # index_add_ adds in a random order on an accelerator


def precision(dtype: torch.dtype) -> float:
    """Return the relative rounding error of features of this type; zero for integers, which are exact."""
    exact = not dtype.is_floating_point
    return torch.finfo(torch.float64 if exact else dtype).eps
