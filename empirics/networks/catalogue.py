"""The architectures by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from empirics import check
from empirics.networks.activations import NEGATIVE_SLOPE, activation
from empirics.networks.architecture import Architecture
from empirics.networks.convolution import Convolution
from empirics.networks.dropout import Dropout
from empirics.networks.skip import Skip

ARCHITECTURES: dict[str, type[Architecture]] = {
    "fully_connected": Architecture,
    "convolution": Convolution,
    "skip": Skip,
    "dropout": Dropout,
}
if TYPE_CHECKING:
    ArchitectureName = str
else:  # the choices of a configuration, defined beside the architectures
    ArchitectureName = Literal[tuple(ARCHITECTURES)]


def build(
    name: str,
    *,
    nonlinearity: str = "leaky_relu",
    inputs: int = 1,
    outputs: int = 1,
    width: int = 500,
    depth: int = 20,
    negative_slope: float = NEGATIVE_SLOPE,
    channels: int = 20,
    kernel: int = 11,
    dropout: float = 0.1,
) -> Architecture:
    """Return one of the paper's architectures, which its own module describes in detail.

    Args:
        name: ``"fully_connected"``, ``"convolution"``, ``"skip"`` or ``"dropout"``.
        nonlinearity: one of :data:`empirics.networks.ACTIVATIONS`, default ``"leaky_relu"``.
        inputs: dimension of the input, default 1.
        outputs: dimension of the output, default 1.
        width: number of units in a hidden layer, default 500.
        depth: number of hidden layers, default 20.
        negative_slope: slope of the leaky ReLU below zero, dimensionless, default 0.01.
        channels: number of channels, default 20; used by the convolution only.
        kernel: odd kernel size, default 11; used by the convolution only.
        dropout: probability in [0, 1) of dropping a unit, default 0.1; used by ``"dropout"`` only.

    Raises:
        ValueError: if a name is unknown or a size impossible.
    """
    sizes = {"inputs": inputs, "outputs": outputs, "width": width, "depth": depth}
    sizes |= {"channels": channels, "kernel": kernel}
    for key, size in sizes.items():
        check.whole(key, size)
    phi = activation(nonlinearity, negative_slope)
    check.one_of("architecture", name, ARCHITECTURES)
    if name == "convolution":
        check.require(kernel % 2 == 1, "kernel", kernel, "an odd number (the padding keeps the width)")
        return Convolution(inputs, outputs, width, depth, phi, channels, kernel)
    if name == "dropout":
        check.real("dropout", dropout, at_least=0, below=1)
        return Dropout(inputs, outputs, width, depth, phi, dropout)
    return ARCHITECTURES[name](inputs, outputs, width, depth, phi)
