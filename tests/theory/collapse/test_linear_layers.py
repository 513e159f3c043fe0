"""Tests of linear maps against the floor of NC1, and of the linear model of equi-separation."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracles.collapse_features import covariances, draw, linear_floor, naive_nc1
from theory import collapse

CLOSE = 1e-8  # pseudo-inverses of covariances with condition numbers up to a few hundred


def example(
    rng: np.random.Generator, classes: int = 4, dimension: int = 7
) -> tuple[np.ndarray, np.ndarray]:
    """Features of correlated noise, imbalanced."""
    sizes = rng.integers(15, 40, classes)
    return draw(
        rng.standard_normal((classes, dimension)),
        rng.standard_normal((dimension, dimension)),
        sizes,
        rng,
    )


def test_gain_is_bounded_and_the_bound_is_reached(rng: np.random.Generator) -> None:
    for _ in range(200):
        eigenvalues = np.sort(rng.uniform(0.1, 5, 4))
        difference = rng.standard_normal(4)
        gain = (
            (difference**2 @ eigenvalues)
            * (difference**2 @ (1 / eigenvalues))
            / (difference @ difference) ** 2
        )
        assert gain <= collapse.linear_gain_bound()(condition=eigenvalues[-1] / eigenvalues[0]) * (
            1 + 1e-12
        )
    assert collapse.linear_gain_bound()(condition=9.0) == pytest.approx(
        (1 + 9) / 2 * (1 + 1 / 9) / 2
    )
    within, between = np.diag([1.0, 9.0]), 0.25 * np.ones((2, 2))
    nc1 = np.trace(within @ np.linalg.pinv(between))
    assert nc1 / linear_floor(within, between, rank=1) == pytest.approx(25 / 9)


def test_two_class_floor(rng: np.random.Generator) -> None:
    root, difference = rng.standard_normal((4, 4)), rng.standard_normal(4)
    within = root @ root.T
    separation2 = difference @ np.linalg.solve(within, difference)
    between = 0.3 * 0.7 * np.outer(difference, difference)
    found = collapse.two_class_floor()(prior=0.3, separation2=separation2)
    assert found == pytest.approx(linear_floor(within, between, rank=1), rel=CLOSE)


def test_two_classes_need_no_decomposition(rng: np.random.Generator) -> None:
    features, labels = example(rng, classes=2)
    within, _ = covariances(features, labels)
    difference = features[labels == 1].mean(axis=0) - features[labels == 0].mean(axis=0)
    distance2 = difference @ difference
    along = difference @ within @ difference / distance2
    found = collapse.two_class_nc1()(prior=1 - labels.mean(), along=along, distance2=distance2)
    assert found == pytest.approx(naive_nc1(features, labels), rel=CLOSE)


def test_linear_model_layer_by_layer(rng: np.random.Generator) -> None:
    """Layers applied to features; NC1 measured on their exact first two moments, three classes, two signals."""
    shrink, classes, n = 0.6, 3, 400
    mixing, means = (
        rng.standard_normal((2, 2)),
        np.pad(rng.standard_normal((classes, 2)), ((0, 0), (0, 2))),
    )
    # Noise with exactly the population's covariance in every class.
    noise = rng.standard_normal((n, 4))
    noise -= noise.mean(axis=0)
    noise = noise @ np.linalg.inv(np.linalg.cholesky(noise.T @ noise / n)).T * [0.3, 0.2, 1.0, 1.0]
    features = np.concatenate([m + noise for m in means])
    features[:, :2] += features[:, 2:] @ mixing.T
    labels = np.repeat(np.arange(classes), n)
    layer = np.block([[np.eye(2), -(1 - shrink) * mixing], [np.zeros((2, 2)), shrink * np.eye(2)]])
    floor = linear_floor(*covariances(features, labels), rank=2)
    initial = naive_nc1(features, labels)
    form = collapse.linear_depth_nc1()
    for depth in range(6):
        found = naive_nc1(features, labels)
        assert found == pytest.approx(
            form(initial=initial, floor=floor, shrink=shrink, depth=depth), rel=CLOSE
        )
        features = features @ layer.T
    where = collapse.equiseparation_depth()(initial=initial, floor=floor, shrink=shrink)
    assert form(initial=initial, floor=floor, shrink=shrink, depth=where) == pytest.approx(
        2 * floor
    )


def test_until_when_the_law_holds() -> None:
    """Without floor the log-ratios are equal; past the depth they are less than two thirds of the first."""
    form, setting = collapse.linear_depth_nc1(), {"initial": 50.0, "shrink": 0.5}
    law = collapse.equiseparation(form(floor=1e-12, depth=np.arange(6), **setting))
    assert law.spread < 1e-6
    assert law.ratio == pytest.approx(0.25)
    where = collapse.equiseparation_depth()(floor=0.5, **setting)
    layers = np.arange(0, 8)
    found = collapse.equiseparation(form(floor=0.5, depth=layers, **setting)).log_ratios
    assert abs(found[0] / np.log(0.25) - 1) < 0.05
    assert np.all(np.abs(found[layers[1:] - 1 >= where]) < 2 / 3 * np.log(4))
