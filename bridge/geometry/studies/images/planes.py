"""The volume element, the predictions and their entropy over a plane through three images (Figures 4, 5, 6, bottom)."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bridge.geometry.studies.images import drawing
from bridge.geometry.studies.images.decisions import entropy, prediction
from bridge.plots import layout
from bridge.results.analysis import Traces

HEIGHT = np.sqrt(3) / 2
CORNERS = np.array([(0, 0), (1, 0), (0.5, HEIGHT)])
HEADS = (r"$\log_{10}\sqrt{\det g}$", "prediction", "entropy")
CLIPPED = (2.0, 98.0)  # percentiles at which the colours of the volume element end


def draw(traces: Traces, plane: str = "different") -> Figure:
    """Draw one row for each configuration, from its first network: volume element, prediction, entropy."""
    from matplotlib.ticker import MaxNLocator

    with layout.drawing(len(traces), 3, titles=HEADS, size=(2.45, 2.25)) as (figure, axes):
        figure.set_layout_engine("compressed")  # leaves room for the labels of the rows
        present: set[int] = set()
        for row, (label, trace) in zip(axes, traces.items(), strict=True):
            at = trace.isel(seed=0, snapshot=-1).sel(plane=plane)
            logits = at["plane_logits"].values
            volume = at["plane_log_volume"].values / np.log(10)
            finite = volume[np.isfinite(volume)]
            low, high = np.percentile(finite, CLIPPED) if len(finite) else (0.0, 1.0)
            predicted = prediction(logits)
            present |= {int(c) for c in np.unique(predicted)}
            shown = _map(row[0], at, volume, cmap="viridis", vmin=low, vmax=high)
            figure.colorbar(shown, ax=row[0], shrink=0.8, extend="both", ticks=MaxNLocator(4))
            _map(row[1], at, predicted, cmap=drawing.colours(), vmin=-0.5, vmax=9.5)
            shown = _map(row[2], at, entropy(logits), cmap="magma", vmin=0, vmax=1)
            figure.colorbar(shown, ax=row[2], shrink=0.8)
            row[0].set_ylabel(label)
            for axis in row:
                _boundaries(axis, at, predicted)
                _triangle(axis)
            _pictures(row[1], at)
        drawing.finish(figure, traces, sorted(present))
    return figure


def _map(axis: Any, at: xr.Dataset, values: NDArray[Any], **options: Any) -> Any:
    x, y = at["column"].values, at["row"].values
    half = (x[1] - x[0]) / 2
    extent = (x[0] - half, x[-1] + half, y[0] - half, y[-1] + half)
    axis.grid(visible=False)
    axis.set_xticks([])
    axis.set_yticks([])
    return axis.imshow(values, origin="lower", extent=extent, interpolation="nearest", **options)


def _boundaries(axis: Any, at: xr.Dataset, predicted: NDArray[np.int64]) -> None:
    """Draw the edges between cells of different predictions."""
    x, y = at["column"].values, at["row"].values
    half = (x[1] - x[0]) / 2
    line = {"color": "white", "linewidth": 1.0}
    for i, j in np.argwhere(predicted[:, 1:] != predicted[:, :-1]):
        axis.plot([x[j] + half] * 2, [y[i] - half, y[i] + half], **line)
    for i, j in np.argwhere(predicted[1:] != predicted[:-1]):
        axis.plot([x[j] - half, x[j] + half], [y[i] + half] * 2, **line)


def _triangle(axis: Any) -> None:
    """Draw the convex hull of the three images."""
    around = CORNERS[[0, 1, 2, 0]]
    for colour, width in (("white", 2.4), ("black", 1.0)):  # visible on any colour
        axis.plot(*around.T, color=colour, linewidth=width, marker="o", markersize=2.5 + width)


def _pictures(axis: Any, at: xr.Dataset) -> None:
    """Draw the three images next to their corners."""
    size = 0.3
    offsets = ((-0.28, -0.26), (0.28, -0.26), (0, 0.26))
    for corner, offset, image in zip(CORNERS, offsets, at["plane_images"].values, strict=True):
        x, y = corner + offset
        box = (x - size / 2, y - size / 2, size, size)
        inset = axis.inset_axes(box, transform=axis.transData)
        inset.imshow(drawing.picture(image), interpolation="nearest", aspect="auto")
        inset.set_xticks([])
        inset.set_yticks([])
        inset.grid(visible=False)
