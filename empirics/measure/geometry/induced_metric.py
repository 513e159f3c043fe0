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
from empirics.measure.models.feature_map import Precision, prepare
from empirics.measure.models.memory import bytes_of


def metric(
    feature_map: Callable[[Tensor], Tensor],
    x: Real[Tensor, "batch ..."] | Any,
    *,
    memory: int | str = "4GiB",
    precision: Precision = "float64",
) -> Float64[Tensor, "batch d d"]:
    """Compute the induced metric at every point (arXiv 2301.11375, Eq. 1 and the text above it).

    Args:
        feature_map: any callable or module ``[batch, *input] -> [batch, *features]`` that acts on each point by itself.
        x: points ``[batch, *input]``, tensor or array; every input is flattened to d coordinates.
        memory: limit of working memory, in bytes or as text (default ``"4GiB"``), beyond the model (and its float64
            copy), the points and the result.
        precision: ``"float64"`` (default) copies a module in float64 and gives a callable float64 inputs; ``"model"``
            takes derivatives in the model's own precision and does the linear algebra in float64.

    Returns:
        The metric ``[batch, d, d]``, float64, on the device of the module (of ``x`` for other callables), in squared
        units of the features over squared units of the inputs.

    Warns:
        RuntimeWarning: if units of tanh or sigmoid are so saturated that torch's slopes have relative errors above
            1e-6.

    Raises:
        ValueError: if values or shapes are impossible, if a module is in training mode where that matters, if the map
            mixes the points of a batch, or if the memory does not suffice for one point.
        TypeError: if an argument is of the wrong kind.

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
        feature_map: as for :func:`metric`.
        x: points ``[batch, *input]``, as for :func:`metric`.
        memory, precision: as for :func:`metric`.

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
