r"""Algorithm 2: new labels for the samples of a class, given by the digits of their index in base C.

Samples of a class are counted *from 0*. Their indices 0 to n - 1 have :math:`\lceil \log_C n \rceil` digits in base C;
counted from 1, as printed, the last one of :math:`n = C^k` samples has one digit too many. All arithmetic is in
integers, because a floating-point logarithm gives 4 digits instead of 3 for n = 125 in base 5.

Digit *k* is uniform over the C labels, and its entropy :math:`\log_2 C`, exactly if :math:`C^{k+1}` divides *n*.
Otherwise it is less; the leading digit of 6000 samples in base 10 takes six values.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedform.checks.arrays import integer_array
from theory.core.numbers.arguments import LARGEST_ARRAY, integer

MOST_DIGITS = 64
"""Largest number of digits of a sample's index; an index of 64 bits has no more."""


def relabelling_digits(class_size: int, classes: int) -> int:
    """Return the number of digits in base ``classes`` that distinguish ``class_size`` samples, at least 1.

    Args:
        class_size: number of samples of the class, at least 1.
        classes: number of classes C, the base, at least 2.

    Raises:
        TypeError, ValueError: for a number that is not an integer or out of range.

    >>> relabelling_digits(class_size=5000, classes=10)
    4
    """
    size, base = integer("class_size", class_size, 1), integer("classes", classes, 2)
    digits, reach = 1, base
    while reach < size:
        digits, reach = digits + 1, reach * base
    return digits


def relabelling(
    class_index: ArrayLike, classes: int, digits: int | None = None
) -> NDArray[np.int64]:
    """Return the digits of each sample's index within its class, as in Algorithm 2.

    Args:
        class_index: index of each sample within its class, an integer from 0, [samples].
        classes: number of classes C, the base.
        digits: number of digits; by default as many as the largest index needs.

    Returns:
        Labels 0 to C - 1, int64 [samples, digits], least significant digit first, as printed.

    Raises:
        TypeError, ValueError: if the indices are not non-negative integers, or need more than ``digits`` digits.

    >>> relabelling([0, 1, 2, 3, 4], classes=3).tolist()
    [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1]]
    """
    index = integer_array("class_index", class_index)
    if index.ndim != 1:
        raise ValueError(f"class_index: got shape {index.shape}, needs [samples]")
    if index.min() < 0:
        raise ValueError(f"class_index: got {index.min()}, needs integers of at least 0")
    base = integer("classes", classes, 2)
    needed = relabelling_digits(int(index.max()) + 1, base)
    count = needed if digits is None else integer("digits", digits, 1, MOST_DIGITS)
    if count < needed:
        raise ValueError(
            f"digits: got {count}, needs at least {needed} for index {index.max()} in base {base}"
        )
    rest, labels = index, np.empty((index.size, count), np.int64)
    for k in range(count):
        rest, labels[:, k] = np.divmod(rest, base)
    return labels


def relabelling_counts(class_size: int, classes: int, digit: int) -> NDArray[np.int64]:
    """Return how many of the indices 0 to class_size - 1 have each value of a digit, from 0, int64 [classes].

    Complete cycles of C blocks contribute equally to all values; some complete blocks and one incomplete block follow.

    Args:
        class_size: number of samples of the class, at least 1.
        classes: number of classes C, the base, at least 2.
        digit: index of the relabelling, from 0 for the least significant digit.

    Returns:
        Number of samples with each new label, int64 ``[classes]``.

    Raises:
        TypeError, ValueError: for a number that is not an integer or out of range.

    >>> relabelling_counts(class_size=5, classes=3, digit=0).tolist()
    [2, 2, 1]
    """
    size, base = (
        integer("class_size", class_size, 1),
        integer("classes", classes, 2, LARGEST_ARRAY),
    )
    # all digits beyond are zero
    block = base ** min(integer("digit", digit, 0), relabelling_digits(size, base))
    blocks, broken = divmod(size, block)
    cycles, whole_ones = divmod(blocks, base)
    counts = np.full(base, cycles * block, dtype=np.int64)
    counts[:whole_ones] += block
    counts[whole_ones] += broken
    return counts


def relabelling_entropy(
    class_size: int, classes: int, digit: int | None = None
) -> float | NDArray[np.float64]:
    """Return the entropy in bits of one relabelling of a class, or of all relabellings, [digits].

    Args:
        class_size: number of samples of the class.
        classes: number of classes C, the base.
        digit: index of the relabelling, from 0 for the least significant digit; by default all digits of the class.

    >>> relabelling_entropy(class_size=4, classes=2, digit=0)
    1.0
    """
    if digit is None:
        every = range(relabelling_digits(class_size, classes))
        return np.array([relabelling_entropy(class_size, classes, k) for k in every])
    counts = [int(n) for n in relabelling_counts(class_size, classes, digit) if n]
    return math.fsum(n * (math.log2(class_size) - math.log2(n)) for n in counts) / class_size
