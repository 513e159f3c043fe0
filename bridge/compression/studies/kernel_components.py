"""Figures 9 and 10: information and projection of the first components, and the plane of the first two."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bridge import arguments
from bridge.analysis import Analysis, Column, Compared, Doubt, Picture, Table
from bridge.arrays import Array, mean_and_error
from bridge.comparison import compare
from bridge.figures import style
from bridge.ranking import is_constant

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

LOOKS = {
    "initial": (style.BLUE, "o", "tangent kernel, initial"),
    "final": (style.ORANGE, "s", "tangent kernel, trained"),
    "initial_last_layer": (style.PURPLE, "v", "last layer, initial"),
    "final_last_layer": (style.TEAL, "^", "last layer, trained"),
}
PLANES = ("initial", "final", "final_last_layer")  # columns of Figure 10
SHOWN = 400  # points of a panel
FIRST = 2  # number of components in the findings
MATTERS = 0.05  # smallest relevant difference, bits
FEW = 3  # number of realisations below which intervals are wide
THEORY = ("compression.label_information_floor", "compression.tangent_kernel")
GAIN = "gain in information by training (bits)"
NORM = "logarithm of the labels' RKHS norm, after training over before"
BEYOND = "logarithm of the share beyond Eq. (10), after training over before"
BOUNDS: dict[str, Literal[">", "<"]] = {GAIN: ">", NORM: "<", BEYOND: "<"}
HOW_COMPARED = (
    "Information of the initial kernel's first components with the label, mean over components and realisations, "
    "against the value that the estimator has where there is none (its floor, a closed form in the number of "
    "neighbours); the scatter of the realisations gives the error and a difference of 0.05 bits matters. Components "
    "that know something lie above it: the comparison asks how little the initial kernel knows. The same mean after "
    "training less that before, against 0; the same for the logarithms of the RKHS norm of the labels and, for the "
    "stripe, of the share of the kernel's variance over uninformative coordinates that is not of the form of Eq. (10)."
)
MEASURED = ("projection", "information", "plane", "kernel_error", "label")
READING = {
    "Projection ω²": "share of the labels along a component; over all components it adds up to one.",
    "Information": "bits that one component tells of the label; one bit would be all. The dashed line is what the "
    "estimator gives where there is none.",
    "Points": "components are those of points that the network was not trained with.",
}


def analyse(traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Analyse the first components of every kernel (Figures 9 and 10), and the initial one against its floor."""
    check(traces)
    return Analysis(
        traces=traces,
        pictures=(
            Picture(
                "figure-9-components",
                "Information of each component with the label (above) and share of the labels along it (below), mean "
                "over realisations; bars: one standard error. Dashed: the estimate where there is no information. As "
                "Figure 9 of the paper.",
                draw_components(traces),
            ),
            Picture(
                "figure-10-planes",
                "Points of both labels in the plane of the first two components of the kernels, first realisation. As "
                "Figure 10 of the paper.",
                draw_planes(traces),
            ),
        ),
        tables=(table(traces),),
        compared=tuple(
            Compared(label, quantity, comparison, BOUNDS.get(quantity, "="))
            for quantity, compared in (
                ("information, initial kernel (bits)", _against_floor),
                (GAIN, _gained),
                (NORM, partial(_changed, name="label_norm")),
                (BEYOND, partial(_changed, name="beyond_linear")),
            )
            for label, trace in traces.items()
            if (comparison := compared(trace)) is not None
        ),
        how_compared=HOW_COMPARED,
        findings=tuple(_finding(label, trace) for label, trace in traces.items()),
        doubts=doubts(traces),
        theory=THEORY,
        reading=READING,
    )


def check(traces: Mapping[str, xr.Dataset]) -> None:
    """Raise TypeError or ValueError, naming the configuration, for a trace of another experiment."""
    for label, trace in traces.items():
        arguments.dataset(trace, "the experiment compression.kernel_components", MEASURED, name=label)


def floor() -> float:
    """Return the value of the information estimate, in bits, where there is no information."""
    from empirics.measure.information_estimate import NEIGHBOURS
    from theory import compression

    return float(compression.label_information_floor()(neighbours=NEIGHBOURS))


def draw_components(traces: Mapping[str, xr.Dataset]) -> Figure:
    """Draw Figure 9: a column for each task."""
    with style.context():
        figure, axes = style.grid(2, len(traces), size=(3.1, 2.1))
        for column, (label, trace) in zip(axes.T, traces.items(), strict=True):
            for axis, name in zip(column, ("information", "projection"), strict=True):
                for kernel, (colour, marker, _) in LOOKS.items():
                    values = trace[name].sel(kernel=kernel).transpose("seed", "component").values
                    _line(axis, trace["component"].values, values, colour, marker)
                axis.set_xlabel("rank of the component")
            column[0].axhline(floor(), color=style.INK, linestyle=style.DASHED, linewidth=0.9)
            column[0].set_ylim(bottom=0)
            column[0].set_title(label)
            column[1].set_yscale("symlog", linthresh=1e-3)
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
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=colour, marker=marker, markersize=3.2, label=name)
        for colour, marker, name in LOOKS.values()
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=2, handlelength=2.2)


def draw_planes(traces: Mapping[str, xr.Dataset]) -> Figure:
    """Draw Figure 10: a row for each task, a column for each kernel."""
    from matplotlib.lines import Line2D

    with style.context():
        figure, axes = style.grid(len(traces), len(PLANES), size=(2.2, 2.1))
        for row, (label, trace) in zip(axes, traces.items(), strict=True):
            signs = trace["label"].isel(seed=0).values[:SHOWN]
            for axis, kernel in zip(row, PLANES, strict=True):
                plane = trace["plane"].isel(seed=0).sel(kernel=kernel).transpose("point", "axis").values[:SHOWN]
                for sign, colour in ((1, style.BLUE), (-1, style.ORANGE)):
                    axis.plot(*plane[signs == sign].T, ".", markersize=2.6, color=colour, alpha=0.6, markeredgewidth=0)
                axis.set_title(LOOKS[kernel][2] if axis in axes[0] else "")
            row[0].set_ylabel(label + "\nsecond component")
        colours = {"label +1": style.BLUE, "label −1": style.ORANGE}
        style.legend(figure, [Line2D([], [], marker="o", ls="", color=c, label=name) for name, c in colours.items()])
        for axis in axes[-1]:
            axis.set_xlabel("first component")
    return figure


def table(traces: Mapping[str, xr.Dataset]) -> Table:
    """Return a row for each task and kernel."""
    rows = []
    for label, trace in traces.items():
        for kernel, (_, _, name) in LOOKS.items():
            row: dict[str, Any] = {"label": label, "kernel": name}
            of = trace.sel(kernel=kernel)
            best = of["information"].max("component")
            for key, values in (
                ("information", best), ("projected", of["projection"].sum("component")),
                ("top_two", of["projection"].isel(component=slice(FIRST)).sum("component")),
                ("kernel_error", of["kernel_error"]), ("network_error", trace["network_error"]),
            ):  # fmt: skip
                row[key], error = mean_and_error(values)
                if np.isfinite(error):
                    row[key + "_error"] = error
            rows.append(row)
    return Table(
        name="kernel_components",
        title="What the kernels know",
        caption="Means over realisations with standard errors. Information: of the most informative component, in "
        "bits. Projections: shares of the labels. Errors: shares of test points.",
        columns=(
            Column("label", "task"),
            Column("kernel", "kernel"),
            Column("information", "information"),
            Column("top_two", "first two components"),
            Column("projected", "all components"),
            Column("kernel_error", "error of the frozen kernel"),
            Column("network_error", "error of the network"),
        ),
        rows=tuple(rows),
    )


def _against_floor(trace: xr.Dataset) -> Any:
    information = trace["information"].sel(kernel="initial").mean("component").values
    if len(information) < 2 or is_constant(information):
        return None
    return compare(floor(), information, resolution=MATTERS)


def _gained(trace: xr.Dataset) -> Any:
    information = trace["information"].mean("component")
    gained = (information.sel(kernel="final") - information.sel(kernel="initial")).values
    return None if len(gained) < 2 or is_constant(gained) else compare(0.0, gained, resolution=MATTERS)


def _changed(trace: xr.Dataset, name: str) -> Any:
    """Compare the logarithm of a quantity of the tangent kernel after training over that before with 0."""
    if name not in trace:
        return None
    logs = np.log(trace[name].sel(kernel="final").values / trace[name].sel(kernel="initial").values)
    return compare(0.0, logs, resolution=0.1) if np.isfinite(logs).all() and len(logs) > 1 else None


def _finding(label: str, trace: xr.Dataset) -> str:
    def first(kernel: str) -> str:
        share = float(trace["projection"].sel(kernel=kernel).isel(component=slice(FIRST)).sum("component").mean())
        best = float(trace["information"].sel(kernel=kernel).max("component").mean())
        return f"{share:.0%} of the labels and the most informative component tells {best:.2f} bits"

    wrong = {kernel: float(trace["kernel_error"].sel(kernel=kernel).mean()) for kernel in ("initial", "final")}
    return (
        f"{label}: the first two components of the initial kernel hold {first('initial')}, after training "
        f"{first('final')}, those of the last layer {first('final_last_layer')}; frozen and learnt with other points "
        f"the kernel errs in {wrong['initial']:.1%} before and {wrong['final']:.1%} after training, the network in "
        f"{float(trace['network_error'].mean()):.1%}."
    )


def doubts(traces: Mapping[str, xr.Dataset]) -> tuple[Doubt, ...]:
    """List trainings that stopped before all points were fitted."""
    listed = []
    for label, trace in traces.items():
        least = float(trace["fitted"].min())
        if least < 1:
            listed.append(Doubt(label, "", f"a network stopped with {least:.0%} of its training points fitted"))
        if trace.sizes["seed"] < FEW:
            listed.append(Doubt(label, "", f"{trace.sizes['seed']} realisations only: errors are rough"))
    return tuple(listed)
