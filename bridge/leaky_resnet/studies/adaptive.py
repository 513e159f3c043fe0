"""Figures 2b and 2c: positions of the layers of each mesh, and distribution of its steps along the path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

import bridge
from bridge import arguments
from bridge.leaky_resnet import compare_meshes, spectral_gap
from bridge.leaky_resnet.meshes import BASE
from bridge.leaky_resnet.studies import counts, meshes, panels
from bridge.plots import style
from bridge.results.analysis import Analysis, Compared, Picture
from bridge.statistics.ranking import is_constant

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

EVEN = 0.1  # smallest relevant logarithm of a ratio of unevenness
EARLY = 0.3  # position at which the paper sees the dimension before k*, the teacher’s first inner one
HOW = (
    "The longest over the shortest distance that a layer moves the representation by, equidistant mesh over this mesh, "
    "as a logarithm against 0: positive where this mesh spreads the steps better. Each seed with itself. And how "
    "many singular values of the weights nearest to p = 0.3 lie above the largest gap, against the teacher’s first "
    "inner dimension."
)


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
        compared=(*even_steps(traces), *early_dimensions(traces)),
        how_compared=HOW,
        findings=(finding,),
        doubts=meshes.doubts(rows),
        theory=meshes.THEORY,
        reading=meshes.READING,
    )


def even_steps(traces: Mapping[str, xr.Dataset]) -> tuple[Compared, ...]:
    """Compare the evenness of the steps with that of the equidistant mesh, seed by seed."""
    base = next((trace for trace in traces.values() if _mesh(trace) == BASE), None)
    compared = []
    for label, trace in traces.items():
        if base is None or _mesh(trace) == BASE:
            continue
        values = np.log((_evenness(base) / _evenness(trace)).values.ravel())  # on common seeds and depths
        if values.size > 1 and not is_constant(values):
            comparison = bridge.compare(0.0, values, resolution=EVEN)
            compared.append(Compared(label, "logarithm of the unevenness, equidistant over this mesh", comparison, ">"))
    return tuple(compared)


def early_dimensions(traces: Mapping[str, xr.Dataset]) -> tuple[Compared, ...]:
    """Compare the directions above the gap in the layer nearest to :data:`EARLY` with the first inner dimension."""
    compared = []
    for label, trace in traces.items():
        centres = trace["position"].rolling(node=2).mean().isel(node=slice(1, None))
        nearest = abs(centres - EARLY).argmin("node").transpose("depth", "seed").values
        gaps = [spectral_gap(trace, layer=layer)["gap"].values for layer in range(1, trace.sizes["layer"] + 1)]
        found = np.take_along_axis(np.stack(gaps), nearest[None], axis=0).ravel()
        found = found[np.isfinite(found)]
        if found.size > 1:
            comparison = counts.against(float(arguments.attribute(trace, "dimensions", list)[1]), found)
            compared.append(Compared(label, "directions above the gap at p = 0.3", comparison))
    return tuple(compared)


def _mesh(trace: xr.Dataset) -> str:
    return str(arguments.attribute(trace, "config")["mesh"])


def _evenness(trace: xr.Dataset) -> xr.DataArray:
    moved = (trace["projection"].diff("node") ** 2).sum("component") ** 0.5
    return moved.max("node") / moved.min("node")


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
            colour = panels.MESHES[arguments.attribute(trace, "config")["mesh"]]
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
