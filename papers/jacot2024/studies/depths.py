"""Figures 1a and 3: quantities that change with the effective depth, and quantities that stay bounded."""

from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.leaky_resnet.trace import CONVERGED, residual
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Table, Traces, table_of, with_verdict
from closedform.measured import Measured
from papers.jacot2024 import quantities as q
from papers.jacot2024.studies import bottleneck, networks, panels, propositions
from papers.jacot2024.studies.ranks import HOW, against_inner_rank
from papers.jacot2024.studies.rows import HALF, columns, rows

BOUNDED = {
    "path_length": (r"length $\int \|\partial_p A\| dp$", style.BLUE),
    "momentum_norm": (r"largest $\|B_p\|$", style.ORANGE),
    "weight_from_momenta_norm": (r"largest $\|B_p \sigma(A_p)^\top\|$", style.PURPLE),
}
GROWTH = (
    "Exponents of Figure 3, in the upper half of the effective depths: what stays bounded has a small one, what grows "
    "in proportion has 1. The largest representation grows, too, and makes the path longer."
)
FAR = 12.0  # effective depth from which on −2H/L̃ is extrapolated
LIMIT = (
    "The limit is that of a straight line in 1/L̃² through −2H/L̃ of the critical networks from L̃ = 12 on, of each "
    "seed: between two codes of k* dimensions the cost of identity is flat, and the kinetic energy that a path along "
    "them takes from it is that of a constant speed."
)
BELOW = "Where critical networks approach k* from below, −2H/L̃ is below k* and rises."


def analyse(traces: Traces) -> Analysis:
    """Analyse Hamiltonian, cost of identity and bounded quantities against the effective depth."""
    measured = {label: networks.measured(trace) for label, trace in traces.items()}
    bounds = {label: bounded(trace) for label, trace in traces.items()}
    pictures = []
    for number, (label, trace) in enumerate(traces.items(), start=1):
        suffix = "" if len(traces) == 1 else f"-{number}"
        pictures += [
            Picture(
                f"figure-1a-depths{suffix}",
                f"−2H/L̃ (median over layers) and the least cost of identity against the effective depth ({label}); "
                "those with γ and the cost have K + γ. Mean and standard error over seeds; shaded: smallest to largest "
                "−2H/L̃ of a layer, averaged over seeds. Dashed: k*; dotted: k* + 1. Right: relative gradients. As "
                "Figure 1a.",
                panels.draw_rank(measured[label]),
            ),
            Picture(
                f"figure-3-bounded{suffix}",
                f"Length of the path, and the largest momentum and largest ‖Bσ(A)ᵀ‖ of a layer, against the effective "
                f"depth ({label}); mean and standard error over seeds. As Figure 3 of the paper.",
                draw_bounded(trace),
            ),
        ]
    return networks.analysis(
        traces,
        measured,
        (*pictures, bottleneck.picture(traces)),
        (),
        further_tables=(_table(bounds), bottleneck.along_table(traces)),
        compared=(
            *against_inner_rank(measured),
            *chain.from_iterable(from_below(label, data) for label, data in measured.items()),
            *chain.from_iterable(growth(label, trace) for label, trace in traces.items()),
            *propositions.compared(measured),
        ),
        how_compared=f"{HOW} {BELOW} {GROWTH} {propositions.HOW}",
    )


def from_below(label: str, measured: xr.Dataset) -> tuple[Measured | None, Measured | None]:
    """Compare how far -2H/L̃ of critical networks is below k*, and how much it rises with L̃, with 0."""
    ordered = measured.sortby("depth")
    rank = ordered["rank"].where(residual(ordered) <= CONVERGED).transpose("seed", "depth").values
    critical = [values[np.isfinite(values)] for values in rank]
    shortfall = [measured.attrs["inner_rank"] - values.max() for values in critical if values.size]
    rise = [values[-1] - values[0] for values in critical if values.size > 1]
    return (
        Measured.mean(q.BELOW, label, shortfall, 0.0, ">", HALF),
        Measured.mean(q.RISE, label, rise, 0.0, ">", HALF),
    )


def of_continuation(traces: Traces) -> Analysis:
    """Analyse the same of networks that continue those of smaller effective depths, and their limit."""
    analysed = analyse(traces)
    limits = with_verdict(
        limit(label, networks.measured(trace)) for label, trace in traces.items()
    )
    return replace(
        analysed,
        measured=(*analysed.measured, *limits),
        how_compared=f"{analysed.how_compared} {LIMIT}",
    )


def limit(label: str, measured: xr.Dataset) -> Measured | None:
    """Compare -2H/L̃ extrapolated to infinite effective depth, of each seed with two critical networks, with k*."""
    far = measured.sel(depth=measured["depth"] >= FAR)
    ranks = far["rank"].where(residual(far) <= CONVERGED).transpose("seed", "depth").values
    inverse = far["depth"].values ** -2.0
    known = [np.isfinite(values) for values in ranks]
    limits = [
        np.polyfit(inverse[k], values[k], 1)[1]
        for k, values in zip(known, ranks, strict=True)
        if k.sum() > 1
    ]
    return Measured.mean(q.RANK_LIMIT, label, limits, measured.attrs["inner_rank"])


def draw_bounded(trace: xr.Dataset) -> Figure:
    """Draw Figure 3 of one trace."""
    with layout.drawing(x=panels.DEPTH, size=(5.2, 2.8)) as (figure, axes):
        axis = axes[0, 0]
        for marker, (name, values) in zip("osD", bounded(trace).items(), strict=True):
            text, colour = BOUNDED[str(name)]
            panels.against_depth(axis, values, color=colour, label=text, marker=marker)
        layout.logarithmic(axis)
        axis.set_xticks(panels.ticks(trace["depth"].values))
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def bounded(trace: xr.Dataset) -> xr.Dataset:
    """Return the quantities of Figure 3, the largest over layers, ``[depth, seed]``."""
    return trace[list(BOUNDED)].map(
        lambda values: values.max({*values.dims} - {"depth", "seed"}, skipna=False)
    )


def growth(label: str, trace: xr.Dataset) -> list[Measured | None]:
    """Compare the exponents of what stays bounded with 0, the mean over seeds of each; none for one depth."""
    exponents = growth_exponents(trace).items()
    return [
        Measured.mean(quantity, label, values, 0.0, resolution=HALF)
        for quantity, values in exponents
    ]


def growth_exponents(trace: xr.Dataset) -> dict[str, Any]:
    """Return the exponents in L̃ over its upper half of what stays bounded, ``[seed]`` each; none for one depth."""
    depth = trace["depth"].values
    upper = trace.sel(depth=depth[depth >= depth.max() / 2])
    if upper.sizes["depth"] < 2:
        return {}
    length, momentum, weight = bounded(upper).values()
    size = (upper["activation_values"] ** 2).sum("rank").max("node") ** 0.5
    grown = {
        q.LENGTH_EXPONENT: length,
        q.MOMENTUM_NORM_EXPONENT: momentum,
        q.WEIGHT_EXPONENT: weight,
        q.RELATIVE_LENGTH_EXPONENT: length / size,
    }
    return {quantity: _exponents(values) for quantity, values in grown.items()}


def _exponents(values: xr.DataArray) -> Any:
    """Return the exponent in L̃ of each seed whose values ``[depth, seed]`` are all finite, ``[seed]``."""
    logs = np.log(values.transpose("depth", "seed").values)
    logs = logs[:, np.isfinite(logs).all(axis=0)]
    return np.polyfit(np.log(values["depth"].values), logs, 1)[0]


def _table(by_label: Traces) -> Table:
    caption = "Means over seeds with their standard errors."
    quantities = columns(
        q.PATH_LENGTH, q.MOMENTUM_NORM, q.WEIGHT_FROM_MOMENTA, path_length="length of the path",
        momentum_norm=r"largest $\|B_p\|$", weight_from_momenta_norm=r"largest $\|B_p \sigma(A_p)^\top\|$",
    )  # fmt: skip
    return table_of(
        "leaky-resnet-bounded", "What stays bounded", caption, rows(by_label, "depth"), quantities
    )
