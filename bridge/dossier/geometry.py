"""Measurements of the metric that a layer induces on the inputs: volume, rank, curvature, stretching along the data."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from bridge.dossier.cost import Budget
from bridge.dossier.expectation import called, interval_text
from bridge.dossier.network import MeasuredNetwork
from bridge.plots import layout, style
from bridge.results.analysis import Picture, Table, table_of
from bridge.statistics.arrays import Array
from empirics import measure
from empirics.measure.geometry.smooth import check_smooth
from empirics.measure.geometry.stretch import margin_directions, readout_directions
from empirics.measure.models.feature_map import prepare
from empirics.measure.models.memory import work_of
from empirics.measure.models.task import BY_POINT
from empirics.training.progress import bar

DRAWS = 1000
SHORT = {
    "towards the decision boundary": "decision\nboundary", "along the gradient of a random readout": "random\nreadout",
    "to a neighbour of the same class": "same\nclass", "to a neighbour of another class": "other\nclass",
    "to the nearest neighbour": "nearest\nneighbour",
}  # fmt: skip

BOUNDARY, READOUT = "towards the decision boundary", "along the gradient of a random readout"
CHUNKS = 10  # steps of the progress bar
AT_ONCE = 4  # least number of points in a step, and that at which its work is counted
# of a map of many features
SKETCH: dict[str, Any] = {"probes": 3, "steps": 5, "precision": "model"}


@dataclass(frozen=True)
class Geometry:
    """Measurements at every point: all arrays ``[N]``."""

    start: str  # what is mapped
    layer: str
    volume: Array  # log volume element, or mean log stretching of the non-singular directions if some are singular
    quantity: str  # name of ``volume``
    rank: Array  # number of non-singular directions
    largest_rank: int  # of a metric that is not singular
    # of the decision, in bits; None where the network does not decide on points
    entropy: Array | None
    # log stretching along directions of the data, relative to the mean square over all
    along: dict[str, Array]
    # half the 95 % interval of an estimated log volume, median over points; None if exact
    error: float | None = None


def measured(
    network: MeasuredNetwork,
    features: nn.Module,
    ends: tuple[str, str],
    memory: str,
    progress: bool,
    sketched: bool = False,
) -> Geometry:
    """Measure volume, rank, entropy and stretching of a layer along directions of the data."""
    parts: list[Any] = []
    prepared = measure.PreparedModel(features)
    with bar("volume", len(network.inputs), "point", progress=progress) as shown:
        for number, points in enumerate(
            torch.split(network.inputs, max(AT_ONCE, len(network.inputs) // CHUNKS))
        ):
            if sketched:
                parts.append(
                    measure.volume_sketch(prepared, points, **SKETCH, seed=number, memory=memory)
                )
            else:
                parts.append(measure.nonsingular_volume(prepared, points, memory=memory))
            shown.update(len(points))

    def joined(name: str) -> Array:
        return np.asarray(torch.cat([getattr(part, name) for part in parts]).cpu().numpy())

    rank, log_volume, typical = (
        np.rint(joined("rank")).astype(int),
        joined("log_volume"),
        joined("typical"),
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        mean_log = np.where(rank > 0, log_volume / rank, np.nan)
    decides = network.task.name in BY_POINT
    threshold = 0.5 if network.ends_with_sigmoid else 0.0
    directions = (
        {BOUNDARY: margin_directions(network.model, network.inputs, threshold)} if decides else {}
    )
    directions |= {READOUT: readout_directions(features, network.inputs)}
    directions |= _to_neighbours(network.inputs, network.groups)
    precision: Any = SKETCH["precision"] if sketched else "float64"
    with np.errstate(divide="ignore", invalid="ignore"):
        along = {
            name: np.log(
                measure.stretch(prepared, network.inputs, u, precision=precision).cpu().numpy()
                / typical
            )
            for name, u in directions.items()
        }
    largest = min(parts[0].largest_rank, network.inputs[0].numel() - network.adapter.constants)
    is_singular = bool((rank < largest).any())
    quantity = (
        "mean log stretching of the non-singular directions"
        if is_singular
        else "log volume element"
    )
    entropy = (
        torch.special.entr(network.probabilities()).sum(dim=1).cpu().numpy() / np.log(2)
        if decides
        else None
    )
    error = (
        float(np.median(torch.cat([part.error for part in parts]).cpu().numpy()))
        if sketched
        else None
    )
    return Geometry(
        *ends,
        mean_log if is_singular else log_volume,
        quantity,
        rank,
        largest,
        entropy,
        along,
        error,
    )


def _to_neighbours(inputs: Tensor, labels: Tensor | None) -> dict[str, Tensor]:
    """Return steps to the nearest other points of the same class and of others (zero: none); one without classes."""
    flat = inputs.flatten(1).double()
    # Matrix products, torch's default for many points, leave a distance of about 1e-6 between a point and itself.
    distance = torch.cdist(flat, flat, compute_mode="donot_use_mm_for_euclid_dist").fill_diagonal_(
        torch.inf
    )
    distance[distance == 0] = torch.inf
    same = None if labels is None else labels[:, None] == labels[None]
    others = {"to the nearest neighbour": torch.zeros_like(distance, dtype=torch.bool)} if same is None else {
        "to a neighbour of the same class": ~same, "to a neighbour of another class": same,
    }  # fmt: skip
    steps = {}
    for name, excluded in others.items():
        to_others = distance.masked_fill(excluded, torch.inf)
        step = inputs[to_others.argmin(dim=1)] - inputs
        step[torch.isinf(to_others.amin(dim=1))] = 0
        steps[name] = step
    return steps


def curvature(
    features: nn.Module, network: MeasuredNetwork, each: float, memory: str, budget: Budget
) -> tuple[Array | None, str]:
    """Return the scalar curvature of as many points as fit into the budget, or None and the reason."""
    x = network.inputs
    try:
        ready = prepare(features, x[:2])
        check_smooth(ready, "refuse")
        pairs = (x[0].numel() + 1) / 2  # second derivatives for every first one
        if ready.chain is None and each * pairs > budget.seconds:
            return None, budget.said("curvature", 0, len(x), each * pairs * len(x))
        with warnings.catch_warnings():
            # points without a curvature are left out below
            warnings.simplefilter("ignore", RuntimeWarning)
            per_point = budget.paid(
                work_of(lambda: measure.scalar_curvature(features, x[:1], memory=memory))
            )
            count = budget.affordable(len(x), per_point)
            values = (
                measure.scalar_curvature(features, x[:count], memory=memory).cpu().numpy()
                if count
                else None
            )
    except (ValueError, NotImplementedError, RuntimeError) as refused:
        return None, f"no curvature: {refused}"
    return values, budget.said("curvature", count, len(x), per_point * len(x))


def median_interval(values: Array) -> tuple[float, float]:
    """Return the 95 % interval of the median of ``values [N]`` over draws of the points."""
    drawn = np.random.default_rng(0).choice(values, (DRAWS, len(values)))
    low, high = np.quantile(np.median(drawn, axis=1), [0.025, 0.975])
    return float(low), float(high)


def table(found: Geometry, curvature: Array | None, points: int) -> Table:
    """Return median, its interval, and the range of every quantity over points."""
    listed = {found.quantity: found.volume}
    if found.entropy is not None:
        listed["entropy of the decision, bits"] = found.entropy
    if (found.rank < found.largest_rank).any():
        listed[f"rank, of {found.largest_rank}"] = found.rank.astype(float)
    listed |= {f"log stretching {name}": values for name, values in found.along.items()}
    if curvature is not None:
        listed["scalar curvature"] = curvature
    finite = {
        name: values[np.isfinite(values)]
        for name, values in listed.items()
        if np.isfinite(values).any()
    }
    caption = (
        f"From the {found.start} to {called(found.layer)}, at {points} points. Log stretching: natural logarithm, "
        "relative to the root mean square over all directions there; 0 is typical."
    )
    return table_of(
        "geometry", "Volume and curvature", caption, finite.items(),
        (
            ("quantity", lambda row: row[0]),
            ("points", lambda row: len(row[1])),
            ("median", lambda row: float(np.median(row[1]))),
            ("95 % of the median", lambda row: interval_text(*median_interval(row[1]))),
            ("lowest", lambda row: float(row[1].min())),
            ("highest", lambda row: float(row[1].max())),
        ),
    )  # fmt: skip


def pictures(found: Geometry) -> tuple[Picture, ...]:
    """Return the volume against the entropy of the decision, and the stretching along directions of the data."""
    dots = {"linestyle": "", "marker": "o", "markersize": 3, "alpha": 0.6, "color": style.BLUE}
    finite = np.isfinite(found.volume)
    y = found.quantity.replace(" of the non", "\nof the non")
    drawn = []
    if found.entropy is not None and finite.any():
        with layout.drawing(x="entropy of the decision (bits)", y=y, size=(4.2, 2.8)) as (
            volume,
            axes,
        ):
            axes[0, 0].plot(found.entropy[finite], found.volume[finite], **dots)
        caption = f"Every point once: volume at {called(found.layer)} against how undecided the network is there."
        drawn.append(Picture("dossier-volume", caption, volume))
    with layout.drawing(y="log stretching, 0: typical", size=(4.2, 2.8)) as (stretching, axes):
        panel = axes[0, 0]
        jitter = np.random.default_rng(0).uniform(-0.15, 0.15, len(found.volume))
        for position, values in enumerate(found.along.values()):
            panel.plot(jitter + position, values, **dots)
            if np.isfinite(values).any():
                panel.plot(
                    [position - 0.3, position + 0.3],
                    [np.nanmedian(values[np.isfinite(values)])] * 2,
                    color=style.INK,
                )
        panel.axhline(0, **style.THEORY)
        panel.set_xticks(range(len(found.along)), [SHORT[name] for name in found.along])
    drawn.append(Picture("dossier-stretching", "Stretching of a small step at every point, relative to the root mean "
                         "square over all directions (dashed); lines are medians.", stretching))  # fmt: skip
    return tuple(drawn)
