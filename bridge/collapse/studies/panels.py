"""Parts that the figures of collapse share: colours of layers, curves of seeds, titles that describe the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.collapse import trace as read
from bridge.plots import style
from bridge.statistics.arrays import Array

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

FEW = (style.BLUE, style.ORANGE, style.TEAL, style.PURPLE)  # distinguishable with common kinds of colour blindness
INPUT = "#7d8590"  # layer 0, the images themselves
LINES: Mapping[str, Any] = {"train": "-", "test": (0, (4, 1.6))}
MARKERS = {"train": "o", "test": "s"}
ENTRY = 1.05  # width of one entry of a legend, inches
SIZE = (2.9, 2.25)  # of a panel, inches


def colours(count: int) -> Sequence[Any]:
    """Return one colour for each of ``count`` layers; deeper layers have later colours."""
    if count <= len(FEW):
        return FEW[:count]
    from matplotlib import colormaps

    return [colormaps["viridis"](x) for x in np.linspace(0.05, 0.85, count)]


def title(label: str, trace: xr.Dataset) -> str:
    """Return the label of a configuration, with a note where its data are a subset."""
    note = read.origin_note(trace)
    return f"{label}\n({note})" if note else label


def curves(axes: Any, x: Array, values: Array, **options: Any) -> None:
    """Draw one curve for each seed, ``values [seed, x]``, where the values are finite."""
    for row in values:
        is_finite = np.isfinite(row)
        axes.plot(x[is_finite], row[is_finite], **({"linewidth": 1.2, "alpha": 0.8} | options))


def finish(axes: Any, text: str = "", *, integers: bool = True) -> None:
    """Set the title, the margins and few ticks."""
    from matplotlib.ticker import MaxNLocator

    if text:
        axes.set_title(text)
    axes.margins(x=0.03)
    if integers:
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))


def layers_legend(figure: Figure, names: Sequence[str], *more: Any) -> None:
    """Draw one legend above all panels: layers by colour, training and test data by line style."""
    from matplotlib.lines import Line2D

    tints = colours(len(names))
    handles = [Line2D([], [], color=tint, label=name) for tint, name in zip(tints, names, strict=True)]
    handles += [Line2D([], [], color=style.INK, linestyle=LINES[split], label=split) for split in read.SPLITS]
    handles += more
    columns = max(2, min(len(handles), int(figure.get_figwidth() / ENTRY)))
    figure.legend(handles=handles, loc="outside upper center", ncols=columns, handlelength=2.2, columnspacing=1.5)


def layer_names(trace: xr.Dataset) -> list[str]:
    """Return ``layer 1``, ``layer 2`` and so on."""
    return [f"layer {layer}" for layer in trace["layer"].values]


def rows_of(traces: Mapping[str, Any], rows: int) -> tuple[Figure, Any]:
    """Make a figure and its axes ``[row, configuration]``.

    The panels of a single configuration stand beside each other.
    """
    if len(traces) > 1:
        return style.grid(rows, len(traces), size=SIZE)
    figure, axes = style.grid(1, rows, size=(3.5, 2.5) if rows > 1 else (6.0, 2.9))
    return figure, axes.T


def below(column: Any, text: str) -> None:
    """Label the abscissae of one configuration: under the lowest panel, or under each panel side by side."""
    side_by_side = len({axes.get_subplotspec().rowspan.start for axes in column}) == 1
    for axes in column if side_by_side else column[-1:]:
        axes.set_xlabel(text)


def number_of_epochs(trace: xr.Dataset) -> Array:
    """Return epochs ``[epoch]`` as numbers to draw against."""
    epochs: Array = trace["epoch"].values.astype(np.float64)
    return epochs
