"""Figures 2 and G.1 to G.7: networks that learn tasks in the plane, with maps and a test of the hypothesis."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bridge.geometry.expansion import REGION, Expansion, distance_to_boundary, expansion
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, members, table_of
from closedform.measured import Measured
from papers.zavatoneveth2023 import quantities as q
from papers.zavatoneveth2023.studies import maps

LEARNT = 0.95  # training accuracy below which the task counts as not learnt
DISTANCE_BINS = 12
WHEN = ("before training", "after training")


def analyse(traces: Traces) -> Analysis:
    """Analyse maps through training, and the correlation of volume with the distance to the decision boundary."""
    results: dict[str, tuple[Expansion, ...]] = {}
    doubts: list[Doubt] = []
    for label, trace in traces.items():
        try:
            results[label] = tuple(
                expansion(trace, layer=int(layer)) for layer in trace["layer"].values
            )
        except ValueError as problem:
            doubts.append(Doubt(label, f"not tested: {problem}"))
        doubts += _doubts(label, trace)
    pictures: list[Picture] = []
    for number, (label, trace) in enumerate(traces.items(), start=1):
        pictures += [_map(number, label, trace, layer) for layer in trace["layer"].values]
    if results:
        caption = (
            "Volume element against the distance to the final decision boundary, within the region of the training "
            "data, relative to its mean there, before training and after: mean over seeds, one faint line for each. ρ: "
            "rank correlation after training over the points of the region, mean over seeds with its 95 % interval."
        )
        pictures.insert(0, Picture("volume-and-distance", caption, draw_profiles(traces, results)))
    return Analysis(
        traces=traces,
        pictures=tuple(pictures),
        tables=(
            *((_table(traces, results),) if results else ()),
            maps.table(traces),
            maps.contrast_table(traces),
        ),
        findings=tuple(
            _finding(label, result, traces[label]) for label, result in members(results)
        ),
        doubts=tuple(doubts),
        theory=("geometry.volume_element.erf", "geometry.scalar_curvature.erf"),
        reading={
            "The hypothesis": "Training expands volume near the decision boundary. Tested as Spearman's rank "
            "correlation ρ of log √det g with the distance to the boundary, over the grid points in the region of the "
            "training data: -1 where volume falls whenever the distance grows. The interval is Student's over seeds, "
            "on Fisher's scale.",
            "The baseline": "The same networks before training, with the distance to the boundary they will end with: "
            "what a volume element gives that is largest in the middle of the region, whatever the task.",
            "The closed forms": "What infinitely wide erf networks with Gaussian weights have: a volume element and a "
            "curvature that depend on the norm of the input only, so that structure along a boundary is learnt.",
        },
    )


def _map(number: int, label: str, trace: xr.Dataset, layer: Any) -> Picture:
    name = f"map-{number}" + (f"-layer-{layer}" if trace.sizes["layer"] > 1 else "")
    curvature = " and curvature" if maps.is_curved(trace["curvature"].sel(layer=layer)) else ""
    caption = (
        f"{label}: prediction, volume element{curvature} of the features of hidden layer {layer} while the network "
        "learns (first seed that learnt the task); red: its decision boundary. As Figures 2 and G.1 to G.7 of the "
        "paper."
    )
    return Picture(
        name, caption, maps.draw(trace, int(layer), seed=int(_has_learnt(trace).argmax()))
    )


def draw_profiles(traces: Traces, results: Mapping[str, tuple[Expansion, ...]]) -> Figure:
    """Draw relative log-volume against distance, before and after training, a panel for each network and layer."""
    panels = members(results)
    x, y = "distance to the decision boundary", r"$\log_{10}(\det g)^{1/2}$, relative"
    with layout.drawing_of(len(panels), x=x, y=y, size=(2.5, 2.1)) as (figure, axes):
        for panel, (label, result) in zip(axes, panels, strict=True):
            _profiles(panel, traces[label], result)
            several = f", layer {result.layer}" if len(results[label]) > 1 else ""
            panel.set_title(f"{label}{several}\n" + rf"$\rho$ = {result.after.shown}")
        style.legend(figure)
    return figure


def _profiles(panel: Any, trace: xr.Dataset, result: Expansion) -> None:
    x, y = trace["x"].values, trace["y"].values
    inside = (np.abs(y)[:, None] <= REGION) & (np.abs(x)[None] <= REGION)
    profiles: dict[int, list[Any]] = {0: [], -1: []}
    for seed in result.seeds:
        network = trace.sel(seed=seed, layer=result.layer)
        gap = distance_to_boundary(x, y, network["margin"].values[-1])[inside]
        edges = np.quantile(gap, np.linspace(0, 1, DISTANCE_BINS + 1))
        where = np.clip(np.searchsorted(edges, gap, side="right") - 1, 0, DISTANCE_BINS - 1)
        bins = [where == b for b in range(DISTANCE_BINS) if (where == b).any()]
        for epoch, drawn in profiles.items():
            volume = network["log_volume"].values[epoch][inside] / maps.LOG10
            mean = volume[np.isfinite(volume)].mean()
            drawn.append([(gap[part].mean(), volume[part].mean() - mean) for part in bins])
    for drawn, colour, label in zip(profiles.values(), (style.INK, style.BLUE), WHEN, strict=True):
        for curve in drawn:
            panel.plot(*np.transpose(curve), color=colour, alpha=0.25, linewidth=0.6)
        if len({len(curve) for curve in drawn}) == 1:
            panel.plot(*np.mean(drawn, axis=0).T, color=colour, linewidth=2, label=label)


def _table(traces: Traces, results: Mapping[str, tuple[Expansion, ...]]) -> Table:
    rows = members(results)
    caption = (
        "ρ: Spearman's correlation of log-volume, or of its change by training, with the distance to the final "
        "boundary, mean over seeds; slope in nats per unit of distance; volume near / far: median of the nearest over "
        "that of the farthest quarter of the inputs, geometric mean over seeds."
    )
    return table_of(
        "expansion", "Volume and the decision boundary", caption, rows,
        (
            ("network", lambda row: row[0]),
            ("layer", lambda row: row[1].layer),
            ("seeds with a boundary", lambda row: len(row[1].seeds)),
            ("accuracy", lambda row: float(traces[row[0]]["accuracy"].isel(epoch=-1).mean())),
            (r"$\rho$ before training", lambda row: _of(*row, q.BEFORE, row[1].before.rho, row[1].before.error)),
            (r"$\rho$ after", lambda row: _of(*row, q.AFTER, row[1].after.rho, row[1].after.error)),
            (r"$\rho$ of the change", lambda row: _of(*row, q.CHANGE, row[1].change.rho, row[1].change.error)),
            ("95 % from", lambda row: row[1].change.interval[0]),
            ("to", lambda row: row[1].change.interval[1]),
            ("slope", lambda row: _of(*row, q.SLOPE, row[1].after.slope, row[1].after.slope_error)),
            ("volume near / far", lambda row: float(np.exp(np.log(row[1].ratio).mean()))),
        ),
    )  # fmt: skip


def _of(label: str, result: Expansion, quantity: str, value: float, error: float) -> Measured:
    count = len(result.seeds)
    is_known = np.isfinite(error) and error > 0 and count > 1
    return Measured(
        quantity, f"{label}, layer {result.layer}", value, *((error, count) if is_known else ())
    )


def _has_learnt(trace: xr.Dataset) -> NDArray[np.bool_]:
    return np.asarray(trace["accuracy"].isel(epoch=-1).values >= LEARNT)


def _finding(label: str, result: Expansion, trace: xr.Dataset) -> str:
    factor = float(np.exp(np.log(result.ratio).mean()))
    verdict = {
        None: "one seed, so no interval",
        True: "training expands volume near the boundary",
        False: "not shown that training expands volume there",
    }
    if result.change.interval[0] > 0:
        verdict[False] = "training shrinks volume near the boundary"
    learnt = _has_learnt(trace.sel(seed=list(result.seeds)))
    ranges = ""
    if learnt.any() and not learnt.all():
        of_these, of_others = (
            f"{values.min():.2f} to {values.max():.2f}"
            for values in (result.after.per_network[learnt], result.after.per_network[~learnt])
        )
        ranges = (
            f" ρ is {of_these} in the {int(learnt.sum())} networks that learnt the task, "
            f"{of_others} in the others."
        )
    return (
        f"{label}, layer {result.layer}: ρ = {result.after.shown} after training ({result.before.shown} before, "
        f"{result.change.shown} of the change); volume in the nearest quarter is {factor:.2g} times that in the "
        f"farthest: {verdict[result.change.expands]}.{ranges}"
    )


def _doubts(label: str, trace: xr.Dataset) -> Iterator[Doubt]:
    poor = [str(int(seed)) for seed in trace["seed"].values[~_has_learnt(trace)]]
    if poor:
        yield Doubt(
            label, f"training accuracy below {LEARNT:.0%}: the task is not learnt", ", ".join(poor)
        )
    lost = float(np.isnan(trace["curvature"]).mean())
    if 0 < lost < 1:
        yield Doubt(
            label,
            f"the metric is singular to rounding at {lost:.1%} of the points: no curvature there",
        )
