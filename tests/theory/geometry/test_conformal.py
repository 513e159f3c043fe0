"""Tests of conformal kernels and kernel learning against explicit features."""

from __future__ import annotations

import numpy as np
import pytest

from theory import geometry
from theory.core import Verdict
from theory.geometry import conformal, kernel_learning

ROUNDING = 1e-11


def spd(rng, d):
    root = rng.normal(size=(d, d))
    return root @ root.T + 0.1 * np.eye(d)


@pytest.mark.parametrize("d", [1, 2, 3, 7])
def test_metric_and_volume_of_scaled_features(d, rng):
    """The features are h Phi: their Jacobian, by the product rule."""
    values, jacobian = rng.normal(size=12), rng.normal(size=(12, d))
    h, slope = 1.3, rng.normal(size=d)
    scaled = h * jacobian + np.outer(values, slope)
    base, kernel, kernel_slope = jacobian.T @ jacobian, values @ values, 2 * jacobian.T @ values
    found = conformal.metric(base, h, slope, kernel, kernel_slope)
    np.testing.assert_allclose(found, scaled.T @ scaled, rtol=ROUNDING)
    inverse = np.linalg.inv(base)
    factor = geometry.conformal_volume_factor()(
        d=d,
        scale=h,
        kernel=kernel,
        scale_gradient2=slope @ inverse @ slope,
        kernel_gradient2=kernel_slope @ inverse @ kernel_slope,
        gradient_product=slope @ inverse @ kernel_slope,
    )
    assert factor == pytest.approx(np.sqrt(np.linalg.det(scaled.T @ scaled) / np.linalg.det(base)), rel=1e-10)


def test_a_translation_invariant_kernel_needs_no_gradient_of_its_own():
    found = geometry.conformal_volume_factor()(
        d=3, scale=0.5, kernel=1.0, scale_gradient2=0.2, kernel_gradient2=0.0, gradient_product=0.0
    )
    assert found == pytest.approx(0.5**3 * np.sqrt(1 + 0.2 / 0.25))


def test_scale_of_amari_and_wu(rng):
    support, x, tau = rng.normal(size=(5, 3)), rng.normal(size=(4, 3)), 0.7
    _, slope = conformal.amari_wu_scale(x, support, tau)
    step = 1e-6
    for i in range(3):
        up, down = (conformal.amari_wu_scale(x + s * step * np.eye(3)[i], support, tau)[0] for s in (1, -1))
        np.testing.assert_allclose(slope[:, i], (up - down) / (2 * step), rtol=1e-7, atol=1e-9)
    assert conformal.amari_wu_scale(support[:1], support[:1], tau)[0] == pytest.approx(1)


def test_steps_hold():
    assert {step.claim: step.check() for step in kernel_learning.steps() if step.check() is not Verdict.HOLDS} == {}


def test_metrics_of_learned_matrices(rng):
    matrix = spd(rng, 3)
    np.testing.assert_allclose(kernel_learning.mahalanobis_metric(-0.5, matrix), matrix, rtol=ROUNDING)
    root = kernel_learning.symmetric_root(matrix)
    np.testing.assert_allclose(root @ root, matrix, rtol=ROUNDING, atol=ROUNDING)

    def base(x):
        return np.eye(3) * (1 + (x**2).sum(axis=-1))[..., None, None]

    x = rng.normal(size=(4, 3))
    found = kernel_learning.transformed_metric(base, matrix, x)
    moved = base(x @ root)
    np.testing.assert_allclose(np.linalg.det(found), np.linalg.det(matrix) * np.linalg.det(moved), rtol=1e-10)
    np.testing.assert_allclose(found, root @ moved @ root, rtol=ROUNDING, atol=ROUNDING)


def gaussian_kernel(x, y):
    return np.exp(-((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=-1) / 2)


def test_self_supervised_kernel(rng):
    """On the training inputs the learned kernel has rank ``rank``; its metric is that of its features."""
    first = rng.normal(size=(6, 2))
    second = first + 0.3 * rng.normal(size=(6, 2))
    every = np.concatenate([first, second])
    q = kernel_learning.self_supervised_matrix(
        gaussian_kernel(first, first), gaussian_kernel(first, second), gaussian_kernel(second, second), 3
    )
    gram = gaussian_kernel(every, every)
    learned = gram @ q @ gram
    values = np.linalg.eigvalsh(learned)
    assert (np.abs(values[:-3]) < 1e-8 * values[-1]).all()
    # Its leading features decorrelate the pairs: K_Gamma restricted to them is the identity.
    np.testing.assert_allclose(q, q.T, atol=1e-8 * np.abs(q).max())
    x = rng.normal(size=(4, 2))
    gradients = -(x[:, None, :] - every) * gaussian_kernel(x, every)[..., None]
    found = kernel_learning.self_supervised_metric(gradients, q)
    values, axes = np.linalg.eigh(q)
    features = np.sqrt(np.maximum(values, 0))[:, None] * (axes.T @ gradients)
    np.testing.assert_allclose(found, features.swapaxes(1, 2) @ features, atol=1e-8 * np.abs(found).max())


def test_the_learned_features_solve_the_generalised_problem(rng):
    """Rows of the modes: Z v = gamma K v, and Q = sum v v' / gamma over the largest gamma."""
    import scipy.linalg

    first = rng.normal(size=(4, 3))
    second = first + 0.5 * rng.normal(size=(4, 3))
    every = np.concatenate([first, second])
    gram = gaussian_kernel(every, every)
    a, b = gram[:, :4], gram[:, 4:]
    z = (a @ b.T + b @ a.T) / 8
    gammas, modes = scipy.linalg.eigh(z, gram)  # modes' K modes = 1
    expected = (modes[:, -2:] / gammas[-2:]) @ modes[:, -2:].T
    found = kernel_learning.self_supervised_matrix(gram[:4, :4], gram[:4, 4:], gram[4:, 4:], 2)
    np.testing.assert_allclose(found, expected, atol=1e-8 * np.abs(expected).max())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: kernel_learning.mahalanobis_metric(0.5, np.eye(2)), "slope_at_zero: got 0.5, needs a number below 0"),
        (
            lambda: kernel_learning.mahalanobis_metric(-0.5, [[1, 2], [0, 1]]),
            "matrix: got .* not symmetric",
        ),
        (lambda: kernel_learning.mahalanobis_metric(-0.5, -np.eye(2)), "got the eigenvalue -1"),
        (lambda: kernel_learning.transformed_metric(lambda x: np.eye(2), np.eye(2), np.zeros(3)), "x: got shape"),
        (lambda: kernel_learning.self_supervised_matrix(np.eye(2), np.eye(2), np.eye(3), 1), "needs one \\[pair, pair"),
        (lambda: kernel_learning.self_supervised_matrix(np.eye(2), 0.5 * np.eye(2), np.eye(2), 4), "rank"),
        (lambda: kernel_learning.self_supervised_metric(np.zeros((3, 2)), np.eye(4)), "gradients: got shape"),
        (
            lambda: conformal.metric(np.eye(2), -1.0, np.zeros(2), 1.0, np.zeros(2)),
            "scale: got -1, needs positive",
        ),
        (lambda: conformal.metric(np.eye(2), 1.0, np.zeros(3), 1.0, np.zeros(2)), "scale_gradient: got shape"),
        (
            lambda: conformal.amari_wu_scale(np.zeros(2), np.zeros((3, 2)), 0.0),
            "bandwidth: got 0.0, needs a positive",
        ),
        (lambda: conformal.amari_wu_scale([np.nan, 0], np.zeros((3, 2)), 1.0), "x: got NaN or infinity"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
