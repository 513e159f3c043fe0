"""The pictures of kernel components: information and projection of each, and the plane of the first two."""

from __future__ import annotations

from matplotlib.figure import Figure

from bridge.plots import layout, style
from bridge.results.analysis import Traces
from bridge.statistics.arrays import mean_and_error

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
    y = ("information (bits)", r"projection $\omega^2$")
    labels: layout.Look = {"x": "rank of the component", "y": y, "titles": [*traces]}
    with layout.drawing(2, len(traces), **labels, size=(3.1, 2.1)) as (figure, axes):
        for column, trace in zip(axes.T, traces.values(), strict=True):
            for axis, name in zip(column, ("information", "projection"), strict=True):
                for kernel, (colour, marker, _) in LOOKS.items():
                    values = trace[name].sel(kernel=kernel).transpose("seed", "component").values
                    look = {"color": colour, "marker": marker, "linewidth": 0.9}
                    style.with_errors(axis, trace["component"].values, *mean_and_error(values), **look)
            column[0].axhline(floor(), color=style.INK, linestyle=style.DASHED, linewidth=0.9)
            column[0].set_ylim(bottom=0)
            column[1].set_yscale("symlog", linthresh=LINEAR)
            column[1].set_ylim(bottom=0)
        legend(figure)
    return figure


def legend(figure: Figure) -> None:
    """Draw one legend above all panels, with an entry for each kernel."""
    looks = LOOKS.values()
    style.legend(figure, [style.entry(name, color=colour, marker=marker) for colour, marker, name in looks])


def draw_planes(traces: Traces) -> Figure:
    """Draw Figure 10: a row for each task, a column for each kernel."""
    titles = [LOOKS[kernel][2] for kernel in PLANES]
    shape = (len(traces), len(PLANES))
    with layout.drawing(*shape, x="first component", titles=titles, size=(2.2, 2.1)) as (figure, axes):
        for row, (label, trace) in zip(axes, traces.items(), strict=True):
            signs = trace["label"].isel(seed=0).values[:SHOWN]
            for axis, kernel in zip(row, PLANES, strict=True):
                plane = trace["plane"].isel(seed=0).sel(kernel=kernel).transpose("point", "axis").values[:SHOWN]
                for sign, colour in ((1, style.BLUE), (-1, style.ORANGE)):
                    axis.plot(*plane[signs == sign].T, ".", markersize=2.6, color=colour, alpha=0.6, markeredgewidth=0)
            row[0].set_ylabel(label + "\nsecond component")
        colours = {"label +1": style.BLUE, "label −1": style.ORANGE}
        style.legend(figure, [style.entry(name, marker="o", ls="", color=c) for name, c in colours.items()])
        for axis in axes[-1]:
            axis.set_xlabel("first component")
    return figure
