"""Sums and products of two float64 together with their rounding errors, exactly, for numbers, arrays and tensors.

These are the error-free transformations of Knuth and of Dekker, with the splitting of Veltkamp, on which double-double
arithmetic rests.
"""

from __future__ import annotations

from typing import Any

SPLITTER = 2.0**27 + 1  # cuts a float64 into two halves of 26 bits


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
