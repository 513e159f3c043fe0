r"""The metric of a shallow network, :math:`g_{ij} = \frac1n \sum_a \varphi'(z_a)^2 w_{ai} w_{aj}`.

Its volume element :math:`\sqrt{\det g}` is the factor by which the network magnifies volume. The Riemann tensor is

.. math:: R_{ijkl} = \tfrac14 g^{mn} ( T_{mil} T_{njk} - T_{mik} T_{njl} ), \quad T_{ijk} = \partial_k g_{ij},

with the sign for which :math:`R_{1212} > 0` on a sphere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.activations import ActivationLike
from theory.geometry.shallow.frame import (
    NUMBERS_AT_ONCE,
    WhenSingular,
    checked,
    checked_for_curvature,
    frames,
)
from theory.geometry.shallow.scalar_curvature import derivatives


def metric(
    weights: ArrayLike, biases: ArrayLike, x: ArrayLike, act: ActivationLike
) -> NDArray[np.float64]:
    r"""Return the pullback metric at every input.

    The arguments are those of ``log_volume_element``, of any width; the result is [..., d, d], in 1/input^2.

    Raises:
        ArithmeticError: where the metric exceeds double precision.

    Source: Zavatone-Veth et al. (2023), Eq. (2).
    """
    layer = checked(weights, biases, x, act)
    slope = layer.act.function(1)
    result = np.empty((len(layer.points), layer.dimension, layer.dimension))
    size = max(1, NUMBERS_AT_ONCE // (layer.width * layer.dimension))
    for start in range(0, len(layer.points), size):
        part = slice(start, start + size)
        rows = (
            slope(layer.points[part] @ layer.weights.T + layer.biases)[..., None] * layer.weights
        )
        with np.errstate(over="ignore", invalid="ignore"):
            result[part] = rows.swapaxes(1, 2) @ rows / layer.width
    if not np.isfinite(result).all():
        raise ArithmeticError("the metric exceeds the range of double precision")
    return result.reshape(*layer.shape, layer.dimension, layer.dimension)


def log_volume_element(
    weights: ArrayLike,
    biases: ArrayLike,
    x: ArrayLike,
    act: ActivationLike,
    when_singular: WhenSingular = "raise",
) -> NDArray[np.float64]:
    r"""Return the natural logarithm of the volume element, :math:`\tfrac12 \log\det g`.

    Args:
        weights: weights, [width, d], in 1/input, width >= d.
        biases: biases, [width], dimensionless.
        x: inputs, [..., d].
        act: activation or its name; its slope at a kink is the mean of the two one-sided slopes.
        when_singular: "raise" (the default) or "nan", the response to a metric singular to working precision.

    Returns:
        The logarithm of a number in 1/input^d, [...].

    Raises:
        TypeError, ValueError: for arguments that are not finite real arrays of fitting shapes, or width < d.
        ArithmeticError: where the metric is singular to working precision, or a slope exceeds double precision.

    Source: Zavatone-Veth et al. (2023), Eqs. (2), (3).
    """
    layer = checked(weights, biases, x, act)
    result = np.empty(len(layer.points))
    for frame in frames(layer, layer.width * (layer.dimension + 4), when_singular):
        diagonal = np.diagonal(frame.triangle, axis1=1, axis2=2)
        result[frame.points] = np.where(frame.singular, np.nan, np.log(diagonal).sum(axis=-1))
    return result.reshape(layer.shape)[()]


def volume_element(
    weights: ArrayLike,
    biases: ArrayLike,
    x: ArrayLike,
    act: ActivationLike,
    when_singular: WhenSingular = "raise",
) -> NDArray[np.float64]:
    r"""Return the volume element :math:`\sqrt{\det g}` at every input.

    The arguments are those of ``log_volume_element``; the result is [...], in 1/input^d.

    Raises:
        ArithmeticError: where the metric is singular to working precision, or the value is too large or small for
            double precision, as is common in many dimensions; use ``log_volume_element`` there.

    Source: Zavatone-Veth et al. (2023), Eqs. (2), (3).
    """
    logarithm = log_volume_element(weights, biases, x, act, when_singular)
    with np.errstate(over="ignore", under="ignore"):
        volume = np.exp(logarithm)
    if np.isinf(volume).any() or (volume < np.finfo(np.float64).tiny).any():
        raise ArithmeticError(
            "the volume element exceeds the range of double precision; take log_volume_element"
        )
    return volume


def riemann(
    weights: ArrayLike,
    biases: ArrayLike,
    x: ArrayLike,
    act: ActivationLike,
    when_singular: WhenSingular = "raise",
) -> NDArray[np.float64]:
    r"""Return the Riemann tensor with all indices down, at every input.

    The arguments are those of ``scalar_curvature``; the result is [..., d, d, d, d], in 1/input^4.

    Raises:
        ArithmeticError: where the metric is singular to working precision, or the tensor exceeds double precision.

    Source: derived here; corrects Zavatone-Veth et al. (2023), Eqs. (A.9) and (B.29), by a factor -1/3 or 1/3,
        depending on the order of indices.
    """
    layer = checked_for_curvature(weights, biases, x, act)
    n, d = layer.width, layer.dimension
    bend = layer.act.function(2)
    first, second = np.triu_indices(d)
    result = np.empty((len(layer.points), d, d, d, d))
    for frame in frames(layer, 2 * d**4 + n * (2 * d + d**2 + 8), when_singular):
        packed = derivatives(layer, frame, 2 / n * frame.slopes * bend(frame.preactivations))
        tensor = np.empty((len(packed), d, d, d))
        tensor[:, :, first, second] = tensor[:, :, second, first] = packed
        # Two indices return to the coordinates of the inputs; the index that is summed over stays orthonormal.
        with np.errstate(over="ignore", invalid="ignore"):
            tensor = np.einsum(
                "pmij,pik,pjl->pmkl", tensor, frame.triangle, frame.triangle, optimize=True
            )
            crossed = np.einsum("pmil,pmjk->pijkl", tensor, tensor, optimize=True)
            antisymmetric = (crossed - crossed.swapaxes(3, 4)) / 4
        if not np.isfinite(antisymmetric[~frame.singular]).all():
            raise ArithmeticError("the Riemann tensor exceeds the range of double precision")
        antisymmetric[frame.singular] = np.nan
        result[frame.points] = antisymmetric
    return result.reshape(*layer.shape, d, d, d, d)
