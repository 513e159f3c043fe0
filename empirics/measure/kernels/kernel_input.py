"""Argument checks shared by the measurements of kernels and labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from closedform import checks
from closedform.checks import arrays
from empirics import tensor_checks

SYMMETRIC = 1e-6  # relative asymmetry that rounding in single precision may leave


def binary(labels: Any, count: int) -> NDArray[np.float64]:
    """Return labels ``[count]`` as +1 (the larger of the two values) and -1.

    Raises:
        ValueError: if there are not ``count`` labels, or not two different values.
    """
    arrays.not_masked("labels", labels)
    try:
        numbers = labels.detach().cpu().numpy() if isinstance(labels, Tensor) else np.asarray(labels)
    except (TypeError, ValueError, RuntimeError, NotImplementedError) as error:
        raise TypeError(f"labels: got {type(labels).__name__}, needs [{count}] of two values") from error
    checks.require(numbers.shape == (count,), "labels", f"shape {list(numbers.shape)}", f"[{count}]")
    values = np.unique(numbers)
    checks.require(len(values) == 2, "labels", f"{len(values)} different values", "two")
    return np.where(numbers == values[1], 1.0, -1.0)


def symmetric(gram: Any) -> Tensor:
    """Return a Gram matrix ``[N, N]`` in float64.

    Raises:
        TypeError: if ``gram`` is not made of real numbers.
        ValueError: if ``gram`` is not square, finite and symmetric.
    """
    matrix = tensor_checks.finite_numbers("gram", gram)
    square = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1] and matrix.numel() > 0
    tensor_checks.shape("gram", matrix, square, "[N, N]")
    if (matrix - matrix.T).abs().max() > SYMMETRIC * matrix.abs().max():
        raise ValueError("gram: is not symmetric, so it is not a Gram matrix")
    return matrix
