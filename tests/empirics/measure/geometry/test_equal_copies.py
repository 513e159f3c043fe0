"""Tests of rows of a Jacobian from copies of one point, whose forward pass is done once."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import replace

import pytest
import torch as t
from torch import nn
from torch.autograd.functional import jacobian as jacobian_of
from torch.nn import functional as f
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

from empirics.measure.geometry import jacobian as jacobian_module
from empirics.measure.geometry.equal_copies import EqualCopies
from empirics.measure.geometry.jacobian import jacobians
from empirics.measure.models.feature_map import prepare
from empirics.networks.resnet import resnet

ROUNDING = 1e-12
MEMORY = 2**30


class Count(TorchDispatchMode):
    """Counts the images of convolutions in forward passes, and calls of the derivative of the GELU."""

    def __init__(self):
        super().__init__()
        self.numbers = Counter()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = func.overloadpacket.__name__
        self.numbers[name] += len(args[0]) if name == "convolution" else 1
        return func(*args, **(kwargs or {}))


class Images(nn.Module):
    """A convolution, what is tested, and forty features: two backward passes."""

    def __init__(self, between):
        super().__init__()
        self.between = between
        self.convolutions = nn.ModuleList(
            [nn.Conv2d(2, 4, 3), nn.Conv2d(4, 4, 3, stride=2, padding=1)]
        )
        self.norm = nn.BatchNorm2d(4)
        self.norm.running_var.uniform_(0.5, 2)
        self.readout = nn.Linear(4, 40)

    def forward(self, x):
        y = self.between(self.norm(self.convolutions[0](x)))
        return self.readout(self.convolutions[1](y).mean((2, 3)))


def one_after_the_other(y):
    for row in range(len(y)):
        y[row].mul_(2)
    return y


def into_a_channel(y):
    y = f.gelu(y)
    y[:, 0] = y[:, 1] * 3
    return y


BETWEEN = {
    "elementwise": lambda y: f.gelu(y) + f.silu(y) * t.tanh(y) - y.sigmoid(),
    "other slopes": lambda y: f.softplus(y) + f.elu(y) + f.leaky_relu(y) + f.relu6(y) + f.mish(y),
    "residual connection in place": lambda y: f.gelu(y).add_(y),
    "in place": lambda y: f.gelu(y).mul_(2).relu_(),
    "copy after copy": one_after_the_other,
    "a channel": into_a_channel,
    "broadcast": lambda y: (
        y * t.linspace(1, 2, 16).view(4, 4).double() + t.arange(4.0).double()[:, None, None]
    ),
    "pooling": lambda y: f.max_pool2d(y, 3, 1, 1) + f.avg_pool2d(f.gelu(y), 3, 1, 1),
    "norms": lambda y: f.layer_norm(y, y.shape[1:]) + f.instance_norm(y) + f.group_norm(y, 2),
    "attention": lambda y: f.scaled_dot_product_attention(*3 * [y.flatten(2)]).view_as(y),
    "recomputed": lambda y: checkpoint(
        lambda z: f.gelu(f.gelu(z) * 3).tanh(), y, use_reentrant=False
    ),
    "changed between two slopes": lambda y: f.gelu(y) * f.gelu(y.clone().mul_(2)),
    "a channel that is a view": lambda y: f.gelu(y) * f.gelu(y[:, :1]),
    "weights like copies": lambda y: f.gelu(y @ y.new_ones(1, 1, 1).expand(4, 4, 4).cumsum(2)[:1]),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("layout", ["rows", pytest.param("channels_last", marks=pytest.mark.slow)])
@pytest.mark.parametrize("between", BETWEEN.values(), ids=BETWEEN)
def test_against_the_definition(between, layout, monkeypatch):
    monkeypatch.setattr(jacobian_module, "LARGE", 0)
    monkeypatch.setattr(EqualCopies, "check_that_it_pays", lambda mode: None)
    t.manual_seed(0)
    net = Images(between).double().eval()
    x = t.randn(2, 2, 6, 6, dtype=t.float64)
    feature_map = prepare(net, x)
    if layout == "rows":
        feature_map = replace(feature_map, layout=t.preserve_format)
    for point in x:
        ((_, (jacobian,)),) = jacobians(replace(feature_map, x=point.reshape(1, -1)), MEMORY)
        exact = jacobian_of(lambda z: net(z[None])[0], point).flatten(1)
        t.testing.assert_close(
            jacobian, exact, rtol=ROUNDING, atol=ROUNDING * float(exact.abs().max())
        )


def test_one_forward_pass_and_one_slope_for_all_rows(monkeypatch):
    monkeypatch.setattr(jacobian_module, "LARGE", 0)
    net = resnet(18, width=4, seed=0).eval()
    feature_map = prepare(net.features, t.randn(1, 3, 8, 8), "model")
    with Count() as alone:
        feature_map.call(feature_map.x)
    with Count() as count:
        list(jacobians(feature_map, MEMORY))
    forward = alone.numbers["convolution"]
    # two of the copies, one for values that are not finite, and three of forward mode, with which rows are compared
    assert count.numbers["convolution"] == 6 * forward
    # of the rows, and of forward mode
    assert count.numbers["gelu_backward"] == 2 * alone.numbers["gelu"]


@pytest.mark.parametrize(
    ("between", "pays"),
    [
        (f.gelu, True),
        (f.relu, False),
        (lambda y: f.gelu(y.cumsum(1)), False),
        (lambda y: f.gelu(f.max_pool2d(f.gelu(y), 2)).repeat(1, 1, 2, 2), False),
    ],
)
def test_copies_are_stored_once_where_slopes_are_shared(between, pays):
    with EqualCopies(3) as mode:
        between(t.zeros(1, 4, 8, 8).expand(3, -1, -1, -1))
    with nullcontext() if pays else pytest.raises(RuntimeError, match="hardly anything in common"):
        mode.check_that_it_pays()


def test_refuses_to_change_copies_that_are_stored_once():
    with EqualCopies(3):
        y = t.zeros(1, 2).expand(3, -1) + 1
        y.mul_(2)
        with pytest.raises(RuntimeError, match="would change copies that are stored once"):
            y[0].add_(1)
        with pytest.raises(RuntimeError, match="would change copies that are stored once"):
            t._foreach_add_([y], 1)
        with pytest.raises(RuntimeError):
            y.add_(t.arange(3)[:, None])
    assert y.tolist() == 3 * [[2, 2]]
