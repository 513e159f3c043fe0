"""Tests of the neuron vector, the point of a neuron's hyperplane that is nearest to the origin."""

import math

import pytest
import torch

from empirics.measure import neuron_vectors


def test_it_lies_on_the_hyperplane_and_along_the_weights():
    generator = torch.Generator().manual_seed(0)
    weights = torch.randn(3, 7, 4, generator=generator, dtype=torch.float64)
    biases = torch.randn(3, 7, generator=generator, dtype=torch.float64)
    z = neuron_vectors(weights, biases)
    on = (weights * z).sum(-1) / math.sqrt(4) + biases
    torch.testing.assert_close(on, torch.zeros_like(on), rtol=0, atol=1e-13)
    cosine = torch.nn.functional.cosine_similarity(z, weights, dim=-1).abs()
    torch.testing.assert_close(cosine, torch.ones_like(cosine), rtol=1e-12, atol=0)


@pytest.mark.parametrize(
    ("weights", "biases"),
    [
        (torch.ones(3), torch.ones(3)),
        (torch.ones(2, 3), torch.ones(3)),
        (torch.zeros(2, 3), torch.ones(2)),
        (torch.full((2, 3), math.nan), torch.ones(2)),
        (torch.ones(2, 3), torch.full((2,), math.inf)),
    ],
)
def test_bad_input(weights, biases):
    with pytest.raises(ValueError, match=r"weights|biases"):
        neuron_vectors(weights, biases)
