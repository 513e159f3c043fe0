"""Tests of the derivatives used in backpropagation against autograd."""

from __future__ import annotations

import pytest
import torch

from empirics.networks.activations import ACTIVATIONS, activation, leaky_relu

ROUNDING = 1e-14  # a few operations in float64


@pytest.mark.parametrize("phi", [*ACTIVATIONS.values(), leaky_relu(0.3), leaky_relu(0.0)], ids=lambda phi: phi.name)
def test_pull_back_is_autograds_gradient(phi):
    z = torch.linspace(-3, 3, 40, dtype=torch.float64, requires_grad=True)  # an even number of points: none at a kink
    gradient = torch.linspace(1, 2, 40, dtype=torch.float64)
    h = phi.function(z)
    (expected,) = torch.autograd.grad(h, z, gradient)
    kept = z if phi.keeps_input else h
    torch.testing.assert_close(phi.pull_back(gradient, kept.detach()), expected, rtol=ROUNDING, atol=ROUNDING)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("leaky_relu", -0.02), ("relu", 0.0), ("elu", -0.8646647167633873), ("tanh", -0.9640275800758169),
     ("swish", -0.2384058440442351), ("linear", -2.0)],
)  # fmt: skip
def test_values_at_minus_two(name, expected):
    value = activation(name).function(torch.tensor(-2.0, dtype=torch.float64))
    assert float(value) == pytest.approx(expected, rel=ROUNDING, abs=0)


def test_unknown_name_lists_the_known():
    with pytest.raises(ValueError, match=r"nonlinearity: got 'gelu', needs one of leaky_relu, relu"):
        activation("gelu")
