"""The training of the narrow network against the gradients of torch, one network at a time."""

import numpy as np
import pytest
import torch

from papers.vanrossem2024.ledger import settings
from papers.vanrossem2024.ledger.settings import (
    GAIN,
    HIDDEN,
    LEARNING_RATE,
    SETTINGS,
    SLOPE,
    WIDTH,
)


def outputs_by_autograd(seed, dx, dy, epochs):
    """Outputs at both points after gradient descent on half the mean squared error."""
    weights = [torch.tensor(w, requires_grad=True) for w in settings.initial(seed)]
    biases = [torch.zeros(len(w), 1, dtype=torch.float64, requires_grad=True) for w in weights]
    inputs, targets = (
        torch.tensor([pair], dtype=torch.float64) for pair in ((-1.0, -1.0 + dx), (0.6, 0.6 + dy))
    )

    def outputs():
        value = inputs
        for layer, (w, b) in enumerate(zip(weights, biases, strict=True)):
            value = w @ value + b
            if layer < HIDDEN:
                value = torch.nn.functional.leaky_relu(value, SLOPE)
        return value

    for _ in range(epochs):
        slopes = torch.autograd.grad(((outputs() - targets) ** 2).mean() / 2, [*weights, *biases])
        with torch.no_grad():
            for parameter, slope in zip([*weights, *biases], slopes, strict=True):
                parameter -= LEARNING_RATE * slope
    return outputs().detach().numpy()[0]


@pytest.mark.parametrize("setting", SETTINGS.values())
def test_training_is_gradient_descent(setting):
    found = settings.train(setting, seeds=2, epochs=20)
    expected = [outputs_by_autograd(seed, *setting, 20) for seed in range(2)]
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    assert np.abs(found - settings.train(setting, seeds=2, epochs=0)).max() > 1e-3


def test_weights_have_the_printed_gain():
    deviation = np.std([w for seed in range(3) for w in settings.initial(seed)[1:HIDDEN]])
    assert deviation == pytest.approx(GAIN / np.sqrt(WIDTH), rel=0.02)
