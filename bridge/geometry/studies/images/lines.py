"""The volume element and the predictions along one line, before and after training (Figures 4, 5, 6, top)."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.geometry.studies.images import drawing
from bridge.geometry.studies.images.hypothesis import crossings, entropy, prediction
from bridge.plots import layout, style
from bridge.results.analysis import Traces

LOG10 = np.log(10)
HEIGHTS = (0.36, 1.5, 0.8)  # relative heights of the panels of blends, volume element and entropy


def draw(traces: Traces, line: int = 0) -> Figure:
    """Draw one column for each configuration, from its first network, on line number ``line``."""
    y = ("", r"$\Delta\log_{10}\sqrt{\det g}$", "entropy")
    look: layout.Look = {"y": y, "titles": [*traces], "size": (3.1, 1.15), "gridspec_kw": {"height_ratios": HEIGHTS}}
    with layout.drawing(3, len(traces), x="share of the second image", **look) as (figure, axes):
        present: set[int] = set()
        for (blends, volume, below), trace in zip(axes.T, traces.values(), strict=True):
            at = trace.isel(seed=0, line=line)
            drawing.show_blends(blends, at["line_images"].values)
            present |= _volume(volume, at)
            _entropy(below, at)
        trained, untrained = {"color": drawing.TRAINED}, {"color": drawing.UNTRAINED, "linestyle": "--"}
        entries = [style.entry("trained", **trained), style.entry("untrained", **untrained)]
        drawing.finish(figure, traces, sorted(present), entries)
    return figure


def _volume(axes: Any, at: xr.Dataset) -> set[int]:
    """Draw both volume elements over bands in the colours of the predicted classes; return these classes."""
    position = at["position"].values
    predicted = prediction(at["line_logits"].isel(snapshot=-1).values)
    edges = np.concatenate([[0.0], crossings(predicted, position), [1.0]])
    bands = predicted[np.concatenate([[0], np.flatnonzero(np.diff(predicted)) + 1])]
    for low, high, band in zip(edges[:-1], edges[1:], bands, strict=True):
        axes.axvspan(low, high, color=style.CLASS_COLOURS[int(band)], alpha=0.35, linewidth=0)
    for snapshot, colour, dash, width in ((0, drawing.UNTRAINED, "--", 1.1), (-1, drawing.TRAINED, "-", 1.8)):
        values = at["line_log_volume"].isel(snapshot=snapshot).values / LOG10
        axes.plot(position, values - values[np.isfinite(values)].mean(), color=colour, linestyle=dash, linewidth=width)
    axes.set_xlim(-1 / 12, 1 + 1 / 12)
    axes.tick_params(labelbottom=False)
    return {int(band) for band in bands}


def _entropy(axes: Any, at: xr.Dataset) -> None:
    position = at["position"].values
    logits = at["line_logits"].isel(snapshot=-1).values
    axes.plot(position, entropy(logits), color=drawing.TRAINED, linewidth=1.6)
    for where in crossings(prediction(logits), position):
        axes.axvline(where, color=style.INK, linewidth=0.7, linestyle=":")
    axes.set(ylim=(0, 1), xlim=(-1 / 12, 1 + 1 / 12))
