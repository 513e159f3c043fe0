"""Small networks against geodesics: closed form, direct solution, and the order in 1/L (not in the paper)."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge import arguments
from bridge.leaky_resnet import Geodesics, geodesics
from bridge.leaky_resnet.geodesics import CRITICAL
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, seeds_named, table_of
from closedform.measured import Measured
from papers.jacot2024.quantities import ORDER, SQUARED_WEIGHTS
from papers.jacot2024.studies import panels
from papers.jacot2024.studies.networks import RESIDUAL
from papers.jacot2024.studies.rows import columns, rows

# order of the symplectic Euler rule of a critical network; smallest relevant deviation
FIRST, RESOLVED = (1.0, 0.1)
SHARP = 0.01  # smallest relevant deviation from the squared weights of the continuum, relative to these
THEORY = tuple(
    f"leaky_resnet.{name}"
    for name in (
        "mode_path",
        "mode_hamiltonian",
        "mode_weight_norm",
        "discrete_mode_weight",
        "mode_fit_strength",
    )
)
HOW = (
    "A critical network is a symplectic Euler step of its own geodesic, of first order. The orders between two "
    "numbers of layers, which are off by O(1/L), are extrapolated from the last two, with the difference from the "
    "extrapolation before as the error. So are the squared weights, against the closed form from the targets alone: "
    "all seeds of linear networks come to the same weights, so that there is no scatter to take an error from. Only "
    "seeds count whose networks, and in ReLU networks the midpoint solutions, are critical at every number of layers."
)
READING = {
    "Order": "p where the difference from infinitely many layers falls like 1/Lᵖ: between two numbers of layers in the "
    "table, extrapolated to infinitely many in the sentences and the comparison.",
    "Direct solution": "the path of least action between the network’s ends, found without weights, from a start off "
    "the network’s path; “its slope” says how critical it is.",
    "Relative gradient": RESIDUAL,
}


def analyse(traces: Traces) -> Analysis:
    """Analyse order, continuum, path and action of every trace."""
    results = {label: geodesics(trace) for label, trace in traces.items()}
    caption = (
        "Left: the singular modes of the first seed’s linear networks along their layers, marks, and the closed form "
        "from the targets alone, dashed: straight lines in the logarithm. Middle: difference from infinitely many "
        "layers (linear: squared weights, else action), mean over the seeds that are critical throughout; dashed: 1/L. "
        "Right: largest relative distance of a network’s path from the geodesic between its ends, every seed: solved "
        "directly, or (crosses) in closed form."
    )
    return Analysis(
        traces=traces,
        pictures=(Picture("geodesics", caption, draw(traces, results)),),
        tables=(_table(results),),
        measured=compared(results),
        how_compared=HOW,
        doubts=tuple(_doubts(results)),
        theory=THEORY,
        reading=READING,
    )


def compared(results: Mapping[str, Geodesics]) -> tuple[Measured, ...]:
    """Compare the order, and the squared weights at infinitely many layers, where there are enough sizes."""
    listed = []
    for label, result in results.items():
        order, change = result.order
        if np.isfinite(change) and change > 0:
            listed.append(
                Measured(ORDER, label, order, change, predicted=FIRST, resolution=RESOLVED)
            )
        if (
            result.continuum is not None
            and result.extrapolated is not None
            and result.extrapolated[1] > 0
        ):
            (value, error), expected = result.extrapolated, result.continuum
            relevant = SHARP * expected
            listed.append(
                Measured(
                    SQUARED_WEIGHTS, label, value, error, predicted=expected, resolution=relevant
                )
            )
    return tuple(listed)


def draw(traces: Traces, results: Mapping[str, Geodesics]) -> Figure:
    """Draw the modes of linear networks, the order, and the distance from the geodesic."""
    x = (panels.P, *["number of layers $L$"] * 2)
    y = (
        "singular value $s_p$ / $s_0$",
        "difference from $L = \\infty$",
        "distance from the geodesic",
    )
    with layout.drawing(1, 3, x=x, y=y, size=(3.2, 2.8)) as (figure, axes):
        left, middle, right = axes[0]
        linear = [label for label in traces if traces[label].attrs["linear"]]
        if linear:
            _modes(left, traces[linear[0]])
        else:
            left.set_visible(False)
        for (label, result), colour, marker in zip(
            results.items(), style.COLOURS, "osD^", strict=False
        ):
            size = result.networks["size"].values
            middle.plot(size, result.error, color=colour, marker=marker, markersize=4, label=label)
            middle.plot(size, result.error[-1] * size[-1] / size, **style.THEORY)
            shape = {"color": colour, "linestyle": "none", "markersize": 3.5}
            right.plot(
                size,
                result.networks["distance"].transpose("size", "seed").values,
                marker=marker,
                **shape,
            )
            closed = result.networks["path_error"].transpose("size", "seed").values
            right.plot(size, np.where(closed > 0, closed, np.nan), marker="x", **shape)
        sizes = np.unique(
            np.concatenate([result.networks["size"].values for result in results.values()])
        ).tolist()
        layout.logarithmic(middle)
        right.set_yscale("log")
        for axis in (middle, right):
            axis.set_xscale("log", base=2)
            axis.set_xticks(sizes, [str(size) for size in sizes])
        handles, _ = middle.get_legend_handles_labels()
        style.legend(figure, [*handles, style.theory_handle("closed form; slope 1/L")])
    return figure


def _modes(axis: Any, trace: xr.Dataset) -> None:
    from theory.leaky_resnet import linear_geodesic, mode_fits

    config = arguments.attribute(trace, "config")
    trace = trace.sortby("size").transpose("size", "seed", "node", "unit", "point")
    grid = np.linspace(0, 1, 101)
    root = np.sqrt(config["points"])
    for target in config["targets"]:
        best = mode_fits(
            root * target, root, config["depth"], config["decay"], config["points"]
        ).best
        axis.plot(
            grid, linear_geodesic(1.0, best / root, config["depth"], grid).path, **style.THEORY
        )
    ends = (0, trace.sizes["size"] - 1)
    for size, colour, marker, big in zip(
        ends, (style.ORANGE, style.BLUE), "so", (6.5, 2.5), strict=True
    ):
        look = {
            "color": colour,
            "marker": marker,
            "markersize": big,
            "linestyle": "none",
            "markerfacecolor": "none",
        }
        layers = int(trace["size"][size])
        path = trace["path"].values[size, 0, : layers + 1]
        maps = path @ np.linalg.pinv(path[0])
        values = np.linalg.svd(maps, compute_uv=False)
        at = np.arange(layers + 1) / layers
        axis.plot(at, values, **look)
        axis.plot([], [], label=f"{layers} layers", **look)
    axis.set_yscale("log", base=2)
    axis.legend(loc="best")


def _table(results: Mapping[str, Geodesics]) -> Table:
    by_label = {
        label: result.networks.max("seed", skipna=False).assign(
            weight_norm=result.networks["weight_norm"].mean("seed"),
            error=("size", result.error),
            order=("size", [np.nan, *result.orders]),
        )
        for label, result in results.items()
    }
    numbers = columns(
        "size", "weight_norm", "error", "order", "own_error", "path_error", "distance", "action_error", "slope",
        "residual", size="layers", weight_norm="squared weights", error=r"off $L = \infty$ by",
        own_error="closed form: weights", path_error="closed form: path", distance="direct: path",
        action_error="direct: action", slope="direct: slope", residual="relative gradient",
    )  # fmt: skip
    caption = (
        "Closed form: relative errors of the squared weights and of the path against the closed form between the "
        "network’s own ends. Direct: those against the direct solution. Of all seeds the largest; off L = ∞: the mean "
        "of the seeds whose networks and midpoint solutions are critical at every number of layers."
    )
    return table_of(
        "leaky-resnet-geodesics",
        "Networks and geodesics",
        caption,
        rows(by_label, "size"),
        numbers,
    )


def _doubts(results: Mapping[str, Geodesics]) -> Iterator[Doubt]:
    for label, result in results.items():
        residual = result.networks["residual"].max("size", skipna=False)
        bad = [
            int(seed)
            for seed in residual["seed"].values
            if not float(residual.sel(seed=seed)) <= CRITICAL
        ]
        if bad:
            worst = float(residual.max(skipna=False))
            text = f"not at a critical point, or on a kink: relative gradient {worst:.2g}."
            yield Doubt(label, text, seeds_named(bad))
        slope = float(result.networks["slope"].max(skipna=False))
        if not slope <= CRITICAL:
            yield Doubt(
                label, f"the direct solution is not critical everywhere: slope up to {slope:.2g}."
            )
        if result.continuum is not None and bool(np.isnan(result.networks["path_error"]).any()):
            yield Doubt(label, "some networks rest at another critical point, whose path turns.")
