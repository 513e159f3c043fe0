"""The picture of a map: the deviation, the boundary with its own uncertainty, and the points with their verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.plots import layout, style
from bridge.validity.surface import CERTAIN, EDGE

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MARKS = {
    "holds": ("o", style.TEAL), "fails": ("X", style.ORANGE), "not decided": (".", style.INK),
    "not measured": ("+", style.INK),
}  # fmt: skip
FINE = 101  # places along an axis of the picture
SLICES = (0.0, 0.5, 1.0)  # places on a third axis
REACH = 5.0  # largest deviation of the colours, in units of the resolution


def draw(region: Any) -> Figure:
    """Draw every panel of the map; with three axes, three slices of each."""
    slices = SLICES if len(region.space.axes) == 3 else (None,)
    panels = [(index, place) for index in range(len(region.panels)) for place in slices]
    with layout.drawing_of(len(panels), 3, size=(3.4, 2.8)) as (figure, axes):
        for ax, (index, place) in zip(axes, panels, strict=True):
            panel(ax, region, index, place)
        entries = [
            style.entry(word, marker=mark, color=colour, linestyle="", markersize=5)
            for word, (mark, colour) in MARKS.items()
        ]
        names = ("boundary", "where it may be")
        entries += [
            style.entry(name, color=style.INK, linestyle=line, linewidth=width)
            for name, line, width in zip(names, ("-", ":"), (1.6, 1.0), strict=True)
        ]
        style.legend(figure, entries)
    return figure


def panel(ax: Any, region: Any, index: int, place: float | None = None) -> None:
    """Draw one panel of a map into axes, at a place on the third axis if there is one."""
    axes = region.space.axes
    titles = [f"{name} = {value}" for name, value in region.panels[index].choices.items()]
    fine = np.linspace(0, 1, FINE)
    rows = region.points
    for name, value in region.panels[index].choices.items():
        rows = rows[rows[name] == value]
    if len(axes) == 1:
        _curve(ax, region, index, fine, rows)
    else:
        if len(axes) == 3:
            place = SLICES[1] if place is None else place
            titles.append(f"{axes[2].name} = {axes[2].value(place):g}")
            near = [abs(axes[2].place(value) - place) <= 0.25 for value in rows[axes[2].name]]
            rows = rows[near]
        _plane(ax, region, index, fine, place, rows)
        ax.set_ylabel(axes[1].name)
        if axes[1].is_log:
            layout.logarithmic(ax)
    ax.set_xlabel(axes[0].name)
    if axes[0].is_log:
        layout.logarithmic(ax, "x")
    ax.set_title("\n".join(titles))


def _plane(ax: Any, region: Any, index: int, fine: Any, place: float | None, rows: Any) -> None:
    axes = region.space.axes
    first, second = np.meshgrid(fine, fine)
    places = np.stack([first.ravel(), second.ravel()], axis=1)
    if len(axes) == 3:
        places = np.column_stack([places, np.full(len(places), place)])
    surface = region.surface(index)
    mean = np.where(surface.is_measured(places), surface.at(places)[0], np.nan).reshape(first.shape)
    inside = surface.inside(places).reshape(first.shape)
    x, y = (_ticks(axis, fine) for axis in axes[:2])
    image = ax.pcolormesh(
        x, y, np.sinh(mean), cmap="RdBu_r", vmin=-REACH, vmax=REACH, shading="nearest", rasterized=True
    )
    ax.get_figure().colorbar(image, ax=ax, label="deviation / resolution")
    with np.errstate(invalid="ignore"):
        for levels, line, width in (((0.5,), "-", 1.6), ((1 - CERTAIN, CERTAIN), ":", 1.0)):
            if any(np.nanmin(inside) < level < np.nanmax(inside) for level in levels):
                ax.contour(x, y, inside, levels=levels, colors=style.INK, linestyles=line, linewidths=width)
    for word, (mark, colour) in MARKS.items():
        some = rows[rows["verdict"] == word]
        look = {"edgecolors": "white", "linewidths": 0.4} if mark in "oX" else {}
        ax.scatter(some[axes[0].name], some[axes[1].name], marker=mark, color=colour, s=22, zorder=3, **look)


def _curve(ax: Any, region: Any, index: int, fine: Any, rows: Any) -> None:
    surface, axis = region.surface(index), region.space.axes[0]
    mean, deviation = surface.at(fine[:, None])
    x = _ticks(axis, fine)
    ax.fill_between(x, np.sinh(mean - 2 * deviation), np.sinh(mean + 2 * deviation), color=style.BLUE, alpha=0.2)
    ax.plot(x, np.sinh(mean), color=style.BLUE)
    for edge in (EDGE, -EDGE) if region.claim.relation == "=" else (0.0,):
        ax.axhline(np.sinh(edge), **style.THEORY)
    for word, (mark, colour) in MARKS.items():
        some = rows[(rows["verdict"] == word) & rows["deviation"].notna()]
        unit = region.resolution
        ax.errorbar(
            some[axis.name], some["deviation"] / unit, some["error"] / unit, fmt=mark, color=colour, markersize=5
        )
    ax.set_ylabel("deviation / resolution")
    ax.set_yscale("symlog", linthresh=REACH)


def _ticks(axis: Any, fine: Any) -> Any:
    return axis.low * (axis.high / axis.low) ** fine if axis.is_log else axis.low + fine * (axis.high - axis.low)
