r"""Weights of the first layer: their amplification along informative directions, and the neurons' hyperplanes.

The global amplification factor says how much larger the weights are along the informative directions:

.. math:: \Lambda^2 = \frac{d_\perp}{d_\parallel}\,
          \frac{\sum_n \|\omega_{n,\parallel}\|^2}{\sum_n \|\omega_{n,\perp}\|^2},

which is one for isotropic weights. Source: Paccolat et al. (2021), Eq. (9), there for one informative direction.

A neuron :math:`\max(0, \omega\cdot x/\sqrt d + b)` is active beyond the hyperplane through
:math:`z = -\sqrt d\, b\, \omega/\|\omega\|^2` perpendicular to :math:`\omega`, on the side to which :math:`\omega`
points; z is the point of the hyperplane that is closest to the origin (section 2.4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from jaxtyping import Float64, Real
from torch import Tensor

from closedform import checks
from closedform.rounding import moderate
from empirics import tensor_checks


def amplification(
    weights: Real[Tensor, "*batch neurons d"] | Any, informative: Sequence[int] = (0,)
) -> Float64[Tensor, "*batch"]:
    r"""Compute the global amplification factor :math:`\Lambda`.

    Args:
        weights: weights of the first layer, ``[..., neurons, d]``; a tensor or array.
        informative: indices of the informative directions, at least one but not all of the d; default ``(0,)``.

    Returns:
        The factor ``[...]``, float64, dimensionless; infinite where all weights are zero across the informative
        directions.

    Raises:
        TypeError, ValueError: for weights of the wrong shape, not finite or all zero, or for indices that are out of
            range, none or all of the directions.

    >>> round(float(amplification([[4.0, 0.5, 0.5], [-4.0, 0.5, -0.5]])), 3)
    8.0
    """
    values = moderate(tensor_checks.finite_numbers("weights", weights))
    tensor_checks.shape(
        "weights", values, values.ndim >= 2 and values.numel() > 0, "[..., neurons, d]"
    )
    d = values.shape[-1]
    chosen = sorted(set(checks.integers("informative", informative, 0, d - 1)))
    checks.require(
        0 < len(chosen) < d,
        "informative",
        tuple(chosen),
        f"some but not all of the {d} directions",
    )
    across = [index for index in range(d) if index not in chosen]
    along_sum = values[..., chosen].square().sum(dim=(-2, -1))
    across_sum = values[..., across].square().sum(dim=(-2, -1))
    if ((along_sum == 0) & (across_sum == 0)).any():
        raise ValueError("weights: all zero, so that nothing is weighed")
    return (len(across) / len(chosen) * along_sum / across_sum).sqrt()


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

    >>> neuron_vectors([[2.0, 0.0]], [1.0]).tolist()
    [[-0.7071067811865476, -0.0]]
    """
    omega, b = (
        tensor_checks.finite_numbers("weights", weights),
        tensor_checks.finite_numbers("biases", biases),
    )
    if omega.ndim < 2 or not omega.numel() or b.shape != omega.shape[:-1]:
        raise ValueError(
            f"weights, biases: got shapes {tuple(omega.shape)} and {tuple(b.shape)}, needs [..., neuron, d] and "
            "[..., neuron]"
        )
    square = omega.square().sum(dim=-1)
    if (square == 0).any():
        raise ValueError("weights: all zero in some neuron, which has no hyperplane")
    return -math.sqrt(omega.shape[-1]) * (b / square)[..., None] * omega
