"""A convolutional network in the tangent parametrisation, after MnasNet, as Paccolat et al. (2021) released it.

All weights are standard normal, and every layer divides by the root of its fan-in, the readout by the fan-in itself.
The activation is x·sigmoid(x) times 1.6768, which keeps the mean square of a standard normal input. A 5 x 5 convolution
of stride 2, a depthwise one with a 1 x 1 one after it, two stages of two inverted residual blocks, and a 1 x 1
convolution are 16 convolutions; a mean over pixels and the readout, which alone has a bias, follow. Sums of residual
blocks are divided by √2, and nothing follows their last convolution.
"""

from __future__ import annotations

import math
from itertools import pairwise

import torch
from torch import Tensor, nn

from closedform import checks
from empirics.tensor_checks import memory_for

UNIT = 1.6768  # as released, 0.02 % above 1 / √E[(z sigmoid(z))²] for z ~ N(0, 1)
EXPANSION = 3  # factor of the number of channels inside a block
SIDE = 5  # pixels per side of a kernel


def swish(x: Tensor) -> Tensor:
    """Return the activation at ``x``, of the same shape."""
    return UNIT * nn.functional.silu(x)


class TangentConv(nn.Module):
    """A padded convolution without bias, ``[batch, taken, h, w] -> [batch, given, h / stride, w / stride]``."""

    def __init__(
        self, taken: int, given: int, side: int = 1, stride: int = 1, groups: int = 1
    ) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(given, taken // groups, side, side))
        self.stride, self.groups, self.padding = stride, groups, side // 2

    def forward(self, x: Tensor) -> Tensor:
        """Return the convolution of ``x`` with the weights over the root of their fan-in."""
        weight = self.weight / math.sqrt(self.weight[0].numel())
        return nn.functional.conv2d(x, weight, None, self.stride, self.padding, groups=self.groups)


class TangentBlock(nn.Module):
    """Three convolutions, with the input added where it has the shape of the output."""

    def __init__(self, taken: int, given: int, stride: int) -> None:
        super().__init__()
        inside = EXPANSION * taken
        self.expand = TangentConv(taken, inside)
        self.within = TangentConv(inside, inside, SIDE, stride, inside)
        self.project = TangentConv(inside, given)
        self.adds = taken == given and stride == 1

    def forward(self, x: Tensor) -> Tensor:
        """Map ``[batch, taken, height, width]`` to ``[batch, given, height/stride, width/stride]``."""
        branch: Tensor = self.project(swish(self.within(swish(self.expand(x)))))
        return (x + branch) / math.sqrt(2) if self.adds else branch


class TangentCNN(nn.Module):
    """The network, for images ``[batch, channels, height, width]``.

    Args:
        channels: channels of the images.
        width: h of the released program, a quarter of the number of channels after the first convolution.

    Raises:
        ValueError: if a number is not positive.
        TypeError: if a number is not an integer.

    >>> sum(weights.numel() for weights in TangentCNN(1, 10).parameters())
    23251
    """

    def __init__(self, channels: int, width: int) -> None:
        super().__init__()
        checks.size("channels", channels)
        checks.size("width", width)
        with memory_for(channels=channels, width=width):
            self.stem = TangentConv(channels, 4 * width, SIDE, 2)
            self.depthwise = TangentConv(4 * width, 4 * width, SIDE, groups=4 * width)
            self.pointwise = TangentConv(4 * width, 2 * width)
            sizes = (2 * width, width, width, 3 * width, 3 * width)
            strides = (2, 1, 2, 1)
            blocks = zip(pairwise(sizes), strides, strict=True)
            self.blocks = nn.Sequential(*(TangentBlock(*ends, stride) for ends, stride in blocks))
            self.head = TangentConv(3 * width, 20 * width)
            self.readout = Readout(20 * width)

    def features(self, x: Tensor) -> Tensor:
        """Return the input ``[batch, feature]`` of the readout at images ``[batch, channel, height, width]``."""
        x = swish(self.pointwise(swish(self.depthwise(swish(self.stem(x))))))
        pixels: Tensor = swish(self.head(self.blocks(x)))
        return pixels.mean(dim=(2, 3))

    def forward(self, x: Tensor) -> Tensor:
        """Return the output ``[batch, 1]`` at images ``[batch, channel, height, width]``."""
        output: Tensor = self.readout(self.features(x))
        return output


class Readout(nn.Module):
    """An affine map ``[batch, taken] -> [batch, 1]`` that divides by its fan-in; its bias begins at 0."""

    def __init__(self, taken: int) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.randn(1, taken)), nn.Parameter(torch.zeros(1))

    def forward(self, x: Tensor) -> Tensor:
        """Return the map of features ``[batch, taken]``."""
        return nn.functional.linear(x, self.weight / self.weight.shape[1], self.bias)
