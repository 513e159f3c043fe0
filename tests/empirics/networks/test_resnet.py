"""Tests of residual networks: published sizes, one activation throughout, and features with measurable geometry."""

from __future__ import annotations

import pytest
import torch as t
from torch import nn

from empirics import measure
from empirics.networks.activations import Elementwise
from empirics.networks.resnet import resnet

# weights of the CIFAR form with 10 classes, without the readout's share of other data sets: well-known counts
PARAMETERS = {18: 11_173_962, 34: 21_282_122, 50: 23_520_842, 101: 42_512_970}


@pytest.mark.parametrize(
    ("depth", "features"),
    [
        (18, 512),
        (50, 2048),
        *(pytest.param(*deep, marks=pytest.mark.slow) for deep in ((34, 512), (101, 2048))),
    ],
)
def test_sizes(depth, features):
    with t.device("meta"):
        net = resnet(depth)
        assert net.features(t.zeros(2, 3, 32, 32)).shape == (2, features)
        assert net(t.zeros(2, 3, 32, 32)).shape == (2, 10)
    assert sum(p.numel() for p in net.parameters()) == PARAMETERS[depth]
    layers = sum(isinstance(m, nn.Conv2d) and m.kernel_size != (1, 1) for m in net.modules())
    blocks = len(net.blocks)
    assert depth == (2 + 2 * blocks if depth < 50 else 2 + 3 * blocks)
    assert layers == (1 + 2 * blocks if depth < 50 else 1 + blocks)


@pytest.mark.parametrize("depth", [18, 50])
def test_the_activation_is_the_same_everywhere(depth):
    net = resnet(depth, "gelu", width=4)
    assert not any(isinstance(m, nn.ReLU) for m in net.modules())
    calls = []
    for module in net.modules():
        if isinstance(module, Elementwise) and module.name == "gelu":
            module.register_forward_hook(lambda *_: calls.append(1))
    net.eval()(t.zeros(1, 3, 8, 8))
    branch = 1 if depth == 18 else 2
    assert len(calls) == 1 + (branch + 1) * len(net.blocks)
    assert sum(isinstance(m, Elementwise) for m in resnet(depth, "relu", width=4).modules()) > 0
    assert sum(isinstance(m, nn.Mish) for m in resnet(depth, nn.Mish, width=4).modules()) > 0


def test_another_activation_after_the_first_convolution_alone():
    net = resnet(18, "gelu", width=2, stem="relu", seed=0)
    assert net.stem[-1].name == "relu"
    assert all(block.relu.name == "gelu" for block in net.blocks)
    same = resnet(18, "gelu", width=2, seed=0)
    assert all(t.equal(a, b) for a, b in zip(net.parameters(), same.parameters(), strict=True))
    with pytest.raises(ValueError, match="stem: no activation 'step'"):
        resnet(18, stem="step")


def test_geometry_of_its_features():
    net = resnet(18, "gelu", width=2, seed=0)
    net(t.randn(20, 3, 8, 8, generator=t.Generator().manual_seed(0)))
    net.eval()
    x = t.randn(2, 3, 8, 8, generator=t.Generator().manual_seed(1))
    found = measure.log_volume_element(net.features, x)
    net.double()
    j = t.func.vmap(t.func.jacrev(lambda y: net.features(y[None])[0]))(x.double()).flatten(2)
    t.testing.assert_close(found, t.logdet(j @ j.mT).detach() / 2, rtol=1e-8, atol=0)


def test_seeds():
    t.manual_seed(3)
    before = t.get_rng_state()
    one, two = resnet(18, width=2, seed=5), resnet(18, width=2, seed=5)
    assert t.equal(t.get_rng_state(), before)
    assert all(t.equal(a, b) for a, b in zip(one.parameters(), two.parameters(), strict=True))
    assert not t.equal(resnet(18, width=2).readout.weight, one.readout.weight)


@pytest.mark.parametrize(("change", "error", "complaint"), [
    ({"depth": 20}, ValueError, "depth: got 20, needs one of 18, 34, 50, 101"),
    ({"activation": "step"}, ValueError, "activation: no activation 'step'"),
    ({"activation": 3}, TypeError, "activation: got int"),
    ({"width": 0}, ValueError, "width: got 0"),
    ({"outputs": 1.5}, TypeError, "outputs: got 1.5"),
])  # fmt: skip
def test_bad_input(change, error, complaint):
    with pytest.raises(error, match=complaint):
        resnet(**({"depth": 18} | change))
