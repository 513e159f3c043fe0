r"""The metric that a feature map induces on its inputs, :math:`g = J^T J` with :math:`J = \partial\Phi/\partial x`.

The metric has no factor 1/p: a map whose features are to be averaged has to scale them itself, as in the paper's
:math:`\Phi = n^{-1/2} \varphi(W x + b)`. Closed forms at infinite width are in ``theory.geometry``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float64, Real
from torch import Tensor

from empirics.measure.geometry.jacobian import jacobians
from empirics.measure.models.feature_map import prepare
from empirics.measure.models.memory import bytes_of
from empirics.measure.models.points import Precision


def metric(
    feature_map: Callable[[Tensor], Tensor],
    x: Real[Tensor, "batch ..."] | Any,
    *,
    memory: int | str = "4GiB",
    precision: Precision = "float64",
) -> Float64[Tensor, "batch d d"]:
    """Compute the induced metric at every point (arXiv 2301.11375, Eq. 1 and the text above it).

    Args:
        feature_map, x, memory, precision: as for :func:`empirics.measure.log_volume_element`.

    Returns:
        The metric ``[batch, d, d]``, float64, in squared units of the features over squared units of the inputs.

    Raises:
        TypeError, ValueError: as ``log_volume_element``, which also warns of saturated units.

    >>> metric(lambda x: 2 * x, [[0.0, 0.0]]).tolist()
    [[[4.0, 0.0], [0.0, 4.0]]]
    """
    ready = prepare(feature_map, x, precision)
    batch, d = ready.x.shape
    result = ready.x.new_empty(batch, d, d, dtype=torch.float64)
    for part, jacobian in jacobians(ready, bytes_of(memory), copies=2):
        result[part] = jacobian.transpose(1, 2) @ jacobian
    return result


def metric_spectrum(
    feature_map: Callable[[Tensor], Tensor],
    x: Real[Tensor, "batch ..."] | Any,
    *,
    memory: int | str = "4GiB",
    precision: Precision = "float64",
) -> Float64[Tensor, "batch d"]:
    """Compute the eigenvalues of the induced metric, the squared singular values of the Jacobian.

    If p < d, d - p of them are zero. An eigenvalue is accurate to about 1e-16 times the geometric mean of itself and
    the largest, whereas a Gram matrix would lose all eigenvalues below 1e-16 of the largest.

    Args:
        feature_map, x, memory, precision: as for :func:`metric`.

    Returns:
        Eigenvalues ``[batch, d]``, float64, in descending order, in the units of the metric.

    Raises:
        TypeError, ValueError: as :func:`metric`, which also warns under the same conditions.

    >>> metric_spectrum(lambda x: x * torch.tensor([1.0, 3.0], dtype=x.dtype), [[0.0, 0.0]]).tolist()
    [[9.0, 1.0]]
    """
    ready = prepare(feature_map, x, precision)
    batch, d = ready.x.shape
    result = ready.x.new_zeros(batch, d, dtype=torch.float64)
    for part, jacobian in jacobians(ready, bytes_of(memory)):
        tall = jacobian if jacobian.shape[1] >= d else jacobian.transpose(1, 2)
        triangle = torch.linalg.qr(tall, mode="r").R
        result[part, : triangle.shape[1]] = torch.linalg.svdvals(triangle).square()
    return result
