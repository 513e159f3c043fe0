"""Derivatives by central differences, which share no formula with what is derived elsewhere."""

from collections.abc import Callable
from typing import Any

import numpy as np


def slopes(function: Callable[[Any], Any], at: Any, step: Any = 1e-5) -> Any:
    """Return central differences of a function in each entry of an array, ``[*at.shape, *function(at).shape]``."""
    derivatives = []
    for index in np.ndindex(at.shape):
        moved = np.zeros_like(at)
        moved[index] = step
        derivatives.append(
            (np.asarray(function(at + moved)) - np.asarray(function(at - moved))) / (2 * step)
        )
    return np.array(derivatives).reshape((*at.shape, *np.shape(derivatives[0])))
