"""The torch network that the words of ``closedform.networks`` describe, at finite width and freshly drawn.

Theory derives kernels from the same words; these modules are what a simulation compares with them.
"""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Any

import torch
from torch import Tensor, nn

from closedform import checks, networks
from closedform.expressions import ratio
from empirics.networks.activations import Elementwise

WIDTH = 256  # of a layer that names none


class Affine(nn.Module):
    """``W f / sqrt(n) + b`` over the last axis, with drawn weights; the lowest layer does not divide.

    Args:
        inputs: number of features below.
        outputs: number of units.
        weights: variance of a weight.
        biases: variance of a bias.
        divides: whether the sum is divided by the root of the number of features.
        taps: positions that each unit sees, along one or two axes before the last. Default: itself alone.
    """

    def __init__(
        self,
        inputs: int,
        outputs: int,
        weights: float,
        biases: float,
        *,
        divides: bool = True,
        taps: tuple[tuple[int, ...], ...] = ((),),
        wraps: bool = True,
    ) -> None:
        super().__init__()
        self.taps, self.wraps = taps, wraps
        self.scale = math.sqrt(weights / len(taps) / (inputs if divides else 1))
        self.offset = math.sqrt(biases)
        self.weight = nn.Parameter(torch.randn(len(taps), outputs, inputs, dtype=torch.float64))
        self.bias = nn.Parameter(torch.randn(outputs, dtype=torch.float64))

    def forward(self, features: Tensor) -> Tensor:
        """Return the layer above features ``[..., inputs]``, in float64."""
        seen = [self._shifted(features, tap) for tap in self.taps]
        total = torch.stack(
            [part @ weight.T for part, weight in zip(seen, self.weight, strict=True)]
        ).sum(0)
        return total.mul(self.scale).add(self.offset * self.bias)

    def _shifted(self, features: Tensor, tap: tuple[int, ...]) -> Tensor:
        for axis, step in enumerate(tap):
            dimension = features.ndim - 1 - len(tap) + axis
            features = features.roll(-step, dimension)
            size = features.shape[dimension]
            if not self.wraps and step:
                index = torch.arange(size).add(step)
                inside = ((index >= 0) & (index < size)).to(features)
                shape = [size if d == dimension else 1 for d in range(features.ndim)]
                features = features * inside.reshape(shape)
        return features


class _Branches(nn.Module):
    def __init__(self, branches: list[nn.Module], is_product: bool) -> None:
        super().__init__()
        self.branches, self.is_product = nn.ModuleList(branches), is_product

    def forward(self, features: Tensor) -> Tensor:
        ends = torch.stack([branch(features) for branch in self.branches])
        return ends.prod(0) if self.is_product else ends.sum(0)


class _Norm(nn.Module):
    def forward(self, features: Tensor) -> Tensor:
        return nn.functional.layer_norm(features, features.shape[-1:], eps=0.0)


class _Attention(nn.Module):
    def __init__(self, scale: float) -> None:
        super().__init__()
        self.scale = scale

    def forward(self, features: Tensor) -> Tensor:
        positions = features.flatten(1, -2)
        weights = (self.scale * positions @ positions.mT).softmax(-1)
        return (weights @ positions).reshape(features.shape)


class _Pool(nn.Module):
    def forward(self, features: Tensor) -> Tensor:
        return features.flatten(1, -2).mean(1)


class _Flatten(nn.Module):
    def forward(self, features: Tensor) -> Tensor:
        return features.flatten(1)


class _Builder:
    """What a level needs to know of those below: features, positions, and whether it is the lowest."""

    def __init__(self, shape: tuple[int, ...], width: int) -> None:
        *self.positions, self.features = shape
        self.width = width
        self.is_lowest = True

    def require_positions(self, net: networks.Network) -> None:
        """Raise ValueError if there are none."""
        if not self.positions:
            raise ValueError(
                f"shape: got features without positions for {net}, needs (*positions, channels)"
            )


def from_words(
    net: networks.Network, shape: int | tuple[int, ...], *, width: int = WIDTH, seed: int = 0
) -> nn.Module:
    """Return a torch network in float64 with weights drawn as the words say.

    Args:
        net: the network in words, whose variances are numbers.
        shape: number of inputs, or shape of an image ``(*positions, channels)``; channels are last.
        width: number of units of every layer that names none. Default: 256.
        seed: seed of the weights. Default: 0.

    Returns:
        A module of inputs ``[points, *shape]``. What is trained has unit variance, as in the tangent kernel of the
        literature (``gains`` are not used).

    Raises:
        TypeError: if ``net`` is no network, or a variance or a width no number.
        ValueError: if a width is no positive integer.

    >>> from closedform.networks import Act, Dense
    >>> from_words(Dense(2, width=5) >> Act("relu") >> Dense(1, width=1), 3)(torch.ones(4, 3).double()).shape
    torch.Size([4, 1])
    """
    checks.instance("net", net, networks.Network, "a network")
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    builder = _Builder(tuple(checks.sizes("shape", sizes)), checks.size("width", width))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(checks.seed("seed", seed))
        return _built(net, builder)


@singledispatch
def _built(net: Any, builder: _Builder) -> nn.Module:
    """Return the module of a network, and leave in the builder what is above it."""
    raise TypeError(f"net: got {type(net).__name__}, needs a network")


@_built.register
def _(net: networks.Chain, builder: _Builder) -> nn.Module:
    return nn.Sequential(*(_built(level, builder) for level in net.levels))


@_built.register
def _(net: networks.Dense, builder: _Builder) -> nn.Module:
    weights, biases = _number("weights", net.weights), _number("biases", net.biases)
    outputs = builder.width if net.width is None else checks.size("width", net.width)
    taps: tuple[tuple[int, ...], ...] = ((),)
    wraps = True
    if isinstance(net, networks.Conv):
        builder.require_positions(net)
        taps, wraps = _taps(net.reach, len(builder.positions)), net.padding == "circular"
    layer = Affine(
        builder.features,
        outputs,
        weights,
        biases,
        divides=not builder.is_lowest,
        taps=taps,
        wraps=wraps,
    )
    builder.features, builder.is_lowest = outputs, False
    return layer


@_built.register
def _(net: networks.Act, builder: _Builder) -> nn.Module:
    # an activation of the theory has an expression, and this is one in z as the text of a name is
    chosen = getattr(net.activation, "expression", net.activation)
    return Elementwise(chosen if isinstance(chosen, str) else str(chosen))


@_built.register
def _(net: networks.Norm, builder: _Builder) -> nn.Module:
    return _Norm()


@_built.register
def _(net: networks.Attention, builder: _Builder) -> nn.Module:
    builder.require_positions(net)
    return _Attention(_number("scale", net.scale) / (1 if builder.is_lowest else builder.features))


@_built.register
def _(net: networks.Pool, builder: _Builder) -> nn.Module:
    builder.require_positions(net)
    builder.positions = []
    return _Pool()


@_built.register
def _(net: networks.Flatten, builder: _Builder) -> nn.Module:
    builder.require_positions(net)
    builder.features *= math.prod(builder.positions)
    builder.positions = []
    return _Flatten()


@_built.register(networks.Sum)
@_built.register(networks.Product)
def _(net: networks.Sum | networks.Product, builder: _Builder) -> nn.Module:
    branches = []
    below = builder.features, list(builder.positions), builder.is_lowest
    for branch in net.branches:
        builder.features, builder.positions, builder.is_lowest = below[0], list(below[1]), below[2]
        branches.append(_built(branch, builder))
    return _Branches(branches, isinstance(net, networks.Product))


def _taps(reach: int, axes: int) -> tuple[tuple[int, ...], ...]:
    steps = torch.arange(-reach, reach + 1)
    return tuple(
        tuple(map(int, tap)) for tap in torch.cartesian_prod(*[steps] * axes).reshape(-1, axes)
    )


def _number(name: str, value: Any) -> float:
    """Return a variance of the words, a number, a ratio as text or an exact expression, as a float."""
    number: Any = ratio(value) if isinstance(value, str) else value
    try:
        return checks.nonnegative_number(name, float(number))
    except TypeError:
        raise TypeError(f"{name}: got {checks.shown(value)}, needs a number") from None
