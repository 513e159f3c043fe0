"""Figure 6: Barlow Twins and SimCLR, with the predictions of a linear probe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bridge.geometry.studies.images import analysed

if TYPE_CHECKING:
    import xarray as xr

    from bridge.results.analysis import Analysis


def analyse(traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Compare volume elements of the backbone with the predictions of a linear probe on its features."""
    return analysed.analyse(traces, "geometry-self-supervised", "the linear probe")
