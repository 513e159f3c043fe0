r"""Where the hyperplanes of ReLU neurons are: the point of each that is closest to the origin.

A neuron :math:`\max(0, \omega\cdot x/\sqrt d + b)` is active beyond the hyperplane through
:math:`z = -\sqrt d\, b\, \omega/\|\omega\|^2`, on the side that :math:`\omega` points to. Source: Paccolat et al.
(2021), section 2.4.
"""

from __future__ import annotations

import math
from typing import Any

from jaxtyping import Float64, Real
from torch import Tensor

from empirics import check


def neuron_vectors(
    weights: Real[Tensor, "*batch neuron d"] | Any, biases: Real[Tensor, "*batch neuron"] | Any
) -> Float64[Tensor, "*batch neuron d"]:
    r"""The vectors :math:`z`, in the units of the inputs.

    Args:
        weights: of the first layer, ``[..., neuron, d]``; a tensor or array. The layer is
            :math:`\omega\cdot x/\sqrt d + b`: for torch's ``Linear`` give its weight times :math:`\sqrt d`.
        biases: ``[..., neuron]``.

    Returns:
        ``[..., neuron, d]``, float64.

    Raises:
        TypeError: for what is not real numbers.
        ValueError: for shapes that do not fit, numbers that are not finite, or a neuron whose weights are all zero,
            which has no hyperplane.
    """
    omega, b = check.finite_numbers("weights", weights), check.finite_numbers("biases", biases)
    if omega.ndim < 2 or not omega.numel() or b.shape != omega.shape[:-1]:
        raise ValueError(
            f"weights, biases: got shapes {tuple(omega.shape)} and {tuple(b.shape)}, needs [..., neuron, d] and "
            "[..., neuron]"
        )
    square = omega.square().sum(dim=-1)
    if (square == 0).any():
        raise ValueError("weights: all zero in some neuron, which has no hyperplane")
    return -math.sqrt(omega.shape[-1]) * (b / square)[..., None] * omega
