"""How far the kernel of a fully connected network of finite width is expected to be from that of infinite width."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bridge.dossier.dense import Dense
from bridge.statistics.arrays import Array
from bridge.validity.placed import placed_in_one
from closedform.rounding import ROUNDING

if TYPE_CHECKING:
    from theory.engine import ExpectedSpread


def expected_spread(
    network: Dense, weights: list[float], biases: list[float], x: Array
) -> ExpectedSpread:
    """Return the relative variance of the last hidden kernel over draws of the weights, to first order.

    Args:
        network: the network.
        weights: variance of a weight of each layer.
        biases: variance of a bias of each layer.
        x: inputs, ``[N, d]``; the number is that at their mean squared norm.
    """
    from theory import engine

    widths = network.widths
    net: engine.Network = engine.Dense(weights[0], biases[0], width=widths[1])
    for level, activation in enumerate(network.activations, 1):
        is_last = level == len(network.activations)
        # the kernel of the last hidden layer is a plain mean over its units
        scales = (1, 0) if is_last else (widths[level] * weights[level], biases[level])
        width = None if is_last else widths[level + 1]
        net = net >> engine.Act(activation) >> engine.Dense(*scales, width=width)
    return engine.expected_spread(net, float(np.square(x).sum(axis=1).mean()))


def spread_finding(network: Dense, weights: list[float], biases: list[float], x: Array) -> str:
    """Return the expected spread in words, and where the network lies in the recorded maps of the first order.

    Args:
        network, weights, biases, x: as for :func:`expected_spread`.
    """
    spread = expected_spread(network, weights, biases, x)
    values = settings(network, weights, biases, x)
    place = placed_in_one("finite_width.kernel_spread", values) if values else ""
    place = f" {place[0].upper()}{place[1:]}" if place else ""
    return f"At initialisation, in the last hidden layer: {spread.sentence}{place}"


def settings(
    network: Dense, weights: list[float], biases: list[float], x: Array
) -> dict[str, object]:
    """Return the settings of random networks of the experiment that are these; none for layers that differ.

    Args:
        network, weights, biases, x: as for :func:`expected_spread`.
    """
    depth, below_first = (
        len(network.activations),
        weights[0] * float(np.square(x).sum(axis=1).mean()),
    )
    # a single hidden layer has no weights but those of the input, whose norm can then be 1
    scales = [network.widths[level] * weights[level] for level in range(1, depth)] or [below_first]
    layers = zip(network.activations, network.widths[1 : depth + 1], biases[:depth], strict=True)
    kinds = {(activation.name, width, bias) for activation, width, bias in layers}
    if len(kinds) > 1 or not np.allclose(scales, scales[0], rtol=ROUNDING, atol=0):
        return {}
    ((activation, width, bias),) = kinds
    return {
        "width": width, "depth": depth, "activation": activation, "weight_variance": _typed(scales[0]),
        "bias_variance": _typed(bias), "norm": _typed(below_first / scales[0]),
    }  # fmt: skip


def _typed(number: float) -> float:
    """Return a number as it would be typed, without the rounding of a product."""
    return float(f"{number:.12g}")
