"""Figure 2a: test cost against the number of layers, for every mesh."""

from __future__ import annotations

import math

from matplotlib.figure import Figure

from bridge.leaky_resnet import CONVERGED, compare_meshes
from bridge.leaky_resnet import quantities as q
from bridge.leaky_resnet.studies.panels import MESHES
from bridge.leaky_resnet.studies.rows import columns, rows
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, table_of, with_verdict
from bridge.results.quantity import Quantity
from closedform.measured import Measured

THEORY = ("leaky_resnet.adaptive_multiplier",)
HOW = (
    "An advantage above 0 is one of this mesh. Each seed is compared with itself: same teacher, points, initial noise."
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
        findings=findings(compared),
        doubts=doubts(compared),
        theory=THEORY,
    )


def advantages(compared: Traces) -> list[Measured | None]:
    """Compare the advantage of every mesh, mean over the numbers of layers, with 0."""
    listed = []
    for mesh in MESHES:
        of_mesh = [data["advantage"] for data in compared.values() if data.attrs["mesh"] == mesh]
        if logs := [values for values in of_mesh if values.notnull().any()]:
            gained = sum(values.mean("depth", skipna=False) for values in logs) / len(logs)  # on common seeds
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
    return table_of("leaky-resnet-meshes", "Meshes", caption, rows(compared, "depth"), (*measured, largest))


def draw(compared: Traces) -> Figure:
    """Draw Figure 2a, from the results of :func:`bridge.leaky_resnet.compare_meshes`."""
    sizes = sorted({data.attrs["layers"] for data in compared.values()})
    shift = 0.012 * (sizes[-1] - sizes[0])
    names: layout.Look = {"x": "number of layers $L$", "y": ("test cost", "log (equidistant / this mesh)")}
    with layout.drawing(1, 2, **names, size=(3.8, 2.7)) as (figure, axes):
        left, right = axes[0]
        for panel, quantity in ((left, q.TEST_COST), (right, q.ADVANTAGE)):
            for number, (mesh, marker) in enumerate(zip(MESHES, "osD", strict=True)):
                if means := _means(compared, mesh, quantity):
                    at = [layers + shift * (number - 1) for layers in means]
                    values, errors = zip(*((mean.value, mean.error or 0.0) for mean in means.values()), strict=True)
                    style.with_errors(panel, at, values, errors, color=MESHES[mesh], marker=marker, label=mesh)
            panel.set_xticks(sizes)
        right.axhline(0, **style.THEORY)
        style.legend(figure)
    return figure


def findings(compared: Traces) -> tuple[str, ...]:
    """State how much better each mesh is than the equidistant one."""
    sentences = []
    for mesh in MESHES:
        if means := _means(compared, mesh, q.ADVANTAGE):
            logs = "; ".join(f"L = {layers}: {mean.text}" for layers, mean in means.items())
            clear = sum(mean.value > 2 * (mean.error or math.inf) for mean in means.values())
            sentences.append(
                f"Logarithm of the test cost of the equidistant mesh over that of the {mesh} one: {logs}; better by "
                f"more than two standard errors in {clear} of {len(means)} (the paper: a small but consistent "
                "advantage)."
            )
    return tuple(sentences)


def doubts(compared: Traces) -> tuple[Doubt, ...]:
    """List configurations with networks that are not at a critical point."""
    largest = {label: float(data["residual"].max(skipna=False)) for label, data in compared.items()}
    return tuple(
        Doubt(label, f"not at a critical point: relative gradient up to {size:.2g}.")
        for label, size in largest.items()
        if not size <= CONVERGED
    )
