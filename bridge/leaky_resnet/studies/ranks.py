"""A control of Figure 1b: the gap in the spectrum as a function of the teacher's inner dimension."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge import arguments
from bridge.leaky_resnet import spectral_gap
from bridge.leaky_resnet.quantities import COST_BEYOND, CRITICAL_RANK, DIRECTIONS_BEYOND
from bridge.leaky_resnet.studies import beyond, networks, panels, propositions
from bridge.leaky_resnet.studies.rows import HALF, mean_count
from bridge.leaky_resnet.trace import CONVERGED, inner_rank, outer_rank, residual
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces
from closedform.measured import Measured

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
    found = beyond.constant(traces)
    return networks.analysis(traces, measured, pictures, found, compared=compared, how_compared=how)


def kept(measured: Traces) -> list[Measured | None]:
    """Compare the directions above the gap, less k*, with 0: all networks with one code and one use of bias."""
    groups: dict[str, list[float]] = {}
    for label, data in measured.items():
        excess = data["excess"].sel(depth=data["depth"].values.max()).values
        groups.setdefault(label.partition(", ")[2] or label, []).extend(excess)
    return [mean_count(DIRECTIONS_BEYOND, name, excesses, 0.0) for name, excesses in groups.items()]


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
            compared.append(Measured.mean(COST_BEYOND, label, cost_beyond(last), 0.0, resolution=HALF))
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
            values = last["weight_values"].isel(layer=layer).transpose("seed", "rank").values[:, : outer_rank(trace)]
            index = np.arange(1, values.shape[1])
            for number, ratios in enumerate(values):
                look = {"color": style.BLUE, "marker": "os^Dv"[number % 5], "markersize": 3, "alpha": 0.8}
                panel.plot(index, ratios[:-1] / ratios[1:], **look)
            panel.axvline(rank, **style.THEORY)
            panel.axvline(rank + 1, **panels.NEXT)
            layout.logarithmic(panel)
            layout.whole_numbers(panel)
            panel.set_title(label)
        network = style.entry("one network", color=style.BLUE, marker="o", markersize=3)
        style.legend(figure, [network, style.theory_handle("$k^*$"), style.entry("$k^* + 1$", **panels.NEXT)])
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
