r"""The metric that a feature map puts on its inputs, :math:`g = J^T J` with :math:`J = \partial\Phi/\partial x`.

No factor 1/p is put in: features that are to be averaged are to be scaled by the map itself (the paper's
:math:`\Phi = n^{-1/2} \varphi(W x + b)`). Closed forms at infinite width: ``theory.geometry``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float64, Real
from torch import Tensor

from empirics.measure.feature_map import Precision, prepare
from empirics.measure.jacobian import jacobians
from empirics.measure.memory import bytes_of


def metric(
    feature_map: Callable[[Tensor], Tensor],
    x: Real[Tensor, "batch ..."] | Any,
    *,
    memory: int | str = "4GiB",
    precision: Precision = "float64",
) -> Float64[Tensor, "batch d d"]:
    """Metric induced at every point (arXiv 2301.11375, Eq. 1 and above it).

    Args:
        feature_map: any callable or module ``[batch, *input] -> [batch, *features]`` that acts on each point by itself.
        x: ``[batch, *input]``; the input is flattened to d coordinates.
        memory: limit of working memory, beyond the model (and its float64 copy), the points and the result.
        precision: ``"float64"``: a module is copied with its numbers in float64, a callable is given float64 inputs;
            ``"model"``: derivatives in the model's own precision, linear algebra in float64.

    Returns:
        ``[batch, d, d]``, float64, on the device of the module (of ``x`` for other callables), in squared units of the
        features over those of the inputs.

    Raises:
        ValueError: if values or shapes are impossible, if a module is in training mode where that matters, if the map
            mixes the points of a batch, or if the memory does not suffice for one point.
        TypeError: if an argument is of the wrong kind.
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
    """Eigenvalues of the induced metric: squared singular values of the Jacobian, of which d - p are zero if p < d.

    An eigenvalue is accurate to about 1e-16 times the geometric mean of itself and the largest, where a Gram matrix
    would lose all those below 1e-16 of the largest.

    Args:
        feature_map: see :func:`metric`, as are ``x``, ``memory`` and ``precision``.

    Returns:
        ``[batch, d]``, float64, largest first.

    Raises:
        ValueError: as :func:`metric` does.
        TypeError: as :func:`metric` does.
    """
    ready = prepare(feature_map, x, precision)
    batch, d = ready.x.shape
    result = ready.x.new_zeros(batch, d, dtype=torch.float64)
    for part, jacobian in jacobians(ready, bytes_of(memory)):
        tall = jacobian if jacobian.shape[1] >= d else jacobian.transpose(1, 2)
        triangle = torch.linalg.qr(tall, mode="r").R
        result[part, : triangle.shape[1]] = torch.linalg.svdvals(triangle).square()
    return result
