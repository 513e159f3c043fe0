"""Figures 9 and 10 and footnote 6: the first components of the kernels, and the dimension of the last layer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bridge import arguments
from bridge.compression.studies import last_layer
from bridge.compression.studies.component_pictures import LOOKS, draw_components, draw_planes, floor
from bridge.results.analysis import Analysis, Column, Compared, Doubt, Picture, Table
from bridge.statistics.arrays import mean_and_error
from bridge.statistics.compare import compare
from bridge.statistics.ranking import is_constant

if TYPE_CHECKING:
    import xarray as xr

FIRST = 2  # number of components in the findings
MATTERS = 0.05  # smallest relevant difference, bits
FEW = 3  # number of realisations below which intervals are wide
THEORY = ("compression.label_information_floor", "compression.tangent_kernel")
GAIN = "gain in information by training (bits)"
NORM = "logarithm of the labels' RKHS norm, after training over before"
GROWN = "gain in the labels' share along the first components by training"
BEYOND = "logarithm of the share beyond Eq. (10), after training over before"
BOUNDS: dict[str, Literal[">", "<"]] = {
    GAIN: ">", GROWN: ">", NORM: "<", BEYOND: "<", last_layer.DIMENSION: ">",
}  # fmt: skip
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
        tables=(table(traces), *last_layer.tables(traces)),
        compared=tuple(
            Compared(label, quantity, comparison, BOUNDS.get(quantity, "="))
            for quantity, compared in (
                ("information, initial kernel (bits)", _against_floor),
                (GAIN, _gained),
                (GROWN, _grown),
                (NORM, partial(_changed, name="label_norm")),
                (BEYOND, partial(_changed, name="beyond_linear")),
                (last_layer.DIMENSION, last_layer.above_a_line),
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


def table(traces: Mapping[str, xr.Dataset]) -> Table:
    """Return a row for each task and kernel."""
    rows = []
    for label, trace in traces.items():
        for kernel, (_, _, name) in LOOKS.items():
            row: dict[str, Any] = {"label": label, "kernel": name, "realisations": trace.sizes["seed"]}
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


def _grown(trace: xr.Dataset) -> Any:
    held = trace["projection"].sum("component")
    grown = (held.sel(kernel="final") - held.sel(kernel="initial")).values
    return None if len(grown) < 2 or is_constant(grown) else compare(0.0, grown, resolution=MATTERS)


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
