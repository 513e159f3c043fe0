"""Figures 2a to 2c: test cost for every mesh, the positions of its layers, and how its steps lie along the path."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from bridge import arguments
from bridge.leaky_resnet import CONVERGED, compare_meshes, spectral_gap
from bridge.leaky_resnet.meshes import BASE, mesh_of
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, table_of, with_verdict
from bridge.results.quantity import Quantity
from closedform.measured import Measured
from papers.jacot2024 import quantities as q
from papers.jacot2024.studies import panels
from papers.jacot2024.studies.panels import MESHES
from papers.jacot2024.studies.rows import columns, mean_count, rows

EVEN = 0.1  # smallest relevant logarithm of a ratio of unevenness
# position at which the paper sees the dimension before k*, the teacher’s first inner one
EARLY = 0.3
OF_STEPS = (
    "The logarithm is above 0 where this mesh spreads the steps better, each seed with itself. Directions above the "
    "gap are compared with the teacher’s first inner dimension."
)

THEORY = ("leaky_resnet.adaptive_multiplier",)
HOW = (
    "An advantage above 0 is one of this mesh. Each seed is compared with itself: same "
    "teacher, points, initial noise."
)
RELEVANT = 0.02  # smallest relevant logarithm of a ratio of test costs


def analyse(traces: Traces) -> Analysis:
    """Analyse the test cost of every mesh and number of layers."""
    compared = compare_meshes(traces)
    caption = (
        "Test cost (mean squared error, summed over outputs) against the number of layers for the three meshes; mean "
        "and standard error over seeds. Right: the same of the logarithm of the test cost of the equidistant mesh over "
        "that of this mesh, seed by seed. As Figure 2a."
    )
    return Analysis(
        traces=traces,
        pictures=(Picture("figure-2a-meshes", caption, draw(compared)),),
        tables=(table(compared),),
        measured=with_verdict(advantages(compared)),
        how_compared=HOW,
        doubts=doubts(compared),
        theory=THEORY,
    )


def advantages(compared: Traces) -> list[Measured | None]:
    """Compare the advantage of every mesh, mean over the numbers of layers, with 0."""
    listed = []
    for mesh in MESHES:
        of_mesh = [data["advantage"] for data in compared.values() if data.attrs["mesh"] == mesh]
        logs = [values for values in of_mesh if values.notnull().any()]
        if logs:
            # on common seeds
            gained = sum(values.mean("depth", skipna=False) for values in logs) / len(logs)
            listed.append(Measured.mean(q.MEAN_ADVANTAGE, mesh, gained, 0.0, ">", RELEVANT))
    return listed


def _means(compared: Traces, mesh: str, quantity: Quantity) -> dict[int, Measured]:
    """Return the means of a quantity over seeds for one mesh, where there are any, by the number of layers."""
    means = {
        row.data.attrs["layers"]: row.mean(quantity)
        for row in rows(compared, "depth")
        if row.data.attrs["mesh"] == mesh
    }
    return {layers: mean for layers, mean in sorted(means.items()) if mean is not None}


def table(compared: Traces) -> Table:
    """Return the table of the results of :func:`bridge.leaky_resnet.compare_meshes`."""
    caption = "Means over seeds with their standard errors; relative gradient: the largest."
    measured = columns(
        q.TRAIN_COST, q.TEST_COST, q.ADVANTAGE, q.EVENNESS, q.LONGEST, q.OUTER, q.BEGINNING, q.END,
        longest="longest step × L", outer="layers in the outer half", beginning="in the first quarter",
        end="in the last quarter",
    )  # fmt: skip
    largest = ("relative gradient", lambda row: float(row.data["residual"].max(skipna=False)))
    return table_of(
        "leaky-resnet-meshes", "Meshes", caption, rows(compared, "depth"), (*measured, largest)
    )


def draw(compared: Traces) -> Figure:
    """Draw Figure 2a, from the results of :func:`bridge.leaky_resnet.compare_meshes`."""
    sizes = sorted({data.attrs["layers"] for data in compared.values()})
    shift = 0.012 * (sizes[-1] - sizes[0])
    names: layout.Look = {
        "x": "number of layers $L$",
        "y": ("test cost", "log (equidistant / this mesh)"),
    }
    with layout.drawing(1, 2, **names, size=(3.8, 2.7)) as (figure, axes):
        left, right = axes[0]
        for panel, quantity in ((left, q.TEST_COST), (right, q.ADVANTAGE)):
            for number, (mesh, marker) in enumerate(zip(MESHES, "osD", strict=True)):
                means = _means(compared, mesh, quantity)
                if means:
                    at = [layers + shift * (number - 1) for layers in means]
                    values, errors = zip(
                        *((mean.value, mean.error or 0.0) for mean in means.values()), strict=True
                    )
                    style.with_errors(
                        panel, at, values, errors, color=MESHES[mesh], marker=marker, label=mesh
                    )
            panel.set_xticks(sizes)
        right.axhline(0, **style.THEORY)
        style.legend(figure)
    return figure


def doubts(compared: Traces) -> tuple[Doubt, ...]:
    """List configurations with networks that are not at a critical point."""
    largest = {
        label: float(data["residual"].max(skipna=False)) for label, data in compared.items()
    }
    return tuple(
        Doubt(label, f"not at a critical point: relative gradient up to {size:.2g}.")
        for label, size in largest.items()
        if not size <= CONVERGED
    )


def of_adaptive(traces: Traces) -> Analysis:
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
    return Analysis(
        traces=traces,
        pictures=pictures,
        tables=(table(compared),),
        measured=with_verdict((*even_steps(compared), *early_dimensions(traces))),
        how_compared=OF_STEPS,
        doubts=doubts(compared),
        theory=THEORY,
    )


def even_steps(compared: Traces) -> list[Measured | None]:
    """Compare the evenness of the steps with that of the equidistant mesh, seed by seed."""
    base = next(
        (data["evenness"] for data in compared.values() if data.attrs["mesh"] == BASE), None
    )
    if base is None:
        return []
    others = {
        label: data["evenness"] for label, data in compared.items() if data.attrs["mesh"] != BASE
    }
    ratios = {
        label: (base / evenness).transpose("depth", "seed").values
        for label, evenness in others.items()
    }  # on common seeds
    return [
        Measured.mean(q.LOG_UNEVENNESS, label, np.log(r).mean(0), 0.0, ">", EVEN)
        for label, r in ratios.items()
    ]


def early_dimensions(traces: Traces) -> list[Measured | None]:
    """Compare the directions above the gap in the layer nearest to :data:`EARLY` with the first inner dimension."""
    compared = []
    for label, trace in traces.items():
        centres = trace["position"].rolling(node=2).mean().isel(node=slice(1, None))
        nearest = abs(centres - EARLY).argmin("node").transpose("depth", "seed").values
        gaps = [
            spectral_gap(trace, layer=layer)["gap"].values
            for layer in range(1, trace.sizes["layer"] + 1)
        ]
        early_gaps = np.take_along_axis(np.stack(gaps), nearest[None], axis=0)
        compared.append(
            mean_count(
                q.EARLY_DIRECTIONS,
                label,
                early_gaps,
                arguments.attribute(trace, "dimensions", list)[1],
            )
        )
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
            colour = MESHES[mesh_of(trace)]
            panel.plot(x, y, marker="o", markersize=3, linewidth=0.9, color=colour)
            panel.plot(x[:1], y[:1], marker="o", markersize=6, color=colour)
    return figure


def _common(traces: Traces) -> int | None:
    """Return the common seed whose networks are closest to critical points; None if the traces have none in common."""
    residuals = [spectral_gap(trace)["residual"].max("depth") for trace in traces.values()]
    seeds: list[set[int]] = [set(residual["seed"].values.tolist()) for residual in residuals]
    shared = set.intersection(*seeds)
    if not shared:
        return None
    return min(
        sorted(shared),
        key=lambda seed: max(float(residual.sel(seed=seed)) for residual in residuals),
    )
