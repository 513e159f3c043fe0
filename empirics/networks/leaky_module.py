"""One Leaky ResNet of a batch as an ``nn.Module``: ``input``, ``layers.0`` ... ``layers.{L-1}``, ``output``."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from empirics.networks.leaky_resnet import LeakyResNets
from empirics.networks.module import linear_map


class LeakyLayer(nn.Module):
    """One layer, (1 - ρ L̃) a + ρ W σ(a); the last of the columns ``[width, width + bias]`` of W is the bias."""

    def __init__(self, weight: Tensor, rho: float, depth: float, bias: bool, linear: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight.detach().clone())
        self.rho, self.depth, self.bias, self.linear = rho, depth, bias, linear

    def forward(self, a: Tensor) -> Tensor:
        """Return the next representation."""
        width = self.weight.shape[0]
        active = a if self.linear else a.clamp_min(0)
        shift = self.weight[:, width] if self.bias else None
        return (1 - self.rho * self.depth) * a + self.rho * nn.functional.linear(active, self.weight[:, :width], shift)


class LeakyResNet(nn.Module):
    """A single Leaky ResNet, ``[point, input] -> [point, output]``, with the attributes of :class:`LeakyResNets`."""

    def __init__(self, nets: LeakyResNets, index: int) -> None:
        super().__init__()
        self.depth, self.rho = float(nets.depth[index]), nets.rho[index].detach().clone()
        self.bias, self.linear = nets.bias, nets.linear
        self.input = linear_map(nets.input_map[index])
        self.layers = nn.ModuleList(
            LeakyLayer(weight, float(rho), self.depth, nets.bias, nets.linear)
            for weight, rho in zip(nets.weights[index], self.rho, strict=True)
        )
        self.output = linear_map(nets.output_map[index])

    def forward(self, x: Tensor) -> Tensor:
        """Return the output at ``x``."""
        a = self.input(x)
        for layer in self.layers:
            a = layer(a)
        out: Tensor = self.output(a)
        return out


def single(nets: LeakyResNets, index: int = 0) -> LeakyResNet:
    """Return network number ``index`` of a batch, with its own copy of the parameters.

    Raises:
        IndexError: if the batch has no such network.
    """
    if not 0 <= index < nets.weights.shape[0]:
        raise IndexError(f"index: got {index}, needs 0 <= index < {nets.weights.shape[0]} (the networks in the batch)")
    with torch.no_grad():
        return LeakyResNet(nets, index)
