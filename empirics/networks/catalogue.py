"""The architectures by name."""

from __future__ import annotations

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
    """One of the paper's architectures; see the module of each for what exactly it is.

    Args:
        name: ``"fully_connected"``, ``"convolution"``, ``"skip"`` or ``"dropout"``.
        nonlinearity: one of :data:`empirics.networks.ACTIVATIONS`.
        inputs: dimension of the input.
        outputs: dimension of the output.
        width: units in a hidden layer.
        depth: number of hidden layers.
        negative_slope: of the leaky ReLU, dimensionless.
        channels: convolution only.
        kernel: convolution only; odd.
        dropout: dropout only; probability in [0, 1).

    Raises:
        ValueError: if a name is unknown or a size impossible.
    """
    sizes = {"inputs": inputs, "outputs": outputs, "width": width, "depth": depth}
    sizes |= {"channels": channels, "kernel": kernel}
    for key, size in sizes.items():
        if size < 1:
            raise ValueError(f"{key}: got {size}, needs an integer >= 1")
    phi = activation(nonlinearity, negative_slope)
    if name == "convolution":
        if kernel % 2 == 0:
            raise ValueError(f"kernel: got {kernel}, needs an odd number (the padding keeps the width)")
        return Convolution(inputs, outputs, width, depth, phi, channels, kernel)
    if name == "dropout":
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout: got {dropout}, needs a probability in [0, 1)")
        return Dropout(inputs, outputs, width, depth, phi, dropout)
    if name not in ARCHITECTURES:
        raise ValueError(f"architecture: got {name!r}, needs one of {', '.join(ARCHITECTURES)}")
    return ARCHITECTURES[name](inputs, outputs, width, depth, phi)
