r"""A convolutional network of inverted residual blocks without batch normalisation, with one output, after MnasNet.

A 3 x 3 convolution of stride 2 is followed by blocks of three convolutions: 1 x 1 to more channels, 3 x 3 within each
channel and 1 x 1 back, with the block's input added where the shapes agree; every second block halves the image. A mean
over pixels and a linear readout follow. With five blocks, the network has the 16 convolutions of Paccolat et al.
(2021), section 5.2, who do not print channels or strides. He initialisation preserves the size of signals without
normalisation.
"""

from __future__ import annotations

from torch import Tensor, nn

from closedform import checks

EXPANSION = 3  # factor of the number of channels inside a block
STEM = 3  # pixels per side of the first kernel


class InvertedBlock(nn.Module):
    """A block of three convolutions, with the input added if it has the shape of the output."""

    def __init__(self, taken: int, given: int, stride: int) -> None:
        super().__init__()
        inside = EXPANSION * taken
        self.expand = nn.Conv2d(taken, inside, 1)
        self.within = nn.Conv2d(inside, inside, 3, stride, 1, groups=inside)
        self.project = nn.Conv2d(inside, given, 1)
        self.adds = taken == given and stride == 1

    def forward(self, x: Tensor) -> Tensor:
        """Map ``[batch, taken, height, width]`` to ``[batch, given, height/stride, width/stride]``."""
        inside = nn.functional.relu(self.within(nn.functional.relu(self.expand(x))))
        given: Tensor = self.project(inside)
        return x + given if self.adds else given


class InvertedCNN(nn.Module):
    """A classifier of images by 1 + 3 ``blocks`` convolutions; ``width`` doubles where a block halves the image."""

    def __init__(self, channels: int, width: int, blocks: int) -> None:
        super().__init__()
        for name, value in (("channels", channels), ("width", width), ("blocks", blocks)):
            checks.size(name, value)
        self.stem = nn.Conv2d(channels, width, STEM, 2, 1)
        modules = []
        for index in range(blocks):
            halves = index % 2 == 1
            modules.append(InvertedBlock(width, width * 2 if halves else width, 2 if halves else 1))
            width = width * 2 if halves else width
        self.blocks = nn.Sequential(*modules)
        self.readout = nn.Linear(width, 1)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
                nn.init.zeros_(module.bias) if module.bias is not None else None

    def features(self, x: Tensor) -> Tensor:
        """Return the input ``[batch, feature]`` of the readout at images ``[batch, channel, height, width]``."""
        return nn.functional.relu(self.blocks(nn.functional.relu(self.stem(x)))).mean(dim=(2, 3))

    def forward(self, x: Tensor) -> Tensor:
        """Return the output ``[batch, 1]`` at images ``[batch, channel, height, width]``."""
        output: Tensor = self.readout(self.features(x))
        return output
