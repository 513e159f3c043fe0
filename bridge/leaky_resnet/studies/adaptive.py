"""Figures 2b and 2c: positions of the layers of each mesh, and distribution of its steps along the path."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from bridge import arguments
from bridge.leaky_resnet import compare_meshes, spectral_gap
from bridge.leaky_resnet.meshes import BASE, mesh_of
from bridge.leaky_resnet.quantities import EARLY_DIRECTIONS, EVENNESS, LOG_UNEVENNESS
from bridge.leaky_resnet.studies import meshes, panels
from bridge.leaky_resnet.studies.rows import mean_count, rows
from bridge.plots import layout
from bridge.results.analysis import Analysis, Picture, Traces, with_verdict
from closedform.measured import Measured

EVEN = 0.1  # smallest relevant logarithm of a ratio of unevenness
EARLY = 0.3  # position at which the paper sees the dimension before k*, the teacher’s first inner one
HOW = (
    "The logarithm is above 0 where this mesh spreads the steps better, each seed with itself. Directions above the "
    "gap are compared with the teacher’s first inner dimension."
)


def analyse(traces: Traces) -> Analysis:
    """Analyse the spectra along each mesh, and the paths with their steps."""
    compared = compare_meshes(traces)
    pictures = (
        Picture(
            "figure-2b-spectra",
            "Singular values of the weights along the layers under each mesh, for one seed: that whose networks are "
            "nearest to a critical point. Vertical lines: the positions of the layers; coloured: the singular values "
            "above the gap of the middle layer. As Figure 2b of the paper.",
            draw_spectra(traces),
        ),
        Picture(
            "figure-2c-paths",
            "The same networks: their paths of representations, projected on their two main directions; each mark is a "
            "layer, the larger one the input. As Figure 2c of the paper.",
            draw_paths(traces),
        ),
    )
    means = [(row.configuration, row.mean(EVENNESS)) for row in rows(compared, "depth")]
    even = ", ".join(f"{label} {mean.text}" for label, mean in means if mean)
    finding = f"Longest over shortest distance that a layer moves the representation by, in the path’s plane: {even}."
    return Analysis(
        traces=traces,
        pictures=pictures,
        tables=(meshes.table(compared),),
        measured=with_verdict((*even_steps(compared), *early_dimensions(traces))),
        how_compared=HOW,
        findings=(finding,),
        doubts=meshes.doubts(compared),
        theory=meshes.THEORY,
    )


def even_steps(compared: Traces) -> list[Measured | None]:
    """Compare the evenness of the steps with that of the equidistant mesh, seed by seed."""
    base = next((data["evenness"] for data in compared.values() if data.attrs["mesh"] == BASE), None)
    if base is None:
        return []
    others = {label: data["evenness"] for label, data in compared.items() if data.attrs["mesh"] != BASE}
    ratios = {label: (base / one).transpose("depth", "seed").values for label, one in others.items()}  # on common seeds
    return [Measured.mean(LOG_UNEVENNESS, label, np.log(r).mean(0), 0.0, ">", EVEN) for label, r in ratios.items()]


def early_dimensions(traces: Traces) -> list[Measured | None]:
    """Compare the directions above the gap in the layer nearest to :data:`EARLY` with the first inner dimension."""
    compared = []
    for label, trace in traces.items():
        centres = trace["position"].rolling(node=2).mean().isel(node=slice(1, None))
        nearest = abs(centres - EARLY).argmin("node").transpose("depth", "seed").values
        gaps = [spectral_gap(trace, layer=layer)["gap"].values for layer in range(1, trace.sizes["layer"] + 1)]
        found = np.take_along_axis(np.stack(gaps), nearest[None], axis=0)
        compared.append(mean_count(EARLY_DIRECTIONS, label, found, arguments.attribute(trace, "dimensions", list)[1]))
    return compared


def draw_spectra(traces: Traces) -> Figure:
    """Draw Figure 2b: a panel for every trace."""
    seed = _common(traces)
    look: layout.Look = {"x": panels.P, "y": "singular values of $W_p$", "titles": [*traces]}
    with layout.drawing(1, len(traces), **look, size=(2.9, 2.5), sharey=True) as (figure, axes):
        for panel, trace in zip(axes[0], traces.values(), strict=True):
            network, kept, _ = panels.chosen(trace, spectral_gap(trace), seed)
            panel.grid(False)
            panels.spectrum(panel, network, "weight_values", kept, steps=True)
    return figure


def draw_paths(traces: Traces) -> Figure:
    """Draw Figure 2c: a panel for every trace."""
    seed = _common(traces)
    look: layout.Look = {"x": "first direction", "y": "second direction", "titles": [*traces]}
    with layout.drawing(1, len(traces), **look, size=(2.9, 2.5)) as (figure, axes):
        for panel, trace in zip(axes[0], traces.values(), strict=True):
            network, _, _ = panels.chosen(trace, spectral_gap(trace), seed)
            x, y = network["projection"].transpose("component", "node").values
            colour = panels.MESHES[mesh_of(trace)]
            panel.plot(x, y, marker="o", markersize=3, linewidth=0.9, color=colour)
            panel.plot(x[:1], y[:1], marker="o", markersize=6, color=colour)
    return figure


def _common(traces: Traces) -> int | None:
    """Return the common seed whose networks are closest to critical points; None if the traces have none in common."""
    residuals = [spectral_gap(trace)["residual"].max("depth") for trace in traces.values()]
    shared = set.intersection(*({int(seed) for seed in residual["seed"].values} for residual in residuals))
    if not shared:
        return None
    return min(sorted(shared), key=lambda seed: max(float(residual.sel(seed=seed)) for residual in residuals))
