"""The numerical rank of a matrix of computed numbers, by the rule of ``closedform.rounding``."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedform.rounding import is_nonzero


def numerical_rank(matrices: ArrayLike) -> NDArray[np.int64]:
    """Return the number of singular values above rounding error for each of the matrices [..., rows, columns]."""
    array = np.asarray(matrices, dtype=np.float64)
    values = np.linalg.svd(array, compute_uv=False)
    return np.asarray(is_nonzero(values, *array.shape[-2:]).sum(axis=-1), dtype=np.int64)
