"""Ranks of measured numbers, in which numbers that differ by rounding only are tied.

A piecewise linear network has the same volume element at many points, and each is computed with other last bits: ranked
as they are, these bits would be the ranks. Numbers are therefore tied with their neighbours up to :data:`SAME` of the
largest one, and the tied ones share their average rank.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bridge.arrays import Array

SAME = 1e-12  # of the largest magnitude: what sums of thousands of float64 numbers leave uncertain


def is_constant(values: ArrayLike) -> bool:
    """Whether finite numbers ``[...]`` are all the same to rounding."""
    array = np.asarray(values, dtype=np.float64)
    return bool(np.ptp(array) <= SAME * np.abs(array).max())


def has_repeated(values: ArrayLike) -> bool:
    """Whether two of the numbers ``[N]``, at least two of them, are the same to rounding."""
    rising = np.sort(np.asarray(values, dtype=np.float64))
    return bool((np.diff(rising) <= SAME * np.maximum(np.abs(rising[1:]), np.abs(rising[:-1]))).any())


def ranks(values: ArrayLike) -> Array:
    """Ranks along the last axis from 1, those of tied numbers averaged; -inf and inf rank lowest and highest.

    A row with a NaN has no ranks: NaN.
    """
    array = np.asarray(values, dtype=np.float64)
    order = np.argsort(array, axis=-1, kind="stable")
    rising = np.take_along_axis(array, order, axis=-1)
    finite = np.where(np.isfinite(array), np.abs(array), 0.0)
    with np.errstate(invalid="ignore"):  # inf - inf is NaN: no step
        step = np.diff(rising, axis=-1) > SAME * finite.max(axis=-1, keepdims=True)
    group = np.concatenate([np.zeros_like(rising[..., :1]), np.cumsum(step, axis=-1)], axis=-1)
    tied = np.empty_like(group)
    np.put_along_axis(tied, order, group, axis=-1)
    return np.asarray(stats.rankdata(np.where(np.isnan(array), np.nan, tied), axis=-1), dtype=np.float64)


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Spearman's correlation of two arrays ``[N]``; NaN where one of them is constant to rounding."""
    one, two = ranks(first), ranks(second)
    if np.ptp(one) == 0 or np.ptp(two) == 0:
        return float("nan")
    return float(np.corrcoef(one, two)[0, 1])
