"""Quantities read off a model: pure functions of the model and data, one file per quantity."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from empirics.measure.collapse import CollapseMeans, CollapseScatter, NeuralCollapse, freeze, neural_collapse
    from empirics.measure.collapse_one_pass import CollapseOnePass
    from empirics.measure.curvature import scalar_curvature
    from empirics.measure.curvature_estimate import CurvatureEstimate, scalar_curvature_estimate
    from empirics.measure.induced_metric import metric, metric_spectrum
    from empirics.measure.log_volume import log_volume_element
    from empirics.measure.neural_tangent import neural_tangent_gram
    from empirics.measure.two_point import TwoPointState, two_point_state

_HOME = {
    "CollapseMeans": "collapse",
    "CollapseOnePass": "collapse_one_pass",
    "CollapseScatter": "collapse",
    "NeuralCollapse": "collapse",
    "freeze": "collapse",
    "neural_collapse": "collapse",
    "CurvatureEstimate": "curvature_estimate",
    "TwoPointState": "two_point",
    "log_volume_element": "log_volume",
    "metric": "induced_metric",
    "metric_spectrum": "induced_metric",
    "neural_tangent_gram": "neural_tangent",
    "scalar_curvature": "curvature",
    "scalar_curvature_estimate": "curvature_estimate",
    "two_point_state": "two_point",
}
__all__ = [
    "CollapseMeans",
    "CollapseOnePass",
    "CollapseScatter",
    "NeuralCollapse",
    "freeze",
    "neural_collapse",
    "CurvatureEstimate",
    "TwoPointState",
    "log_volume_element",
    "metric",
    "metric_spectrum",
    "neural_tangent_gram",
    "scalar_curvature",
    "scalar_curvature_estimate",
    "two_point_state",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
