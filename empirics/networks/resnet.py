"""Residual networks for small images with any activation, as the geometry paper trains them.

They are He et al.'s networks (arXiv 1512.03385) in the usual form for CIFAR-10: a 3 x 3 convolution without pooling,
four stages of 64, 128, 256 and 512 channels (times ``width/64``), the average over positions and a linear readout. The
blocks are torchvision's. torchvision's complete networks are not used, since they begin with a 7 x 7 convolution and
pooling, their first stage has 64 channels or more, and their activation is the ReLU. The networks here use the same
activation after the first convolution and in every block, unless ``stem`` names another one for the first convolution,
as the released program of the paper has it. :meth:`ResNet.features` is the feature map whose geometry the
paper measures, with 512 features for ResNet-18 and 34 and 2048 for 50 and 101.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn

from closedform import checks
from empirics.networks.activations import Elementwise
from empirics.networks.names import BLOCKS, UserActivation
from empirics.tensor_checks import memory_for
from empirics.user_choice import check_choice

BOTTLENECK_FROM = 50  # least depth with blocks of 1x1, 3x3 and 1x1 convolutions
EXPANSION = 4  # output channels of such a block, in units of its inner channels


def block(
    inputs: int, channels: int, stride: int, bottleneck: bool, activation: Callable[[], nn.Module]
) -> nn.Module:
    """Build a residual block of torchvision with another activation; ``bottleneck`` has three convolutions, not two."""
    from empirics.vision import models  # takes a second to import

    kind = models.resnet.Bottleneck if bottleneck else models.resnet.BasicBlock
    residual_block: nn.Module = kind(inputs, channels, stride)
    residual_block.relu = activation()
    outputs = channels * (EXPANSION if bottleneck else 1)
    if stride != 1 or inputs != outputs:
        residual_block.downsample = nn.Sequential(
            nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
        )
    return residual_block


class ResNet(nn.Module):
    """A residual network, built by :func:`resnet`.

    >>> resnet(18, width=4)(torch.zeros(2, 3, 32, 32)).shape
    torch.Size([2, 10])
    """

    def __init__(
        self,
        depth: int,
        activation: Callable[[], nn.Module],
        width: int,
        outputs: int,
        channels: int,
        stem: Callable[[], nn.Module],
    ) -> None:
        super().__init__()
        bottleneck = depth >= BOTTLENECK_FROM
        self.stem = nn.Sequential(
            nn.Conv2d(channels, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), stem()
        )
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
        """Return the averages of the last block over positions, ``[batch, features]``.

        Args:
            x: images ``[batch, channels, height, width]``.
        """
        out: Tensor = self.blocks(self.stem(x)).mean(dim=(2, 3))
        return out

    def forward(self, x: Tensor) -> Tensor:
        """Return logits ``[batch, outputs]`` of images ``[batch, channels, height, width]``."""
        out: Tensor = self.readout(self.features(x))
        return out


def resnet(
    depth: int,
    activation: str | Callable[[], nn.Module] = "gelu",
    *,
    width: int = 64,
    outputs: int = 10,
    channels: int = 3,
    stem: str | Callable[[], nn.Module] | None = None,
    seed: int | None = None,
) -> ResNet:
    """Build ResNet-18, 34, 50 or 101 for small images (arXiv 2301.11375, Appendix G 3).

    Args:
        depth: 18, 34, 50 or 101.
        activation: a name of :mod:`closedform.activation_names`, an expression in ``z`` such as ``"z*erf(z)"``, an
            import path ``"module:function"``, or a callable that makes a module; used throughout; default ``"gelu"``.
        width: number of channels of the first stage, default 64 as in the literature.
        outputs: number of classes, default 10.
        channels: number of channels of the images, default 3.
        stem: the activation after the first convolution, named as ``activation``; default: the same.
        seed: seed of the initial weights (torch's defaults), which does not change torch's random state; None (default)
            draws from that state.

    Returns:
        The network in float32, in training mode; call ``.eval()`` before measuring its geometry.

    Raises:
        ValueError: if the depth or a name is unknown or a size is not positive.
        TypeError: if a size is not an integer, or the activation is neither a name nor callable.
    """
    checks.one_of("depth", depth, BLOCKS)
    for name, size in (("width", width), ("outputs", outputs), ("channels", channels)):
        checks.size(name, size)
    of_blocks = _maker("activation", activation)
    of_stem = of_blocks if stem is None else _maker("stem", stem)
    with memory_for(width=width, outputs=outputs, channels=channels):
        if seed is None:
            return ResNet(depth, of_blocks, width, outputs, channels, of_stem)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return ResNet(depth, of_blocks, width, outputs, channels, of_stem)


def _maker(name: str, activation: str | Callable[[], nn.Module]) -> Callable[[], nn.Module]:
    """Return what makes the modules of an activation; ``name`` is the argument that errors name."""
    if isinstance(activation, str):
        return partial(Elementwise, check_choice(name, activation, (), UserActivation))
    checks.function(name, activation, "a name or a callable that makes a module")
    return activation
