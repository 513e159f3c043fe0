"""Check of class labels, which are the integers 0 to C - 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.core.formula.arguments import integers


def class_labels(labels: ArrayLike, samples: int) -> NDArray[np.int64]:
    """Return the labels as integers 0 to C - 1, [samples], where every class must have at least one sample.

    Raises:
        TypeError, ValueError: if the labels are not such integers, or their number differs from ``samples``.
    """
    array = integers("labels", labels)
    if array.shape != (samples,):
        raise ValueError(f"labels must have shape ({samples},), one for each row of features, got {array.shape}")
    if array.min() < 0 or len(np.unique(array)) != array.max() + 1:
        raise ValueError("labels must be 0 to C - 1 with every class present")
    if array.max() < 1:
        raise ValueError("labels must have at least two classes, got one")
    return array
