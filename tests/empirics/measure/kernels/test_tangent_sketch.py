"""The tangent kernel by random projections of the outputs, against the exact one."""

import numpy as np
import pytest
import torch
from torch import nn

from empirics import measure
from tests import architectures


def spectrum(gram):
    values = np.linalg.eigvalsh(gram).clip(0)
    return np.array(
        [
            values.sum() / len(gram),
            values[-1] / values.sum(),
            values.sum() ** 2 / np.square(values).sum(),
        ]
    )


def network(seed, outputs=12):
    torch.manual_seed(seed)
    act = (nn.Tanh(), nn.ReLU(), nn.GELU())[seed % 3]
    return nn.Sequential(
        nn.Linear(6, 24), act, nn.Linear(24, 24), act, nn.Linear(24, outputs)
    ).double()


def covered(seeds):
    """Whether the interval of each number of each network contains the exact value, ``[network, number]``."""
    found = []
    for seed in seeds:
        model = network(seed)
        x = torch.randn(15, 6, dtype=torch.float64)
        exact = spectrum(measure.neural_tangent_gram(model, x).numpy())
        _, low, high = measure.neural_tangent_sketch(model, x, seed=seed).interval(spectrum)
        found.append((low <= exact) & (exact <= high))
    return np.array(found)


@pytest.mark.slow
def test_estimates_have_no_bias_and_intervals_hold_on_a_few_networks():
    model, x = (
        network(0),
        torch.randn(10, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64),
    )
    exact = measure.neural_tangent_gram(model, x)
    found = measure.neural_tangent_sketch(model, x, projections=400)
    error = found.grams.std(0) / 20
    assert ((found.gram - exact).abs() < 5 * error + 1e-9).all()
    assert covered(range(12)).mean() > 0.8


@pytest.mark.slow
def test_intervals_hold_for_two_hundred_networks():
    """95 %, up to two standard errors of 200 networks on the lower side."""
    assert (covered(range(200)).mean(0) > 0.95 - 2 * 0.0154).all()


def test_a_single_output_is_exact():
    model, x = network(1, outputs=1), torch.randn(5, 6, dtype=torch.float64)
    found = measure.neural_tangent_sketch(model, x)
    assert found.is_exact
    assert torch.equal(found.gram, measure.neural_tangent_gram(model, x))
    value, low, high = found.interval(spectrum)
    assert (value == low).all()
    assert (value == high).all()


def test_the_kernel_of_all_layers_at_once_is_that_of_blocks_of_points():
    """With little memory, gradients are computed block by block."""
    torch.manual_seed(0)
    for model, x in [
        (architectures.ConvNeXt().eval(), torch.randn(4, 3, 32, 32)),
        (architectures.GPT(), torch.randint(0, 11, (4, 6))),
    ]:
        whole = measure.neural_tangent_gram(model, x, memory="4GiB")
        parts = measure.neural_tangent_gram(model, x[:2], x[2:], memory="4GiB")
        assert torch.equal(whole, whole.T)
        assert torch.allclose(whole[:2, 2:], parts, rtol=1e-9, atol=1e-9 * float(whole.max()))


def test_as_many_projections_as_outputs_are_exact_where_these_are_a_power_of_two():
    model, x = network(2, outputs=8), torch.randn(5, 6, dtype=torch.float64)
    found = measure.neural_tangent_sketch(model, x, projections=8)
    assert torch.allclose(found.gram, measure.neural_tangent_gram(model, x), rtol=1e-10)
    assert not found.is_exact


@pytest.mark.parametrize("projections", [1, 0, 2.5])
def test_bad_numbers_of_projections(projections):
    with pytest.raises((TypeError, ValueError), match="projections: got"):
        measure.neural_tangent_sketch(network(0), torch.randn(3, 6), projections=projections)


@pytest.mark.parametrize("x", [3, 0.5, [], [[]], np.ones(6), np.ones((2, 7)), np.ones((2, 6)) > 0])
def test_bad_points(x):
    with pytest.raises((TypeError, ValueError), match=r"x: got|the points x"):
        measure.neural_tangent_sketch(network(0), x)


def test_points_in_a_list_may_have_gradients():
    points = [torch.ones(6, requires_grad=True, dtype=torch.float64)] * 2
    assert torch.equal(
        measure.neural_tangent_gram(network(0), points)[0, :1].sign(), torch.ones(1).double()
    )
