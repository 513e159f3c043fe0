r"""The metric of a shallow network, :math:`g_{ij} = \frac1n \sum_a \varphi'(z_a)^2 w_{ai} w_{aj}`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.activations import ActivationLike
from theory.geometry.shallow.arguments import checked

_NUMBERS_AT_ONCE = 2**22


def metric(weights: ArrayLike, biases: ArrayLike, x: ArrayLike, act: ActivationLike) -> NDArray[np.float64]:
    r"""Return the pullback metric at every input.

    Args:
        weights: weights, [width, d], in 1/input.
        biases: biases, [width], dimensionless.
        x: inputs, [..., d].
        act: activation or its name; its slope at a kink is the mean of the two one-sided slopes.

    Returns:
        The metric, [..., d, d], in 1/input^2.

    Raises:
        TypeError, ValueError: for arguments that are not finite real arrays of fitting shapes.
        ArithmeticError: where the metric exceeds double precision.

    Source: Zavatone-Veth et al. (2023), Eq. (2).
    """
    layer = checked(weights, biases, x, act)
    slope = layer.act.function(1)
    result = np.empty((len(layer.points), layer.dimension, layer.dimension))
    size = max(1, _NUMBERS_AT_ONCE // (layer.width * layer.dimension))
    for start in range(0, len(layer.points), size):
        part = slice(start, start + size)
        rows = slope(layer.points[part] @ layer.weights.T + layer.biases)[..., None] * layer.weights
        with np.errstate(over="ignore", invalid="ignore"):
            result[part] = rows.swapaxes(1, 2) @ rows / layer.width
    if not np.isfinite(result).all():
        raise ArithmeticError("the metric exceeds the range of double precision")
    return result.reshape(*layer.shape, layer.dimension, layer.dimension)
