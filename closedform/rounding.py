"""Rounding: when a matrix of computed numbers counts as singular, exact scaling, and exact rounding errors.

Numbers computed with a few floating-point operations are known up to a few roundings. A matrix of such numbers counts
as singular if some matrix within these roundings is singular. Whether the computed matrix is exactly singular depends
on the order in which a processor adds and is therefore not used. The functions take arrays and tensors alike.

Numbers whose squares leave the range of float64 come near one by a power of two, and thus without rounding. Sums and
products of two float64 together with their rounding errors, exactly, are the error-free transformations of Knuth and of
Dekker, with the splitting of Veltkamp, on which double-double arithmetic rests.
"""

import math
import sys
from typing import Any, TypeVar

Numbers = TypeVar("Numbers", bound=Any)

EPSILON = sys.float_info.epsilon  # of float64
# relative error of a number computed with a few operations, in units of the machine epsilon
ROUNDINGS = 8
ROUNDING = ROUNDINGS * EPSILON
# largest magnitudes whose squares and sums stay far from the limits of float64
MODERATE = (1e-100, 1e100)
SPLITTER = 2.0**27 + 1  # cuts a float64 into two halves of 26 bits


def singular_value_rounding(rows: int, columns: int, epsilon: float = EPSILON) -> float:
    """Return the largest error of a singular value due to rounding of all entries, relative to the largest one.

    Independent errors of at most ``ROUNDINGS * epsilon`` times the size of the matrix in each entry change its singular
    values by at most about that times ``sqrt(rows) + sqrt(columns)``.
    """
    return float(ROUNDINGS * epsilon * (rows**0.5 + columns**0.5))


def is_nonzero(values: Any, rows: int, columns: int, epsilon: float = EPSILON) -> Any:
    """Return which singular values ``[..., rank]`` differ from zero by more than rounding; no one of a zero matrix."""
    largest = (
        values.amax(-1, keepdim=True)
        if hasattr(values, "amax")
        else values.max(axis=-1, keepdims=True)
    )
    return values > singular_value_rounding(rows, columns, epsilon) * largest


def are_equal(values: Any, axis: int = -1, epsilon: float = EPSILON) -> Any:
    """Return whether finite numbers along an axis are equal up to the rounding of a few operations.

    Whole numbers that the type holds exactly are counts: they are equal only if they are the same.

    Args:
        values: array of numpy that is not empty, ``[...]``; its differences must not overflow, see :func:`moderate`.
        axis: axis of the numbers that are compared. Default: the last.
        epsilon: machine epsilon of the type in which the numbers were computed. Default: that of float64.

    Returns:
        One boolean, or an array of them of the other axes.
    """
    spread, largest = values.max(axis) - values.min(axis), abs(values).max(axis)
    are_counts = (values % 1 == 0).all(axis) & (largest <= 2 / epsilon)
    return (spread == 0) | (~are_counts & (spread <= ROUNDINGS * epsilon * largest))


def power_of_two(values: Any) -> float:
    """Return the power of two by which finite numbers come near one if they are extreme in size, and 1 otherwise."""
    if values.dtype.itemsize < 8 or 0 in values.shape:  # shorter types have no extreme numbers
        return 1.0
    largest = max(-float(values.min()), float(values.max()))
    if largest == 0 or not math.isfinite(largest) or MODERATE[0] <= largest <= MODERATE[1]:
        return 1.0
    return math.ldexp(1.0, max(min(-math.frexp(largest)[1], 1000), -1000))


def moderate(values: Numbers) -> Numbers:
    """Return numbers times :func:`power_of_two`."""
    times = power_of_two(values)
    moderate_values: Numbers = values if times == 1 else values * times
    return moderate_values


def two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the rounded sum and its rounding error."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def two_product(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the rounded product and its rounding error, for values below 1e292."""
    total = a * b
    a1, b1 = SPLITTER * a, SPLITTER * b
    a1, b1 = a1 - (a1 - a), b1 - (b1 - b)
    a2, b2 = a - a1, b - b1
    return total, ((a1 * b1 - total) + a1 * b2 + a2 * b1) + a2 * b2
