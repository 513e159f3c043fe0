"""Volume element and curvature between images: along interpolations, at single ones, in the triangle of three."""

from typing import Any, cast

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.plots import layout, style

OUTSIDE = 0.13  # distance of the label of a corner from it, in units of the triangle's side
TITLES = ("predicted class", "entropy (nats)", r"$\log_{10}(\det g)^{1/2}$")
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])

LOG10 = np.log(10.0)


def shades(count: int) -> list[Any]:
    """Return the colours of the checkpoints, from early to late."""
    from matplotlib import colormaps

    return [colormaps["viridis"](share) for share in np.linspace(0.08, 0.8, count)]


def draw(trace: xr.Dataset) -> Figure:
    """Draw the images on the line above volume and, if it was measured there, curvature; below, single images."""
    network = trace.isel(seed=0)
    with style.context():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(9.0, 5.4), layout="constrained")
        top, middle, bottom = cast(Any, figure).subfigures(3, 1, height_ratios=(0.62, 1.35, 1.35))
        along = network.isel(line=0)
        _strip(top, along)
        panels = middle.subplots(1, 1 + has_curvature(trace), squeeze=False)[0]
        _along(panels[0], along, "log_volume", 1 / LOG10, r"$\Delta\log_{10}(\det g)^{1/2}$")
        if has_curvature(trace):
            _along(panels[1], along, "curvature", 1.0, "scalar curvature $R$")
        left, right = bottom.subplots(1, 2)
        _scattered(left, network, "log_volume", 1 / LOG10, r"$\log_{10}(\det g)^{1/2}$")
        _scattered(right, network, "curvature", 1.0, "scalar curvature $R$")
        handles, labels = left.get_legend_handles_labels()
        right.legend(handles, labels, loc="best")
    return figure


def has_curvature(trace: xr.Dataset) -> bool:
    """Return whether the curvature was measured on lines."""
    return bool(np.isfinite(trace["line_curvature"].values).any())


def _strip(figure: Any, network: xr.Dataset) -> None:
    """Draw five images on the line, the ends among them."""
    start, end = network["line_end"].values
    side = round(np.sqrt(len(start)))
    panels = figure.subplots(1, 5)
    for panel, share in zip(panels, np.linspace(0, 1, 5), strict=True):
        panel.imshow(
            ((1 - share) * start + share * end).reshape(side, side), cmap="gray_r", vmin=0, vmax=1
        )
        panel.set_axis_off()
        panel.set_title(f"{share:g}", fontsize=8)
    for panel, label in zip((panels[0], panels[-1]), network["line_label"].values, strict=True):
        panel.set_title(f"a {int(label)}", fontsize=9)


def _along(panel: Any, network: xr.Dataset, what: str, factor: float, label: str) -> None:
    position = network["position"].values
    colours = shades(network.sizes["epoch"])
    values = network[f"line_{what}"].transpose("epoch", "position").values * factor
    errors = (
        network["line_curvature_error"].transpose("epoch", "position").values
        if what == "curvature"
        else 0 * values
    )
    if what == "log_volume":
        # training shifts the log-volume by tens of decades
        values = values - (values[:, :1] + values[:, -1:]) / 2
    else:
        _logarithmic(panel, values)
    for epoch, colour in enumerate(colours):
        panel.errorbar(
            position, values[epoch], yerr=errors[epoch] if errors[epoch].any() else None, color=colour,
            marker="o", markersize=2.5, label=f"epoch {int(network['epoch'][epoch])}",
        )  # fmt: skip
    _classes(panel, position, network["line_prediction"].values[-1])
    panel.set(xlabel="position between the two images", ylabel=label)
    panel.margins(x=0.01)


def _classes(panel: Any, position: Any, predicted: Any) -> None:
    """Draw the predicted classes as shades in the background, each named at the foot of its stretch."""
    edges = np.concatenate([position[:1], (position[1:] + position[:-1]) / 2, position[-1:]])
    start = 0
    for k in range(1, len(predicted) + 1):
        if k < len(predicted) and predicted[k] == predicted[start]:
            continue
        number = int(predicted[start])
        panel.axvspan(
            edges[start], edges[k], color=style.CLASS_COLOURS[number % 10], alpha=0.16, linewidth=0
        )
        where = (edges[start] + edges[k]) / 2
        panel.text(
            where,
            0.02,
            str(number),
            transform=panel.get_xaxis_transform(),
            ha="center",
            fontsize=8,
        )
        start = k


def _scattered(panel: Any, network: xr.Dataset, what: str, factor: float, label: str) -> None:
    distance = network["image_distance"].transpose("epoch", "image").values
    values = network[f"image_{what}"].transpose("epoch", "image").values * factor
    if what == "curvature":
        _logarithmic(panel, values)
    for epoch, colour in enumerate(shades(network.sizes["epoch"])):
        good = np.isfinite(distance[epoch]) & np.isfinite(values[epoch])
        name = f"epoch {int(network['epoch'][epoch])}"
        panel.plot(
            distance[epoch][good],
            values[epoch][good],
            "o",
            markersize=3.5,
            color=colour,
            alpha=0.8,
            label=name,
        )
    panel.set(
        xscale="log", xlabel="distance of a test image to the decision boundary", ylabel=label
    )


def _logarithmic(panel: Any, values: Any) -> None:
    """Make the ordinate logarithmic on both sides of zero, down to the smallest value shown."""
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    if sizes.size:
        panel.set_yscale("symlog", linthresh=float(sizes.min()))


def draw_triangle(trace: xr.Dataset, triangle: int = 0) -> Figure:
    """Draw one triangle of the first seed: class, entropy of the prediction and volume element, a row a checkpoint."""
    network = trace.isel(seed=0, triangle=triangle)
    weights = network["weight"].transpose("vertex", "corner").values
    position = weights @ CORNERS
    room = max(0.0, -float(weights.min()))  # margin of an enlarged triangle beyond the images
    labels = network["anchor_label"].values.astype(int)
    predicted = network["plane_prediction"].transpose("epoch", "vertex").values.astype(int)
    with layout.drawing(trace.sizes["epoch"], 3, size=(2.7, 2.25)) as (figure, axes):
        for row, (panels, epoch) in enumerate(zip(axes, trace["epoch"].values, strict=True)):
            _points(
                panels[0],
                position,
                color=[style.CLASS_COLOURS[number % 10] for number in predicted[row]],
            )
            for panel, name, factor in (
                (panels[1], "plane_entropy", 1.0),
                (panels[2], "plane_log_volume", 1 / LOG10),
            ):
                image = _points(
                    panel,
                    position,
                    c=network[name].isel(epoch=row).values * factor,
                    cmap="viridis",
                )
                bar = figure.colorbar(image, ax=panel, shrink=0.75, pad=0.02)
                bar.formatter.set_useOffset(False)  # type: ignore[attr-defined]
            panels[0].text(
                -0.16,
                0.5,
                f"epoch {epoch}",
                rotation=90,
                va="center",
                ha="center",
                transform=panels[0].transAxes,
            )
            for panel in panels:
                _corners(panel, labels, room)
        for panel, title in zip(axes[0], TITLES, strict=True):
            panel.set_title(title, pad=14)
        class_legend(figure, np.unique(predicted))
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
    return panel.scatter(
        *place.T, s=360 * 12 / max(len(place), 12), linewidths=0, marker="h", **colours
    )


def class_legend(figure: Figure, numbers: Any) -> None:
    """Write the colours of these classes above a figure."""
    handles = [
        style.entry(
            str(number), marker="h", linestyle="none", color=style.CLASS_COLOURS[number % 10]
        )
        for number in numbers
    ]
    figure.legend(
        handles=handles,
        loc="outside upper center",
        ncols=len(handles),
        handletextpad=0.1,
        title="predicted",
    )
