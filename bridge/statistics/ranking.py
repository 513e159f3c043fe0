"""Ranks of measured numbers, in which numbers that differ only by rounding are tied.

A piecewise linear network has the same volume element at many points, but the computed values differ in their last
bits, which would otherwise determine the ranks. Neighbouring numbers that differ by at most :data:`SAME` times the
largest magnitude are therefore tied, and tied numbers share their average rank.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bridge.statistics.arrays import Array
from closedform.measured import SAME


def is_constant(values: ArrayLike) -> bool:
    """Return whether all numbers ``[...]``, which must be finite, are equal up to rounding."""
    array = np.asarray(values, dtype=np.float64)
    return bool(np.ptp(array) <= SAME * np.abs(array).max())


def has_repeated(values: ArrayLike) -> bool:
    """Return whether two of the numbers ``[N]``, with N at least 2, are equal up to rounding."""
    increasing = np.sort(np.asarray(values, dtype=np.float64))
    return bool((np.diff(increasing) <= SAME * np.maximum(np.abs(increasing[1:]), np.abs(increasing[:-1]))).any())


def ranks(values: ArrayLike) -> Array:
    """Return ranks along the last axis, starting at 1; tied numbers get their average rank.

    The ranks of a row with a NaN are NaN; -inf ranks lowest and inf highest.
    """
    array = np.asarray(values, dtype=np.float64)
    order = np.argsort(array, axis=-1, kind="stable")
    increasing = np.take_along_axis(array, order, axis=-1)
    magnitude = np.where(np.isfinite(array), np.abs(array), 0.0)
    with np.errstate(invalid="ignore"):  # inf - inf is NaN, which counts as no step
        step = np.diff(increasing, axis=-1) > SAME * magnitude.max(axis=-1, keepdims=True)
    group = np.concatenate([np.zeros_like(increasing[..., :1]), np.cumsum(step, axis=-1)], axis=-1)
    tied = np.empty_like(group)
    np.put_along_axis(tied, order, group, axis=-1)
    return np.asarray(stats.rankdata(np.where(np.isnan(array), np.nan, tied), axis=-1), dtype=np.float64)


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Return Spearman's rank correlation of two arrays ``[N]``; NaN if one of them is constant up to rounding."""
    one, two = ranks(first), ranks(second)
    if np.ptp(one) == 0 or np.ptp(two) == 0:
        return float("nan")
    return float(np.corrcoef(one, two)[0, 1])
