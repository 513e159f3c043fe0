"""Call sites: modules that are called several times, functions, and modules of a user's own."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from empirics import measure
from empirics.measure.models.call_sites import call_sites
from empirics.measure.models.layer_outputs import TruncatedModel, outputs_of
from empirics.measure.models.observation import FUNCTIONS, PIECEWISE


class Block(nn.Module):
    """A residual block with one ReLU for two places, which overwrites its input, as torchvision's have."""

    def __init__(self, width):
        super().__init__()
        self.conv1, self.conv2 = (nn.Conv2d(width, width, 3, padding=1) for _ in range(2))
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        out = self.conv2(self.relu(self.conv1(x)))
        out += x
        return self.relu(out)


class Square(nn.Module):
    def forward(self, z):
        return z * torch.sigmoid(z)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.blocks = nn.Conv2d(1, 3, 1), nn.Sequential(Block(3), Block(3))
        self.own, self.head = Square(), nn.Linear(27, 2)

    def forward(self, x):
        x = self.blocks(F.relu(self.stem(x)))
        return self.head(self.own(x.flatten(1).tanh_()))


@pytest.fixture
def net():
    torch.manual_seed(0)
    return Net().double().eval()


@pytest.fixture
def x():
    return torch.randn(4, 1, 3, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


def test_every_call_is_a_layer_of_its_own(net, x):
    sites = call_sites(net, x)
    assert [site.name for site in sites if site.is_nonlinearity] == [
        "relu()", "blocks.0.relu[0]", "blocks.0.relu[1]", "blocks.1.relu[0]", "blocks.1.relu[1]", "tanh()", "own",
    ]  # fmt: skip
    assert [site.name for site in sites if site.is_leaf and not site.is_nonlinearity] == [
        "stem", "blocks.0.conv1", "blocks.0.conv2", "blocks.0.add()", "blocks.1.conv1", "blocks.1.conv2",
        "blocks.1.add()", "head",
    ]  # fmt: skip
    assert {site.features for site in sites} == {27, 2}


def test_features_are_those_at_the_call_although_later_layers_overwrite_them(net, x):
    _, kept = outputs_of(net, x.clone(), ["blocks.0.relu[0]", "blocks.0.relu[1]", "tanh()"])
    stem = net.stem(x).relu()
    first = net.blocks[0].conv1(stem).relu()
    second = (net.blocks[0].conv2(first) + stem).relu()
    assert torch.equal(kept["blocks.0.relu[0]"], first)
    assert torch.equal(kept["blocks.0.relu[1]"], second)
    assert torch.equal(kept["tanh()"], net.blocks(stem).flatten(1).tanh())
    assert not any(part._forward_hooks for part in net.modules())


def test_derivatives_reach_the_call(net, x):
    """The Jacobian up to a call is that of the part of the network written out."""
    part = TruncatedModel(net, "blocks.1.relu[1]")
    direct = nn.Sequential(net.stem, nn.ReLU(), net.blocks, nn.Flatten())
    assert torch.allclose(measure.metric(part, x), measure.metric(direct, x), rtol=1e-12)


def test_fast_paths_do_not_hide_the_inside_of_a_transformer():
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, activation="gelu").eval()
    assert [s.name for s in call_sites(layer, torch.randn(2, 3, 8)) if s.is_nonlinearity] == [
        "gelu()"
    ]


@pytest.mark.parametrize(
    "module", [nn.Softmax(1), nn.Identity(), nn.Flatten(), nn.Dropout(), nn.LayerNorm(5)]
)
def test_modules_that_are_not_elementwise_nonlinearities(module):
    sites = call_sites(nn.Sequential(nn.Linear(5, 5), module).eval(), torch.randn(2, 5))
    assert not any(site.is_nonlinearity for site in sites)


def test_a_call_without_a_row_for_each_point_has_no_features():
    class Turned(nn.Module):
        def __init__(self):
            super().__init__()
            self.turn, self.act = nn.Unflatten(0, (1, -1)), nn.Tanh()

        def forward(self, x):
            return self.act(self.turn(x))[0]

    assert {site.features for site in call_sites(Turned(), torch.randn(3, 5))} == {0}


def applied(function):
    """A model that calls a function after a linear map."""

    class Applied(nn.Module):
        def __init__(self):
            super().__init__()
            self.map = nn.Linear(4, 4)

        def forward(self, x):
            return function(self.map(x))

    return Applied()


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_functions_are_seen_however_they_are_called(name):
    home = next(
        place
        for place in (F, torch, torch.special)
        if hasattr(place, name.replace("log_sigmoid", "logsigmoid"))
    )
    function = getattr(home, name.replace("log_sigmoid", "logsigmoid"))
    further = {"threshold": (0.0, 0.0), "prelu": (torch.tensor([0.25]),)}.get(name, ())
    sites = call_sites(applied(lambda x: function(x, *further)), torch.randn(3, 4))
    assert [(site.name, site.is_nonlinearity) for site in sites[1:]] == [(f"{name}()", True)]


RELUS = {
    "clamp": lambda x: x.clamp(min=0), "clamp_": lambda x: x.clamp_(min=0), "clip": lambda x: torch.clip(x, 0),
    "clamp_min": lambda x: x.clamp_min(0), "clamp_max": lambda x: -(-x).clamp_max(0),
    "maximum": lambda x: torch.maximum(torch.zeros_like(x), x),
    "minimum": lambda x: -torch.minimum(-x, torch.zeros_like(x)),
}  # fmt: skip


@pytest.mark.parametrize("name", RELUS)
def test_a_clamp_is_a_nonlinearity(name):
    sites = call_sites(applied(RELUS[name]), torch.randn(3, 4))
    assert [(site.name, site.is_nonlinearity) for site in sites[1:]] == [
        (f"{name.strip('_')}()", True)
    ]
    assert {key.strip("_") for key in RELUS} == PIECEWISE


def test_a_clamp_that_guards_is_none():
    guarded = applied(lambda x: x / x.norm(dim=1, keepdim=True).clamp_min(1e-9))
    assert not any(site.is_nonlinearity for site in call_sites(guarded, torch.randn(3, 4)))
