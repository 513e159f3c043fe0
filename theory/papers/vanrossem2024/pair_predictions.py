"""Final distances that Eq. (10) predicts for all pairs of a data set, and the weighting of Eq. (50)."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.notation import letters

i, j, k, l, N, theory = letters("i j k l N theory")
WEIGHTED = sp.Sum(sp.exp(-theory(i, k)) * sp.exp(-theory(l, j)) * theory(k, l), (k, 1, N), (l, 1, N))
"""Right-hand side of Eq. (50)."""


def squares(points: Any) -> Any:
    """Squared distances of all pairs, ``[point, point]``."""
    points = np.asarray(points, dtype=float)
    return np.sum((points[:, None] - points[None]) ** 2, axis=-1)


def small_weight_distances(inputs: Any, targets: Any) -> Any:
    """A_low of all pairs at equal time constants: the squared distances that Eq. (10) predicts for small weights."""
    return np.sqrt(squares(inputs) * squares(targets))


def weighted(squared: Any) -> Any:
    """Eq. (50) for all pairs, ``[point, point]``."""
    size = len(squared)
    found = np.empty_like(squared)
    for row, column in itertools.product(range(size), repeat=2):
        values = {"i": row + 1, "j": column + 1, "N": size, "theory": lambda a, b: squared[int(a) - 1, int(b) - 1]}
        found[row, column] = evaluate(WEIGHTED, values)
    return found


def share_of_violations(squared: Any) -> float:
    """Fraction of the triangles that have a side longer than the other two together."""
    length = np.sqrt(squared)
    sides = [
        sorted((length[a, b], length[b, c], length[a, c])) for a, b, c in itertools.combinations(range(len(length)), 3)
    ]
    return float(np.mean([longest > short + middle + 1e-9 for short, middle, longest in sides]))


@cache
def shares(scale: float) -> tuple[float, float]:
    """Violations before and after Eq. (50) on random sets of seven points, squared distances times ``scale``."""
    found = []
    for seed in range(4):
        draw = np.random.default_rng(seed)
        distances = scale * small_weight_distances(draw.normal(size=(7, 2)), draw.normal(size=(7, 1)))
        found.append((share_of_violations(distances), share_of_violations(weighted(distances))))
    before, after = np.mean(found, axis=0)
    return float(before), float(after)


# B is close to A as an input, and has C's target: close to C as a representation.
ABC = small_weight_distances([[0.0], [0.01], [1.0]], [[0.0], [1.0], [1.0]])
