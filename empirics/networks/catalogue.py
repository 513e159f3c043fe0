"""The architectures by name.

The convolutional architecture: the maps between hidden layers are one-dimensional convolutions along the units.

Hidden layer 1 is an affine map of the input onto ``width`` positions of one channel. Layers 2 ... depth are
convolutions with ``kernel`` taps and ``channels`` channels, zero-padded so that the width is preserved; the readout is
an affine map of all channels of the last layer. This follows appendix B.1 literally. The released code differs in two
details: it ends in one more convolution, back to one channel, and does not pad, so that a width of 100 would be used up
before ten layers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import pad

from closedform import checks
from empirics.networks.activations import activation as chosen_activation
from empirics.networks.architecture import (
    Activations,
    Affine,
    Architecture,
    Dropout,
    Outputs,
    Shape,
    Skip,
)
from empirics.networks.user_architecture import UserArchitecture, from_class
from empirics.user_choice import check_choice


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
            Shape(
                self.kernel * self.channels_of(l - 1),
                self.channels_of(l),
                self.kernel * self.channels_of(l),
            )
            for l in range(2, self.depth + 1)
        ]
        first = Shape(self.inputs, self.width, self.width)
        return [
            first,
            *between,
            Shape(self.width * self.channels_of(self.depth), self.outputs, self.outputs),
        ]

    def hidden(self, layer: int, affine: Affine, earlier: Sequence[Tensor]) -> Activations:
        """Return the output ``[seed, point, width, channel]`` of a hidden layer; see :meth:`Architecture.hidden`."""
        weight, bias = affine
        below = earlier[layer - 1]
        if layer == 1:
            return self.activation.function(torch.baddbmm(bias, below, weight)).unsqueeze(-1)
        half = self.kernel // 2
        # [seed, point, width, channel, tap]
        patches = pad(below, (0, 0, half, half)).unfold(2, self.kernel, 1)
        seeds, points = below.shape[:2]
        rows = patches.reshape(seeds, points * self.width, weight.shape[1])
        return self.activation.function(torch.baddbmm(bias, rows, weight)).view(
            seeds, points, self.width, -1
        )

    def readout(self, affine: Affine, last: Activations) -> Outputs:
        """Return the network's output ``[seed, point, output]`` from all channels of the last hidden layer."""
        return super().readout(affine, last.flatten(2))


ARCHITECTURES: dict[str, type[Architecture]] = {
    "fully_connected": Architecture,
    "convolution": Convolution,
    "skip": Skip,
    "dropout": Dropout,
}


def build(
    name: str | type[Architecture],
    *,
    activation: str | Callable[[Tensor], Tensor] = "leaky_relu",
    inputs: int = 1,
    outputs: int = 1,
    width: int = 500,
    depth: int = 20,
    channels: int = 20,
    kernel: int = 11,
    dropout: float = 0.1,
) -> Architecture:
    """Return one of the paper's architectures, which its own module describes in detail, or one of your own.

    Args:
        name: ``"fully_connected"``, ``"convolution"``, ``"skip"``, ``"dropout"``, or a subclass of
            :class:`empirics.networks.Architecture` or its import path ``"module:class"``, whose constructor takes
            ``(inputs, outputs, width, depth, activation)``.
        activation: a name of :mod:`closedform.activation_names` such as ``"tanh"`` or ``"leaky_relu(1/10)"``, an
            expression in ``z`` such as ``"z*erf(z)"``, an import path ``"module:function"``, or an elementwise torch
            function or module; default ``"leaky_relu"``, whose slope is 1/100.
        inputs: dimension of the input, default 1.
        outputs: dimension of the output, default 1.
        width: number of units in a hidden layer, default 500.
        depth: number of hidden layers, default 20.
        channels: number of channels, default 20; used by the convolution only.
        kernel: odd kernel size, default 11; used by the convolution only.
        dropout: probability in [0, 1) of dropping a unit, default 0.1; used by ``"dropout"`` only.

    Raises:
        TypeError, ValueError: if a name is unknown or a size impossible.

    >>> build("fully_connected", inputs=2, width=8, depth=3).depth
    3
    """
    sizes = {
        "inputs": inputs,
        "outputs": outputs,
        "width": width,
        "channels": channels,
        "kernel": kernel,
    }
    for key, size in sizes.items():
        checks.size(key, size)
    checks.layers("depth", depth)
    phi = chosen_activation(activation)
    if not isinstance(name, str):
        return from_class("architecture", name)(inputs, outputs, width, depth, phi)
    check_choice("architecture", name, ARCHITECTURES, UserArchitecture)
    if name == "convolution":
        checks.require(
            kernel % 2 == 1, "kernel", kernel, "an odd number (the padding keeps the width)"
        )
        return Convolution(inputs, outputs, width, depth, phi, channels, kernel)
    if name == "dropout":
        checks.real_number("dropout", dropout, least=0, below=1)
        return Dropout(inputs, outputs, width, depth, phi, dropout)
    kind = ARCHITECTURES.get(name) or UserArchitecture.load("architecture", name)
    return kind(inputs, outputs, width, depth, phi)
