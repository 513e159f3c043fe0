"""Tests of conformal kernels and kernel learning against explicit features."""

from __future__ import annotations

import numpy as np
import pytest

from theory import geometry
from theory.geometry import kernel_learning


@pytest.mark.parametrize("d", [1, 2, 3, 7])
def test_metric_and_volume_of_scaled_features(d, rng):
    """The features are h Phi: their Jacobian, by the product rule."""
    values, jacobian = rng.normal(size=12), rng.normal(size=(12, d))
    h, slope = 1.3, rng.normal(size=d)
    scaled = h * jacobian + np.outer(values, slope)
    base, kernel, kernel_slope = jacobian.T @ jacobian, values @ values, 2 * jacobian.T @ values
    inverse = np.linalg.inv(base)
    factor = geometry.conformal_volume_factor()(
        d=d,
        scale=h,
        kernel=kernel,
        scale_gradient2=slope @ inverse @ slope,
        kernel_gradient2=kernel_slope @ inverse @ kernel_slope,
        gradient_product=slope @ inverse @ kernel_slope,
    )
    assert factor == pytest.approx(
        np.sqrt(np.linalg.det(scaled.T @ scaled) / np.linalg.det(base)), rel=1e-10
    )


def gaussian_kernel(x, y):
    return np.exp(-((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=-1) / 2)


def test_self_supervised_kernel(rng):
    """On the training inputs the learned kernel has rank ``rank``."""
    first = rng.normal(size=(6, 2))
    second = first + 0.3 * rng.normal(size=(6, 2))
    every = np.concatenate([first, second])
    q = kernel_learning.self_supervised_matrix(
        gaussian_kernel(first, first),
        gaussian_kernel(first, second),
        gaussian_kernel(second, second),
        3,
    )
    gram = gaussian_kernel(every, every)
    learned = gram @ q @ gram
    values = np.linalg.eigvalsh(learned)
    assert (np.abs(values[:-3]) < 1e-8 * values[-1]).all()
    np.testing.assert_allclose(q, q.T, atol=1e-8 * np.abs(q).max())


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
        (
            lambda: kernel_learning.self_supervised_matrix(np.eye(2), np.eye(2), np.eye(3), 1),
            "needs one \\[pair, pair",
        ),
        (
            lambda: kernel_learning.self_supervised_matrix(
                np.eye(2), 0.5 * np.eye(2), np.eye(2), 4
            ),
            "rank",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
