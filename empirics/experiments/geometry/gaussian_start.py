"""The initial weights of the programs that were released with arXiv 2301.11375, for networks on points and on images.

Weights and biases are N(0, 1), and every layer after the first divides its output, bias included, by the root of the
number of its inputs, before training and throughout it. Features are divided by the root of their number where they
are measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from empirics.networks.module import linear_map
from empirics.networks.names import Start


def output_scales(widths: Sequence[int], start: Start) -> tuple[float, ...]:
    """Return the number by which every layer multiplies its output, that of the readout last.

    Args:
        widths: widths of the hidden layers.
        start: which initial weights the network has.

    >>> output_scales((4, 16), "gaussian")
    (1.0, 0.5, 0.25)
    """
    if start == "torch":
        return (1.0,) * (len(widths) + 1)
    return (1.0, *(width**-0.5 for width in widths))


def drawn(sizes: Sequence[int], stream: torch.Generator) -> list[tuple[Tensor, Tensor]]:
    """Return weights ``[inputs, outputs]`` and biases ``[1, outputs]`` of all layers, N(0, 1), in float64.

    Args:
        sizes: numbers of inputs, of units of every hidden layer, and of outputs.
        stream: the random stream of the network, on the CPU.
    """
    layers = []
    for inputs, outputs in pairwise(sizes):
        weight = torch.randn((inputs, outputs), generator=stream, dtype=torch.float64)
        bias = torch.randn((1, outputs), generator=stream, dtype=torch.float64)
        layers.append((weight, bias))
    return layers


class ScaledLinear(nn.Linear):
    """A linear map ``[..., inputs] -> [..., outputs]`` that multiplies its output, bias included, by a constant."""

    def __init__(self, inputs: int, outputs: int, scale: float) -> None:
        super().__init__(inputs, outputs)
        self.scale = scale

    def forward(self, input: Tensor) -> Tensor:
        """Return the scaled output at ``input``."""
        return self.scale * super().forward(input)


def gaussian_layers(sizes: Sequence[int], stream: torch.Generator) -> list[nn.Linear]:
    """Return the layers of a network with these initial weights, in float32; the arguments are those of :func:`drawn`.

    >>> [type(layer).__name__ for layer in gaussian_layers((3, 4, 2), torch.Generator())]
    ['Linear', 'ScaledLinear']
    """
    (weight, bias), *later = drawn(sizes, stream)
    layers = [linear_map(weight.T.float(), bias[0].float())]
    for (weight, bias), scale in zip(
        later, output_scales(sizes[1:-1], "gaussian")[1:], strict=True
    ):
        inputs, outputs = weight.shape
        layer = ScaledLinear(inputs, outputs, scale)
        with torch.no_grad():
            layer.weight.copy_(weight.T)
            layer.bias.copy_(bias[0])
        layers.append(layer)
    return layers
