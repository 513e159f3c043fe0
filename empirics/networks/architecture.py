r"""The fully connected architecture, the base of the others: hidden layers 1 ... depth and an affine readout.

With skip connections over two layers, h_l = φ(h_{l-1} W_l + b_l) + h_{l-2}. The named shapes of the tensors of batched
networks are for readers and editors; they are not checked during training.

*Dropout*: in training, every input of every affine map is zeroed with probability p, the rest is scaled by 1/(1-p). "A
dropout probability of 0.1 was used on all units" (appendix B.1) includes the input, as in the released code.
Measurements are made without dropout (in evaluation mode), again as in the released code; the loss in a trace is
therefore that of the noiseless network.

*Initial weights*: Xavier normal, :math:`w \sim N(0, 2 g^2/(n_\mathrm{in} + n_\mathrm{out}))`; the biases are zero. The
weights are drawn on the CPU in float64 from each seed's own stream and then rounded, so that a seed gives the same
network on every device, in every dtype and in every batch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from jaxtyping import Float
from torch import Tensor

from closedform import checks
from empirics import seeding, tensor_checks
from empirics.networks.activations import ElementwiseActivation

Points = Float[Tensor, "#seed point input"]
Outputs = Float[Tensor, "seed point output"]
# a convolutional layer has two unit axes: position, channel
Activations = Float[Tensor, "seed point *unit"]
Weight = Float[Tensor, "seed fan_in fan_out"]
Bias = Float[Tensor, "seed 1 fan_out"]
Affine = tuple[Weight, Bias]
Parameters = list[Affine]  # layers 1 ... depth, then the readout


@dataclass(frozen=True)
class Shape:
    """Size of one affine map: the weight is ``[fan_in, fan_out]`` as multiplied from the right."""

    inputs: int  # rows of the weight
    outputs: int  # columns of the weight
    fan_out: int  # in Xavier's rule: units that one input feeds; for a convolution kernel size times channels


@dataclass(frozen=True)
class Architecture:
    """A fully connected network; the base class of the other architectures.

    Attributes:
        inputs: dimension of the input.
        outputs: dimension of the output.
        width: number of units in a hidden layer.
        depth: number of hidden layers.
        activation: the activation after every hidden layer; the readout has none.
    """

    inputs: int
    outputs: int
    width: int
    depth: int
    activation: ElementwiseActivation

    trains_with_noise = False  # whether forward() in training differs from forward() in recording

    def shapes(self) -> list[Shape]:
        """Return the sizes of the affine maps into layers 1 ... depth and into the output."""
        sizes = [self.inputs, *[self.width] * self.depth, self.outputs]
        return [Shape(a, b, b) for a, b in pairwise(sizes)]

    def hidden(self, layer: int, affine: Affine, earlier: Sequence[Tensor]) -> Activations:
        """Return the output ``[seed, point, width]`` of a hidden layer, from 1, by those before it and the input."""
        weight, bias = affine
        return self.activation.function(torch.baddbmm(bias, earlier[layer - 1], weight))

    def readout(self, affine: Affine, last: Activations) -> Outputs:
        """Return the network's output ``[seed, point, output]`` from the last hidden layer."""
        weight, bias = affine
        return torch.baddbmm(bias, last, weight)

    def forward(self, parameters: Parameters, x: Points) -> tuple[list[Activations], Outputs]:
        """Return the outputs of layers 1 ... depth and of the network, ``[seed, point, output]``, without noise."""
        activity: list[Tensor] = [x]
        for layer in range(1, self.depth + 1):
            activity.append(self.hidden(layer, parameters[layer - 1], activity))
        return activity[1:], self.readout(parameters[-1], activity[-1])


@dataclass(frozen=True)
class Skip(Architecture):
    """A fully connected network: hidden layer l receives the output of layer l - 2, after its activation (B.1)."""

    def hidden(self, layer: int, affine: Affine, earlier: Sequence[Tensor]) -> Activations:
        """Return the output of hidden layer ``layer``, ``[seed, point, width]``; see :meth:`Architecture.hidden`."""
        output = super().hidden(layer, affine, earlier)
        return output + earlier[layer - 2] if layer >= 3 else output


@dataclass(frozen=True)
class Dropout(Architecture):
    """A fully connected network in whose training an input of an affine map is zeroed with a probability below 1."""

    probability: float = 0.1

    trains_with_noise = True

    def masks(self, generators: Sequence[torch.Generator], like: Points) -> list[Tensor]:
        """Draw one mask per affine map, ``[seed, point, fan_in]``, with a separate generator for every seed."""
        sizes = [shape.inputs for shape in self.shapes()]
        draws = [
            torch.rand(
                like.shape[-2], sum(sizes), generator=g, dtype=like.dtype, device=like.device
            )
            for g in generators
        ]
        keep = (torch.stack(draws) >= self.probability).to(like.dtype).div_(1 - self.probability)
        return list(torch.split(keep, sizes, dim=-1))

    def forward_with_noise(
        self, parameters: Parameters, x: Points, masks: Sequence[Tensor]
    ) -> Outputs:
        """Return the output ``[seed, point, output]`` with the inputs of every affine map multiplied by ``masks``."""
        activity = x
        for layer in range(1, self.depth + 1):
            activity = super().hidden(1, parameters[layer - 1], [activity * masks[layer - 1]])
        return self.readout(parameters[-1], activity * masks[-1])


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
    seeds = tuple(
        checks.seed("seeds", seed) for seed in checks.sequence("seeds", seeds, "integers")
    )
    checks.require(len(seeds) > 0, "seeds", "none", "at least one")
    where = tensor_checks.device("device", device)
    streams = seeding.generators(seeds, "weights")
    parameters: Parameters = []
    for shape in architecture.shapes():
        std = gain * math.sqrt(2 / (shape.inputs + shape.fan_out))
        with tensor_checks.memory_for(
            architecture=max(shape.inputs, shape.outputs), seeds=len(seeds)
        ):
            weight = torch.empty(len(seeds), shape.inputs, shape.outputs, dtype=dtype)
            for row, stream in zip(weight, streams, strict=True):
                row.copy_(
                    torch.randn(
                        shape.inputs, shape.outputs, generator=stream, dtype=torch.float64
                    ).mul_(std)
                )
            bias = torch.zeros(len(seeds), 1, shape.outputs, dtype=dtype)
        parameters.append((weight.to(where), bias.to(where)))
    return parameters
