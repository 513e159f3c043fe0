"""Figures 2b and 2c: positions of the layers of each mesh, and distribution of its steps along the path."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bridge.analysis import Analysis, Picture
from bridge.figures import style
from bridge.leaky_resnet import compare_meshes, spectral_gap
from bridge.leaky_resnet.studies import meshes, panels

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


def analyse(traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Analyse the spectra along each mesh, and the paths with their steps."""
    rows = compare_meshes(traces)
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
    even = ", ".join(f"{row['configuration']} {row['evenness']:.3g} ± {row['evenness_error']:.2g}" for row in rows)
    finding = f"Longest over shortest distance that a layer moves the representation by, in the path’s plane: {even}."
    return Analysis(
        traces=traces,
        pictures=pictures,
        tables=(meshes.table(rows),),
        findings=(finding,),
        doubts=meshes.doubts(rows),
        theory=meshes.THEORY,
        reading=meshes.READING,
    )


def draw_spectra(traces: Mapping[str, xr.Dataset]) -> Figure:
    """Draw Figure 2b: a panel for every trace."""
    seed = _common(traces)
    with style.context():
        figure, axes = style.grid(1, len(traces), size=(2.9, 2.5), sharey=True)
        for panel, (label, trace) in zip(axes[0], traces.items(), strict=True):
            network, kept, _ = panels.chosen(trace, spectral_gap(trace), seed)
            panel.grid(False)
            panels.spectrum(panel, network, "weight_values", kept, steps=True)
            panels.label(panel, panels.P, "singular values of $W_p$" if panel is axes[0, 0] else "", label)
    return figure


def draw_paths(traces: Mapping[str, xr.Dataset]) -> Figure:
    """Draw Figure 2c: a panel for every trace."""
    seed = _common(traces)
    with style.context():
        figure, axes = style.grid(1, len(traces), size=(2.9, 2.5))
        for panel, (label, trace) in zip(axes[0], traces.items(), strict=True):
            network, _, _ = panels.chosen(trace, spectral_gap(trace), seed)
            x, y = network["projection"].transpose("component", "node").values
            colour = panels.MESHES[json.loads(trace.attrs["config"])["mesh"]]
            panel.plot(x, y, marker="o", markersize=3, linewidth=0.9, color=colour)
            panel.plot(x[:1], y[:1], marker="o", markersize=6, color=colour)
            panels.label(panel, "first direction", "second direction" if panel is axes[0, 0] else "", label)
    return figure


def _common(traces: Mapping[str, xr.Dataset]) -> int | None:
    """Return the common seed whose networks are closest to critical points; None if the traces have none in common."""
    residuals = [spectral_gap(trace)["residual"].max("depth") for trace in traces.values()]
    shared = set.intersection(*({int(seed) for seed in residual["seed"].values} for residual in residuals))
    if not shared:
        return None
    return min(sorted(shared), key=lambda seed: max(float(residual.sel(seed=seed)) for residual in residuals))
