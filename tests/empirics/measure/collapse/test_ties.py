"""Tests where the last bits could decide: coinciding means, samples half-way, features equal up to rounding."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from empirics import measure
from empirics.measure.collapse.basis import shares_of_first_place

EPS = np.finfo(np.float64).eps


def test_a_sample_half_way_between_two_means_counts_half():
    """Means at -1 and 1 (exactly), samples at -2, 0 and 1, 1: of the first class one lies half-way."""
    features = np.array([[-2.0], [0.0], [1.0], [1.0]])
    got = measure.neural_collapse(features, [0, 0, 1, 1], predictions=[0, 1, 1, 1])
    assert got.nearest_centre_error == 0.5 / 4
    assert got.nc4 == 0.5 / 4


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scale", [1.0, 3.0, 1e-6])
@pytest.mark.parametrize("moved", [-2, 0, 2])
def test_samples_half_way_to_rounding_count_half(scale, moved, rng):
    """In ten turned dimensions no half-way point is exact; a few spacings to either side change nothing."""
    turn = np.linalg.qr(rng.normal(size=(10, 10)))[0]
    first, second = turn[0], turn[1]
    middle = (first + second) / 2 * (1 + moved * EPS)
    balance = 2 * first - middle  # so that the first class keeps its mean
    features = scale * np.array([middle, balance, second, second])
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2]):
        for labels in (np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0])):
            got = measure.neural_collapse(features[order], labels[order])
            assert got.nearest_centre_error == 0.5 / 4


@pytest.mark.sampled(2)
@pytest.mark.parametrize("offset", [0.0, 7.0, 1e6])
@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_coinciding_means_share_their_samples(offset, precision, rng):
    """Classes 0 and 1 hold the same points in another order, class 2 is far away: half of 0 and 1 is misplaced."""
    points = rng.normal(size=(40, 12)) * (
        1e4 if offset == 1e6 and precision is np.float32 else 1.0
    )
    far = points + 1e3 * np.abs(points).max()
    features = (np.concatenate([points, points[::-1] * (1 + 2 * EPS), far]) + offset).astype(
        precision
    )
    labels = np.repeat([0, 1, 2], 40)
    for renamed in (labels, 2 - labels, np.array([4, 2, 0])[labels]):
        for scale in (1, 3):
            got = measure.neural_collapse(
                scale * features, renamed, classes=5, predictions=renamed
            )
            assert got.nearest_centre_error == pytest.approx(1 / 3, abs=1e-12)
            assert got.nc4 == pytest.approx(1 / 3, abs=1e-12)


def test_equal_logits_share_the_decision(rng):
    """Two equal rows of weights: the network decides for either with weight one half, whatever the last bits are."""
    features = np.concatenate([rng.normal(size=(30, 6)) + 9 * axis for axis in np.eye(6)[:3]])
    labels = np.repeat([0, 1, 2], 30)
    weights = np.eye(6)[:3].copy()
    weights[1] = weights[0] * (1 + EPS)
    biases = np.array([0.0, 0.0, 4.0])
    decided = (features @ weights.T + biases)[:, 1:].argmax(1) + 1
    expected = np.where(labels == 2, decided != 2, np.where(decided == 2, 1, 0.5)).mean()
    assert measure.neural_collapse(
        features, labels, weights=weights, biases=biases
    ).nc4 == pytest.approx(expected)


def test_the_same_but_for_rounding_is_the_same(rng):
    one = rng.normal(size=8)
    features = one * (1 + EPS * rng.integers(-1, 2, size=(20, 8)))
    got = measure.neural_collapse(features, np.repeat([0, 1], 10))
    assert math.isnan(got.nc1)
    assert "the same to rounding" in got.note
    assert got.nearest_centre_error == 0.5


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_a_mean_on_the_centre_has_no_angle(scale, rng):
    """Means at -a, 0 and a about an offset that rounds: the middle one is no direction, however it is rounded."""
    axis, offset = rng.normal(size=5), rng.normal(size=5)
    means = np.array([offset - axis, offset, offset + axis])
    labels = np.repeat([0, 1, 2], 4)
    noise = rng.normal(size=(2, 3, 5))
    features = scale * (
        means[labels] + np.stack([noise, -noise], 2).transpose(1, 0, 2, 3).reshape(12, 5)
    )
    assert math.isnan(measure.neural_collapse(features, labels).nc2_angle)


def test_shares_of_first_place():
    scores = torch.tensor(
        [[1.0, 3, 2], [5, 5, 1], [4, 4 + 1e-9, 4], [1, -torch.inf, 1 + 1e-9]], dtype=torch.float64
    )
    rounding = torch.tensor([0.0, 0.0, 1e-8, 1e-8], dtype=torch.float64)
    got = shares_of_first_place(scores, rounding)
    np.testing.assert_allclose(got, [[0, 1, 0], [0.5, 0.5, 0], [1 / 3] * 3, [0.5, 0, 0.5]])
