"""Orthonormal tangent frames of a feature map at its points, from which all curvatures are computed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.measure.geometry.frame import frame
from empirics.measure.geometry.jacobian import jacobians
from empirics.measure.geometry.log_volume import ACCURACY
from empirics.measure.models.feature_map import FeatureMap


@dataclass(frozen=True)
class TangentFrame:
    """Orthonormal tangent frames at some points of the batch.

    Attributes:
        part: the slice of the batch.
        x: the points, ``[points, d]``.
        q: the frame in feature space, ``[points, features, d]``, with orthonormal columns, float64.
        directions: the frame in input space, ``[points, d, d]``, one direction per row, float64.
        error: expected relative error from ill-conditioning, ``[points]``; inf where the metric is singular.
    """

    part: slice
    x: Tensor
    q: Tensor
    directions: Tensor
    error: Tensor

    @property
    def singular(self) -> Tensor:
        """A boolean mask ``[points]`` of the points where the metric is singular to rounding."""
        return torch.isinf(self.error)


def tangent_frames(feature_map: FeatureMap, memory: int) -> Iterator[TangentFrame]:
    """Yield the frames of all points, in slices that fit into ``memory`` bytes.

    Raises:
        ValueError: if the map has fewer features than inputs, or the memory does not suffice for one point.
    """
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
    """Check that a curvature ``[batch]`` is finite wherever the metric is regular.

    Raises:
        ValueError: if it is not; the message names the first such point.
    """
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
