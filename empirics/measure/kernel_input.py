"""Checks that measures of kernels and labels share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from empirics.measure.real_input import real_tensor

SYMMETRIC = 1e-6  # relative asymmetry that rounding in single precision may leave


def binary(labels: Any, count: int) -> NDArray[np.float64]:
    """Labels ``[count]`` as +1 (the larger of the two values) and -1.

    Raises:
        ValueError: if there are not ``count`` of them, or not two different values.
    """
    given = labels.detach().cpu().numpy() if isinstance(labels, Tensor) else np.asarray(labels)
    if given.shape != (count,):
        raise ValueError(f"labels: got shape {given.shape}, needs ({count},)")
    values = np.unique(given)
    if len(values) != 2:
        raise ValueError(f"labels: got {len(values)} different values, needs two")
    return np.where(given == values[1], 1.0, -1.0)


def symmetric(gram: Any) -> Tensor:
    """A Gram matrix ``[N, N]`` as float64.

    Raises:
        TypeError: if it is not made of real numbers.
        ValueError: if it is not square, finite and symmetric.
    """
    matrix = real_tensor("gram", gram)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.numel():
        raise ValueError(f"gram: got shape {list(matrix.shape)}, needs [N, N]")
    if (matrix - matrix.T).abs().max() > SYMMETRIC * matrix.abs().max():
        raise ValueError("gram: is not symmetric, so it is no Gram matrix")
    return matrix
