r"""Singular metrics: rank and volume on the non-singular directions, and the stretching along given directions.

A piecewise linear network with a layer that is narrower than its input, or with dead units, has a metric
:math:`g = J^T J` without a volume element. What remains is the volume on the directions that the map does not collapse,
:math:`\sum_{s_i > 0} \log s_i` over the singular values of J, and the factor :math:`\|J u\| / \|u\|` by which the map
stretches a step u.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Float64, Int64, Real
from torch import Tensor, nn

from closedform.rounding import is_nonzero
from empirics import tensor_checks
from empirics.measure.geometry.forward_mode import graphs_at_once, pushforward
from empirics.measure.geometry.jacobian import jacobians, require_finite
from empirics.measure.geometry.slope_check import warn_of_other_slope
from empirics.measure.measurement_result import MeasurementResult
from empirics.measure.models.differentiation import grad
from empirics.measure.models.feature_map import prepare
from empirics.measure.models.memory import bytes_of
from empirics.measure.models.points import Precision


@dataclass(frozen=True, repr=False)
class NonsingularVolume(MeasurementResult):
    """Volume on the non-singular directions of the induced metric, at every point.

    Attributes:
        log_volume: sum of the logarithms of the singular values of the Jacobian that are non-zero to rounding,
            ``[batch]``; -inf where all are zero. Sums over different numbers of directions are not comparable.
        rank: number of these directions, ``[batch]``.
        largest_rank: the smaller of the numbers of inputs and of features; the metric is singular below it.
        typical: root mean square of the stretching over all directions of the inputs, ``[batch]``, in units of the
            features over units of the inputs.
    """

    log_volume: Float64[Tensor, " batch"]
    rank: Int64[Tensor, " batch"]
    largest_rank: int
    typical: Float64[Tensor, " batch"]

    @property
    def mean_log_stretch(self) -> Float64[Tensor, " batch"]:
        """Mean logarithm of the stretching over the non-singular directions, comparable between ranks; NaN for none."""
        return torch.where(self.rank > 0, self.log_volume / self.rank.clamp(min=1), torch.nan)


def nonsingular_volume(
    feature_map: Callable[[Tensor], Tensor],
    x: Real[Tensor, "batch ..."] | Any,
    *,
    memory: int | str = "4GiB",
    precision: Precision = "float64",
) -> NonsingularVolume:
    """Compute the rank of the induced metric and its volume element on the non-singular directions.

    Args:
        feature_map, x, memory, precision: as for :func:`log_volume_element`.

    Raises:
        TypeError, ValueError: under the conditions of :func:`log_volume_element`.

    >>> nonsingular_volume(lambda x: x * torch.tensor([0.0, 3.0], dtype=x.dtype), [[0.0, 0.0]]).rank.tolist()
    [1]
    """
    ready = prepare(feature_map, x, precision)
    batch, d = ready.x.shape
    volume = ready.x.new_empty(batch, dtype=torch.float64)
    typical, rank = torch.empty_like(volume), torch.empty_like(volume, dtype=torch.int64)
    epsilon = torch.finfo(ready.x.dtype).eps
    for part, jacobian in jacobians(ready, bytes_of(memory)):
        tall = jacobian if jacobian.shape[1] >= d else jacobian.transpose(1, 2)
        values = torch.linalg.svdvals(torch.linalg.qr(tall, mode="r").R)
        large = is_nonzero(values, ready.features, d, epsilon)
        logs = torch.where(large, values, 1.0).log().sum(dim=1)
        rank[part] = large.sum(dim=1)
        volume[part] = torch.where(rank[part] > 0, logs, -torch.inf)
        typical[part] = (values.square().sum(dim=1) / d).sqrt()
    return NonsingularVolume(volume, rank, min(d, ready.features), typical)


def stretch(
    feature_map: Callable[[Tensor], Tensor],
    x: Real[Tensor, "batch ..."] | Any,
    directions: Real[Tensor, "batch ..."] | Any,
    *,
    precision: Precision = "float64",
) -> Float64[Tensor, " batch"]:
    """Compute the factor by which a map stretches an infinitesimal step along a direction at every point.

    Args:
        feature_map, x, precision: as for :func:`nonsingular_volume`.
        directions: directions in the shape of ``x``, of any length; NaN is returned where one is zero.

    Returns:
        ``|J u| / |u|``, ``[batch]``, in units of the features over units of the inputs.

    Raises:
        TypeError, ValueError: under the conditions of :func:`nonsingular_volume`, or if the shapes differ.

    >>> stretch(lambda x: x * torch.tensor([1.0, 3.0], dtype=x.dtype), [[0.0, 0.0]], [[0.0, 1.0]]).tolist()
    [3.0]
    """
    ready = prepare(feature_map, x, precision)
    given = tensor_checks.real_numbers("directions", directions)
    fits = given.ndim > 1 and given.flatten(1).shape == ready.x.shape
    tensor_checks.shape("directions", given, fits, "the shape of x")
    u = given.to(ready.x).flatten(1)
    length = torch.linalg.vector_norm(u, dim=1, keepdim=True)
    unit = torch.where(length > 0, u / length, torch.nan)
    batch = graphs_at_once(ready, bytes_of("4GiB"))
    pushed = pushforward(ready, ready.x, unit.nan_to_num(), batch).values
    require_finite("its derivative", pushed)
    warn_of_other_slope(ready)
    stretched = torch.linalg.vector_norm(pushed.double(), dim=1)
    return torch.where(length[:, 0] > 0, stretched, torch.nan)


def readout_directions(
    feature_map: nn.Module, x: Float[Tensor, "batch ..."], seed: int = 0
) -> Float[Tensor, "batch ..."]:
    """Return the gradients in the inputs of random linear readouts, which know no classes, in the shape of ``x``."""
    with torch.enable_grad():
        points = x.detach().clone().requires_grad_()
        features = feature_map(points.clone()).flatten(1)
        weights = torch.randn(
            features.shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64
        )
        (gradient,) = grad((features * weights.to(features)).sum(), points)
    return gradient


def margin_directions(
    model: nn.Module, x: Float[Tensor, "batch ..."], threshold: float = 0.0
) -> Float[Tensor, "batch ..."]:
    """Return the gradient in ``x`` of the difference of the two largest outputs, or of one and ``threshold``."""
    with torch.enable_grad():
        points = x.detach().clone().requires_grad_()
        outputs = model(points.clone()).reshape(len(x), -1)
        if outputs.shape[1] == 1:
            margin = (outputs - threshold).abs().sum()
        else:
            top = outputs.topk(2, dim=1).values
            margin = (top[:, 0] - top[:, 1]).sum()
        (gradient,) = grad(margin, points)
    return gradient
