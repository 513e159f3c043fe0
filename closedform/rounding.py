"""The one rule by which matrices of computed numbers count as singular, and computed numbers as equal.

Numbers computed with a few floating-point operations are known up to a few roundings. A matrix of such numbers counts
as singular if some matrix within these roundings is singular. Whether the computed matrix is exactly singular depends
on the order in which a processor adds and is therefore not used. The functions take arrays and tensors alike.
"""

from __future__ import annotations

import sys
from typing import Any

EPSILON = sys.float_info.epsilon  # of float64
ROUNDINGS = 8  # relative error of a number computed with a few operations, in units of the machine epsilon
ROUNDING = ROUNDINGS * EPSILON


def singular_value_rounding(rows: int, columns: int, epsilon: float = EPSILON) -> float:
    """Return the largest error of a singular value due to rounding of all entries, relative to the largest one.

    Independent errors of at most ``ROUNDINGS * epsilon`` times the size of the matrix in each entry change its singular
    values by at most about that times ``sqrt(rows) + sqrt(columns)``.
    """
    return float(ROUNDINGS * epsilon * (rows**0.5 + columns**0.5))


def is_nonzero(values: Any, rows: int, columns: int, epsilon: float = EPSILON) -> Any:
    """Return which singular values ``[..., rank]`` differ from zero by more than rounding; no one of a zero matrix."""
    largest = values.amax(-1, keepdim=True) if hasattr(values, "amax") else values.max(axis=-1, keepdims=True)
    return values > singular_value_rounding(rows, columns, epsilon) * largest
