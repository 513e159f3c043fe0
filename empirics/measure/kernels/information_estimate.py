r"""Nearest-neighbour estimate of the mutual information between a feature and a balanced binary label, in bits.

With :math:`r_\pm` the distance of a point to its k-th nearest neighbour of label ±, and densities that are uniform
within that distance, the probability of the label + is :math:`\hat q_+ = r_-^d/(r_+^d + r_-^d)`, and

.. math:: \hat I = 1 - p^{-1}\sum_\mu h_2(\hat q_+(x^\mu)) \text{ bits}.

For an uninformative feature the estimate is not zero but about 0.069 bits at k = 5, in any dimension d; this floor is
predicted by ``theory.compression.label_information_floor``. Source: Paccolat et al. (2021), appendix D, Eq. (16).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from jaxtyping import Real
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.special import expit, xlog1py, xlogy
from torch import Tensor

from closedform import checks
from closedform.checks import arrays
from closedform.rounding import ROUNDINGS, moderate
from empirics import tensor_checks


def binary(labels: Any, count: int) -> NDArray[np.float64]:
    """Return labels ``[count]`` as +1 (the larger of the two values) and -1; ValueError for others."""
    numbers = arrays.any_array("labels", labels.cpu() if isinstance(labels, Tensor) else labels)
    checks.require(
        numbers.shape == (count,), "labels", f"shape {list(numbers.shape)}", f"[{count}]"
    )
    values = np.unique(numbers)
    checks.require(len(values) == 2, "labels", f"{len(values)} different values", "two")
    return np.where(numbers == values[1], 1.0, -1.0)


NEIGHBOURS = 5  # the k of the paper


def label_information(
    features: Real[Tensor, "N ..."] | Any,
    labels: Real[Tensor, " N"] | Any,
    neighbours: int = NEIGHBOURS,
) -> float:
    """Estimate the mutual information between ``features`` and a balanced binary label, in bits.

    The estimate takes O(N log N) operations and no distance matrix. A point is not its own neighbour. Where
    ``neighbours`` points of one label coincide with a point up to rounding, that label has probability one there; where
    as many of both labels coincide with it, the probability is 1/2.

    Args:
        features: feature values ``[N]`` or ``[N, d]``, finite; tensor or array.
        labels: labels ``[N]`` with two different values.
        neighbours: number of neighbours k, at least 1, default 5; both labels need more points than this.

    Raises:
        TypeError, ValueError: for wrong shapes, numbers that are not finite, labels that are not two values, or too few
            points of one of them.

    >>> import torch
    >>> labels = torch.tensor([-1.0, 1.0]).repeat_interleave(40)
    >>> round(label_information(torch.linspace(0, 1, 80)[:, None], labels), 2)
    0.45
    """
    points = moderate(tensor_checks.finite_numbers("features", features)).cpu().numpy()
    points = points[:, None] if points.ndim == 1 else points
    if points.ndim != 2 or not points.size:
        raise ValueError(f"features: got shape {np.shape(features)}, needs [N] or [N, d]")
    checks.size("neighbours", neighbours)
    positive = binary(labels, len(points)) > 0
    fewest = int(min(positive.sum(), (~positive).sum()))
    if fewest <= neighbours:
        raise ValueError(
            f"labels: the rarer one has {fewest} points, needs more than neighbours = {neighbours}"
        )
    rounding = ROUNDINGS * np.finfo(np.float64).eps * np.abs(points).max() * points.shape[1] ** 0.5
    distances = (_distance(points, mask, int(neighbours)) for mask in (positive, ~positive))
    plus, minus = (np.where(distance > rounding, distance, 0.0) for distance in distances)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_odds = points.shape[1] * (np.log(minus) - np.log(plus))
    log_odds[(plus == 0) & (minus == 0)] = 0.0
    # probability of the less likely label, which avoids cancellation
    smaller = expit(-np.abs(log_odds))
    entropy = -(xlogy(smaller, smaller) + xlog1py(1 - smaller, -smaller)) / np.log(2)
    return float(1 - entropy.mean())


def _distance(
    points: NDArray[np.float64], among: NDArray[np.bool_], neighbours: int
) -> NDArray[np.float64]:
    """Return the distance ``[N]`` of every point to its k-th neighbour in ``among``, not counting the point itself."""
    tree = cKDTree(points[among])
    distance = np.empty(len(points))
    for same_class in (False, True):
        rows = among == same_class
        distance[rows] = tree.query(points[rows], k=[neighbours + same_class])[0][:, 0]
    return distance
