r"""Controls of Figure 1b: the gap in the spectrum against the teacher's inner dimension, and which codes are cheapest.

A representation :math:`A = U z + m 1^\top` of a code z of k dimensions, with orthonormal columns of U and no negative
entries, has with bias the cost of identity :math:`k + \|m_\perp\|^2 / (1 + \|m_\perp\|^2)`, where :math:`m_\perp` is
the part of m outside the columns of U. So k and not k + 1 is the cheapest also for a signed code; the direction of the
mean is given up only where L̃ makes that small saving larger than the cost of the way there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge import arguments
from bridge.leaky_resnet import spectral_gap
from bridge.leaky_resnet.trace import CONVERGED, inner_rank, outer_rank, residual
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces
from closedform.measured import Measured
from papers.jacot2024.quantities import COST_BEYOND, CRITICAL_RANK, DIRECTIONS_BEYOND, MINIMAL_COST
from papers.jacot2024.studies import bottleneck, networks, panels, propositions
from papers.jacot2024.studies.rows import HALF, Row, mean_count

OF_COSTS = (
    "Networks with bias at the largest effective depth, against k*: a non-negative representation has this cost whose "
    "units hold the code, each shifted until it is positive. One that keeps the direction of the mean as well costs up "
    "to one more."
)

HOW = (
    "The paper expects −2H/L̃ to approach the teacher’s inner dimension k* from below as the effective depth grows. "
    "This is a limit, not a prediction for this depth: how far off it is says how far the limit is. Where at no depth "
    "all networks are critical, the largest counts. Without bias, the paper expects non-negative representations in "
    "the middle layers, whose cost of identity is their rank, less what γ takes."
)
KEPT = "Directions above the gap: all k* together; 1 is k* + 1."


def analyse(traces: Traces) -> Analysis:
    """Analyse gap, Hamiltonian and bounds for every inner dimension."""
    measured = {label: networks.measured(trace) for label, trace in traces.items()}
    pictures = (
        Picture(
            "figure-1b-ratios",
            "Ratio of neighbouring singular values of the middle layer’s weights, every seed. Dashed: k*; dotted: "
            "k* + 1. The gap is where the ratio is largest. Control of Figure 1b of the paper.",
            draw_ratios(traces),
        ),
        Picture(
            "figure-1b-spectra",
            "Singular values of the weights along the layers, the network of each configuration that is nearest to a "
            "critical point; coloured: those above the gap.",
            draw_spectra(traces),
        ),
        propositions.picture(traces),
    )
    compared = (*kept(measured), *against_inner_rank(measured), *propositions.compared(measured))
    how = f"{KEPT} {HOW} {propositions.HOW}"
    constant = bottleneck.constant(traces)
    return networks.analysis(
        traces, measured, pictures, constant, compared=compared, how_compared=how
    )


def kept(measured: Traces) -> list[Measured | None]:
    """Compare the directions above the gap, less k*, with 0: all networks with one code and one use of bias."""
    groups: dict[str, list[float]] = {}
    for label, data in measured.items():
        excess = data["excess"].sel(depth=data["depth"].values.max()).values
        groups.setdefault(label.partition(", ")[2] or label, []).extend(excess)
    return [
        mean_count(DIRECTIONS_BEYOND, name, excesses, 0.0) for name, excesses in groups.items()
    ]


def against_inner_rank(measured: Traces) -> list[Measured | None]:
    """Compare -2H/L̃ with k*, and the least cost of identity, at the largest depth of critical networks."""
    compared = []
    for label, data in measured.items():
        is_critical = (residual(data) <= CONVERGED).all("seed").values
        depths = data["depth"].values
        last = data.sel(depth=depths[is_critical].max() if is_critical.any() else depths.max())
        inner = data.attrs["inner_rank"]
        compared.append(Measured.mean(CRITICAL_RANK, label, last["rank"], inner, resolution=HALF))
        if not data.attrs["bias"]:
            compared.append(
                Measured.mean(COST_BEYOND, label, cost_beyond(last), 0.0, resolution=HALF)
            )
    return compared


def cost_beyond(measured: xr.Dataset) -> xr.DataArray:
    """Return the least cost of identity, less that of a non-negative representation with the same singular values."""
    return measured["minimal_cost"] - measured["nonnegative_cost"]


def draw_ratios(traces: Traces) -> Figure:
    """Draw the ratios of neighbouring singular values, a panel for every configuration."""
    names: layout.Look = {"x": "number $i$ of directions kept", "y": "ratio $s_i/s_{i+1}$"}
    with layout.drawing_of(len(traces), **names, **_grid(traces)) as (figure, axes):
        for panel, (label, trace) in zip(axes, traces.items(), strict=True):
            layer, rank = spectral_gap(trace).attrs["layer"] - 1, inner_rank(trace)
            last = trace.sel(depth=trace["depth"].values.max())
            values = (
                last["weight_values"]
                .isel(layer=layer)
                .transpose("seed", "rank")
                .values[:, : outer_rank(trace)]
            )
            index = np.arange(1, values.shape[1])
            for number, ratios in enumerate(values):
                look = {
                    "color": style.BLUE,
                    "marker": "os^Dv"[number % 5],
                    "markersize": 3,
                    "alpha": 0.8,
                }
                panel.plot(index, ratios[:-1] / ratios[1:], **look)
            panel.axvline(rank, **style.THEORY)
            panel.axvline(rank + 1, **panels.NEXT)
            layout.logarithmic(panel)
            layout.whole_numbers(panel)
            panel.set_title(label)
        network = style.entry("one network", color=style.BLUE, marker="o", markersize=3)
        style.legend(
            figure,
            [network, style.theory_handle("$k^*$"), style.entry("$k^* + 1$", **panels.NEXT)],
        )
    return figure


def draw_spectra(traces: Traces) -> Figure:
    """Draw the spectra of the weights along p, a panel for every configuration."""
    names: layout.Look = {"x": panels.P, "y": "singular values of $W_p$"}
    with layout.drawing_of(len(traces), **names, **_grid(traces)) as (figure, axes):
        for panel, (label, trace) in zip(axes, traces.items(), strict=True):
            network, kept, seed = panels.chosen(trace, spectral_gap(trace))
            panels.spectrum(panel, network, "weight_values", kept)
            panel.set_title(f"{label}\nseed {seed}: keeps {kept}")
    return figure


def _grid(traces: Traces) -> dict[str, Any]:
    """Return the options of the panels, in one row at least for networks with bias and without."""
    biases = {arguments.attribute(trace, "config")["bias"] for trace in traces.values()}
    return {"at_least": len(biases), "size": (2.9, 2.15), "sharey": True}


def of_codes(traces: Traces) -> Analysis:
    """Analyse gap and least cost of identity at the largest effective depth, for every code."""
    measured = {label: networks.measured(trace) for label, trace in traces.items()}
    compared = _cheapest(measured)
    caption = (
        "Least cost of identity against the teacher’s inner dimension, mean and standard error over seeds, often "
        "smaller than the marker. Dashed: k*; dotted: k* + 1. Control of Figure 1b of the paper."
    )
    costs = Picture("figure-1b-codes-costs", caption, draw_costs(compared))
    ratios = Picture(
        "figure-1b-codes-ratios",
        "Ratio of neighbouring singular values of the middle layer’s weights at the largest effective depth, every "
        "seed. Dashed: k*; dotted: k* + 1.",
        draw_ratios(traces),
    )
    return networks.analysis(
        traces, measured, (costs, ratios), (), compared=compared, how_compared=OF_COSTS
    )


def draw_costs(costs: Sequence[Measured]) -> Figure:
    """Draw the least cost of identity against its prediction k*, each kind of code in a colour of its own."""
    ranks_kept = np.array([cost.predicted for cost in costs], dtype=np.float64)
    kinds = [cost.label.partition(",")[0] for cost in costs]
    with layout.drawing(
        x="inner dimension $k^*$", y="least cost of identity", size=(3.6, 2.8)
    ) as (figure, axes):
        axis = axes[0, 0]
        for colour, kind in zip(style.COLOURS, dict.fromkeys(kinds), strict=False):
            group = [cost for cost, its in zip(costs, kinds, strict=True) if its == kind]
            kept, value, error = zip(
                *((cost.predicted, cost.value, cost.error or 0) for cost in group), strict=True
            )
            style.with_errors(axis, kept, value, error, color=colour, label=kind, linestyle="")
        ends = np.array([ranks_kept.min(), ranks_kept.max()])
        axis.plot(ends, ends, **style.THEORY, label="$k^*$")
        axis.plot(ends, ends + 1, **panels.NEXT, label="$k^* + 1$")
        layout.whole_numbers(axis)
        axis.legend()
    return figure


def _cheapest(measured: Traces) -> list[Measured]:
    """Compare the least cost of identity of networks with bias with k*, at the largest effective depth."""
    costs = (
        Row(label, data.sel(depth=data["depth"].values.max())).mean(
            MINIMAL_COST, data.attrs["inner_rank"], HALF
        )
        for label, data in measured.items()
        if data.attrs["bias"]
    )
    return [cost for cost in costs if cost is not None]
