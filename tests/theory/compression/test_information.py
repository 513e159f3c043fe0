"""Tests of the information estimator against brute force, of its floor against samples, and of bad input."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from theory.compression import label_information, label_information_floor


def brute_force(points, labels, k):
    """Appendix D word for word, with a matrix of distances."""
    distance = cdist(points, points)
    np.fill_diagonal(distance, np.inf)
    total = 0.0
    for i in range(len(points)):
        r = [np.sort(distance[i, labels == value])[k - 1] for value in (1, -1)]
        q = 1 / (1 + (r[0] / r[1]) ** points.shape[1])
        total += sum(-p * math.log2(p) for p in (q, 1 - q) if p > 0)
    return 1 - total / len(points)


@pytest.mark.parametrize(("dimension", "k"), [(1, 1), (1, 5), (3, 5), (8, 3)])
def test_against_brute_force(dimension, k):
    rng = np.random.default_rng(dimension)
    points = rng.normal(size=(300, dimension))
    labels = np.where(points[:, 0] + 0.5 * rng.normal(size=300) > 0, 1, -1)
    assert label_information(points, labels, k) == pytest.approx(
        brute_force(points, labels, k), abs=1e-12
    )


def test_the_floor_is_an_average_over_beta():
    q = np.random.default_rng(0).beta(5, 5, 200_000)
    entropy = -q * np.log2(q) - (1 - q) * np.log2(1 - q)
    floor = float(label_information_floor()(neighbours=5))
    assert abs(1 - entropy.mean() - floor) < 4 * entropy.std() / math.sqrt(200_000)


def test_points_that_coincide_are_undecided():
    assert label_information(np.zeros(40), np.arange(40) % 2) == 0.0


@pytest.mark.parametrize(
    ("features", "labels", "k", "said"),
    [
        (np.ones((3, 2, 2)), np.ones(3), 1, "shape"),
        (np.ones(5), np.ones(4), 1, "shape"),
        ([1.0, np.nan, 3.0], [0, 1, 0], 1, "finite"),
        (np.arange(6.0), np.zeros(6), 1, "two"),
        (np.arange(6.0), [0, 1, 2, 0, 1, 2], 1, "two"),
        (np.arange(6.0), [0, 1, 0, 0, 0, 0], 1, "rarer"),
        (np.arange(6.0), [0, 1, 0, 1, 0, 1], 0, "neighbours"),
        ([], [], 1, "shape"),
    ],
)
def test_bad_input(features, labels, k, said):
    with pytest.raises(ValueError, match=said):
        label_information(features, labels, k)
