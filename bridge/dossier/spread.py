"""How far the kernel of a fully connected network of finite width is expected to be from that of infinite width."""

from __future__ import annotations

import math

import numpy as np

from bridge.dossier.dense import Dense
from bridge.statistics.arrays import Array

LARGEST = 1.0  # relative spread from which on a first order says nothing but that there is no typical size


def expected_spread(network: Dense, weights: list[float], biases: list[float], x: Array) -> float:
    """Return the variance of the last hidden kernel over its square, over draws of the weights, to first order.

    Args:
        network: the network.
        weights: variance of a weight of each layer.
        biases: variance of a bias of each layer.
        x: inputs, ``[N, d]``; the number is that at their mean squared norm.

    Returns:
        The relative variance, dimensionless; infinite where the moments are beyond the numbers of a processor.
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
    form = engine.finite_width(net, "dossier").spread
    squared_norm = float(np.square(x).sum(axis=1).mean())
    try:
        return float(form(**{argument.name: squared_norm for argument in form.arguments}))
    except ArithmeticError:
        return math.inf


def spread_finding(network: Dense, weights: list[float], biases: list[float], x: Array) -> str:
    """Return the expected spread in words, with the widths and the depth.

    Args:
        network, weights, biases, x: as for :func:`expected_spread`.
    """
    spread = expected_spread(network, weights, biases, x)
    widths = sorted(set(network.widths[1:-1]))
    shown = str(widths[0]) if len(widths) == 1 else f"{widths[0]} to {widths[-1]}"
    where = f"at width {shown}, depth {len(network.activations)}"
    if not spread < LARGEST:
        return (
            "At initialisation the kernel of the last hidden layer has no size that is typical of networks "
            f"{where}: to first order in 1/width its variance is {LARGEST:g} times its square or more."
        )
    return (
        "At initialisation the kernel of the last hidden layer is expected to have a relative spread of "
        f"{spread:.2g} {where}, to first order in 1/width: its variance over networks as a share of its square, "
        f"which is ±{math.sqrt(spread):.0%} of infinite width."
    )
