r"""Riemann tensor of the metric of an infinitely wide layer, from its two sectional curvatures.

With the metric split into its radial and tangential part, :math:`g = N + T`, the symmetry under rotations about *x*
leaves

.. math:: R_{ijkl} = K_\mathrm{tan} (T_{ik} T_{jl} - T_{il} T_{jk}) + K_\mathrm{rad} (T_{ik} N_{jl} + N_{ik} T_{jl} -
    T_{il} N_{jk} - N_{il} T_{jk}),

whose trace is the Ricci scalar, positive on spheres. At the origin both curvatures vanish and so does the tensor.
"""

from __future__ import annotations

import numpy as np

from theory.activations import ActivationLike
from theory.geometry.curvature import radial_curvature, tangential_curvature
from theory.geometry.metric import directions, nngp_metric, points


def riemann_tensor(act: ActivationLike, inputs: np.ndarray, sigma: float, zeta: float) -> np.ndarray:
    """Return the Riemann tensor with all indices down at every input.

    Args:
        act: activation of the layer, its name, or an expression in ``z``.
        inputs: points, [..., d].
        sigma: standard deviation of each weight, in 1/input.
        zeta: standard deviation of each bias, dimensionless.

    Returns:
        The tensor, [..., d, d, d, d], in 1/input^4.

    Raises:
        ValueError, TypeError: for inputs that are not finite real points, and where ``radial_curvature`` raises.

    Source: Zavatone-Veth et al. (2023), one third of Eq. (C.16).

    >>> riemann_tensor("erf", np.array([[1.0, 0.0]]), sigma=1, zeta=0.5).shape
    (1, 2, 2, 2, 2)
    """
    inputs = points(inputs)
    squared = (inputs**2).sum(-1)
    values = (
        form(squared, sigma, zeta) for form in (*nngp_metric(act), radial_curvature(act), tangential_curvature(act))
    )
    along, across, radial, tangential = (np.asarray(value)[(...,) + (None,) * 2] for value in values)
    direction = directions(inputs, squared)
    projector = direction[..., :, None] * direction[..., None, :]
    normal, rest = along * projector, across * (np.eye(inputs.shape[-1]) - projector)
    return radial[..., None, None] * (_wedge(rest, normal) + _wedge(normal, rest)) + tangential[
        ..., None, None
    ] * _wedge(rest, rest)


def _wedge(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.einsum("...ik,...jl->...ijkl", one, other) - np.einsum("...il,...jk->...ijkl", one, other)
