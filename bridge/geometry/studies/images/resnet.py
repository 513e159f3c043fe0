"""Figures 4 and 5: ResNets with GELU and ReLU that were trained to classify."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bridge.geometry.studies.images import analysed

if TYPE_CHECKING:
    import xarray as xr

    from bridge.results.analysis import Analysis


def analyse(traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Compare volume elements with the predictions of the network itself."""
    return analysed.analyse(traces, "geometry-resnet", "the network")
