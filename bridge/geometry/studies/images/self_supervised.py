"""Figure 6: Barlow Twins and SimCLR, with the predictions of a linear probe."""

from __future__ import annotations

from bridge.geometry.studies.images import analysed
from bridge.results.analysis import Analysis, Traces


def analyse(traces: Traces) -> Analysis:
    """Compare volume elements of the backbone with the predictions of a linear probe on its features."""
    return analysed.analyse(traces, "geometry-self-supervised", "the linear probe")
