"""Small Leaky ResNets with their data, and their outputs by the layer rule as the paper writes it, for autodiff."""

from __future__ import annotations

import torch

from empirics.data.teacher import teacher_data
from empirics.networks.leaky_resnet import initial_nets
from empirics.training.leaky_objective import Objective

DECAYS = (0.05, 0.02)


def problem(*, width, layers, bias=True, linear=False, smoothing=True, points=10):
    """Return the objective of two networks on an irregular mesh."""
    data = [teacher_data(s, (4, 2, 3), points, bias=bias) for s in range(2)]
    x, y = (torch.stack([getattr(d, name) for d in data]) for name in ("x", "y"))
    nets = initial_nets(
        seeds=[0, 1], depth=[2.0, 3.0], inputs=4, outputs=3, width=width, layers=layers, bias=bias, linear=linear,
        mesh="irregular",
    )  # fmt: skip
    objective = Objective(nets, x, y, torch.tensor(DECAYS, dtype=torch.float64))
    widths = torch.linspace(0.1, 0.5, 2 * layers, dtype=torch.float64).reshape(2, layers)
    objective.smoothing = widths if smoothing else None
    return objective


def outputs(objective, net, weights):
    """Return the outputs ``[output, point]`` of one network with these weights ``[layer, width, width or more]``."""
    nets = objective.nets
    path = nets.input_map[net] @ objective.x[net]
    for layer in range(nets.layers):
        features = path
        if not nets.linear and objective.smoothing is None:
            features = torch.relu(path)
        elif not nets.linear:
            features = (path + torch.sqrt(path**2 + objective.smoothing[net, layer] ** 2)) / 2
        if nets.bias:
            features = torch.cat([features, torch.ones_like(features[:1])])
        path = path + nets.rho[net, layer] * (weights[layer] @ features - nets.depth[net] * path)
    return nets.output_map[net] @ path
