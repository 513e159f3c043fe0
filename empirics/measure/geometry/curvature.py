r"""Scalar curvature of the metric that a feature map induces, by the Gauss equation.

The map immerses its inputs in flat space, so that the curvature of :math:`g = J^T J` needs only first and second
derivatives of the map, but no third derivative and no derivative of the metric:
:math:`R = \|\sum_a II_{aa}\|^2 - \sum_{ab} \|II_{ab}\|^2` in a g-orthonormal frame, with II the part of the second
derivative that is normal to the tangent space. In two dimensions R is twice the Gauss curvature; R > 0 on spheres.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from jaxtyping import Float64, Real
from torch import Tensor

from empirics.measure.geometry import chain_curvature
from empirics.measure.geometry.jacobian import jacobians
from empirics.measure.geometry.log_volume import ACCURACY, frame
from empirics.measure.geometry.second_derivative import bend_of, second_derivative
from empirics.measure.geometry.smooth import (
    Kinks,
    SaturationErrors,
    check_not_piecewise_linear,
    check_smooth,
)
from empirics.measure.models.chain import largest_bend
from empirics.measure.models.feature_map import FeatureMap, prepare
from empirics.measure.models.memory import bytes_of
from empirics.measure.models.points import Precision

FLAT = 1e-6  # of the curvature 1/|features|^2: below it the absolute error counts, not the relative one


def scalar_curvature(
    feature_map: Callable[[Tensor], Tensor],
    x: Real[Tensor, "batch ..."] | Any,
    *,
    memory: int | str = "4GiB",
    precision: Precision = "float64",
    kinks: Kinks = "refuse",
) -> Float64[Tensor, " batch"]:
    """Compute the scalar curvature at every point, exact to rounding (arXiv 2301.11375, Eq. 7, defines 3 times it).

    A Sequential of linear layers and elementwise modules takes O(width² d) operations per point, any other map takes
    d(d+1)/2 second derivatives; :func:`scalar_curvature_estimate` takes far fewer. The curvature is exactly zero for a
    map with as many features as inputs, or with one input. For ELU and other activations with a continuous slope, the
    result is the curvature between the jumps of their second derivative; the jumps themselves contribute nothing.

    Args:
        feature_map: as for :func:`empirics.measure.log_volume_element`, and twice differentiable, with at least as many
            features as inputs.
        x, memory, precision: as for ``log_volume_element``.
        kinks: ``"refuse"`` (default) raises ValueError for maps whose slope jumps (ReLU, max pooling; see
            :func:`check_smooth` for what is detected); ``"ignore"`` returns the curvature between the kinks.

    Returns:
        Scalar curvature ``[batch]``, float64, in inverse squared units of the features, on the device of the module (of
        ``x`` for other callables); NaN where the metric is singular to rounding.

    Warns:
        RuntimeWarning: where the metric is singular; or where ill-conditioning or terms that cancel (as in saturated
            networks) may leave an error above a millionth of the curvature, or of 1e-6/|features|^2 if that is larger.

    Raises:
        TypeError, ValueError: as ``log_volume_element``, or if there are fewer features than inputs, or kinks.

    >>> sphere = lambda x: torch.cat([x, (1 - (x**2).sum(1, keepdim=True)).sqrt()], dim=1)
    >>> scalar_curvature(sphere, [[0.1, 0.2]]).round(decimals=6).tolist()
    [2.0]
    """
    size = bytes_of(memory)
    ready = prepare(feature_map, x, precision)
    check_smooth(ready, kinks)
    result = ready.x.new_zeros(len(ready.x), dtype=torch.float64)
    largest, error = torch.ones_like(result), torch.zeros_like(result)
    d, p = ready.x.shape[1], ready.features
    chain = ready.chain
    for frames in tangent_frames(ready, size):
        here, part = (frames.x, frames.q, frames.directions), frames.part
        error[part] = frames.error
        if d in (1, p):
            continue  # the image is an open subset of flat space, or a curve: no curvature
        if chain is not None:
            neurons = chain_curvature.prefers_neurons(chain, d, p)
            route = chain_curvature.by_neurons if neurons else chain_curvature.by_directions
            result[part], terms = route(chain, *here, size // 2)
            if not bool(result[part].any()):
                largest[part] = largest_bend(chain, frames.x).double()
        else:
            terms = torch.empty_like(frames.error)
            for along, some in second_derivative(
                ready, frames.x, frames.lengths, part.start, size // 2
            ):
                axes = frames.directions[some].transpose(0, 1).to(ready.x.dtype)
                trace, square, whole, largest[part][some] = chain_curvature.contractions(
                    ready, along, frames.x[some], frames.q[some], axes, size // 2
                )
                traces = trace.square().sum(dim=1)
                result[part][some] = traces - square
                terms[some] = chain_curvature.terms_of(traces, square, whole, d)
        error[part] = curvature_error(ready, frames, result[part].abs(), terms)
    check_finite(result, error)
    bend = bend_of(ready, size) if chain is None else partial(largest_bend, chain)
    check_not_piecewise_linear(ready, kinks, largest, bend)
    warn_of("scalar_curvature", ready, error)
    return torch.where(torch.isinf(error), torch.nan, result)


@dataclass(frozen=True)
class TangentFrame:
    """Orthonormal tangent frames at some points of the batch."""

    part: slice  # of the batch
    x: Tensor  # the points, [points, d]
    q: Tensor  # the frame in feature space, [points, features, d], with orthonormal columns, float64
    directions: Tensor  # the frame in input space, [points, d, d], one direction per row, float64
    lengths: Tensor  # of the columns of the Jacobians, [points, d], float64
    error: Tensor  # expected relative error from ill-conditioning, [points]; inf where the metric is singular

    @property
    def singular(self) -> Tensor:
        """A boolean mask ``[points]`` of the points where the metric is singular to rounding."""
        return torch.isinf(self.error)


def tangent_frames(feature_map: FeatureMap, memory: int) -> Iterator[TangentFrame]:
    """Yield the frames of all points, in slices that fit into ``memory`` bytes; ValueError for too few features."""
    d = feature_map.x.shape[1]
    if feature_map.features < d:
        raise ValueError(
            f"feature_map: gives {feature_map.features} features for {d} inputs, so that its metric is singular and "
            "has no curvature; needs at least as many features as inputs"
        )
    epsilon = torch.finfo(feature_map.x.dtype).eps
    eye = torch.eye(d, dtype=torch.float64, device=feature_map.x.device)
    for part, jacobian in jacobians(feature_map, memory // 2, copies=6):
        factors = frame(jacobian, epsilon)
        triangle = torch.where(factors.singular[:, None, None], eye, factors.r)
        inverse = torch.linalg.solve_triangular(triangle, eye.expand_as(triangle), upper=True)
        lengths = torch.linalg.vector_norm(factors.r, dim=1)
        directions = inverse.transpose(1, 2).contiguous()
        yield TangentFrame(
            part, feature_map.x[part], factors.q, directions, lengths, factors.error
        )


def check_finite(curvature: Tensor, error: Tensor) -> None:
    """Raise ValueError unless a curvature ``[batch]`` is finite wherever the metric is regular."""
    is_bad = ~torch.isfinite(curvature) & ~torch.isinf(error)
    if bool(is_bad.any()):
        raise ValueError(
            f"feature_map: its second derivative is not finite at point {int(is_bad.nonzero()[0])}"
        )


def warn_of(name: str, feature_map: FeatureMap, error: Tensor) -> None:
    """Warn of points where the metric is singular (the result is NaN) or too ill-conditioned for the accuracy."""
    singular = torch.isinf(error)
    if bool(singular.any()):
        warnings.warn(
            f"{name}: the metric is singular at {int(singular.sum())} of {len(error)} points; NaN there",
            RuntimeWarning,
            stacklevel=3,
        )
    worst = float(torch.where(singular, 0, error).max())
    if feature_map.x.dtype == torch.float64 and worst > ACCURACY:
        warnings.warn(
            f"{name}: so much cancels, in the metric or the curvature, that relative errors may reach {worst:.1e}",
            RuntimeWarning,
            stacklevel=3,
        )


def curvature_error(
    feature_map: FeatureMap, frames: TangentFrame, size: Tensor, terms: Tensor
) -> Tensor:
    """Return the expected error ``[points]`` relative to ``size`` where that exceeds 1e-6/|features|^2."""
    with torch.no_grad(), SaturationErrors(frames.x.shape[1], twice=True) as saturation:
        flat = FLAT / feature_map.call(frames.x).double().square().sum(dim=1)
    lost = terms / torch.maximum(size, flat)
    wrong = (
        frames.error
        if saturation.errors is None
        else torch.maximum(frames.error, saturation.errors.double())
    )
    return torch.where(frames.singular, torch.inf, wrong * lost.clamp(min=1.0))
