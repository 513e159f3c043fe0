"""Tests of NC2 to NC4 at known configurations, and of their values where they are undefined."""

from __future__ import annotations

import math

import numpy as np
import pytest

from empirics import measure
from tests.oracles.collapse_nc1 import direct_covariances

CLASSES, EACH, DIMENSION = 4, 25, 10
ZERO = 1e-14


@pytest.fixture
def simplex(rng):
    """Class means of a regular simplex in ten dimensions, ``[C, D]``, far from the origin's symmetry."""
    turn, _ = np.linalg.qr(rng.normal(size=(DIMENSION, CLASSES)))
    return (np.eye(CLASSES) - 1 / CLASSES) @ turn.T


def cloud(means, rng, spread=0.1, each=EACH):
    """Samples about class means, with exactly these empirical means."""
    labels = np.repeat(np.arange(len(means)), each)
    noise = spread * rng.normal(size=(len(labels), means.shape[1]))
    for c in range(len(means)):
        noise[labels == c] -= noise[labels == c].mean(0)
    return 7 + means[labels] + noise, labels


def test_regular_simplex(simplex, rng):
    features, labels = cloud(simplex, rng)
    got = measure.neural_collapse(
        features, labels, weights=3 * simplex, biases=-21 * simplex.sum(1)
    )
    assert got.nc2_norm < ZERO
    assert got.nc2_angle < ZERO
    assert got.nc2_spread < ZERO
    assert got.simplex_distance < ZERO
    assert got.nc3 < ZERO
    assert got.nc4 == 0
    assert got.nearest_centre_error == 0
    assert got.rank == CLASSES - 1
    assert got.note == ""


def test_nc2_by_hand():
    """Means at (±2, 0), (0, ±1): lengths 2, 2, 1, 1; cosines -1, -1 and four times 0, against -1/3."""
    means = np.array([[2.0, 0], [-2, 0], [0, 1], [0, -1]])
    features, labels = (
        np.repeat(means, 2, 0) + np.tile([[0.1, 0], [-0.1, 0]], (4, 1)),
        np.repeat(np.arange(4), 2),
    )
    got = measure.neural_collapse(features, labels)
    assert got.nc2_norm == pytest.approx(0.5 / 1.5, rel=1e-13)
    assert got.nc2_angle == pytest.approx((2 * (2 / 3) + 4 * (1 / 3)) / 6, rel=1e-13)
    assert got.nc2_spread == pytest.approx(np.std([-1, -1, 0, 0, 0, 0]), rel=1e-13)
    # the Gram matrix has norm sqrt(2 (4² + 4² + 1 + 1)), the simplex sqrt(3), and their product is tr - (sum of all)/4
    assert got.simplex_distance == pytest.approx(np.sqrt(2 - 2 * 10 / np.sqrt(68 * 3)), rel=1e-12)


def test_unweighted_between_class_covariance_and_traces(rng):
    labels = np.repeat(np.arange(4), [40, 12, 6, 3])
    features = 3 + rng.normal(size=(4, 7))[labels] + 0.3 * rng.normal(size=(len(labels), 7))
    means = np.array([features[labels == c].mean(0) for c in range(4)])
    within = features - means[labels]
    within = within.T @ within / len(labels)
    about = means - means.mean(0)
    equal = measure.neural_collapse(features, labels, class_weights="equal")
    assert equal.nc1 == pytest.approx(
        np.trace(within @ np.linalg.pinv(about.T @ about / 4, rcond=1e-10)), rel=1e-10
    )
    assert equal.between == pytest.approx(np.trace(about.T @ about) / 4, rel=1e-12)
    assert equal.trace_ratio == pytest.approx(
        np.trace(within) * 4 / np.trace(about.T @ about), rel=1e-12
    )
    weighted = measure.neural_collapse(features, labels)
    assert abs(weighted.nc1 / equal.nc1 - 1) > 0.1
    assert (weighted.nc2_norm, weighted.nc4) == (
        equal.nc2_norm,
        pytest.approx(equal.nc4, nan_ok=True),
    )
    with pytest.raises(ValueError, match="class_weights: got 'none', needs one of samples, equal"):
        measure.neural_collapse(features, labels, class_weights="none")


def test_nc3_is_two_minus_twice_the_cosine(simplex, rng):
    features, labels = cloud(simplex, rng)
    weights = rng.normal(size=simplex.shape)
    cosine = (weights * simplex).sum() / np.linalg.norm(weights) / np.linalg.norm(simplex)
    assert measure.neural_collapse(features, labels, weights=weights).nc3 == pytest.approx(
        2 - 2 * cosine, rel=1e-12
    )
    assert measure.neural_collapse(features, labels, weights=-simplex).nc3 == pytest.approx(
        4, rel=1e-12
    )


def test_nc4_by_brute_force(simplex, rng):
    features, labels = cloud(simplex, rng, spread=0.6)
    weights, biases = rng.normal(size=simplex.shape), rng.normal(size=CLASSES)
    means = np.array([features[labels == c].mean(0) for c in range(CLASSES)])
    nearest = np.linalg.norm(features[:, None] - means, axis=-1).argmin(1)
    predictions = (features @ weights.T + biases).argmax(1)
    got = measure.neural_collapse(features, labels, weights=weights, biases=biases)
    assert 0 < got.nc4 == (nearest != predictions).mean() < 1
    assert 0 < got.nearest_centre_error == (nearest != labels).mean() < 1
    assert measure.neural_collapse(features, labels, predictions=predictions).nc4 == got.nc4


def test_centre_of_an_imbalanced_simplex(simplex, rng):
    labels = np.repeat(np.arange(CLASSES), [50, 10, 10, 10])
    features = simplex[labels] + 0
    features[::2] += 0.1
    features[1::2] -= 0.1
    about_classes = measure.neural_collapse(features, labels, centre="classes")
    assert about_classes.nc2_norm < ZERO
    assert about_classes.nc2_angle < ZERO
    assert measure.neural_collapse(features, labels).nc2_norm > 0.1


def test_class_blind_means_are_not_collapse(rng):
    half = rng.normal(size=(50, 8))
    got = measure.neural_collapse(np.concatenate([half, half[::-1]]), np.repeat([0, 1], 50))
    assert (got.nc1, got.rank) == (math.inf, 0)
    assert math.isnan(got.nc2_norm)
    assert "coincide" in got.note


def test_class_blind_in_float32(rng):
    """Means of different float32 numbers that are the same but for rounding."""
    half = 1000 + rng.normal(size=(500, 8))
    features = np.concatenate(
        [half.astype(np.float32), (half[::-1] * (1 + 1e-8)).astype(np.float32)]
    )
    got = measure.neural_collapse(features, np.repeat([0, 1], 500))
    assert (got.nc1, got.rank) == (math.inf, 0)


@pytest.mark.parametrize(
    ("labels", "features", "note"),
    [
        ([0, 0, 0], [[1.0], [2], [3]], "one class"),
        ([0, 1, 2], [[1.0], [2], [3]], "one sample a class"),
        ([0, 0, 1, 1], [[2.0, 3]] * 4, "all representations are the same"),
    ],
)
def test_nothing_to_compare(labels, features, note):
    got = measure.neural_collapse(np.array(features), labels)
    assert math.isnan(got.nc1)
    assert note in got.note


def test_fewer_dimensions_than_classes(rng):
    features, labels = cloud(rng.normal(size=(6, 2)), rng)
    got = measure.neural_collapse(features, labels)
    assert got.rank == 2
    assert got.note == ""


def test_missing_rank_and_missing_classes_are_said(simplex, rng):
    simplex[1] = simplex[0]
    features, labels = cloud(simplex, rng)
    got = measure.neural_collapse(features, 2 * labels, classes=9)
    assert got.rank == 2
    assert "rank 2 of 3" in got.note
    assert "5 of 9 classes do not occur" in got.note
    without = measure.neural_collapse(features, labels)
    assert got.nc1 == pytest.approx(without.nc1, rel=1e-12)
    assert got.nearest_centre_error == without.nearest_centre_error


@pytest.mark.parametrize("offset", [0, 7, 1000])
def test_means_that_coincide_to_rounding_do_not_bend_the_others(simplex, rng, offset):
    """Against the D x D pseudo-inverse, cut off far above rounding."""
    simplex[1] = simplex[0]
    features, labels = cloud(simplex, rng)
    features += offset
    within, between = direct_covariances(features, labels)
    got = measure.neural_collapse(features, labels)
    assert got.rank == 2
    assert got.nc1 == pytest.approx(
        np.trace(within @ np.linalg.pinv(between, rcond=1e-8)), rel=1e-9
    )
    assert math.isfinite(got.nc1)


GOOD = {"features": np.eye(4), "labels": [0, 0, 1, 1]}
BAD = [
    ({"features": "x"}, TypeError, "features: got str"),
    ({"features": np.eye(4) * 1j}, TypeError, "features: got torch.complex128"),
    ({"features": np.ones(4)}, ValueError, r"features: got shape \[4\]"),
    (
        {"features": np.ones((0, 4)), "labels": []},
        (ValueError, TypeError),
        "features: got shape|labels",
    ),
    (
        {"features": np.full((4, 2), np.inf)},
        ValueError,
        "features: got values that are not finite",
    ),
    ({"labels": [0, 0, 1]}, ValueError, r"labels: got shape \[3\], needs \[4\]"),
    ({"labels": [0.0, 0, 1, 1]}, TypeError, "labels: got torch.float"),
    ({"labels": [-1, 0, 1, 1]}, ValueError, "labels: got -1 ... 1, needs 0 ... 1"),
    ({"labels": [-3, -4, -3, -4]}, ValueError, "labels: got -4 ... -3, needs 0 ... 0"),
    ({"labels": [0, 0, 1, 2], "classes": 2}, ValueError, "labels: got 0 ... 2, needs 0 ... 1"),
    ({"classes": 0}, ValueError, "classes: got 0"),
    ({"weights": np.ones((2, 3))}, ValueError, r"weights: got shape \[2, 3\], needs \[2, 4\]"),
    ({"weights": np.full((2, 4), np.nan)}, ValueError, "weights: got values that are not finite"),
    ({"biases": np.ones(2)}, ValueError, "biases: given without weights"),
    ({"predictions": [0, 1, 2, 0]}, ValueError, "predictions: got 0 ... 2"),
    ({"centre": "origin"}, ValueError, "centre: got 'origin'"),
    ({"tolerance": 1.0}, ValueError, "tolerance: got 1.0"),
]


@pytest.mark.parametrize(
    ("change", "error", "complaint"), BAD, ids=[str(i) for i in range(len(BAD))]
)
def test_bad_input(change, error, complaint):
    with pytest.raises(error, match=complaint):
        measure.neural_collapse(**(GOOD | change))
