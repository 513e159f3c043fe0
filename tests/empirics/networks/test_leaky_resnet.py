"""Tests of Leaky ResNets: seeds do not depend on the batch, and a batch computes the results of its single modules."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from empirics.networks.leaky_resnet import initial_nets, single, stretched

SIZE = {"inputs": 3, "outputs": 2, "width": 5, "layers": 4}
ROUNDING = 1e-13


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("linear", [True, False])
@pytest.mark.parametrize("mesh", ["equidistant", "irregular"])
def test_batch_is_its_modules_and_the_printed_recursion(bias, linear, mesh, rng):
    nets = initial_nets(
        seeds=[4, 7], depth=[1.5, 3.0], bias=bias, linear=linear, mesh=mesh, **SIZE
    )
    nets.weights += torch.from_numpy(rng.normal(size=nets.weights.shape))  # biases start at zero
    x = torch.from_numpy(rng.normal(size=(2, 3, 6)))
    out = nets(x)
    for i, depth in enumerate((1.5, 3.0)):
        a = nets.input_map[i].numpy() @ x[i].numpy()
        for rho, w in zip(nets.rho[i].numpy(), nets.weights[i].numpy(), strict=True):
            s = a if linear else np.maximum(a, 0)
            s = np.vstack([s, np.ones((1, 6))]) if bias else s
            a = (1 - rho * depth) * a + rho * w @ s
        np.testing.assert_allclose(
            out[i], nets.output_map[i].numpy() @ a, rtol=1e-11, atol=ROUNDING
        )
        module = single(nets, i)
        np.testing.assert_allclose(module(x[i].T).detach().T, out[i], rtol=1e-11, atol=ROUNDING)


def test_seed_is_the_same_network_in_every_batch():
    both = initial_nets(seeds=[3, 8], depth=2.0, **SIZE)
    alone = initial_nets(seeds=[8], depth=2.0, **SIZE)
    for name in ("weights", "input_map", "output_map"):
        assert torch.equal(getattr(both, name)[1], getattr(alone, name)[0])
    assert not torch.equal(both.weights[0], both.weights[1])


def test_maps_are_isometries():
    nets = initial_nets(seeds=[1], depth=2.0, **SIZE)
    torch.testing.assert_close(
        nets.input_map[0].T @ nets.input_map[0], torch.eye(3, dtype=torch.float64)
    )
    torch.testing.assert_close(
        nets.output_map[0] @ nets.output_map[0].T, torch.eye(2, dtype=torch.float64)
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seeds": []}, "seeds: got none"),
        ({"width": 2}, "width: got 2, needs an integer of at least 3"),
        ({"depth": -1.0}, "depth: got -1.0, needs positive"),
        ({"depth": float("nan")}, "depth: got nan"),
        ({"gain": -1.0}, "gain: got -1.0"),
        ({"inputs": 0}, "inputs: got 0"),
    ],
)
def test_bad_values_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        initial_nets(**({"seeds": [0], "depth": 1.0, **SIZE} | change))


def test_index_out_of_the_batch():
    with pytest.raises(IndexError, match="index: got 1, needs 0 <= index < 1"):
        single(initial_nets(seeds=[0], depth=1.0, **SIZE), 1)


def test_stretched_networks_keep_both_ends_and_repeat_the_middle():
    nets = initial_nets(seeds=[4], depth=2.0, inputs=3, outputs=2, width=5, layers=9)
    nets.weights[:] = torch.arange(9.0)[:, None, None]
    longer, same = stretched(nets, 1.5 * nets.depth), stretched(nets, nets.depth)
    torch.testing.assert_close(same.weights, nets.weights)
    layers = [0, 2, 3, 4, 4, 4, 5, 6, 8]  # those 3/4, 9/4, 15/4, ... layers from the nearer end
    torch.testing.assert_close(
        longer.weights[0, :, 0, 0], 1.5 * torch.tensor(layers, dtype=torch.float64)
    )
    assert longer.depth.tolist() == [3.0]
    assert longer.input_map is nets.input_map
