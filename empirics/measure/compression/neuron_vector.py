r"""Positions of the hyperplanes of ReLU neurons: the point of every hyperplane that is closest to the origin.

A neuron :math:`\max(0, \omega\cdot x/\sqrt d + b)` is active beyond the hyperplane through
:math:`z = -\sqrt d\, b\, \omega/\|\omega\|^2` perpendicular to :math:`\omega`, on the side to which :math:`\omega`
points. Source: Paccolat et al. (2021), section 2.4.
"""

from __future__ import annotations

import math
from typing import Any

from jaxtyping import Float64, Real
from torch import Tensor

from empirics import tensor_checks


def neuron_vectors(
    weights: Real[Tensor, "*batch neuron d"] | Any, biases: Real[Tensor, "*batch neuron"] | Any
) -> Float64[Tensor, "*batch neuron d"]:
    r"""Compute the vectors :math:`z` of all neurons of a layer.

    Args:
        weights: weights of the first layer, ``[..., neuron, d]``; a tensor or array. The layer is
            :math:`\omega\cdot x/\sqrt d + b`: for torch's ``Linear`` pass its weight times :math:`\sqrt d`.
        biases: biases of the first layer, ``[..., neuron]``.

    Returns:
        The vectors ``[..., neuron, d]``, float64, in the units of the inputs.

    Raises:
        TypeError: if an argument is not made of real numbers.
        ValueError: if shapes do not fit, a number is not finite, or the weights of a neuron are all zero, so that it
            has no hyperplane.
    """
    omega, b = tensor_checks.finite_numbers("weights", weights), tensor_checks.finite_numbers("biases", biases)
    if omega.ndim < 2 or not omega.numel() or b.shape != omega.shape[:-1]:
        raise ValueError(
            f"weights, biases: got shapes {tuple(omega.shape)} and {tuple(b.shape)}, needs [..., neuron, d] and "
            "[..., neuron]"
        )
    square = omega.square().sum(dim=-1)
    if (square == 0).any():
        raise ValueError("weights: all zero in some neuron, which has no hyperplane")
    return -math.sqrt(omega.shape[-1]) * (b / square)[..., None] * omega
