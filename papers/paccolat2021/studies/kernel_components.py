"""Figures 9 and 10 and footnote 6: the first components of the kernels, and the dimension of the last layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge import arguments
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, table_of, with_verdict
from bridge.statistics.arrays import Array, mean_and_error
from closedform.measured import Measured
from papers.paccolat2021 import quantities as q

LINE = 1.0  # dimension of a line
DIMENSIONS_MATTER = 0.5  # smallest relevant difference of dimensions
DIMENSIONS = (
    ("inputs", q.INPUT_DIMENSION, "input_dimension", None),
    ("last layer, initial", q.INITIAL_DIMENSION, "effective_dimension", "initial_last_layer"),
    ("last layer, trained", q.DIMENSION, "effective_dimension", "final_last_layer"),
    (
        "trained, two neighbours",
        q.TWO_NEIGHBOUR_DIMENSION,
        "two_neighbour_dimension",
        "final_last_layer",
    ),
)

LINEAR = 1e-3  # projection below which the axis is linear, so that zero is on it
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
HOW_COMPARED = (
    "Information of the initial kernel's first components with the label, mean over components and realisations, "
    "against the value that the estimator has where there is none (its floor, a closed form in the number of "
    "neighbours); the scatter of the realisations gives the error and a difference of 0.05 bits matters. Components "
    "that know something lie above it: the comparison asks how little the initial kernel knows. The same mean after "
    "training less that before, against 0; the same for the share of the labels along these components, and "
    "for the logarithms of the RKHS norm of the labels and, for the stripe, of the share of the kernel's variance over "
    "uninformative coordinates that is not of the form of Eq. (10). "
    "The effective dimension of the last layer's activations after training, from distances of nearest neighbours in "
    "subsets of the points, against the one dimension of a line."
)
LOGARITHMS: dict[str, str] = {q.NORM_CHANGE: "label_norm", q.BEYOND_CHANGE: "beyond_linear"}
MEASURED = ("projection", "information", "plane", "kernel_error", "label")
READING = {
    "Projection ω²": "share of the labels along a component; over all components it adds up to one.",
    "Information": "bits that one component tells of the label; one bit would be all. The dashed line is what the "
    "estimator gives where there is none.",
    "Points": "components are those of points that the network was not trained with.",
}


def analyse(traces: Traces) -> Analysis:
    """Analyse the first components of every kernel (Figures 9 and 10), and the initial one against its floor."""
    check(traces)
    of_last_layer = dimensions(traces)
    changes = chain.from_iterable(_changes(label, trace) for label, trace in traces.items())
    return Analysis(
        traces=traces,
        pictures=(
            Picture(
                "figure-9-components",
                "Information of each component with the label (above) and share of the labels along it (below), mean "
                "over realisations; bars: one standard error. Dashed: the estimate where there is no information. The "
                "lower axes are linear below 0.001. As Figure 9 of the paper.",
                draw_components(traces),
            ),
            Picture(
                "figure-10-planes",
                "Points of both labels in the plane of the first two components of the kernels, first realisation. As "
                "Figure 10 of the paper.",
                draw_planes(traces),
            ),
        ),
        tables=(table(traces), *of_last_layer),
        measured=with_verdict(
            (*changes, *chain.from_iterable(table.measured for table in of_last_layer))
        ),
        how_compared=HOW_COMPARED,
        doubts=tuple(doubts(traces)),
        theory=THEORY,
        reading=READING,
    )


def check(traces: Traces) -> None:
    """Raise TypeError or ValueError, naming the configuration, for a trace of another experiment."""
    for label, trace in traces.items():
        arguments.dataset(
            trace, "the experiment compression.kernel_components", MEASURED, name=label
        )


def table(traces: Traces) -> Table:
    """Return a row for each task and kernel."""
    rows = [
        (label, f"{label}, {name}", trace, trace.sel(kernel=kernel))
        for (label, trace), (kernel, (_, _, name)) in product(traces.items(), LOOKS.items())
        if kernel in trace["kernel"]
    ]
    return table_of(
        "kernel_components", "What the kernels know",
        "Means over realisations with standard errors. Information: of the most informative component, in bits. "
        "Projections: shares of the labels. Errors: shares of test points.",
        rows,
        (
            ("task", lambda row: row[0]),
            ("kernel", lambda row: row[1].removeprefix(f"{row[0]}, ")),
            ("realisations", lambda row: row[2].sizes["seed"]),
            ("information", lambda row: Measured.mean(q.INFORMATION, row[1], row[3]["information"].max("component"))),
            ("first two components", lambda row: Measured.mean(
                q.TOP_TWO, row[1], row[3]["projection"].isel(component=slice(FIRST)).sum("component")
            )),
            ("all components", lambda row: Measured.mean(
                q.PROJECTED, row[1], row[3]["projection"].sum("component")
            )),
            ("mixed neighbours", lambda row: Measured.mean(q.MIXED_NEIGHBOURS, row[1], mixed(row[2], row[3]))),
            ("error of the frozen kernel", lambda row: Measured.mean(q.KERNEL_ERROR, row[1], row[3]["kernel_error"])),
            ("error of the network", lambda row: Measured.mean(q.NETWORK_ERROR, row[0], row[2]["network_error"])),
        ),
    )  # fmt: skip


def mixed(trace: xr.Dataset, kernel: xr.Dataset) -> Array:
    """Return the share of the points whose nearest neighbour in the plane has the other label, ``[seed]``."""
    planes = kernel["plane"].transpose("seed", "point", "axis").values
    labels = trace["label"].transpose("seed", "point").values
    shares = []
    for points, signs in zip(planes, labels, strict=True):
        # in units of the spread of each axis
        squares = ((points[:, None] - points[None]) ** 2 / points.var(0)).sum(-1)
        np.fill_diagonal(squares, np.inf)
        shares.append((signs[squares.argmin(1)] != signs).mean())
    return np.asarray(shares)


def _changes(label: str, trace: xr.Dataset) -> Iterator[Measured | None]:
    """Yield what the initial kernel knows, and how the tangent kernel changes by training."""
    known = trace["information"].mean("component").sel(kernel="initial")
    yield Measured.mean(q.INITIAL_INFORMATION, label, known, floor(), resolution=MATTERS)
    if "final" not in trace["kernel"]:
        return
    for quantity in (q.INFORMATION_GAIN, q.SHARE_GAIN):
        yield Measured.mean(quantity, label, change(trace, quantity), 0.0, ">", MATTERS)
    for logarithm, name in LOGARITHMS.items():
        if name in trace:
            yield Measured.mean(logarithm, label, change(trace, logarithm), 0.0, "<", 0.1)


def change(trace: xr.Dataset, quantity: str) -> xr.DataArray:
    """Return by how much information, labels' share, or logarithm of a norm or share grow by training, ``[seed]``."""
    if quantity in LOGARITHMS:
        values: Any = np.log(trace[LOGARITHMS[quantity]])
    else:
        values = trace["information"].mean("component")
        values = trace["projection"].sum("component") if quantity == q.SHARE_GAIN else values
    grown: xr.DataArray = values.sel(kernel="final") - values.sel(kernel="initial")
    return grown


def doubts(traces: Traces) -> Iterator[Doubt]:
    """Yield trainings that stopped before all points were fitted."""
    for label, trace in traces.items():
        least = float(trace["fitted"].min())
        if least < 1:
            yield Doubt(label, f"a network stopped with {least:.0%} of its training points fitted")
        if trace.sizes["seed"] < FEW:
            yield Doubt(label, f"{trace.sizes['seed']} realisations only: errors are rough")


def floor() -> float:
    """Return the value of the information estimate, in bits, where there is no information."""
    from empirics.measure.kernels.information_estimate import NEIGHBOURS
    from theory import compression

    return float(compression.label_information_floor()(neighbours=NEIGHBOURS))


def draw_components(traces: Traces) -> Figure:
    """Draw Figure 9: a column for each task."""
    y = ("information (bits)", r"projection $\omega^2$")
    labels: layout.Look = {"x": "rank of the component", "y": y, "titles": [*traces]}
    shown = {kernel: LOOKS[kernel] for kernel in measured_kernels(traces, LOOKS)}
    with layout.drawing(2, len(traces), **labels, size=(3.1, 2.1)) as (figure, axes):
        for column, trace in zip(axes.T, traces.values(), strict=True):
            for axis, name in zip(column, ("information", "projection"), strict=True):
                for kernel, (colour, marker, _) in shown.items():
                    values = trace[name].sel(kernel=kernel).transpose("seed", "component").values
                    look = {"color": colour, "marker": marker, "linewidth": 0.9}
                    style.with_errors(
                        axis, trace["component"].values, *mean_and_error(values), **look
                    )
            column[0].axhline(floor(), color=style.INK, linestyle=style.DASHED, linewidth=0.9)
            column[0].set_ylim(bottom=0)
            column[1].set_yscale("symlog", linthresh=LINEAR)
            column[1].set_ylim(bottom=0)
        looks = shown.values()
        style.legend(
            figure,
            [style.entry(name, color=colour, marker=marker) for colour, marker, name in looks],
        )
    return figure


def draw_planes(traces: Traces) -> Figure:
    """Draw Figure 10: a row for each task, a column for each kernel."""
    kernels = measured_kernels(traces, (*PLANES, "initial_last_layer"))[: len(PLANES)]
    titles = [LOOKS[kernel][2] for kernel in kernels]
    shape = (len(traces), len(kernels))
    with layout.drawing(*shape, x="first component", titles=titles, size=(2.2, 2.1)) as (
        figure,
        axes,
    ):
        for row, (label, trace) in zip(axes, traces.items(), strict=True):
            signs = trace["label"].isel(seed=0).values[:SHOWN]
            for axis, kernel in zip(row, kernels, strict=True):
                plane = (
                    trace["plane"]
                    .isel(seed=0)
                    .sel(kernel=kernel)
                    .transpose("point", "axis")
                    .values[:SHOWN]
                )
                for sign, colour in ((1, style.BLUE), (-1, style.ORANGE)):
                    axis.plot(
                        *plane[signs == sign].T,
                        ".",
                        markersize=2.6,
                        color=colour,
                        alpha=0.6,
                        markeredgewidth=0,
                    )
            row[0].set_ylabel(label + "\nsecond component")
        colours = {"label +1": style.BLUE, "label −1": style.ORANGE}
        style.legend(
            figure, [style.entry(name, marker="o", ls="", color=c) for name, c in colours.items()]
        )
    return figure


def measured_kernels(traces: Traces, kernels: Iterable[str]) -> list[str]:
    """Return those of ``kernels`` that every trace has, in their order."""
    traced = [trace["kernel"].values for trace in traces.values()]
    return [kernel for kernel in kernels if all(kernel in names for names in traced)]


def dimensions(traces: Traces) -> tuple[Table, ...]:
    """Return a table of the tasks whose dimensions were measured, compared with that of a line; none without one."""
    rows = []
    for label, trace in traces.items():
        cells = {head: _measured(label, trace, *column) for head, *column in DIMENSIONS}
        if cells["last layer, trained"]:
            rows.append((label, cells))
    made = table_of(
        "last_layer_dimension", "The dimension of the last layer",
        "Effective dimensions, means over realisations with standard errors: from distances of nearest neighbours in "
        "subsets of the points, and from the distances of the two nearest neighbours.",
        rows,
        (("task", lambda row: row[0]), *((head, lambda row, head=head: row[1][head]) for head, *_ in DIMENSIONS)),
    )  # fmt: skip
    return (made,) if made.cells else ()


def _measured(
    label: str, trace: xr.Dataset, quantity: str, name: str, kernel: str | None
) -> Measured | None:
    """Return the mean over realisations of one column; None if the trace does not have it."""
    if name not in trace:
        return None
    if kernel is not None and kernel not in trace["kernel"]:
        return None
    values = trace[name].values if kernel is None else trace[name].sel(kernel=kernel).values
    if quantity == q.DIMENSION:
        return Measured.mean(quantity, label, values, LINE, ">", DIMENSIONS_MATTER)
    return Measured.mean(quantity, label, values)
