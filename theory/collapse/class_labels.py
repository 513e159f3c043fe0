"""Check of class labels, which are the integers 0 to C - 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedform.checks.arrays import integer_array


def class_labels(labels: ArrayLike, samples: int) -> NDArray[np.int64]:
    """Return the labels as integers 0 to C - 1, [samples], where every class must have at least one sample.

    Raises:
        TypeError, ValueError: if the labels are not such integers, or their number differs from ``samples``.
    """
    array = integer_array("labels", labels)
    if array.shape != (samples,):
        raise ValueError(f"labels: got shape {array.shape}, needs ({samples},), one for each row of features")
    if array.min() < 0 or len(np.unique(array)) != array.max() + 1:
        raise ValueError(f"labels: got {array.min()} to {array.max()}, needs 0 to C - 1 with every class present")
    if array.max() < 1:
        raise ValueError("labels: got one class, needs at least two")
    return array
