r"""How much a feature map magnifies volume at a point: :math:`\log\sqrt{\det g}`.

From a QR factorisation of the Jacobian in float64, never from the Gram matrix: a float32 Cholesky factorisation of
:math:`J J^T` fails for a ResNet-50, and one in float64 is off by 0.1 for singular values that spread over 1e8.
Piecewise-linear networks have a piecewise-constant volume element, which is measured like any other.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float64, Real
from torch import Tensor

from empirics.measure.feature_map import Precision, prepare
from empirics.measure.frame import frame
from empirics.measure.jacobian import jacobians
from empirics.measure.memory import bytes_of
from empirics.rank import counts

ACCURACY = 1e-6  # promised in float64; said where the conditioning does not allow it


def log_volume_element(
    feature_map: Callable[[Tensor], Tensor],
    x: Real[Tensor, "batch ..."] | Any,
    memory: int | str = "4GiB",
    *,
    precision: Precision = "float64",
) -> Float64[Tensor, " batch"]:
    """Natural logarithm of the volume element, ``log sqrt(det g)`` (arXiv 2301.11375, Section 3 and Appendix G 3).

    With at least as many features as inputs, half of log det g: -inf where g is singular to rounding. With fewer
    features, half the sum of the logarithms of the non-zero eigenvalues of g; a feature that is constant around a point
    (a dead unit) drops out there, so compare :func:`metric_spectrum` where that may happen. -inf where all are zero.

    Args:
        feature_map: any callable or module ``[batch, *input] -> [batch, *features]`` that acts on each point by itself.
        x: ``[batch, *input]``; the input is flattened to d coordinates.
        memory: limit of working memory, beyond the model (and its float64 copy) and the points.
        precision: ``"float64"``: a module is copied with its numbers in float64, a callable is given float64 inputs;
            ``"model"``: derivatives in the model's own precision and linear algebra in float64, with an error of about
            float32's 1e-7 times the condition number of the Jacobian.

    Returns:
        ``[batch]``, float64, dimensionless up to the units of features and inputs, on the device of the module (of
        ``x`` for other callables).

    Warns:
        RuntimeWarning: if conditioning leaves an error above 1e-6, in float64.

    Raises:
        ValueError: if values or shapes are impossible, if a module is in training mode where that matters, if the map
            mixes the points of a batch, or if the memory does not suffice for one point.
        TypeError: if an argument is of the wrong kind.
    """
    ready = prepare(feature_map, x, precision)
    batch, d = ready.x.shape
    result = ready.x.new_empty(batch, dtype=torch.float64)
    error = torch.zeros_like(result)
    epsilon = torch.finfo(ready.x.dtype).eps
    for part, jacobian in jacobians(ready, bytes_of(memory), copies=6):
        wide = ready.features < d
        factors = frame(jacobian.transpose(1, 2) if wide else jacobian, epsilon)
        result[part], error[part] = factors.log_volume, factors.error
        for i in factors.singular.nonzero().flatten().tolist():
            result[part.start + i] = _of_rank_deficient(jacobian[i], epsilon) if wide else -torch.inf
    worst = float(torch.where(torch.isinf(error), 0, error).max())
    if ready.x.dtype == torch.float64 and worst > ACCURACY:
        bad = int(((error > ACCURACY) & ~torch.isinf(error)).sum())
        warnings.warn(
            f"log_volume_element: the Jacobian is so ill-conditioned at {bad} of {batch} points that the result may be "
            f"off by {worst:.1e}",
            RuntimeWarning,
            stacklevel=2,
        )
    return result


def _of_rank_deficient(jacobian: Tensor, epsilon: float) -> float:
    """Half the log-product of the non-zero eigenvalues, those above rounding; -inf if there is none."""
    rows = jacobian[torch.linalg.vector_norm(jacobian, dim=1) > 0]
    if len(rows) == 0:
        return -torch.inf
    values = torch.linalg.svdvals(rows)
    return float(values[counts(values, jacobian.shape[0], jacobian.shape[1], epsilon)].log().sum())
