r"""Initial weights: Xavier normal, :math:`w \sim N(0, 2 g^2/(n_\mathrm{in} + n_\mathrm{out}))`; the biases are zero.

The weights are drawn on the CPU in float64 from each seed's own stream and then rounded, so that a seed gives the same
network on every device, in every dtype and in every batch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from closedform import checks
from empirics import seeding
from empirics.networks.architecture import Architecture, Parameters


def initial_weights(
    architecture: Architecture,
    gain: float,
    seeds: Sequence[int],
    dtype: torch.dtype = torch.float64,
    device: torch.device | str = "cpu",
) -> Parameters:
    """Return the initial parameters of one network per seed.

    Args:
        architecture: architecture of the networks.
        gain: factor on the standard deviation of Xavier's rule, positive, dimensionless.
        seeds: one non-negative integer per network.
        dtype: dtype of the parameters, default float64.
        device: device of the parameters, default the CPU.

    Returns:
        For layers 1 ... depth and the readout, weight ``[seed, fan_in, fan_out]`` and bias ``[seed, 1, fan_out]``.

    Raises:
        ValueError: if ``gain`` is not positive and finite, or there is no seed.

    >>> from empirics.networks import build
    >>> len(initial_weights(build("fully_connected", inputs=2, width=8, depth=3), 1.0, seeds=[0, 1, 2])) > 0
    True
    """
    checks.positive_number("gain", gain)
    checks.instance("architecture", architecture, Architecture, "an architecture")
    seeds = tuple(checks.seed("seeds", seed) for seed in checks.sequence("seeds", seeds, "integers"))
    checks.require(len(seeds) > 0, "seeds", "none", "at least one")
    streams = seeding.generators(seeds, "weights")
    parameters: Parameters = []
    for shape in architecture.shapes():
        std = gain * math.sqrt(2 / (shape.inputs + shape.fan_out))
        weight = torch.empty(len(seeds), shape.inputs, shape.outputs, dtype=dtype)
        for row, stream in zip(weight, streams, strict=True):
            row.copy_(torch.randn(shape.inputs, shape.outputs, generator=stream, dtype=torch.float64).mul_(std))
        bias = torch.zeros(len(seeds), 1, shape.outputs, dtype=dtype)
        parameters.append((weight.to(device), bias.to(device)))
    return parameters
