r"""Volume element and curvature of many random networks of finite width with Gaussian weights (Figure 1).

The networks have one hidden layer with features :math:`n^{-1/2} \varphi(w_a \cdot x + b_a)`, weights
:math:`w_a \sim N(0, \sigma^2 1)` and biases :math:`b_a \sim N(0, \zeta^2)`. Their distribution is invariant under
rotations of the input, so that several directions of the input count like several networks. All realisations at all
widths are independent. The closed forms at infinite width are in ``theory.geometry``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import nn

from empirics import measure
from empirics.experiments.geometry.widths_config import RandomNetworksConfig as Config
from empirics.networks.activations import Elementwise
from empirics.networks.module import linear_map
from empirics.runs.session import RunResult, Session, run_of
from empirics.seeding import generator

__all__ = ["Config", "run"]

LAW = ("width", "realisation", "direction", "input")


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Draw the networks and measure every network at every input.

    Returns:
        ``volume_element`` in 1/input^d and ``curvature``, dimensionless, both
        ``[width, realisation, direction, input]``; NaN where the metric is singular up to rounding.
    """
    device = session.device
    norms = np.linspace(0.0, config.largest_norm, config.inputs)
    angles = 2 * np.pi * np.arange(config.directions) / config.directions
    x = torch.zeros(
        config.directions, config.inputs, config.dimension, dtype=torch.float64, device=device
    )
    x[..., 0], x[..., 1] = (
        torch.as_tensor(np.outer(side, norms)) for side in (np.cos(angles), np.sin(angles))
    )
    shape = (config.directions, config.inputs)
    x = x.flatten(0, 1)
    volume, curvature = (
        np.empty((len(config.widths), config.realisations, *shape)) for _ in range(2)
    )
    total = len(config.widths) * config.realisations
    with session.bar(config.activation, total, "network") as progress_bar:
        for i, width in enumerate(config.widths):
            for k in range(config.realisations):
                network = draw(config, width, config.first_seed + i * config.realisations + k).to(
                    device
                )
                volume[i, k] = (
                    measure.log_volume_element(network, x).exp().reshape(shape).cpu().numpy()
                )
                curvature[i, k] = measure.scalar_curvature(network, x).reshape(shape).cpu().numpy()
                progress_bar.update()
    variables = {
        "volume_element": (LAW, volume, "sqrt(det g) (1/input^d)"),
        "curvature": (LAW, curvature, "scalar curvature (dimensionless)"),
    }
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "width": (np.array(config.widths), {"long_name": "hidden units"}),
        "realisation": (np.arange(config.realisations), {}),
        "direction": (angles, {"long_name": "angle of the input (rad)"}),
        "input": (norms, {"long_name": "norm of the input"}),
    }
    return RunResult(variables, coordinates)


def draw(config: Config, width: int, seed: int) -> nn.Sequential:
    """Draw one random network of ``width`` units, as the map from inputs to features, in float64."""
    stream = generator(seed, "weights")
    shapes = (width, config.dimension), (width,)
    weight, bias = (torch.randn(shape, generator=stream, dtype=torch.float64) for shape in shapes)
    affine = linear_map(config.sigma * weight, config.zeta * bias)
    return nn.Sequential(affine, Elementwise(config.activation, math.sqrt(width)))
