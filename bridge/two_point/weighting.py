r"""The exponential weighting of predicted distances (Eq. 50), which lessens violations of the triangle inequality.

With the predicted squared distances :math:`D` of all pairs of a data set, the weighted prediction is :math:`e^{-D} D
e^{-D}`, where the exponential is taken entry by entry. Its result depends on the scale of :math:`D`, which Eq. (10)
fixes only with the effective rates. On raw pixels from 0 to 255 and with equal rates, as in the released code, every
:math:`e^{-D}` between different digits is below :math:`10^{-300}`, and the weighting adds up the distances of all
images of two digits.
"""

from __future__ import annotations

import numpy as np

from bridge.statistics.arrays import Array


def weighted(distance2: Array) -> Array:
    """Return Eq. (50) for a symmetric matrix ``[point, point]`` of predicted squared distances."""
    weights = np.exp(-distance2)
    return np.asarray(weights @ distance2 @ weights)


def weighted_far(class_distance: Array, class_count: Array, member: Array) -> Array:
    """Return Eq. (50) in the limit in which all weights between different classes vanish, up to a factor.

    Args:
        class_distance: mean distance of the inputs of two classes, ``[class, class]``.
        class_count: number of points of each class, ``[class]``.
        member: class of every point of the result, integers ``[point]``.

    Returns:
        The sum over all points of both classes of their predicted squared distances, ``[point, point]``; zero for
        points of the same class, whose targets are the same.
    """
    total = class_distance * class_count[:, None] * class_count
    np.fill_diagonal(total, 0.0)
    return np.asarray(total[np.ix_(member, member)])
