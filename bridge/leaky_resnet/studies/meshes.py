"""Figure 2a: test cost against the number of layers, for every mesh."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import bridge
from bridge import arguments
from bridge.leaky_resnet import CONVERGED, compare_meshes
from bridge.leaky_resnet.meshes import BASE
from bridge.leaky_resnet.studies import panels
from bridge.plots import style
from bridge.results.analysis import Analysis, Column, Compared, Doubt, Picture, Table
from bridge.statistics.ranking import is_constant

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

THEORY = ("leaky_resnet.adaptive_multiplier",)
READING = {
    "Advantage": "test cost of the equidistant mesh over that of the mesh named, with as many layers: above 1 the mesh "
    "is better. Geometric mean over seeds, each compared with itself: same teacher, points and initial noise.",
    "Evenness": "how much further the layer that moves the representation most moves it than the one that moves it "
    "least, in the plane of the path’s two main directions; 1 is even.",
}
HOW = (
    "The logarithm of the test cost of the equidistant mesh over that of this mesh, mean over the numbers of layers, "
    "against 0: positive where this mesh is better. Every seed with itself; errors over seeds."
)
RELEVANT = 0.02  # smallest relevant logarithm of a ratio of test costs


def analyse(traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Analyse the test cost of every mesh and number of layers."""
    rows = compare_meshes(traces)
    caption = (
        "Test cost (mean squared error, summed over outputs) against the number of layers for the three meshes; mean "
        "and standard error over seeds. Right: advantage over the equidistant mesh, seed by seed. As Figure 2a."
    )
    return Analysis(
        traces=traces,
        pictures=(Picture("figure-2a-meshes", caption, draw(rows)),),
        tables=(table(rows),),
        compared=advantages(traces),
        how_compared=HOW,
        findings=findings(rows),
        doubts=doubts(rows),
        theory=THEORY,
        reading=READING,
    )


def advantages(traces: Mapping[str, xr.Dataset]) -> tuple[Compared, ...]:
    """Compare the logarithm of the advantage of every mesh, mean over the numbers of layers, with 0."""
    logs: dict[str, dict[int, Any]] = {mesh: {} for mesh in panels.MESHES}
    for trace in traces.values():
        if trace.sizes["depth"] == 1:
            cost = trace["test_cost"].isel(depth=0, drop=True)
            mesh = arguments.attribute(trace, "config")["mesh"]
            logs[mesh][trace.sizes["layer"]] = cost.copy(data=np.log(cost.values))
    base = logs.pop(BASE)
    compared = []
    for mesh, of_mesh in logs.items():
        shared = sorted(base.keys() & of_mesh.keys())
        if shared:
            gained = sum(base[layers] - of_mesh[layers] for layers in shared) / len(shared)  # on common seeds
            values = gained.values[np.isfinite(gained.values)]
            if values.size > 1 and not is_constant(values):
                comparison = bridge.compare(0.0, values, resolution=RELEVANT)
                compared.append(Compared(mesh, "logarithm of the advantage, mean over L", comparison, ">"))
    return tuple(compared)


def table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return the table of meshes."""
    columns = (
        Column("configuration", "configuration"),
        Column("layers", "layers"),
        Column("seeds", "seeds"),
        Column("train_cost", "training cost"),
        Column("test_cost", "test cost"),
        Column("advantage", "advantage"),
        Column("evenness", "evenness"),
        Column("longest", "longest step × L"),
        Column("outer", "layers in the outer half"),
        Column("beginning", "in the first quarter"),
        Column("end", "in the last quarter"),
        Column("residual", "relative gradient", 2),
    )
    caption = "Means over seeds with their standard errors; relative gradient: the largest."
    return Table("leaky-resnet-meshes", "Meshes", caption, columns, tuple(rows))


def draw(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Draw Figure 2a, from the rows of :func:`bridge.leaky_resnet.compare_meshes`."""
    with style.context():
        figure, axes = style.grid(1, 2, size=(3.8, 2.7))
        left, right = axes[0]
        sizes = sorted({row["layers"] for row in rows})
        shift = 0.012 * (sizes[-1] - sizes[0])
        for number, (mesh, marker) in enumerate(zip(panels.MESHES, "osD", strict=True)):
            of_mesh = sorted((row for row in rows if row["mesh"] == mesh), key=lambda row: row["layers"])
            if not of_mesh:
                continue
            at = [row["layers"] + shift * (number - 1) for row in of_mesh]
            look = {"color": panels.MESHES[mesh], "marker": marker, "markersize": 3.5, "capsize": 1.5, "elinewidth": 1}
            left.errorbar(at, *_values(of_mesh, "test_cost"), label=mesh, **look)
            if of_mesh[0]["advantage"] is not None:
                right.errorbar(at, *_values(of_mesh, "advantage"), **look)
        right.axhline(1, **style.THEORY)
        figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=3)
        for axis, name in ((left, "test cost"), (right, "equidistant / this mesh")):
            axis.set_xticks(sizes)
            panels.label(axis, "number of layers $L$", name)
    return figure


def _values(rows: Sequence[Mapping[str, Any]], name: str) -> tuple[list[float], list[float]]:
    errors = [row[f"{name}_error"] for row in rows]
    return [row[name] for row in rows], [0.0 if error is None or error != error else error for error in errors]


def findings(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """State how much better each mesh is than the equidistant one."""
    sentences = []
    for mesh in panels.MESHES:
        of_mesh = [row for row in rows if row["mesh"] == mesh and row["advantage"] is not None]
        if of_mesh:
            ratios = "; ".join(
                f"L = {row['layers']}: {row['advantage']:.3f} ± {row['advantage_error']:.3f}" for row in of_mesh
            )
            clear = sum(row["advantage"] - 1 > 2 * row["advantage_error"] for row in of_mesh)
            sentences.append(
                f"Test cost of the equidistant mesh over that of the {mesh} one: {ratios}; better by more than two "
                f"standard errors in {clear} of {len(of_mesh)} (the paper: a small but consistent advantage)."
            )
    return tuple(sentences)


def doubts(rows: Sequence[Mapping[str, Any]]) -> tuple[Doubt, ...]:
    """List configurations with networks that are not at a critical point."""
    return tuple(
        Doubt(row["configuration"], "", f"not at a critical point: relative gradient up to {row['residual']:.2g}.")
        for row in rows
        if not row["residual"] <= CONVERGED
    )
