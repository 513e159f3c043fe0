"""Tests of every architecture against a naive implementation for one seed and one point at a time."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional

from empirics import networks

ROUNDING = 1e-12  # sums over at most a few hundred terms in float64, in another order
KINDS = ("fully_connected", "convolution", "skip", "dropout")


def small(name, **options):
    sizes = {
        "inputs": 2,
        "outputs": 3,
        "width": 12,
        "depth": 5,
        "channels": 4,
        "kernel": 5,
        "activation": "tanh",
    }
    return networks.build(name, **(sizes | options))


def twin(name, net, parameters, seed, point):
    """Hidden layers and output of one network at one point, by loops and torch's own layers."""
    h, hidden = point, []
    for l, (weight, bias) in enumerate(parameters[:-1], start=1):
        w, b = weight[seed], bias[seed, 0]
        if name == "convolution" and l > 1:
            channels = 1 if l == 2 else net.channels
            kernel = torch.stack(
                [w[:, o].reshape(channels, net.kernel) for o in range(net.channels)]
            )
            z = functional.conv1d(
                h.reshape(-1, channels).T, kernel, b, padding=net.kernel // 2
            ).T.flatten()
        else:
            z = torch.stack([(h * w[:, j]).sum() + b[j] for j in range(w.shape[1])])
        h = torch.tanh(z)
        if name == "skip" and l >= 3:
            h = h + hidden[l - 3]
        hidden.append(h)
    weight, bias = parameters[-1]
    return hidden, h @ weight[seed] + bias[seed, 0]


@pytest.mark.parametrize("name", KINDS)
def test_forward_is_the_naive_twins(name, rng):
    net = small(name)
    parameters = networks.initial_weights(net, 1.3, [0, 1, 2])
    for _, bias in parameters:
        bias.copy_(torch.from_numpy(rng.normal(size=bias.shape)))
    x = torch.from_numpy(rng.normal(size=(2, 2)))
    hidden, output = net.forward(parameters, x.expand(3, 2, 2))
    assert len(hidden) == net.depth
    for seed in range(3):
        for point in range(2):
            expected_hidden, expected = twin(name, net, parameters, seed, x[point])
            torch.testing.assert_close(output[seed, point], expected, rtol=ROUNDING, atol=ROUNDING)
            for h, expected_h in zip(hidden, expected_hidden, strict=True):
                torch.testing.assert_close(
                    h[seed, point].flatten(), expected_h, rtol=ROUNDING, atol=ROUNDING
                )


@pytest.mark.parametrize("name", KINDS)
def test_module_is_that_network_of_the_batch(name, rng):
    net = small(name)
    parameters = networks.initial_weights(net, 1.0, [3, 4])
    x = torch.from_numpy(rng.normal(size=(6, 2)))
    module = networks.single(net, parameters, 1).eval()
    _, output = net.forward(parameters, x.expand(2, 6, 2))
    torch.testing.assert_close(module(x), output[1], rtol=ROUNDING, atol=ROUNDING)
    assert [n for n, _ in module.named_children()] == ["hidden", "readout"]
    with pytest.raises(IndexError, match="index: got 2"):
        networks.single(net, parameters, 2)


def test_module_owns_its_parameters():
    net = small("fully_connected")
    parameters = networks.initial_weights(net, 1.0, [0])
    module = networks.single(net, parameters)
    with torch.no_grad():
        module.readout.weight.zero_()
    assert parameters[-1][0].abs().min() > 0


def test_dropout_masks_have_the_right_mean_and_value():
    net = small("dropout", dropout=0.25, width=400)
    generators = [torch.Generator().manual_seed(s) for s in range(50)]
    masks = torch.cat(
        [m.flatten() for m in net.masks(generators, torch.zeros(1, 2, 2, dtype=torch.float64))]
    )
    assert set(masks.unique().tolist()) == {0.0, 1 / 0.75}
    standard_error = math.sqrt(0.25 * 0.75 / len(masks)) / 0.75
    # fails by chance in 1 of 16,000; the draws are fixed
    assert abs(float(masks.mean()) - 1) < 4 * standard_error


def test_dropout_without_probability_is_the_plain_network(rng):
    net, plain = small("dropout", dropout=0.0), small("fully_connected")
    parameters = networks.initial_weights(net, 1.0, [0, 1])
    x = torch.from_numpy(rng.normal(size=(1, 2, 2))).expand(2, 2, 2)
    masks = net.masks([torch.Generator(), torch.Generator()], x)
    assert torch.equal(
        net.forward_with_noise(parameters, x, masks), plain.forward(parameters, x)[1]
    )


def test_dropout_module_is_noisy_in_training_only(rng):
    net = small("dropout", dropout=0.5)
    module = networks.single(net, networks.initial_weights(net, 1.0, [0]))
    x = torch.from_numpy(rng.normal(size=(1, 2)))
    torch.manual_seed(0)
    assert not torch.equal(module(x), module(x))
    module.eval()
    assert torch.equal(module(x), module(x))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [({"depth": 0}, "depth"), ({"width": -1}, "width"), ({"kernel": 4}, "kernel: got 4, needs an odd"),
     ({"dropout": 1.0}, "dropout"), ({"activation": "sine"}, "activation")],
)  # fmt: skip
def test_impossible_sizes_are_refused(change, complaint):
    with pytest.raises(ValueError, match=complaint):
        small("dropout" if "dropout" in change else "convolution", **change)


def test_unknown_architecture():
    with pytest.raises(ValueError, match="architecture: got 'transformer'"):
        networks.build("transformer")
