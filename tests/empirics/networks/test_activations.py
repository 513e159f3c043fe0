"""Tests of the derivatives used in backpropagation against autograd."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
import torch

from empirics.networks.activations import PULL_BACKS, activation
from empirics.networks.functions import from_callable

ROUNDING = 1e-14  # a few operations in float64


@pytest.mark.parametrize(
    "name", [*PULL_BACKS, "leaky_relu(0.3)", "leaky_relu(0)", "leaky_relu(-1/2)", "hermite_3"]
)
def test_pull_back_is_autograds_gradient(name):
    phi = activation(name)
    # an even number of points: none at a kink
    z = torch.linspace(-3, 3, 40, dtype=torch.float64, requires_grad=True)
    gradient = torch.linspace(1, 2, 40, dtype=torch.float64)
    h = phi.function(z)
    (expected,) = torch.autograd.grad(h, z, gradient)
    kept = z if phi.keeps_input else h
    torch.testing.assert_close(
        phi.pull_back(gradient, kept.detach()), expected, rtol=ROUNDING, atol=ROUNDING
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [("leaky_relu", -0.02), ("relu", 0.0), ("elu", -0.8646647167633873), ("tanh", -0.9640275800758169),
     ("swish", -0.2384058440442351), ("linear", -2.0)],
)  # fmt: skip
def test_values_at_minus_two(name, expected):
    value = activation(name).function(torch.tensor(-2.0, dtype=torch.float64))
    assert float(value) == pytest.approx(expected, rel=ROUNDING, abs=0)


def test_the_last_bits_may_depend_on_how_many_numbers_there_are():
    """As in torch's ELU on processors that compute four numbers at a time; what depends on the others is refused."""
    for tiny, is_taken in ((2**-52, True), (1e-9, False)):
        function = lambda z, tiny=tiny: torch.tanh(z) * (1 + tiny * (len(z) > 3))  # noqa: E731
        with (
            nullcontext()
            if is_taken
            else pytest.raises(ValueError, match="depend on other entries")
        ):
            from_callable("activation", function)
