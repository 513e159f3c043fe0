"""Tests of the flow with points that slide along the margin, against tiny steps of the definition."""

import numpy as np
import pytest
import torch

from empirics.experiments import compression
from empirics.experiments.compression.run import start
from empirics.training.hinge_flow import HingeFlow
from empirics.training.sliding_flow import SlidingFlow, box_minimum
from tests.empirics.training.test_hinge_flow import advance, by_autograd, problem


@pytest.mark.slow
def test_against_autograd_with_tiny_steps():
    data = problem(1, points=200, width=50)
    flow = SlidingFlow(*data, alpha=1.0, moving=0.03)
    advance(flow, 6.0)
    margins = by_autograd(*(each[0] for each in data), 1.0, "hinge", 6.0, 2500)
    assert float((flow.margins[0] - margins).abs().max()) < 0.02
    for _ in range(5):
        flow.step()
    sliding = (flow.multipliers > 0) & (flow.multipliers < 1)
    assert int(sliding.sum()) > 0
    assert float((flow.margins[sliding] - 1).abs().max()) < 1e-3


@pytest.mark.parametrize("seed", range(20))
def test_the_minimum_in_the_box(seed):
    """Where the gradient is zero, or points out of the box; of regular and singular matrices."""
    generator = np.random.default_rng(seed)
    factor = generator.normal(size=(12, 12 if seed % 2 else 5))
    matrix, vector = factor @ factor.T, 3 * generator.normal(size=12)
    found = box_minimum(matrix, vector, np.zeros(12))
    gradient = matrix @ found + vector
    assert ((found >= 0) & (found <= 1)).all()
    assert (
        np.abs(
            np.where(
                found <= 0,
                np.minimum(gradient, 0),
                np.where(found >= 1, np.maximum(gradient, 0), gradient),
            )
        ).max()
        < 1e-6
    )


def test_a_point_apart_from_the_margin_is_pulled_as_before():
    data = problem(2)
    flows = [kind(*data, alpha=1e-3) for kind in (HingeFlow, SlidingFlow)]
    for flow in flows:
        for _ in range(20):
            flow.step()
    assert float(flows[0].margins.max()) < 0.9
    assert torch.equal(flows[0].hidden, flows[1].hidden)


def test_a_state_is_continued_to_the_last_bit():
    flow, other = (SlidingFlow(*problem(1), alpha=0.1) for _ in range(2))
    advance(flow, 3.0)
    other.restore(
        {
            name: value.clone() if torch.is_tensor(value) else value
            for name, value in flow.state().items()
        }
    )
    for each in (flow, other):
        for _ in range(30):
            each.step()
    assert torch.equal(flow.hidden, other.hidden)
    assert torch.equal(flow.multipliers, other.multipliers)


@pytest.mark.slow
def test_half_fitted_it_takes_ten_times_fewer_attempts():
    """The loss is that of the flow that chatters; from half of the points fitted to two thirds of them."""
    losses, attempts = [], []
    for sliding in (False, True):
        flow = start(
            compression.Config(points=300, width=400, seeds=1, dtype="float64", sliding=sliding)
        )
        advance(flow, 28.0)
        before = flow.attempts
        advance(flow, 40.0)
        losses.append(float(flow.mean_loss))
        attempts.append(flow.attempts - before)
    assert losses[1] == pytest.approx(losses[0], rel=2e-3)
    assert attempts[0] > 10 * attempts[1]


def test_the_option_keeps_the_hashes_of_stored_runs():
    assert "sliding" not in compression.Config().to_json()
    chosen = compression.Config(sliding=True)
    assert '"sliding": true' in chosen.to_json()
    assert type(chosen).from_json(chosen.to_json()) == chosen
    with pytest.raises(ValueError, match="sliding"):
        compression.Config(sliding=True, loss="soft_hinge")
