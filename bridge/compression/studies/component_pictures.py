"""The pictures of kernel components: information and projection of each, and the plane of the first two."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from bridge.plots import layout, style
from bridge.results.analysis import Traces
from bridge.statistics.arrays import Array, mean_and_error

LINEAR = 1e-3  # projection below which the axis is linear, so that zero is on it
LOOKS = {
    "initial": (style.BLUE, "o", "tangent kernel, initial"),
    "final": (style.ORANGE, "s", "tangent kernel, trained"),
    "initial_last_layer": (style.PURPLE, "v", "last layer, initial"),
    "final_last_layer": (style.TEAL, "^", "last layer, trained"),
}
PLANES = ("initial", "final", "final_last_layer")  # columns of Figure 10
SHOWN = 400  # points of a panel


def floor() -> float:
    """Return the value of the information estimate, in bits, where there is no information."""
    from empirics.measure.kernels.information_estimate import NEIGHBOURS
    from theory import compression

    return float(compression.label_information_floor()(neighbours=NEIGHBOURS))


def draw_components(traces: Traces) -> Figure:
    """Draw Figure 9: a column for each task."""
    with layout.drawing(2, len(traces), size=(3.1, 2.1)) as (figure, axes):
        for column, (label, trace) in zip(axes.T, traces.items(), strict=True):
            for axis, name in zip(column, ("information", "projection"), strict=True):
                for kernel, (colour, marker, _) in LOOKS.items():
                    values = trace[name].sel(kernel=kernel).transpose("seed", "component").values
                    _line(axis, trace["component"].values, values, colour, marker)
                axis.set_xlabel("rank of the component")
            column[0].axhline(floor(), color=style.INK, linestyle=style.DASHED, linewidth=0.9)
            column[0].set_ylim(bottom=0)
            column[0].set_title(label)
            column[1].set_yscale("symlog", linthresh=LINEAR)
            column[1].set_ylim(bottom=0)
        axes[0, 0].set_ylabel("information (bits)")
        axes[1, 0].set_ylabel(r"projection $\omega^2$")
        legend(figure)
    return figure


def _line(axis: Any, x: Array, values: Array, colour: str, marker: str) -> None:
    mean, error = mean_and_error(values)
    options = {"markersize": 3.2, "linewidth": 0.9, "elinewidth": 0.7, "capsize": 1.2}
    axis.errorbar(x, mean, yerr=np.nan_to_num(error), color=colour, marker=marker, **options)


def legend(figure: Figure) -> None:
    """Draw one legend above all panels, with an entry for each kernel."""
    handles = [
        style.entry(name, color=colour, marker=marker, markersize=3.2) for colour, marker, name in LOOKS.values()
    ]
    style.legend(figure, handles)


def draw_planes(traces: Traces) -> Figure:
    """Draw Figure 10: a row for each task, a column for each kernel."""
    with layout.drawing(len(traces), len(PLANES), size=(2.2, 2.1)) as (figure, axes):
        for row, (label, trace) in zip(axes, traces.items(), strict=True):
            signs = trace["label"].isel(seed=0).values[:SHOWN]
            for axis, kernel in zip(row, PLANES, strict=True):
                plane = trace["plane"].isel(seed=0).sel(kernel=kernel).transpose("point", "axis").values[:SHOWN]
                for sign, colour in ((1, style.BLUE), (-1, style.ORANGE)):
                    axis.plot(*plane[signs == sign].T, ".", markersize=2.6, color=colour, alpha=0.6, markeredgewidth=0)
                axis.set_title(LOOKS[kernel][2] if axis in axes[0] else "")
            row[0].set_ylabel(label + "\nsecond component")
        colours = {"label +1": style.BLUE, "label −1": style.ORANGE}
        style.legend(figure, [style.entry(name, marker="o", ls="", color=c) for name, c in colours.items()])
        for axis in axes[-1]:
            axis.set_xlabel("first component")
    return figure
