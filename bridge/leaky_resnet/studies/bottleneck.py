"""Figures 1b and 1c: spectra of representations and weights along the layers, and H with its two parts."""

from __future__ import annotations

import xarray as xr
from matplotlib.figure import Figure

from bridge.leaky_resnet import spectral_gap
from bridge.leaky_resnet.studies import along, networks, panels, propositions
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces


def analyse(traces: Traces) -> Analysis:
    """Analyse spectra, energies and bounds of every trace."""
    measured = {label: networks.measured(trace) for label, trace in traces.items()}
    pictures = []
    for number, (label, trace) in enumerate(traces.items(), start=1):
        name = "figure-1bc-bottleneck" if len(traces) == 1 else f"figure-1bc-bottleneck-{number}"
        caption = (
            f"Left and middle: singular values of representations and weights along the layers of the network nearest "
            f"to a critical point ({label}); coloured: those above the gap of the middle layer’s weights. Right: −2H/L̃ "
            "and the two parts that it is the difference of, all seeds, with K + γ; linear below 1, logarithmic above. "
            "As Figures 1b and 1c of the paper."
        )
        pictures.append(Picture(name, caption, draw(trace)))
    return networks.analysis(
        traces, measured, pictures, (), further_tables=(along.table(traces),),
        compared=propositions.compared(measured), how_compared=propositions.HOW,
    )  # fmt: skip


def draw(trace: xr.Dataset) -> Figure:
    """Draw Figures 1b and 1c of one trace, at its largest effective depth."""
    network, kept, _ = panels.chosen(trace, spectral_gap(trace))
    y = ("singular value", "", "dimensions")
    titles = ("representations $A_p$", "weights $W_p$", rf"energies, $\tilde{{L}} = {float(network['depth']):g}$")
    with layout.drawing(1, 3, x=panels.P, y=y, titles=titles, size=(3.1, 2.7)) as (figure, axes):
        left, middle, right = axes[0]
        panels.spectrum(left, network, "activation_values", kept)
        panels.spectrum(middle, network, "weight_values", kept)
        panels.energies(right, trace.sel(depth=float(network["depth"])))
        style.legend(figure)
    return figure
