"""Tests of accuracy and usable information of two Gaussian classes: samples, quadrature, a trained decoder."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.stats import norm

from theory import collapse

Z = 4.0  # see test_gaussian_classes


def features(floor: float, size: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two correlated features of two classes with that collapse floor; labels +-1."""
    root = np.array([[1.0, 0.0], [0.8, 0.6]])
    direction = np.array([0.3, -1.0])
    distance = 2 / np.sqrt(floor)
    difference = distance * root @ direction / np.linalg.norm(direction)
    labels = np.where(np.arange(size) % 2, 1.0, -1.0)
    return labels[:, None] * difference / 2 + rng.standard_normal((size, 2)) @ root.T, labels


@pytest.mark.parametrize("floor", [0.2, 1.0, 6.0])
def test_a_trained_linear_decoder_gets_it(floor: float, rng: np.random.Generator) -> None:
    """Logistic regression on 40,000 features, read on 40,000 others: information and accuracy within their errors."""
    h, y = features(floor, 80_000, rng)
    train, test = slice(None, 40_000), slice(40_000, None)

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        margin = y[train] * (h[train] @ w[:2] + w[2])
        slope = -y[train] / (1 + np.exp(margin))
        gradient = np.append(slope @ h[train], slope.sum())
        return np.logaddexp(0, -margin).mean(), gradient / 40_000

    w = minimize(loss, np.zeros(3), jac=True).x
    margin = y[test] * (h[test] @ w[:2] + w[2])
    bits = 1 - np.logaddexp(0, -margin) / np.log(2)
    # Three fitted numbers cost 3/(2n ln 2) bits on average.
    assert (
        abs(bits.mean() - collapse.two_class_information()(floor=floor))
        < Z * bits.std() / 200 + 1e-4
    )
    hits = margin > 0
    assert (
        abs(hits.mean() - collapse.two_class_accuracy()(floor=floor)) < Z * hits.std() / 200 + 1e-4
    )


@pytest.mark.parametrize("floor", [0.05, 0.5, 3.0, 40.0])
def test_information_by_quadrature_of_its_definition(floor: float) -> None:
    """Differential entropies of the mixture and of one class."""
    half = 1 / np.sqrt(floor)

    def mixture(x: float) -> float:
        return (norm.pdf(x - half) + norm.pdf(x + half)) / 2

    own, _ = quad(
        lambda x: -mixture(x) * np.log2(mixture(x)), -half - 9, half + 9, limit=200, epsabs=1e-12
    )
    noise = np.log2(2 * np.pi * np.e) / 2
    assert collapse.two_class_information()(floor=floor) == pytest.approx(own - noise, abs=1e-9)


def test_limits_and_order() -> None:
    floors = np.array([0.02, 0.3, 1.0, 5.0, 1e4])
    information, accuracy = (
        collapse.two_class_information()(floors),
        collapse.two_class_accuracy()(floors),
    )
    assert np.all(np.diff(information) < 0)
    assert np.all(np.diff(accuracy) < 0)
    assert information[0] == pytest.approx(1, abs=1e-9)
    assert accuracy[-1] == pytest.approx(0.5, abs=0.01)
    # Weak signals: I = distance^2/(8 ln 2) bits, distance^2 = 4/floor.
    assert information[-1] == pytest.approx(4 / 1e4 / 8 / np.log(2), rel=1e-3)
