"""How the traces of a study become fits, comparisons and figures: a package per subject, a module per figure.

The study itself (which networks, how many seeds) is ``empirics.experiments.STUDIES``; here the theory meets it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import xarray as xr

    from bridge.studies.analysis import Analysis

MODULES: Mapping[str, str] = {
    "two-point": "bridge.studies.two_point.single",
    "two-point-architectures": "bridge.studies.two_point.architectures",
    "two-point-initial-weights": "bridge.studies.two_point.initial_weights",
    "two-point-layer": "bridge.studies.two_point.layers",
    "two-point-alternatives": "bridge.studies.two_point.alternatives",
    "two-point-adam": "bridge.studies.two_point.adam",
    "compression-amplification": "bridge.studies.compression.amplification",
    "compression-time": "bridge.studies.compression.characteristic_time",
    "compression-neurons": "bridge.studies.compression.neurons",
    "collapse": "bridge.studies.collapse.layers",
    "collapse-layers": "bridge.studies.collapse.layers",
    "collapse-random-labels": "bridge.studies.collapse.random_labels",
    "collapse-information": "bridge.studies.collapse.information",
    "geometry-random-networks": "bridge.studies.geometry.random_networks",
    "geometry-trained": "bridge.studies.geometry.plane",
    "geometry-xor": "bridge.studies.geometry.plane",
    "geometry-sinusoid": "bridge.studies.geometry.plane",
    "geometry-mnist": "bridge.studies.geometry.images",
    "leaky-resnet": "bridge.studies.leaky_resnet.bottleneck",
    "leaky-resnet-bottleneck": "bridge.studies.leaky_resnet.bottleneck",
    "leaky-resnet-ranks": "bridge.studies.leaky_resnet.ranks",
    "leaky-resnet-depths": "bridge.studies.leaky_resnet.depths",
    "leaky-resnet-meshes": "bridge.studies.leaky_resnet.meshes",
    "leaky-resnet-adaptive": "bridge.studies.leaky_resnet.adaptive",
    "leaky-resnet-geodesics": "bridge.studies.leaky_resnet.geodesics",
    "compression-learning-curves": "bridge.studies.compression.learning_curves",
    "compression.learning_curves": "bridge.studies.compression.learning_curves",
    "compression-kernel-components": "bridge.studies.compression.kernel_components",
    "compression.kernel_components": "bridge.studies.compression.kernel_components",
    "compression-kernel-learning": "bridge.studies.compression.kernel_learning",
    "vision-geometry-resnet": "bridge.studies.vision_geometry.resnet",
    "vision-geometry-self-supervised": "bridge.studies.vision_geometry.self_supervised",
}

__all__ = ["MODULES", "analyse"]


def analyse(study: str, traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Fits, comparisons and figures of one study.

    Args:
        study: its name; that of the experiment, such as ``"two-point"``, for traces that belong to none.
        traces: configuration label to trace.

    Raises:
        ValueError: for an unknown study, no traces, or a trace that cannot be fitted.
    """
    if study not in MODULES:
        raise ValueError(f"study: got {study!r}, needs one of {', '.join(MODULES)}")
    if not traces:
        raise ValueError(f"traces: study {study!r} has none yet; run it first")
    result: Analysis = import_module(MODULES[study]).analyse(traces)
    return result
