"""Separable features before and after the signs of some entries are flipped (Section 1.3)."""

from __future__ import annotations

import numpy as np

SIGNS = (1, -1, -1)

_TRAINED = np.array([0.5, 2.0, -1.0])


def _example() -> tuple[np.ndarray, np.ndarray]:
    """Forty points [40, 3] and their labels +-1, separated by a plane with a margin."""
    points = np.random.default_rng(3).standard_normal((400, 3))
    points = points[np.abs(points @ _TRAINED) > 0.5][:40]
    return points, np.sign(points @ _TRAINED)


def separates(flipped: bool, adapted: bool) -> bool:
    """Whether the trained weights, adapted to the flip or not, still classify all points."""
    points, labels = _example()
    seen = points * SIGNS if flipped else points
    decoder = _TRAINED * SIGNS if adapted else _TRAINED
    return bool(np.all(np.sign(seen @ decoder) == labels))


def best_decoder_is_lost() -> float:
    """1 if linear programming finds no weights that separate the flipped points with margin 1, else 0."""
    from scipy.optimize import linprog

    points, labels = _example()
    seen = points * SIGNS
    result = linprog(np.zeros(3), A_ub=-labels[:, None] * seen, b_ub=-np.ones(len(seen)), bounds=(None, None))
    return 0.0 if result.status == 0 else 1.0
