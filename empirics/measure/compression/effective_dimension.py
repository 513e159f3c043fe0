r"""Effective dimension of a set of points, from how the distance between neighbours depends on the number of points.

Where points fill a manifold of dimension :math:`d` evenly, a sample of *n* of them has nearest neighbours at distances
:math:`r \sim n^{-1/d}`. The effective dimension is therefore minus the inverse slope of :math:`\log r` against
:math:`\log n`, with *r* averaged over the points. Subsets of n/2, n/4, ... points see the manifold at larger distances.

The second estimate needs one sample only: the ratio :math:`\mu = r_2/r_1` of the distances to the second and the first
neighbour has the distribution :math:`P(\mu > t) = t^{-d}`, so that :math:`d = 1/\langle\log\mu\rangle`.

Both estimates are below *d* where *d* is large, since most points then lie close to the edge of the sample. Source:
Facco et al. (2017), as used in footnote 6 of Paccolat et al. (2021).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from jaxtyping import Real
from scipy.spatial import cKDTree
from torch import Tensor

from closedform import checks
from closedform.checks.arrays import Array
from closedform.rounding import ROUNDINGS, moderate
from empirics import tensor_checks
from empirics.measure.collapse.means import precision

FEWEST = 5  # points of the smallest subset
HALVINGS = 3  # of the number of points
MOST = 40  # halvings, for which no set of points is large enough


def effective_dimension(points: Real[Tensor, "N d"] | Any, halvings: int = HALVINGS) -> float:
    """Estimate the dimension of a set of points from the distances of nearest neighbours in subsets of it.

    The subsets of N/2, N/4, ... points are consecutive, so that the order of the points has to be random. Points that
    coincide, up to rounding, count as one.

    Args:
        points: points ``[N, d]`` in random order, finite; tensor or array.
        halvings: number of times that the points are halved, from 1 to 40, default 3; at least 5 times 2 to this power
            points are different.

    Returns:
        The dimension, dimensionless; infinite if the distances do not fall with the number of points.

    Raises:
        TypeError: if ``points`` is not made of real numbers, or ``halvings`` is not an integer.
        ValueError: for another shape, numbers that are not finite, or too few different points.

    >>> import torch
    >>> points = torch.rand(2000, 2, generator=torch.Generator().manual_seed(0))
    >>> round(effective_dimension(points))
    2
    """
    checks.integer("halvings", halvings, 1, MOST)
    values = _different(points, FEWEST * 2**halvings)
    counts = np.array([len(values) >> halving for halving in range(halvings + 1)])
    logs = np.log([_mean_distance(values, count) for count in counts])
    slope = float(np.polyfit(np.log(counts), logs, 1)[0])
    return -1 / slope if slope < 0 else float("inf")


def two_neighbour_dimension(points: Real[Tensor, "N d"] | Any) -> float:
    """Estimate the dimension of a set of points from the ratio of distances to the second and the first neighbour.

    Points that coincide, up to rounding, count as one.

    Args:
        points: points ``[N, d]``, finite, at least 5 of them different; tensor or array.

    Returns:
        The dimension, dimensionless; infinite if every point has its two neighbours at the same distance.

    Raises:
        TypeError: if ``points`` is not made of real numbers.
        ValueError: for another shape, numbers that are not finite, or too few different points.

    >>> import torch
    >>> points = torch.rand(2000, 2, generator=torch.Generator().manual_seed(0))
    >>> round(two_neighbour_dimension(points))
    2
    """
    values = _different(points, FEWEST)
    first, second = cKDTree(values).query(values, k=3)[0][:, 1:].T
    mean = float(np.log(second / first).mean())
    return (
        1 / mean
        if mean > 2 * _rounding(points, values) * float((1 / first).mean())
        else float("inf")
    )


def _rounding(points: Any, values: Array) -> float:
    """Return the error of a distance of ``values [N, d]`` from the rounding of the numbers as they were given."""
    epsilon = precision(tensor_checks.real_numbers("points", points).dtype)
    return float(ROUNDINGS * epsilon * np.linalg.norm(values, axis=1).max())


def _different(points: Any, fewest: int) -> Array:
    """Return the points that differ by more than rounding from all before them, in their order, after a check."""
    values = moderate(tensor_checks.finite_numbers("points", points)).cpu().numpy()
    if values.ndim != 2 or not values.size:
        raise ValueError(f"points: got shape {values.shape}, needs [N, d]")
    _, places = np.unique(values, axis=0, return_index=True)
    different = np.asarray(values[np.sort(places)])
    if len(different) > 1:
        distances, neighbours = cKDTree(different).query(different, k=2)
        is_close = distances[:, 1] <= _rounding(points, different)
        different = different[~(is_close & (neighbours.min(1) < np.arange(len(different))))]
    checks.require(
        len(different) >= fewest,
        "points",
        f"{len(different)} different ones",
        f"at least {fewest}",
    )
    return different


def _mean_distance(points: Array, count: int) -> float:
    """Return the mean distance to the nearest neighbour within consecutive subsets of ``count`` points."""
    distances = []
    for start in range(0, len(points) - count + 1, count):
        subset = points[start : start + count]
        distances.append(cKDTree(subset).query(subset, k=2)[0][:, 1])
    return float(np.mean(distances))
