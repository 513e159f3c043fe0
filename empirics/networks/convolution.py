"""The convolutional architecture: the maps between hidden layers are one-dimensional convolutions along the units.

Hidden layer 1 is an affine map of the input onto ``width`` positions of one channel. Layers 2 ... depth are
convolutions with ``kernel`` taps and ``channels`` channels, zero-padded so that the width is preserved; the readout is
an affine map of all channels of the last layer. This follows appendix B.1 literally. The released code differs in two
details: it ends in one more convolution, back to one channel, and does not pad, so that a width of 100 would be used up
before ten layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import pad

from empirics.networks.architecture import Activations, Affine, Architecture, Outputs, Shape


@dataclass(frozen=True)
class Convolution(Architecture):
    """A convolutional network on ``width`` positions; the first hidden layer has one channel, and kernels are odd."""

    channels: int = 20
    kernel: int = 11

    def channels_of(self, layer: int) -> int:
        """Return the number of channels of hidden layer ``layer`` (counted from 1)."""
        return 1 if layer == 1 else self.channels

    def shapes(self) -> list[Shape]:
        """Return the sizes of the affine maps; the rows of a convolution run over (channel, tap)."""
        between = [
            Shape(self.kernel * self.channels_of(l - 1), self.channels_of(l), self.kernel * self.channels_of(l))
            for l in range(2, self.depth + 1)
        ]
        first = Shape(self.inputs, self.width, self.width)
        return [first, *between, Shape(self.width * self.channels_of(self.depth), self.outputs, self.outputs)]

    def hidden(self, layer: int, affine: Affine, earlier: Sequence[Tensor]) -> Activations:
        """Return the output ``[seed, point, width, channel]`` of a hidden layer; see :meth:`Architecture.hidden`."""
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
        """Return the network's output ``[seed, point, output]`` from all channels of the last hidden layer."""
        return super().readout(affine, last.flatten(2))
