"""The volume element by Lanczos quadrature and random probes, against the exact one."""

import numpy as np
import pytest
import torch
from torch import nn

from empirics import measure
from empirics.measure.models.layer_outputs import part_up_to
from tests import architectures


def network(seed):
    torch.manual_seed(seed)
    act = (nn.Tanh(), nn.GELU())[seed % 2]
    end = [nn.ReLU()] if seed % 4 > 1 else []  # dead units at the end
    return nn.Sequential(nn.Linear(40, 60), act, nn.Linear(60, 60), act, nn.Linear(60, 30), *end)


def covered(seeds):
    """Whether the interval at each point of each network contains the exact volume and rank, ``[network, point]``."""
    found = []
    for seed in seeds:
        model = network(seed)
        x = torch.randn(4, 40)
        exact = measure.nonsingular_volume(model, x)
        sketch = measure.volume_sketch(model, x, seed=seed, steps=12)
        assert torch.allclose(sketch.rank, exact.rank.double())
        found.append(((sketch.log_volume - exact.log_volume).abs() <= sketch.error).numpy())
    return np.array(found)


@pytest.mark.slow
def test_intervals_hold_on_a_few_networks():
    assert covered(range(12)).mean() > 0.8


@pytest.mark.slow
def test_intervals_hold_for_two_hundred_networks():
    """95 %, up to two standard errors of 200 networks on the lower side."""
    assert covered(range(200)).mean() > 0.95 - 2 * 0.0154


@pytest.mark.parametrize("narrow", [pytest.param(True, marks=pytest.mark.slow), False])
def test_as_many_steps_as_features_leave_the_error_of_the_probes(narrow):
    torch.manual_seed(0)
    model = network(0) if narrow else nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 9))
    x = torch.randn(
        3 if narrow else 2, 40 if narrow else 5, generator=torch.Generator().manual_seed(0)
    )
    exact = measure.nonsingular_volume(model, x)
    probes, steps = (200, 40) if narrow else (60, 12)
    found = measure.volume_sketch(model, x, probes=probes, steps=steps)
    assert (found.truncation == 0).all()
    assert ((found.log_volume - exact.log_volume).abs() < 2 * found.error).all()
    assert torch.allclose(found.typical, exact.typical, rtol=0.05)
    assert (found.rank == exact.rank).all()


@pytest.mark.slow
def test_a_convolutional_network_of_more_features_than_steps():
    torch.manual_seed(0)
    features = part_up_to(architectures.ResNet(width=8).eval(), "penultimate")
    x = torch.randn(3, 3, 32, 32)
    exact, found = measure.nonsingular_volume(features, x), measure.volume_sketch(features, x)
    assert ((found.log_volume - exact.log_volume).abs() <= found.error).all()


def test_little_memory_is_refused_and_enough_for_a_point_suffices():
    model, x = network(1), torch.randn(5, 40)
    with pytest.raises(ValueError, match="memory: got 1 KiB, needs at least"):
        measure.volume_sketch(model, x, memory="1KiB")
    some, all_at_once = (
        measure.volume_sketch(model, x[:1], memory=size) for size in ("64KiB", "1GiB")
    )
    assert torch.equal(some.log_volumes, all_at_once.log_volumes)
