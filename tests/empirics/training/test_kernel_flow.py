"""Tests of the flow with a frozen kernel and of the support vector classifier against independent solutions."""

from __future__ import annotations

import numpy as np
import pytest
import torch as t

from empirics.measure.kernels.shallow_kernel import analytic_tangent_gram
from empirics.training.kernel_flow import kernel_flow, support_vectors

ROUNDING = 1e-12


def problem(points=40, seed=0):
    x = t.randn(points, 2, dtype=t.float64, generator=t.Generator().manual_seed(seed))
    return analytic_tangent_gram(x), t.where(x[:, 0] > 0, 1.0, -1.0).double(), x


def test_two_independent_points_are_fitted_one_after_the_other():
    found = kernel_flow(
        t.diag(t.tensor([2.0, 1.0], dtype=t.float64)), t.tensor([1.0, -1.0]), moving=1e-3
    )
    # each margin grows by its own kernel value until it is one; then it stands still
    np.testing.assert_allclose(found.weights, [0.5, -1.0], atol=2e-3)
    assert found.fitted == 1


@pytest.mark.slow
def test_flow_against_tiny_explicit_steps():
    gram, labels, _ = problem(12)
    margins, weights, dt = t.zeros(12, dtype=t.float64), t.zeros(12, dtype=t.float64), 1e-4
    signed = labels[:, None] * gram * labels
    for _ in range(30_000):
        active = (margins < 1).double()
        if not active.any():
            break
        margins, weights = margins + dt * (signed @ active), weights + dt * active
    found = kernel_flow(gram, labels, moving=2e-4)
    assert found.fitted == 1
    assert (margins >= 1).all()
    np.testing.assert_allclose(gram @ found.weights, gram @ (weights * labels), atol=5e-3)


@pytest.mark.slow
def test_finer_steps_do_not_change_the_predictor():
    gram, labels, x = problem(40)
    new = t.randn(200, 2, dtype=t.float64, generator=t.Generator().manual_seed(1))
    kernel = analytic_tangent_gram(new, x)
    coarse, fine, finest = (
        kernel_flow(gram, labels, moving=m)(kernel) for m in (0.05, 0.01, 0.002)
    )
    assert (fine - finest).abs().mean() < (coarse - finest).abs().mean() < 0.1


@pytest.mark.parametrize("dtype", [t.float64, t.float32])
@pytest.mark.parametrize("scale", [1.0, 3.0, 1e-20])
def test_points_that_the_kernel_cannot_tell_apart_are_refused(dtype, scale):
    """The same points with both labels: what pulls them cancels to rounding, and no step may be taken along that."""
    x = t.randn(7, 3, dtype=dtype, generator=t.Generator().manual_seed(0))
    labels = t.cat([t.ones(7), -t.ones(7)])
    eps = t.finfo(dtype).eps
    for moved in (-1, 0, 1):
        both = t.cat([x, x * (1 + moved * eps)]).flip(1)
        for order in (t.arange(14), t.randperm(14, generator=t.Generator().manual_seed(1))):
            points = both[order]
            with pytest.raises(ValueError, match="no step raises the margins"):
                kernel_flow(scale * (points @ points.T + 1), labels[order])


def test_what_is_not_fitted_is_said():
    gram, labels, _ = problem(40)
    found = kernel_flow(gram, labels, most_steps=3)
    assert found.steps == 3
    assert found.fitted < 1


def test_support_vectors_of_four_points_by_hand():
    x = t.tensor([[-2.0], [-1.0], [1.0], [2.0]], dtype=t.float64)
    found = support_vectors(x @ x.T, t.tensor([-1.0, -1.0, 1.0, 1.0]))
    # margin one at -1 and 1
    np.testing.assert_allclose(found.weights, [0, -0.5, 0.5, 0], atol=1e-9)
    assert found.offset == pytest.approx(0, abs=1e-9)
    assert found.support.tolist() == [1, 2]
    assert found(x @ x.T).tolist() == pytest.approx(x[:, 0].tolist())


def test_both_fit_all_points_and_agree_where_labels_are_plain():
    gram, labels, x = problem(150)
    new = t.randn(2000, 2, dtype=t.float64, generator=t.Generator().manual_seed(2))
    kernel, truth = analytic_tangent_gram(new, x), new[:, 0] > 0
    for learn in (kernel_flow, support_vectors):
        found = learn(gram, labels)
        assert found.fitted == 1
        assert ((found(gram) > 0) == (labels > 0)).all()
        assert ((found(kernel) > 0) != truth).double().mean() < 0.06


@pytest.mark.parametrize(
    ("gram", "labels", "options", "named"),
    [
        (t.zeros(2, 3), t.ones(2), {}, "gram"),
        (t.full((2, 2), t.nan), t.ones(2), {}, "gram"),
        (t.eye(2), t.ones(3), {}, "labels"),
        (t.eye(2), t.ones(2), {}, "labels"),
        (t.eye(2), t.tensor([0.0, 1.0]), {}, "labels"),
        (t.zeros(2, 2), t.tensor([-1.0, 1.0]), {}, "gram"),
        (t.eye(2), t.tensor([-1.0, 1.0]), {"moving": 1.0}, "moving"),
        (t.eye(2), t.tensor([-1.0, 1.0]), {"most_steps": 0}, "most_steps"),
    ],
)
def test_bad_input_is_named(gram, labels, options, named):
    with pytest.raises(ValueError, match=f"^{named}"):
        kernel_flow(gram, labels, **options)
