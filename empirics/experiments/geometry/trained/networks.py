"""Fully connected networks of all seeds at once: weights ``[seed, in, out]`` and biases ``[seed, 1, out]``.

The losses of the seeds are summed before the gradient is computed, so that each network is trained on its own loss.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from empirics.networks.activations import Elementwise
from empirics.networks.functions import from_text
from empirics.networks.module import linear_map
from empirics.networks.staged import initialised

Parameters = list[tuple[nn.Parameter, nn.Parameter]]
CLASSES = 2


def initial(widths: Sequence[int], seeds: Sequence[int], device: torch.device) -> Parameters:
    """Return torch's default initial weights of networks 2 → widths → 2, in float64, each seed from its own stream."""
    sizes = list(pairwise((2, *widths, CLASSES)))
    nets = [initialised(lambda: nn.Sequential(*(nn.Linear(a, b) for a, b in sizes)), seed) for seed in seeds]
    parameters = []
    for layer in range(len(sizes)):
        of_layer = [[part for part in net.modules() if isinstance(part, nn.Linear)][layer] for net in nets]
        weight = torch.stack([linear.weight.detach().double().T for linear in of_layer])
        bias = torch.stack([linear.bias.detach().double()[None] for linear in of_layer])
        parameters.append((nn.Parameter(weight.to(device)), nn.Parameter(bias.to(device))))
    return parameters


def logits(parameters: Parameters, x: Tensor, activation: str) -> Tensor:
    """Return logits ``[seed, point, 2]`` at inputs ``x`` ``[seed, point, 2]``."""
    phi = from_text("activation", activation)
    for weight, bias in parameters[:-1]:
        x = phi(torch.baddbmm(bias, x, weight))
    weight, bias = parameters[-1]
    return torch.baddbmm(bias, x, weight)


def features(parameters: Parameters, index: int, layer: int, activation: str) -> nn.Sequential:
    """Return the map of network ``index`` from inputs to hidden layer ``layer``, from 1, divided by √width."""
    parts: list[nn.Module] = []
    for l, (weight, bias) in enumerate(parameters[:layer], start=1):
        width = weight.shape[2]
        linear = linear_map(weight[index].T, bias[index, 0])
        parts += [linear, Elementwise(activation, math.sqrt(width) if l == layer else 1.0)]
    return nn.Sequential(*parts)
