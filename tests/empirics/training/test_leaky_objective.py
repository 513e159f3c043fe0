"""Tests of the paper's cost and its gradient: against autograd, torch's loss, and identities at a critical point."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from empirics.networks.leaky_resnet import initial_nets
from empirics.training.leaky_objective import Objective


def problem(rng, bias=True, linear=False, mesh="irregular", learned=False):
    nets = initial_nets(
        seeds=[0, 1],
        depth=[1.5, 3.0],
        inputs=3,
        outputs=2,
        width=5,
        layers=4,
        bias=bias,
        linear=linear,
        mesh=mesh,
    )
    nets.weights += torch.from_numpy(rng.normal(size=nets.weights.shape))
    x, y = (
        torch.from_numpy(rng.normal(size=(2, 3, 7))),
        torch.from_numpy(rng.normal(size=(2, 2, 7))),
    )
    return Objective(nets, x, y, torch.tensor([0.1, 0.4]), learned_maps=learned)


@pytest.mark.parametrize("learned", [True, False])
@pytest.mark.parametrize("linear", [True, False])
@pytest.mark.parametrize("bias", [True, False])
def test_value_and_gradient_are_those_of_autograd(rng, bias, linear, learned):
    o = problem(rng, bias, linear, learned=learned)
    flat = o.flat().requires_grad_()
    nets = o.nets_at(flat)
    # torch's mean squared error is the cost here divided by the two outputs
    cost = (
        torch.stack(
            [torch.nn.functional.mse_loss(*pair) for pair in zip(nets(o.x), o.target, strict=True)]
        )
        * 2
    )
    size = (nets.rho[:, :, None, None] * nets.weights**2).sum((1, 2, 3))
    if learned:
        size = size + (nets.input_map**2).sum((1, 2)) + (nets.output_map**2).sum((1, 2))
    expected = cost + o.decay / (2 * nets.depth) * size
    (gradient,) = torch.autograd.grad(expected.sum(), flat)
    value, ours = o(flat.detach())
    np.testing.assert_allclose(value, expected.detach(), rtol=1e-13)
    np.testing.assert_allclose(ours, gradient, rtol=1e-11, atol=1e-14)


def test_momenta_are_derivatives_of_the_cost_by_representations(rng):
    """B = -(1/λ) dC/dA, by finite differences through the rest of the network."""
    o = problem(rng)
    nets, done = o.nets, o.propagate(o.nets)
    direction = torch.from_numpy(rng.normal(size=(2, 5, 7)))
    for node in (0, 2, 4):
        costs = []
        for h in (1e-6, -1e-6):
            a = done.path[node] + h * direction
            for layer in range(node, 4):
                rho, depth = nets.rho[:, layer, None, None], nets.depth[:, None, None]
                s = torch.cat([a.clamp_min(0), torch.ones(2, 1, 7)], 1)
                a = (1 - rho * depth) * a + rho * (nets.weights[:, layer] @ s)
            costs.append((nets.output_map @ a - o.target).square().sum((1, 2)) / 7)
        slope = (costs[0] - costs[1]) / 2e-6
        np.testing.assert_allclose(
            -o.decay * (done.momenta[node] * direction).sum((1, 2)), slope, rtol=1e-6
        )


def test_bad_values_are_refused(rng):
    o = problem(rng)
    with pytest.raises(ValueError, match="decay: got"):
        Objective(o.nets, o.x, o.target, torch.tensor([0.1, -0.1]))
    with pytest.raises(ValueError, match="x: got shape"):
        Objective(o.nets, o.x[:, :2], o.target, o.decay)
    with pytest.raises(ValueError, match="target: got 6 points"):
        Objective(o.nets, o.x, o.target[..., :6], o.decay)
    with pytest.raises(ValueError, match="x: got values that are not finite"):
        Objective(o.nets, o.x * torch.nan, o.target, o.decay)


def test_residual_measures_the_weights_against_the_momenta(rng):
    o = problem(rng)
    done = o.propagate(o.nets)
    expected = []
    for i in range(2):
        off = size = 0.0
        for layer in range(4):
            s = np.vstack([np.maximum(done.path[layer][i].numpy(), 0), np.ones((1, 7))])
            w = o.nets.weights[i, layer].numpy()
            rho, depth = float(o.nets.rho[i, layer]), float(o.nets.depth[i])
            off += rho * np.sum((w - depth * done.momenta[layer + 1][i].numpy() @ s.T) ** 2)
            size += rho * np.sum(w**2)
        expected.append(np.sqrt(off / size))
    np.testing.assert_allclose(o.residual(done, o.nets), expected, rtol=1e-12)


@pytest.mark.parametrize("bias", [True, False])
def test_smoothed_gradient_is_that_of_autograd(rng, bias):
    o = problem(rng, bias)
    o.smoothing = torch.from_numpy(rng.uniform(0.1, 1.0, size=(2, 4)))
    flat = o.flat().requires_grad_()
    nets = o.nets_at(flat)
    a = nets.input_map @ o.x
    for layer in range(4):
        rho, depth, width = (
            v[:, None, None] for v in (nets.rho[:, layer], nets.depth, o.smoothing[:, layer])
        )
        s = (a + (a**2 + width**2).sqrt()) / 2
        s = torch.cat([s, torch.ones(2, 1, 7)], 1) if bias else s
        a = (1 - rho * depth) * a + rho * (nets.weights[:, layer] @ s)
    cost = (nets.output_map @ a - o.target).square().sum((1, 2)) / 7
    expected = cost + o.decay / (2 * nets.depth) * (
        nets.rho[:, :, None, None] * nets.weights**2
    ).sum((1, 2, 3))
    (gradient,) = torch.autograd.grad(expected.sum(), flat)
    value, ours = o(flat.detach())
    np.testing.assert_allclose(value, expected.detach(), rtol=1e-13)
    np.testing.assert_allclose(ours, gradient, rtol=1e-10, atol=1e-13)
    wide = value
    o.smoothing = 1e-9 * o.smoothing
    rounded, _ = o(flat.detach())
    o.smoothing = None
    sharp, _ = o(flat.detach())
    np.testing.assert_allclose(rounded, sharp, rtol=1e-8)
    assert not np.allclose(wide, sharp, rtol=1e-3)
