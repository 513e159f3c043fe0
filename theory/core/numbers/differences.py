"""Derivatives by central differences, which share no formula with what is derived elsewhere."""

from collections.abc import Callable
from typing import Any

import numpy as np


def slopes(function: Callable[[Any], Any], at: Any, step: Any = 1e-5) -> Any:
    """Return the derivatives of a function in each entry of an array, ``[*at.shape, *function(at).shape]``.

    Args:
        function: function of an array that returns a number or an array.
        at: the array, of floats or of objects such as those of mpmath.
        step: distance of the two points of a difference to the place itself, in the unit of the entries.

    >>> slopes(lambda x: x @ x, np.array([1.0, 2.0])).round(6).tolist()
    [2.0, 4.0]
    """
    found = []
    for index in np.ndindex(at.shape):
        moved = np.zeros_like(at)
        moved[index] = step
        found.append((np.asarray(function(at + moved)) - np.asarray(function(at - moved))) / (2 * step))
    return np.array(found).reshape((*at.shape, *np.shape(found[0])))
