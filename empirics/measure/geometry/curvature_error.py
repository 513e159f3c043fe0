"""The relative error that rounding leaves in a scalar curvature, from its terms, its frames and saturated units."""

from __future__ import annotations

import torch
from torch import Tensor

from empirics.measure.geometry.saturation import SaturationErrors
from empirics.measure.geometry.tangent_frame import TangentFrame
from empirics.measure.models.feature_map import FeatureMap

FLAT = 1e-6  # of the curvature 1/|features|^2: below it the absolute error counts, not the relative one


def curvature_error(feature_map: FeatureMap, frames: TangentFrame, size: Tensor, terms: Tensor) -> Tensor:
    """Return the expected relative error at each point, ``[points]``; inf where the metric is singular.

    Args:
        feature_map: the map.
        frames: the points and their frames.
        size: what the error is compared with, where it exceeds 1e-6/|features|^2: the absolute curvature ``[points]``.
        terms: size of the terms of which the curvature is a sum, ``[points]``.
    """
    with torch.no_grad(), SaturationErrors(frames.x.shape[1], twice=True) as saturation:
        flat = FLAT / feature_map.call(frames.x).double().square().sum(dim=1)
    lost = terms / torch.maximum(size, flat)
    wrong = frames.error if saturation.errors is None else torch.maximum(frames.error, saturation.errors.double())
    return torch.where(frames.singular, torch.inf, wrong * lost.clamp(min=1.0))
