"""Tests of the hand-written backward pass against autograd, for one step and for a whole training."""

from __future__ import annotations

import pytest
import torch

from empirics import networks
from empirics.experiments import two_point
from empirics.networks.activations import PULL_BACKS
from empirics.training import Backpropagation, train

ROUNDING = 1e-12  # relative to the largest entry; a few hundred float64 operations
STEPS = 30


def config(**changes):
    base = {
        "depth": 4,
        "width": 15,
        "seeds": 3,
        "epochs": STEPS,
        "dtype": "float64",
        "learning_rate": 0.02,
        "gain": 1.2,
    }
    return two_point.Config(**(base | changes))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("activation", [*PULL_BACKS, "gelu", "sin"])
@pytest.mark.parametrize("dimensions", [(1, 1), (3, 2)], ids=str)
def test_every_step_is_autograds(activation, dimensions):
    inputs, outputs = dimensions
    c = config(activation=activation, inputs=inputs, outputs=outputs)
    by_hand, oracle = two_point.trainer(c, by_hand=True), two_point.trainer(c, by_hand=False)
    for _ in range(STEPS):
        for trainer in (by_hand, oracle):
            trainer.observe()
            trainer.update()
    for mine, theirs in zip(by_hand.parameters, oracle.parameters, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            torch.testing.assert_close(
                a, b.detach(), rtol=0, atol=ROUNDING * float(b.detach().abs().max())
            )
    start = networks.initial_weights(c.network(), c.gain, c.seed_numbers)
    moved = (by_hand.parameters[1][0] - start[1][0]).abs().max()
    assert moved > 1e-3  # they did train


def test_more_than_two_points(rng):
    net = networks.build(
        "fully_connected", inputs=2, outputs=1, width=6, depth=2, activation="tanh"
    )
    x, y = torch.from_numpy(rng.normal(size=(5, 2))), torch.from_numpy(rng.normal(size=(5, 1)))
    parameters = networks.initial_weights(net, 1.0, [0])
    before = [w.clone().requires_grad_() for w, _ in parameters]
    biases = [b.clone() for _, b in parameters]
    loss = (
        net.forward(list(zip(before, biases, strict=True)), x.unsqueeze(0))[1] - y
    ).square().sum(-1).mean() / 2
    gradients = torch.autograd.grad(loss, before)
    trainer = Backpropagation(net, parameters, x, y, 0.1)
    trainer.observe()
    trainer.update()
    for (w, _), old, gradient in zip(parameters, before, gradients, strict=True):
        torch.testing.assert_close(w, old.detach() - 0.1 * gradient, rtol=ROUNDING, atol=ROUNDING)


def test_records_agree_over_a_training():
    c = config(epochs=400)
    mine, theirs = (
        train(two_point.trainer(c, by_hand=h), c.epochs, (1, 3), progress=False)
        for h in (True, False)
    )
    # 400 steps of a stable descent keep rounding differences small
    assert abs(mine.dh2 - theirs.dh2).max() < 1e-11
    assert abs(mine.outputs - theirs.outputs).max() < 1e-11


@pytest.mark.parametrize("name", ["skip", "dropout", "convolution"])
def test_other_architectures_are_refused(name):
    net = networks.build(name, width=5, depth=3)
    x, y = two_point.Config().data()
    with pytest.raises(TypeError, match="architecture: got"):
        Backpropagation(net, networks.initial_weights(net, 1.0, [0]), x, y, 0.1)
