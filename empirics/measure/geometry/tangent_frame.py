"""Orthonormal tangent frames of a feature map at its points, from which curvatures and their errors are computed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.measure.geometry.jacobian import jacobians
from empirics.measure.geometry.log_volume import ACCURACY, frame
from empirics.measure.geometry.saturation import SaturationErrors
from empirics.measure.models.feature_map import FeatureMap


@dataclass(frozen=True)
class TangentFrame:
    """Orthonormal tangent frames at some points of the batch."""

    part: slice  # of the batch
    x: Tensor  # the points, [points, d]
    q: Tensor  # the frame in feature space, [points, features, d], with orthonormal columns, float64
    directions: Tensor  # the frame in input space, [points, d, d], one direction per row, float64
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
        yield TangentFrame(part, feature_map.x[part], factors.q, inverse.transpose(1, 2).contiguous(), factors.error)


def check_finite(curvature: Tensor, error: Tensor) -> None:
    """Raise ValueError unless a curvature ``[batch]`` is finite wherever the metric is regular."""
    is_bad = ~torch.isfinite(curvature) & ~torch.isinf(error)
    if bool(is_bad.any()):
        raise ValueError(f"feature_map: its second derivative is not finite at point {int(is_bad.nonzero()[0])}")


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


FLAT = 1e-6  # of the curvature 1/|features|^2: below it the absolute error counts, not the relative one


def curvature_error(feature_map: FeatureMap, frames: TangentFrame, size: Tensor, terms: Tensor) -> Tensor:
    """Return the expected relative error at each point, ``[points]``; inf where the metric is singular.

    It is relative to ``size``, the absolute curvature, where that exceeds 1e-6/|features|^2; ``terms`` are the sizes of
    what is summed.
    """
    with torch.no_grad(), SaturationErrors(frames.x.shape[1], twice=True) as saturation:
        flat = FLAT / feature_map.call(frames.x).double().square().sum(dim=1)
    lost = terms / torch.maximum(size, flat)
    wrong = frames.error if saturation.errors is None else torch.maximum(frames.error, saturation.errors.double())
    return torch.where(frames.singular, torch.inf, wrong * lost.clamp(min=1.0))
