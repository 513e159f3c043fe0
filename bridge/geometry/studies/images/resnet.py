"""Figures 4 and 5: ResNets with GELU and ReLU that were trained to classify."""

from __future__ import annotations

from bridge.geometry.studies.images import analysed
from bridge.results.analysis import Analysis, Traces


def analyse(traces: Traces) -> Analysis:
    """Compare volume elements with the predictions of the network itself."""
    return analysed.analyse(traces, "geometry-resnet", "the network")
