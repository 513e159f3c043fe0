"""The plane of three images: predicted class, entropy and volume element in the triangle between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.figures import style
from bridge.geometry.studies.interpolation import LOG10

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])


def draw(trace: xr.Dataset) -> Figure:
    """Draw three triangles of one seed: predicted class, entropy of the prediction, volume element."""
    network = trace.isel(seed=0)
    weights = network["weight"].transpose("vertex", "corner").values
    place = weights @ CORNERS
    room = max(0.0, -float(weights.min()))  # margin of an enlarged triangle beyond the images
    labels = network["anchor_label"].values.astype(int)
    with style.context():
        figure, axes = style.grid(1, 3, size=(2.9, 2.5))
        panels = axes[0]
        _classes(panels[0], place, network["plane_prediction"].values.astype(int))
        for panel, name, factor, title in (
            (panels[1], "plane_entropy", 1.0, "entropy (nats)"),
            (panels[2], "plane_log_volume", 1 / LOG10, r"$\log_{10}(\det g)^{1/2}$"),
        ):
            image = panel.tripcolor(
                *place.T, network[name].values * factor, shading="gouraud", cmap="viridis", rasterized=True
            )
            figure.colorbar(image, ax=panel, shrink=0.75, pad=0.02)
            panel.set_title(title, pad=14)
        panels[0].set_title("predicted class", pad=14)
        for panel in panels:
            for corner, label in zip(CORNERS, labels, strict=True):
                outwards = corner + 0.075 * (corner - CORNERS.mean(axis=0)) / np.linalg.norm(
                    corner - CORNERS.mean(axis=0)
                )
                panel.text(*outwards, str(label), ha="center", va="center", fontsize=9)
            panel.set_aspect("equal")
            panel.set_xlim(-0.12 - room, 1.12 + room)
            panel.set_ylim(-0.1 - room, 1.0 + room)
            panel.set_axis_off()
    return figure


def _classes(panel: Any, place: Any, predicted: Any) -> None:
    from matplotlib.lines import Line2D

    size = 90 * 12 / max(len(place), 12)
    for number in np.unique(predicted):
        where = predicted == number
        panel.scatter(*place[where].T, s=size * 4, color=style.CLASS_COLOURS[number % 10], linewidths=0, marker="h")
    handles = [
        Line2D([], [], marker="h", linestyle="none", color=style.CLASS_COLOURS[number % 10], label=str(number))
        for number in np.unique(predicted)
    ]
    panel.legend(handles=handles, loc="upper left", handletextpad=0.1)
