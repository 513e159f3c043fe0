r"""Mutual information between a feature and a binary label: the estimator of appendix D, and its bias (the floor).

For every point, :math:`r_\pm` is the distance to its k-th nearest neighbour with label :math:`\pm`. With locally
uniform densities :math:`\hat q_+ = r_-^d/(r_+^d + r_-^d)`, and :math:`\hat I = 1 - \langle h_2(\hat q_+) \rangle` bits.

On a feature that is independent of a balanced label, the volumes :math:`r_\pm^d` are independent Gamma(k) variables, so
:math:`\hat q_+` is Beta(k, k) whatever the dimension, and the estimate does not vanish:

.. math:: E[\hat I] = 1 - \frac{\psi(2k+1) - \psi(k+1)}{\log 2},

which is 0.0685 bits at k = 5. A measured value has to be compared with this floor. Source: Paccolat et al. (2021),
appendix D; the floor is new here.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike
from scipy.spatial import KDTree

from closedform.checks.arrays import any_array
from closedform.rounding import ROUNDING, moderate
from theory.core import Argument, ClosedForm, Premise, Source, Status, applied
from theory.core.formula.rounding import watched
from theory.core.numbers.arguments import integer, real_array
from theory.core.proof import theorems

k = sp.Symbol("neighbours", integer=True, positive=True)
q, s, odds = sp.symbols("q s odds", positive=True)
NEIGHBOURS = Argument(
    k, "which nearest neighbour of each label", sample=(1, 20), example=3, latex="k"
)

floor_expression = watched(
    1 - sp.polygamma(0, 2 * k + 1) / sp.log(2) + sp.polygamma(0, k + 1) / sp.log(2)
)
INDEPENDENT, CONSTANT = (
    "feature and label independent, labels balanced",
    "density constant over the neighbourhood",
)
ESTIMATE = Premise(
    "the estimate is the mean of 1 + q log2 q + (1 - q) log2 (1 - q), q the local share of a label",
    1 + (q * sp.log(q) + (1 - q) * sp.log(1 - q)) / sp.log(2),
)
# E[q^s] of Beta(k, k)
moment = sp.gamma(k + s) * sp.gamma(2 * k) / (sp.gamma(k) * sp.gamma(2 * k + s))
BETA = replace(theorems.BETA, expression=moment)
first, second = sp.symbols("first second", real=True)
BITS = Premise(
    "in bits the estimate is 1 + (q log q + (1 - q) log(1 - q))/log 2, and its mean that of the two terms",
    1 + (first + second) / sp.log(2),
)


@cache
def label_information_floor() -> ClosedForm:
    """Return the expected estimate on data that are independent of the label, in bits. Source: derived here.

    >>> round(float(label_information_floor()(neighbours=5)), 4)
    0.0685
    """
    slopes = [sp.Subs(sp.Derivative(share**s, s), s, 1) for share in (q, 1 - q)]
    slope = applied(
        "q log q is the slope of q^s at s = 1",
        ESTIMATE.expression,
        BITS,
        dict(zip((first, second), slopes, strict=True)),
        because="for both labels",
        where={q: 1 / (1 + odds)},
        uses=(ESTIMATE,),
    )
    mean_slope = sp.Subs(sp.Derivative(moment, s), s, 1)
    return ClosedForm(
        name="compression.label_information_floor",
        meaning="Expected value of the information estimate where feature and label are independent.",
        arguments=(NEIGHBOURS,),
        expression=floor_expression,
        status=Status.DERIVED,
        steps=(
            slope,
            applied(
                "1 + 2 E[q log2 q] over q of Beta(k, k)",
                floor_expression,
                BITS,
                {first: mean_slope, second: mean_slope},
                because="so E[q log q] is that of E[q^s]; the two labels contribute the same",
                uses=(slope, BETA, INDEPENDENT, CONSTANT),
            ),
        ),
        sources=(Source("paccolat2021", "appendix D"),),
        assumptions=(INDEPENDENT, CONSTANT),
    )


def label_information(features: ArrayLike, labels: ArrayLike, neighbours: int = 5) -> float:
    """Return an estimate of the mutual information between features and a balanced binary label, in bits.

    The neighbours are found with k-d trees: 100,000 points take about a second in one dimension. A point is not its own
    neighbour. If a point coincides to rounding with ``neighbours`` others of one label, that label gets probability 1;
    if it does so for both labels, each gets probability 1/2.

    Args:
        features: finite features, ``[points]`` or ``[points, dimension]``, in any unit.
        labels: labels, ``[points]``, with two different values.
        neighbours: number of neighbours *k*, at least 1 (default 5); each label needs more points than this.

    Returns:
        The estimate, between 0 and 1 bit; ``label_information_floor`` is its mean for independent features.

    Raises:
        TypeError, ValueError: if an array has the wrong shape, a number is not finite, the labels do not have exactly
            two values, or there are too few points.

    >>> import numpy as np
    >>> features = np.array([[0.0], [0.1], [5.0], [5.1]]).repeat(20, axis=0) + np.linspace(0, 0.01, 80)[:, None]
    >>> round(label_information(features, np.repeat([0, 1], 40)), 3)
    0.999
    """
    points = real_array("features", features)
    points = points[:, None] if points.ndim == 1 else points
    numbers = any_array("labels", labels)
    neighbours = integer("neighbours", neighbours, 1)
    points = moderate(points)
    if points.ndim != 2:
        raise ValueError(
            f"features: got shape {points.shape}, needs [points] or [points, dimension]"
        )
    if numbers.shape != points.shape[:1]:
        raise ValueError(f"labels: got shape {numbers.shape}, needs ({len(points)},)")
    values, counts = np.unique(numbers, return_counts=True)
    if len(values) != 2:
        raise ValueError(f"labels: got {len(values)} different values, needs two")
    if counts.min() <= neighbours:
        raise ValueError(
            f"labels: the rarer one has {counts.min()} points, needs more than neighbours = {neighbours}"
        )
    distance = np.empty((2, len(points)))
    for row, value in zip(distance, values, strict=True):
        own = numbers == value
        tree = KDTree(points[own])
        row[~own] = tree.query(points[~own], k=[neighbours])[0][:, 0]
        # the nearest point is the point itself
        row[own] = tree.query(points[own], k=[neighbours + 1])[0][:, 0]
    distance[distance <= ROUNDING * np.abs(points).max() * np.sqrt(points.shape[1])] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = points.shape[1] * (np.log(distance[0]) - np.log(distance[1]))  # log of q_1/q_0
    odds[(distance == 0).all(axis=0)] = 0.0
    share = 1 / (1 + np.exp(-np.abs(odds)))
    rest = np.exp(-np.abs(odds)) * share
    entropy = -share * np.log2(share) - np.where(
        rest > 0, rest * np.log2(np.maximum(rest, 1e-300)), 0.0
    )
    return float(1 - entropy.mean())
