"""The classifiers of the thesis (section 2.3, figure 2.3), each a chain of stages and a readout.

f₊ has three residual blocks. Block l, with d₀ input channels and d = (64, 128, 256):
relu ∘ pool(2x2) ∘ bn ∘ conv(3x3, d_l) (relu(x + bn(conv(3x3, d_{l-1})(x)))).
The readout takes the maximum of each channel over the remaining pixels, followed by an affine map.

f₋ has no skip connections and fewer convolutions. Block l, with d/4 = (16, 32, 64):
relu ∘ pool(3x3) ∘ bn ∘ conv(5x5, d_l / 4). After three of them an image of 28 or 32 pixels is down to one, and the
readout is an affine map.

Convolutions are padded and have no biases. Batch normalisation uses the statistics of the batch and stores none, in
training and evaluation alike, so that outputs depend on the composition of the batches.

A convolutional network of inverted residual blocks without batch normalisation, with one output, after MnasNet.

A 3 x 3 convolution of stride 2 is followed by blocks of three convolutions: 1 x 1 to more channels, 3 x 3 within each
channel and 1 x 1 back, with the block's input added where the shapes agree; every second block halves the image. A mean
over pixels and a linear readout follow. With five blocks, the network has the 16 convolutions of Paccolat et al.
(2021), section 5.2, who do not print channels or strides. He initialisation preserves the size of signals without
normalisation.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from closedform import checks
from empirics.networks.names import POOL
from empirics.networks.staged import StagedClassifier, checked_depths
from empirics.tensor_checks import memory_for

EXPANSION = 3  # factor of the number of channels inside a block
STEM = 3  # pixels per side of the first kernel

PLAIN_DEPTHS, RESIDUAL_DEPTHS = (16, 32, 64), (64, 128, 256)
KERNEL = 5  # of f₋


def plain_cnn(
    channels: int = 3, size: int = 32, classes: int = 10, depths: tuple[int, ...] = PLAIN_DEPTHS
) -> StagedClassifier:
    """Build f₋ for images ``[batch, channels, size, size]``.

    Args:
        channels: number of channels of the images, default 3.
        size: height and width of the images in pixels, default 32.
        classes: number of logits C, default 10.
        depths: number of channels after each block; the default is that of the thesis.

    Raises:
        ValueError: if a number is not positive, or the image is too small for the blocks.
        TypeError: if a number is not an integer.

    >>> plain_cnn(channels=1, size=28)(torch.zeros(2, 1, 28, 28)).shape
    torch.Size([2, 10])
    """
    depths = checked_depths(channels, size, classes, depths, POOL["plain"])
    final_size = size // POOL["plain"] ** len(depths)
    with memory_for(channels=channels, size=size, classes=classes, depths=max(depths)):
        blocks = [
            nn.Sequential(
                nn.Conv2d(a, b, KERNEL, padding="same", bias=False),
                nn.BatchNorm2d(b, track_running_stats=False),
                nn.MaxPool2d(POOL["plain"]),
                nn.ReLU(),
            )
            for a, b in zip((channels, *depths), depths, strict=False)
        ]
        readout = nn.Sequential(nn.Flatten(), nn.Linear(final_size**2 * depths[-1], classes))
    return StagedClassifier(blocks, readout)


def mlp(
    inputs: int, widths: Sequence[int] = (128, 128, 128), classes: int = 10
) -> StagedClassifier:
    """Build a multilayer perceptron for inputs ``[batch, ...]``, which are flattened to ``inputs`` numbers.

    Args:
        inputs: number of entries of one input.
        widths: widths of the hidden layers, at least one, default (128, 128, 128).
        classes: number of logits C, default 10.

    Raises:
        ValueError: if there is no hidden layer or a size is not positive.

    >>> mlp(784, widths=(32, 32), classes=10)(torch.zeros(2, 784)).shape
    torch.Size([2, 10])
    """
    sizes = [checks.size("inputs", inputs), *checks.sizes("widths", widths, some=True)]
    checks.size("classes", classes)
    with memory_for(inputs=inputs, widths=max(sizes[1:]), classes=classes):
        stages = [
            nn.Sequential(nn.Flatten(), nn.Linear(a, b), nn.ReLU()) for a, b in pairwise(sizes)
        ]
        return StagedClassifier(stages, nn.Linear(sizes[-1], classes))


class ResidualBlock(nn.Module):
    """A residual block ``[batch, inputs, h, w] -> [batch, outputs, h // 2, w // 2]``."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.same = nn.Conv2d(inputs, inputs, 3, padding="same", bias=False)
        self.same_norm = nn.BatchNorm2d(inputs, track_running_stats=False)
        self.wider = nn.Conv2d(inputs, outputs, 3, padding="same", bias=False)
        self.wider_norm = nn.BatchNorm2d(outputs, track_running_stats=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return the representation after the block's last ReLU."""
        x = torch.relu(x + self.same_norm(self.same(x)))
        return torch.relu(
            nn.functional.max_pool2d(self.wider_norm(self.wider(x)), POOL["residual"])
        )


def residual_cnn(
    channels: int = 3, size: int = 32, classes: int = 10, depths: tuple[int, ...] = RESIDUAL_DEPTHS
) -> StagedClassifier:
    """Build f₊ for images ``[batch, channels, size, size]``, with the arguments of :func:`empirics.networks.plain_cnn`.

    Args:
        channels: channels of the images. Default: 3.
        size: height and width of the images, pixels. Default: 32.
        classes: number of classes. Default: 10.
        depths: channels of each block. Default: those of the thesis.

    Raises:
        ValueError: if a number is not positive, or the image is too small for the blocks.
        TypeError: if a number is not an integer.

    >>> residual_cnn(channels=1, size=28, depths=(4, 8, 8))(torch.zeros(2, 1, 28, 28)).shape
    torch.Size([2, 10])
    """
    depths = checked_depths(channels, size, classes, depths, POOL["residual"])
    final_size = size // POOL["residual"] ** len(depths)
    with memory_for(channels=channels, classes=classes, depths=max(depths)):
        blocks = [ResidualBlock(a, b) for a, b in zip((channels, *depths), depths, strict=False)]
        readout = nn.Sequential(
            nn.MaxPool2d(final_size), nn.Flatten(), nn.Linear(depths[-1], classes)
        )
    return StagedClassifier(blocks, readout)


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
        projected: Tensor = self.project(inside)
        return x + projected if self.adds else projected


class InvertedCNN(nn.Module):
    """A classifier of images by 1 + 3 ``blocks`` convolutions; ``width`` doubles where a block halves the image."""

    def __init__(self, channels: int, width: int, blocks: int) -> None:
        super().__init__()
        checks.size("channels", channels)
        checks.size("width", width)
        checks.layers("blocks", blocks)
        modules = []
        with memory_for(channels=channels, width=width, blocks=blocks):
            self.stem = nn.Conv2d(channels, width, STEM, 2, 1)
            for index in range(blocks):
                halves = index % 2 == 1
                modules.append(
                    InvertedBlock(width, width * 2 if halves else width, 2 if halves else 1)
                )
                width = width * 2 if halves else width
            readout = nn.Linear(width, 1)
        self.blocks = nn.Sequential(*modules)
        self.readout = readout
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
