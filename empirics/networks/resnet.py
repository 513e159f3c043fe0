"""Residual networks for small images, as the geometry paper trains them: any activation, all the way through.

He et al.'s networks (arXiv 1512.03385) in the usual form for CIFAR-10: a 3 x 3 convolution without pooling in front,
four stages of 64, 128, 256 and 512 channels (times ``width/64``), the average over positions, a linear readout. The
blocks are torchvision's. The rest is here because torchvision's own networks have a 7 x 7 convolution with pooling in
front, stages of 64 channels and more, and the ReLU throughout; here the activation is the same after the first
convolution and in every block. :meth:`ResNet.features` is the feature map whose geometry the paper measures: 512
features for ResNet-18 and 34, 2048 for 50 and 101.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor, nn

from empirics import check

ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {
    "gelu": nn.GELU, "relu": nn.ReLU, "silu": nn.SiLU, "tanh": nn.Tanh, "softplus": nn.Softplus, "elu": nn.ELU,
}  # fmt: skip
if TYPE_CHECKING:
    ActivationName = str
else:  # what a configuration can be given, in the one place where the activations are
    ActivationName = Literal[tuple(ACTIVATIONS)]
BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3)}
BOTTLENECK_FROM = 50  # depth from which blocks are 1x1, 3x3, 1x1 with four times the channels at their end
EXPANSION = 4


def block(inputs: int, channels: int, stride: int, bottleneck: bool, activation: Callable[[], nn.Module]) -> nn.Module:
    """A residual block of torchvision with another activation, ``[batch, inputs, ...]`` to ``[batch, outputs, ...]``.

    Args:
        inputs: channels before the block.
        channels: inside the block; at its end, too, or four times as many with ``bottleneck``.
        stride: by which height and width shrink.
        bottleneck: whether the block has three convolutions.
        activation: makes the module that takes the place of the ReLU.
    """
    from empirics.vision import models  # takes a second to import

    kind = models.resnet.Bottleneck if bottleneck else models.resnet.BasicBlock
    made: nn.Module = kind(inputs, channels, stride)
    made.relu = activation()
    outputs = channels * (EXPANSION if bottleneck else 1)
    if stride != 1 or inputs != outputs:
        made.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))
    return made


class ResNet(nn.Module):
    """A residual network; made by :func:`resnet`."""

    def __init__(
        self, depth: int, activation: Callable[[], nn.Module], width: int, outputs: int, channels: int
    ) -> None:
        super().__init__()
        bottleneck = depth >= BOTTLENECK_FROM
        self.stem = nn.Sequential(nn.Conv2d(channels, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), activation())
        blocks: list[nn.Module] = []
        inputs = width
        for stage, number in enumerate(BLOCKS[depth]):
            inner = width * 2**stage
            for index in range(number):
                stride = 2 if stage > 0 and index == 0 else 1
                blocks.append(block(inputs, inner, stride, bottleneck, activation))
                inputs = inner * (EXPANSION if bottleneck else 1)
        self.blocks = nn.Sequential(*blocks)
        self.feature_count = inputs
        self.readout = nn.Linear(inputs, outputs)

    def features(self, x: Tensor) -> Tensor:
        """Average over positions of the last block: ``[batch, channels, height, width]`` to ``[batch, features]``."""
        out: Tensor = self.blocks(self.stem(x)).mean(dim=(2, 3))
        return out

    def forward(self, x: Tensor) -> Tensor:
        """Logits ``[batch, outputs]``."""
        out: Tensor = self.readout(self.features(x))
        return out


def resnet(
    depth: int,
    activation: str | Callable[[], nn.Module] = "gelu",
    *,
    width: int = 64,
    outputs: int = 10,
    channels: int = 3,
    seed: int | None = None,
) -> ResNet:
    """ResNet-18, 34, 50 or 101 for small images (arXiv 2301.11375, Appendix G 3).

    Args:
        depth: 18, 34, 50 or 101.
        activation: a name in :data:`ACTIVATIONS`, or anything that makes a module when called; used throughout.
        width: channels of the first stage, dimensionless; 64 in the literature.
        outputs: number of classes.
        channels: of the images.
        seed: of the initial weights (torch's defaults), leaving torch's random state alone; None draws from that state.

    Returns:
        The network in float32, in training mode; ``.eval()`` before its geometry is measured.

    Raises:
        ValueError: if the depth or a name is unknown or a size not positive.
        TypeError: if a size is not an integer, or the activation neither a name nor callable.
    """
    check.one_of("depth", depth, BLOCKS)
    for name, size in (("width", width), ("outputs", outputs), ("channels", channels)):
        check.whole(name, size)
    if isinstance(activation, str):
        activation = ACTIVATIONS[check.one_of("activation", activation, ACTIVATIONS)]
    check.function("activation", activation, "a name or a callable that makes a module")
    if seed is None:
        return ResNet(depth, activation, width, outputs, channels)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return ResNet(depth, activation, width, outputs, channels)
