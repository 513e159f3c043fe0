"""The architectures by name."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from closedform import checks
from empirics.networks.activations import activation as chosen_activation
from empirics.networks.architecture import Architecture, Skip
from empirics.networks.convolution import Convolution
from empirics.networks.dropout import Dropout
from empirics.networks.user_architecture import UserArchitecture, from_class
from empirics.user_choice import check_choice

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
    sizes = {"inputs": inputs, "outputs": outputs, "width": width, "depth": depth}
    sizes |= {"channels": channels, "kernel": kernel}
    for key, size in sizes.items():
        checks.size(key, size)
    phi = chosen_activation(activation)
    if not isinstance(name, str):
        return from_class("architecture", name)(inputs, outputs, width, depth, phi)
    check_choice("architecture", name, ARCHITECTURES, UserArchitecture)
    if name == "convolution":
        checks.require(kernel % 2 == 1, "kernel", kernel, "an odd number (the padding keeps the width)")
        return Convolution(inputs, outputs, width, depth, phi, channels, kernel)
    if name == "dropout":
        checks.real_number("dropout", dropout, least=0, below=1)
        return Dropout(inputs, outputs, width, depth, phi, dropout)
    kind = ARCHITECTURES.get(name) or UserArchitecture.load("architecture", name)
    return kind(inputs, outputs, width, depth, phi)
