"""When a matrix of computed numbers counts as singular, and when computed numbers count as the same.

Numbers that come out of a few floating-point operations are known to a few roundings only. A matrix of them is singular
where a matrix within these roundings is: which side of exact singularity the computed one falls on depends on the order
in which a processor adds, and decides nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

ROUNDING = 8 * float(np.finfo(np.float64).eps)  # relative error of a number that a few operations gave


def singular_value_rounding(shape: tuple[int, ...]) -> float:
    """What rounding of all entries does at most to a singular value, relative to the largest one.

    Args:
        shape: of the matrix, [..., rows, columns].
    """
    rows, columns = shape[-2:]
    return float(ROUNDING * (np.sqrt(rows) + np.sqrt(columns)))


def numerical_rank(matrices: ArrayLike) -> NDArray[np.int64]:
    """Number of singular values that are not zero to rounding, for each of the matrices [..., rows, columns]."""
    array = np.asarray(matrices, dtype=np.float64)
    values = np.linalg.svd(array, compute_uv=False)
    kept = values > singular_value_rounding(array.shape) * values[..., :1]
    return np.asarray(kept.sum(axis=-1), dtype=np.int64)
