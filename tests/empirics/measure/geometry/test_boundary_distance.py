"""Tests of the distance to the decision boundary: known ones, and infinity, never NaN, where nothing leads to it."""

from __future__ import annotations

import pytest
import torch as t
from torch import nn

from empirics import measure

EPS = t.finfo(t.float64).eps
X = t.tensor([[0.3, -0.7], [1.0, 0.2], [-2.0, 1.0]], dtype=t.float64)


def test_exact_for_an_affine_classifier():
    t.manual_seed(0)
    net, x = nn.Linear(5, 3).double(), t.randn(7, 5, dtype=t.float64)
    weight, gaps = net.weight.detach(), []
    for lead in net(x).detach():
        c = int(lead.argmax())
        others = [k for k in range(3) if k != c]
        gaps.append(min((lead[c] - lead[k]) / (weight[c] - weight[k]).norm() for k in others))
    t.testing.assert_close(measure.boundary_distance(net, x), t.stack(gaps), rtol=1e-9, atol=0)


def test_on_a_circle():
    def inside_or_outside(x):
        return t.stack([1 - x.square().sum(dim=1), x.square().sum(dim=1) - 1], dim=1)

    x = t.tensor([[0.5, 0.0], [0.0, 2.0], [0.6, 0.7]], dtype=t.float64)
    found = measure.boundary_distance(inside_or_outside, x)
    t.testing.assert_close(found, (x.norm(dim=1) - 1).abs(), rtol=1e-9, atol=0)


def test_refusals():
    with pytest.raises(ValueError, match="classifier: gives 1 logit"):
        measure.boundary_distance(nn.Linear(2, 1), X)
    with pytest.raises(ValueError, match="steps: got 0"):
        measure.boundary_distance(nn.Linear(2, 2), X, steps=0)
    with pytest.raises(TypeError, match=r"steps: got 1\.0"):
        measure.boundary_distance(nn.Linear(2, 2), X, steps=1.0)


def dead():
    """Constant around all points: no neuron is active."""
    net = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 3))
    with t.no_grad():
        net[0].bias.fill_(-100.0)
    return net


def parallel(x):
    """Logits that never cross: all gradients are the same."""
    return t.stack([x[:, 0], x[:, 0] + 1], 1)


def faint(x):
    """Boundaries at 1e300: the first step leaves where the second logit is a number."""
    return t.stack([x[:, 0].abs() * 0 + 1, 1e-300 * x[:, 0] ** 2 * x[:, 1] ** 2], 1)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "classifier", [dead(), parallel, faint], ids=["dead", "parallel", "faint"]
)
def test_infinite_where_no_other_class_is_found(classifier):
    assert t.isposinf(measure.boundary_distance(classifier, X)).all()


@pytest.mark.slow
def test_logits_that_are_parallel_to_rounding_never_cross():
    """Gradients that differ in their last bits point to a boundary at 1e16, which is none."""
    row = t.tensor([0.1, 0.7], dtype=t.float64)
    for scale in (1.0, 3.0, 1e-20):
        for moved in (-2, 1, 2):
            weights = scale * t.stack(
                [row, row * (1 + moved * EPS * t.tensor([1.0, -1.0]).double())]
            )
            found = measure.boundary_distance(
                lambda x, w=weights, s=scale: x @ w.T + s * t.tensor([0.0, 1.0]), X
            )
            assert t.isposinf(found).all()


@pytest.mark.parametrize("moved", [-2, 0, 2])
def test_of_two_boundaries_equally_near_the_first_class_is_taken(moved):
    """Symmetric about the point but for rounding: to the right lies class 1, to the left class 2, which bends away."""

    def classifier(x):
        right = 1 + moved * EPS
        return t.stack([0 * x[:, 0], right * x[:, 0] - 1, -x[:, 0] - 1 - 5 * x[:, 0] ** 3], 1)

    found = measure.boundary_distance(classifier, t.zeros(1, 2, dtype=t.float64))
    assert float(found) == pytest.approx(1, rel=1e-12)


def test_points_that_find_nothing_do_not_disturb_the_others():
    """Beyond x = 0 a step in the logits is out of sight of gradients; before it, the boundary is at x = -1."""

    def classifier(x):
        lead = t.where(x[:, 0] < 0, x[:, 0] + 1, t.ones_like(x[:, 0]))
        return t.stack([lead, 0 * lead], 1)

    found = measure.boundary_distance(
        classifier, t.tensor([[-0.4, 0.0], [2.0, 0.0]], dtype=t.float64)
    )
    assert found[0] == pytest.approx(0.6, rel=1e-12)
    assert t.isposinf(found[1])
