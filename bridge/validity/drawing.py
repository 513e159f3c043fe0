"""The picture of a map: the deviation, the boundary with its own uncertainty, and the points with their verdicts."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.plots import layout, style
from bridge.report import formulas
from bridge.report.page import Section
from bridge.report.write import Written, write
from bridge.results.analysis import Analysis, Picture, Table
from bridge.validity.surface import CERTAIN, EDGE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CAPTION = (
    "Green: the claim holds. Blue and red: it fails, by the mean deviation in units of the resolution, as a Gaussian "
    "process through the points. Grey and hatched: it is not known whether the claim holds. Line: the boundary, where "
    "it holds with a probability of one half by that process; dotted: 2.5 % and 97.5 %. Marks: verdict of the networks "
    "at each point alone, at a level of 5 %."
)
HOW = (
    "A point has at least four networks, each compared with its own prediction. First the points are those whose side "
    "of the boundary is least certain by a Gaussian process; then points on both sides get networks until their own "
    "decide them. A side counts as known where the process is certain of it and the nearest decided point lies on it."
)


MARKS = {
    "holds": ("o", style.TEAL), "fails": ("X", style.ORANGE), "not decided": (".", style.INK),
    "not measured": ("+", style.INK),
}  # fmt: skip
FINE = 101  # places along an axis of the picture
SLICES = (0.0, 0.5, 1.0)  # places on a third axis
COLOURS = 2.0, 100.0  # least and largest end of the colours, in units of the resolution
HATCH = "////"  # where neither side is known
HOLDS, UNKNOWN = "#a9d6cd", "#c9ccd1"  # of the plane, lighter than the marks


def draw(region: Any) -> Figure:
    """Draw every panel of the map; with three axes, three slices of each."""
    from matplotlib.patches import Patch

    slices = SLICES if len(region.space.axes) == 3 else (None,)
    panels = [(index, third) for index, third in product(range(len(region.panels)), slices)]
    with layout.drawing_of(len(panels), 3, size=(3.2, 2.7)) as (figure, axes):
        images = [panel(ax, region, *which) for ax, which in zip(axes, panels, strict=True)]
        images = [image for image in images if image is not None]
        if images:
            _bar(figure, list(axes), images)
        verdicts = set(region.points["verdict"])
        entries = [
            style.entry(word, marker=mark, color=colour, linestyle="", markersize=5)
            for word, (mark, colour) in MARKS.items() if word in verdicts
        ]  # fmt: skip
        entries += [
            Patch(
                facecolor=UNKNOWN, edgecolor=style.INK, hatch=HATCH, linewidth=0, label="not known"
            )
        ]
        if images:
            lines = ("boundary", "-", 1.6), ("where it may be", ":", 1.0)
            entries += [
                style.entry(name, color=style.INK, linestyle=line, linewidth=width)
                for name, line, width in lines
            ]
        style.legend(figure, entries)
    return figure


def panel(ax: Any, region: Any, index: int, place: float | None = None) -> Any:
    """Draw one panel of a map into axes, at a place on the third axis if there is one; return its colours, if any."""
    axes = region.space.axes
    titles = [f"{name} = {value}" for name, value in region.panels[index].choices.items()]
    rows = region.points
    for name, value in region.panels[index].choices.items():
        rows = rows[rows[name] == value]
    if len(axes) == 1:
        image = None
        _curve(ax, region, index, rows)
    else:
        if len(axes) == 3:
            place = SLICES[1] if place is None else place
            titles.append(f"{axes[2].name} = {axes[2].value(place):g}")
            rows = rows[
                [abs(axes[2].place(value) - place) <= 0.25 for value in rows[axes[2].name]]
            ]
        image = _plane(ax, region, index, place, rows)
        ax.set_ylabel(axes[1].name)
        if axes[1].is_log:
            layout.logarithmic(ax)
    ax.set_xlabel(axes[0].name)
    if axes[0].is_log:
        layout.logarithmic(ax, "x")
    ax.set_title("\n".join(titles))
    return image


def _plane(ax: Any, region: Any, index: int, place: float | None, rows: Any) -> Any:
    axes, fine = region.space.axes, np.linspace(0, 1, FINE)
    first, second = np.meshgrid(fine, fine)
    places = np.stack(
        [first.ravel(), second.ravel(), *([] if place is None else [np.full(first.size, place)])],
        axis=1,
    )
    surface = region.surface(index)
    mean = np.where(surface.is_measured(places), surface.at(places)[0], np.nan).reshape(
        first.shape
    )
    inside, known = (
        values.reshape(first.shape)
        for values in (surface.inside(places), region.known(index, places))
    )
    unknown = np.isnan(known)
    x, y = (_ticks(axis, fine) for axis in axes[:2])
    image = _sides(ax, x, y, known, mean)
    with np.errstate(invalid="ignore"):
        for levels, line, width in (((0.5,), "-", 1.6), ((1 - CERTAIN, CERTAIN), ":", 1.0)):
            if any(np.nanmin(inside) < level < np.nanmax(inside) for level in levels):
                ax.contour(
                    x,
                    y,
                    inside,
                    levels=levels,
                    colors=style.INK,
                    linestyles=line,
                    linewidths=width,
                )
    if unknown.any():
        shaded = ax.contourf(x, y, unknown, levels=(0.5, 1.5), colors="none", hatches=[HATCH])
        shaded.set(edgecolor=style.INK, linewidth=0.0)
    for word, (mark, colour) in MARKS.items():
        some = rows[rows["verdict"] == word]
        look = {"edgecolors": "white", "linewidths": 0.4} if mark in "oX" else {}
        ax.scatter(
            some[axes[0].name],
            some[axes[1].name],
            marker=mark,
            color=colour,
            s=22,
            zorder=3,
            **look,
        )
    return image


def _sides(ax: Any, x: Any, y: Any, known: Any, mean: Any) -> Any:
    """Colour a plane by what is known: holds, fails by a deviation, or neither; return the deviations, if any.

    Args:
        ax: the axes.
        x: places along the first axis ``[N]``.
        y: places along the second axis ``[M]``.
        known: 1 where the claim holds, 0 where it fails, NaN where neither is known ``[M, N]``.
        mean: inverse hyperbolic sine of the deviation in units of the resolution, or NaN ``[M, N]``.
    """
    from matplotlib.colors import ListedColormap

    look = {"shading": "nearest", "rasterized": True}
    for where, colour in ((known == 1, HOLDS), (np.isnan(known), UNKNOWN)):
        side = np.where(where, 1.0, np.nan)
        if where.any():
            ax.pcolormesh(x, y, side, cmap=ListedColormap([colour]), **look)
    fails = np.where(known == 0, mean, np.nan)
    if np.isnan(fails).all():
        return None
    return ax.pcolormesh(x, y, fails, cmap="RdBu_r", alpha=0.8, **look)


def _bar(figure: Any, axes: Any, images: Any) -> None:
    """Give all planes the same colours, with one bar in units of the resolution."""
    largest = max(
        float(np.abs(np.ma.masked_invalid(image.get_array())).max() or 0.0) for image in images
    )
    end = min(max(largest, math.asinh(COLOURS[0])), math.asinh(COLOURS[1]))
    for image in images:
        image.set_clim(-end, end)
    bar = figure.colorbar(
        images[0], ax=axes, label="deviation / resolution", extend="both", shrink=0.9
    )
    sizes = [size for size in (1, 10, 100) if math.asinh(size) <= end]
    bar.set_ticks(
        [math.asinh(sign * size) for size, sign in product((*sizes, 0), (-1, 1))],
        labels=[
            f"{sign * size:g}".replace("-", "−") for size, sign in product((*sizes, 0), (-1, 1))
        ],
    )


def _curve(ax: Any, region: Any, index: int, rows: Any) -> None:
    fine, surface, axis = np.linspace(0, 1, FINE), region.surface(index), region.space.axes[0]
    mean, deviation = surface.at(fine[:, None])
    x, measured = _ticks(axis, fine), surface.is_measured(fine[:, None])
    low, high = (np.where(measured, np.sinh(mean + k * deviation), np.nan) for k in (-2, 2))
    middle = np.where(measured, np.sinh(mean), np.nan)
    ax.fill_between(x, low, high, color=style.BLUE, alpha=0.2, linewidth=0)
    ax.plot(x, middle, color=style.BLUE)
    for edge in (EDGE, -EDGE) if region.claim.relation == "=" else (0.0,):
        ax.axhline(np.sinh(edge), **style.THEORY)
    for word, (mark, colour) in MARKS.items():
        some = rows[(rows["verdict"] == word) & rows["deviation"].notna()]
        ax.errorbar(
            some[axis.name], some["deviation"] / region.resolution, some["error"] / region.resolution, fmt=mark,
            color=colour, markersize=5, elinewidth=0.8, alpha=1.0 if mark in "oX" else 0.6,
        )  # fmt: skip
    unknown = np.isnan(region.known(index, fine[:, None]))
    ax.fill_between(
        x, 0, 1, where=unknown, transform=ax.get_xaxis_transform(), facecolor="none", edgecolor=style.INK,
        hatch=HATCH, linewidth=0.0, alpha=0.3,
    )  # fmt: skip
    ax.set_ylabel("deviation / resolution")
    layout.symmetric_logarithmic(ax, COLOURS[0])


def _ticks(axis: Any, fine: Any) -> Any:
    return (
        axis.low * (axis.high / axis.low) ** fine
        if axis.is_log
        else axis.low + fine * (axis.high - axis.low)
    )


def analysis(region: Any) -> Analysis:
    """Return picture, table and sentences of a map."""
    frame = region.points
    cells = tuple(
        tuple(row)
        for row in frame.astype(object).where(frame.notna(), None).itertuples(index=False)
    )
    table = Table(
        "points", "Points", "Deviations and their standard errors.", tuple(frame.columns), cells
    )
    name = region.claim.name.replace(".", "-")
    return Analysis(
        traces={}, pictures=(Picture(name, CAPTION, draw(region)),), tables=(table,),
        findings=region.sentences(), theory=region.claim.members(region.base), how_compared=HOW, results=(region,),
    )  # fmt: skip


def write_page(region: Any, directory: Path) -> Written:
    """Write the page of a map, its points as CSV and its figure into ``directory``."""
    section = Section(region.claim.name, region.claim.sentence, analysis(region))
    return write(
        directory,
        (section,),
        formulas.check(region.claim.members(region.base)),
        "Where a claim holds",
    )
