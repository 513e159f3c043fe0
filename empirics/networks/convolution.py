"""Convolution: the maps between hidden layers are one-dimensional convolutions along the units.

Hidden layer 1 is an affine map of the input onto ``width`` positions of one channel. Layers 2 ... depth are
convolutions with ``kernel`` taps, zero padded so that the width stays, each with ``channels`` channels; the readout is
an affine map of all channels of the last layer. That is appendix B.1 to the letter. The released code differs in two
details: it ends in one more convolution, back to one channel, and does not pad, so that a width of 100 would not last
for ten layers.
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
        channels: of every hidden layer but the first, which has one.
        kernel: taps of the convolution, odd.
    """

    channels: int = 20
    kernel: int = 11

    def channels_of(self, layer: int) -> int:
        """Channels of hidden layer ``layer`` (1-based)."""
        return 1 if layer == 1 else self.channels

    def shapes(self) -> list[Shape]:
        """Sizes of the affine maps; a convolution's rows run over (channel, tap)."""
        between = [
            Shape(self.kernel * self.channels_of(l - 1), self.channels_of(l), self.kernel * self.channels_of(l))
            for l in range(2, self.depth + 1)
        ]
        first = Shape(self.inputs, self.width, self.width)
        return [first, *between, Shape(self.width * self.channels_of(self.depth), self.outputs, self.outputs)]

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
        """The network's output ``[seed, point, output]`` from all channels of the last hidden layer."""
        return super().readout(affine, last.flatten(2))
