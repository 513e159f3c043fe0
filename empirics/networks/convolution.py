"""Convolution: the maps between hidden layers are one-dimensional convolutions along the units.

Hidden layer 1 is an affine map of the input onto ``width`` positions of one channel. Layers 2 ... depth are
convolutions with ``kernel`` taps, zero padded so that the width stays, over 1 -> channels -> ... -> channels -> 1
channels; the readout is an affine map of the last layer. (The released code of the paper does not pad, so its width
shrinks by kernel - 1 a layer: with a width of 500 that is a detail, with a width of 100 nothing would be left.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import pad

from empirics.networks.architecture import Architecture, Shape
from empirics.networks.shapes import Activations, Affine, Outputs


@dataclass(frozen=True)
class Convolution(Architecture):
    """A convolutional network on ``width`` positions.

    Attributes:
        channels: of every hidden layer but the first and the last, which have one.
        kernel: taps of the convolution, odd.
    """

    channels: int = 20
    kernel: int = 11

    def channels_of(self, layer: int) -> int:
        """Channels of hidden layer ``layer`` (1-based)."""
        return 1 if layer in (1, self.depth) else self.channels

    def shapes(self) -> list[Shape]:
        """Sizes of the affine maps; a convolution's rows run over (channel, tap)."""
        between = [
            Shape(self.kernel * self.channels_of(l - 1), self.channels_of(l), self.kernel * self.channels_of(l))
            for l in range(2, self.depth + 1)
        ]
        first = Shape(self.inputs, self.width, self.width)
        return [first, *between, Shape(self.width, self.outputs, self.outputs)]

    def hidden(self, layer: int, affine: Affine, earlier: Sequence[Tensor]) -> Activations:
        """Output of hidden layer ``layer``, ``[seed, point, width, channel]``; see :meth:`Architecture.hidden`."""
        weight, bias = affine
        below = earlier[layer - 1]
        if layer == 1:
            return self.activation.function(torch.baddbmm(bias, below, weight)).unsqueeze(-1)
        half = self.kernel // 2
        patches = pad(below, (0, 0, half, half)).unfold(2, self.kernel, 1)  # [seed, point, width, channel, tap]
        seeds, points = below.shape[:2]
        rows = patches.reshape(seeds, points * self.width, weight.shape[1])
        return self.activation.function(torch.baddbmm(bias, rows, weight)).view(seeds, points, self.width, -1)

    def readout(self, affine: Affine, last: Activations) -> Outputs:
        """The network's output ``[seed, point, output]`` from the last hidden layer, which has one channel."""
        return super().readout(affine, last.squeeze(-1))
