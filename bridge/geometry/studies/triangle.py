"""The plane of three images: predicted class, entropy and volume element in the triangle between them, in training."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.geometry.studies.interpolation import LOG10
from bridge.plots import layout, style

OUTSIDE = 0.13  # distance of the label of a corner from it, in units of the triangle's side
TITLES = ("predicted class", "entropy (nats)", r"$\log_{10}(\det g)^{1/2}$")
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])


def draw(trace: xr.Dataset, triangle: int = 0) -> Figure:
    """Draw one triangle of the first seed: class, entropy of the prediction and volume element, a row a checkpoint."""
    network = trace.isel(seed=0, triangle=triangle)
    weights = network["weight"].transpose("vertex", "corner").values
    place = weights @ CORNERS
    room = max(0.0, -float(weights.min()))  # margin of an enlarged triangle beyond the images
    labels = network["anchor_label"].values.astype(int)
    predicted = network["plane_prediction"].transpose("epoch", "vertex").values.astype(int)
    with layout.drawing(trace.sizes["epoch"], 3, size=(2.7, 2.25)) as (figure, axes):
        for row, (panels, epoch) in enumerate(zip(axes, trace["epoch"].values, strict=True)):
            _points(panels[0], place, color=[style.CLASS_COLOURS[number % 10] for number in predicted[row]])
            for panel, name, factor in ((panels[1], "plane_entropy", 1.0), (panels[2], "plane_log_volume", 1 / LOG10)):
                image = _points(panel, place, c=network[name].isel(epoch=row).values * factor, cmap="viridis")
                bar = figure.colorbar(image, ax=panel, shrink=0.75, pad=0.02)
                bar.formatter.set_useOffset(False)  # type: ignore[attr-defined]
            panels[0].text(
                -0.16, 0.5, f"epoch {epoch}", rotation=90, va="center", ha="center", transform=panels[0].transAxes
            )
            for panel in panels:
                _corners(panel, labels, room)
        for panel, title in zip(axes[0], TITLES, strict=True):
            panel.set_title(title, pad=14)
        _legend(figure, np.unique(predicted))
    return figure


def _corners(panel: Any, labels: Any, room: float) -> None:
    """Name the corners, outside of the triangle, and set the limits."""
    centre = CORNERS.mean(axis=0)
    for corner, label in zip(CORNERS, labels, strict=True):
        outwards = corner + OUTSIDE * (corner - centre) / np.linalg.norm(corner - centre)
        panel.text(*outwards, str(label), ha="center", va="center", fontsize=9)
    panel.set(aspect="equal", xlim=(-0.18 - room, 1.18 + room), ylim=(-0.15 - room, 1.04 + room))
    panel.set_axis_off()


def _points(panel: Any, place: Any, **colours: Any) -> Any:
    """Draw a hexagon at each point that was measured, with nothing between them."""
    return panel.scatter(*place.T, s=360 * 12 / max(len(place), 12), linewidths=0, marker="h", **colours)


def _legend(figure: Figure, numbers: Any) -> None:
    handles = [
        style.entry(str(number), marker="h", linestyle="none", color=style.CLASS_COLOURS[number % 10])
        for number in numbers
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), handletextpad=0.1, title="predicted")
