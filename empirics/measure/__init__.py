"""Quantities read off a model: pure functions of the model and data, one file per quantity."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from empirics.measure.collapse import CollapseMeans, CollapseScatter, NeuralCollapse, neural_collapse
    from empirics.measure.collapse_one_pass import CollapseOnePass
    from empirics.measure.curvature import scalar_curvature
    from empirics.measure.curvature_estimate import CurvatureEstimate, scalar_curvature_estimate
    from empirics.measure.decision_boundary import boundary_distance
    from empirics.measure.decoding import Estimate
    from empirics.measure.global_amplification import amplification
    from empirics.measure.induced_metric import metric, metric_spectrum
    from empirics.measure.information_estimate import label_information
    from empirics.measure.kernel_components import TangentComponents, gram_components, tangent_components
    from empirics.measure.layerwise import layerwise_collapse
    from empirics.measure.leaky_path import path_state
    from empirics.measure.leaky_resnet import leaky_resnet_state
    from empirics.measure.leaky_state import LeakyResNetState
    from empirics.measure.log_volume import log_volume_element
    from empirics.measure.neural_tangent import neural_tangent_gram
    from empirics.measure.neuron_vector import neuron_vectors
    from empirics.measure.relabelling import relabelling_digits
    from empirics.measure.two_point import TwoPointState, two_point_state
    from empirics.measure.usable import UsableInformation, usable_information

_HOME = {
    "amplification": "global_amplification",
    "boundary_distance": "decision_boundary",
    "CollapseMeans": "collapse",
    "CollapseOnePass": "collapse_one_pass",
    "CollapseScatter": "collapse",
    "Estimate": "decoding",
    "NeuralCollapse": "collapse",
    "UsableInformation": "usable",
    "layerwise_collapse": "layerwise",
    "relabelling_digits": "relabelling",
    "usable_information": "usable",
    "neural_collapse": "collapse",
    "CurvatureEstimate": "curvature_estimate",
    "LeakyResNetState": "leaky_state",
    "leaky_resnet_state": "leaky_resnet",
    "path_state": "leaky_path",
    "TangentComponents": "kernel_components",
    "TwoPointState": "two_point",
    "gram_components": "kernel_components",
    "label_information": "information_estimate",
    "log_volume_element": "log_volume",
    "metric": "induced_metric",
    "metric_spectrum": "induced_metric",
    "neural_tangent_gram": "neural_tangent",
    "neuron_vectors": "neuron_vector",
    "scalar_curvature": "curvature",
    "scalar_curvature_estimate": "curvature_estimate",
    "tangent_components": "kernel_components",
    "two_point_state": "two_point",
}
__all__ = [
    "amplification",
    "boundary_distance",
    "Estimate",
    "UsableInformation",
    "layerwise_collapse",
    "relabelling_digits",
    "usable_information",
    "CollapseMeans",
    "CollapseOnePass",
    "CollapseScatter",
    "NeuralCollapse",
    "neural_collapse",
    "CurvatureEstimate",
    "LeakyResNetState",
    "leaky_resnet_state",
    "path_state",
    "TangentComponents",
    "TwoPointState",
    "gram_components",
    "label_information",
    "log_volume_element",
    "metric",
    "metric_spectrum",
    "neural_tangent_gram",
    "neuron_vectors",
    "scalar_curvature",
    "scalar_curvature_estimate",
    "tangent_components",
    "two_point_state",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
