"""Checks arrays of numbers, vectors and metrics that the functions of this subject are called with."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.core.backends import load

# Asymmetry that a metric computed in double precision may have.
_ROUNDING = 1e-10


def vectors(name: str, value: ArrayLike, last: int | None = None, positive: bool = False) -> NDArray[np.float64]:
    """``value`` as a finite float64 array.

    Args:
        name: of the argument, for messages.
        value: what was given.
        last: size that the last axis must have.
        positive: whether every entry must be.

    Raises:
        TypeError: if it does not hold real numbers.
        ValueError: if it is empty, ragged, not finite, not positive or of the wrong shape.
    """
    array = np.asarray(load("numpy").convert([name], [value])[0][0], dtype=np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got NaN or infinity")
    if positive and not (array > 0).all():
        raise ValueError(f"{name} must be positive, got {array.min()}")
    if last is not None and (not array.ndim or array.shape[-1] != last):
        raise ValueError(f"{name} must have shape [..., {last}], got {array.shape}")
    return array


def require_metric(name: str, value: ArrayLike) -> NDArray[np.float64]:
    """``value`` as float64 matrices [..., d, d], symmetric and without negative eigenvalues, up to rounding.

    Raises:
        TypeError, ValueError: if it is not.
    """
    array = vectors(name, value)
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise ValueError(f"{name} must have shape [..., d, d], got {array.shape}")
    scale = np.abs(array).max(axis=(-1, -2), keepdims=True)
    if (np.abs(array - array.swapaxes(-1, -2)) > _ROUNDING * scale).any():
        raise ValueError(f"{name} must be symmetric, got matrices that are not")
    if (np.linalg.eigvalsh(array)[..., 0] < -_ROUNDING * scale[..., 0, 0]).any():
        raise ValueError(f"{name} must have no negative eigenvalue, got {np.linalg.eigvalsh(array).min()}")
    return array
