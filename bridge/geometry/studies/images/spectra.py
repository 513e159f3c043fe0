"""The eigenvalues of the metric at three images, before and after training (Figures G.14, G.21, G.30)."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bridge import arguments
from bridge.geometry.studies.images import drawing
from bridge.plots import layout, style
from bridge.results.analysis import Traces

GREY_TO_BLUE = ("#8a8d93", "#9c5480", "#3973e6")


def rounding(trace: xr.Dataset) -> float:
    """Return the relative size of a singular value that consists of rounding errors: pixels times machine epsilon."""
    model = arguments.attribute(trace, "config")["precision"] == "model"
    pixels = trace.sizes["channel"] * trace.sizes["pixel_row"] * trace.sizes["pixel_column"]
    return pixels * float(np.finfo(np.float32 if model else np.float64).eps)


def above_rounding(spectrum: NDArray[np.float64], relative: float) -> NDArray[np.bool_]:
    """Return which eigenvalues ``[..., eigenvalue]`` exceed rounding; ``relative`` is for their roots."""
    result: NDArray[np.bool_] = spectrum > relative**2 * spectrum.max(-1, keepdims=True)
    return result


def draw(traces: Traces) -> Figure:
    """Draw one panel for each configuration, with a curve for each of three images at each snapshot."""
    look: layout.Look = {"x": "eigenvalue, in order", "y": r"$\log_{10}\sqrt{\lambda_i}$", "titles": [*traces]}
    with layout.drawing(1, len(traces), **look, size=(3.1, 2.2), sharey=True) as (figure, axes):
        snapshots = next(iter(traces.values()))["snapshot"].values
        chosen = sorted({0, len(snapshots) // 2, len(snapshots) - 1})
        colours = dict(zip(chosen, GREY_TO_BLUE if len(chosen) == 3 else GREY_TO_BLUE[::2], strict=False))
        for axis, trace in zip(axes[0], traces.values(), strict=True):
            spectrum = trace["spectrum"].isel(seed=0).values  # [snapshot, corner, eigenvalue]
            for snapshot in chosen:
                values = spectrum[snapshot].copy()
                values[~above_rounding(values, rounding(trace))] = np.nan
                number = np.arange(1, values.shape[-1] + 1)
                axis.plot(number, 0.5 * np.log10(values).T, color=colours[snapshot], linewidth=1.2)
        names = {s: "untrained" if s == 0 else f"epoch {snapshots[s]}" for s in chosen}
        drawing.finish(figure, traces, entries=[style.entry(names[s], color=colours[s]) for s in chosen])
    return figure
