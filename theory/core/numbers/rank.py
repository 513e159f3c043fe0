"""The numerical rank of a matrix of computed numbers, and the tolerance at which computed numbers count as equal.

Results of a few floating-point operations have errors of a few roundings. A matrix of such numbers counts as singular
if some matrix within these errors is singular, because the exact rank of the computed matrix depends on the order in
which the processor adds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

ROUNDING = 8 * float(np.finfo(np.float64).eps)  # relative error of a number that a few operations gave


def singular_value_rounding(shape: tuple[int, ...]) -> float:
    """Return the largest error of a singular value due to rounding of all entries, relative to the largest one.

    Args:
        shape: shape of the matrix, [..., rows, columns].
    """
    rows, columns = shape[-2:]
    return float(ROUNDING * (np.sqrt(rows) + np.sqrt(columns)))


def numerical_rank(matrices: ArrayLike) -> NDArray[np.int64]:
    """Return the number of singular values above rounding error for each of the matrices [..., rows, columns]."""
    array = np.asarray(matrices, dtype=np.float64)
    values = np.linalg.svd(array, compute_uv=False)
    kept = values > singular_value_rounding(array.shape) * values[..., :1]
    return np.asarray(kept.sum(axis=-1), dtype=np.int64)
