"""Measurements of the metric that a layer induces on the inputs: volume, rank, curvature, stretching along the data."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bridge.dossier import cost
from bridge.dossier.network import MeasuredNetwork
from bridge.statistics.arrays import Array

if TYPE_CHECKING:
    from torch import Tensor, nn

BOUNDARY, READOUT = "towards the decision boundary", "along the gradient of a random readout"
CHUNKS = 10  # steps of the progress bar


@dataclass(frozen=True)
class Geometry:
    """Measurements at every point: all arrays ``[N]``.

    Attributes:
        layer: name of the layer.
        volume: log volume element, or the mean log stretching of the non-singular directions if some are singular.
        quantity: name of ``volume``.
        rank: number of non-singular directions.
        largest_rank: rank of a metric that is not singular.
        entropy: of the decision, in bits.
        along: log stretching along directions of the data, relative to the root mean square over all directions.
    """

    layer: str
    volume: Array
    quantity: str
    rank: Array
    largest_rank: int
    entropy: Array
    along: dict[str, Array]


def measured(network: MeasuredNetwork, features: nn.Module, layer: str, memory: str, progress: bool) -> Geometry:
    """Measure volume, rank, entropy and the stretching along directions of the data."""
    import torch

    from empirics import measure
    from empirics.measure.geometry.stretch import margin_directions, readout_directions
    from empirics.training.progress import bar

    parts = []
    with bar("volume", len(network.inputs), "point", progress=progress) as shown:
        for points in network.inputs.chunk(CHUNKS):
            parts.append(measure.nonsingular_volume(features, points, memory=memory))
            shown.update(len(points))
    rank, log_volume, mean_log, typical = (
        torch.cat([getattr(part, name) for part in parts]).cpu().numpy()
        for name in ("rank", "log_volume", "mean_log_stretch", "typical")
    )
    directions = {
        BOUNDARY: margin_directions(network.model, network.inputs),
        READOUT: readout_directions(features, network.inputs),
    }
    directions |= _to_neighbours(network.inputs, network.labels)
    with np.errstate(divide="ignore", invalid="ignore"):
        along = {
            name: np.log(measure.stretch(features, network.inputs, u).cpu().numpy() / typical)
            for name, u in directions.items()
        }
    is_singular = bool((rank < parts[0].largest_rank).any())
    quantity = "mean log stretching of the non-singular directions" if is_singular else "log volume element"
    entropy = torch.special.entr(network.probabilities()).sum(dim=1).cpu().numpy() / np.log(2)
    return Geometry(
        layer, mean_log if is_singular else log_volume, quantity, rank, parts[0].largest_rank, entropy, along
    )


def _to_neighbours(inputs: Tensor, labels: Tensor) -> dict[str, Tensor]:
    """Return the steps to the nearest of the other points of the same class and of other classes; zero for none.

    Copies of a point are passed over, since there is no direction to them.
    """
    import torch

    flat = inputs.flatten(1).double()
    # Matrix products, torch's default for many points, leave a distance of about 1e-6 between a point and itself.
    distance = torch.cdist(flat, flat, compute_mode="donot_use_mm_for_euclid_dist").fill_diagonal_(torch.inf)
    distance[distance == 0] = torch.inf
    same = labels[:, None] == labels[None]
    steps = {}
    for name, excluded in (("to a neighbour of the same class", ~same), ("to a neighbour of another class", same)):
        to_others = distance.masked_fill(excluded, torch.inf)
        step = inputs[to_others.argmin(dim=1)] - inputs
        step[torch.isinf(to_others.amin(dim=1))] = 0
        steps[name] = step
    return steps


def curvature(
    features: nn.Module, network: MeasuredNetwork, each: float, memory: str, budget: float
) -> tuple[Array | None, str]:
    """Return the scalar curvature of as many points as fit into the budget, or None and the reason."""
    from empirics import measure
    from empirics.measure.geometry.smooth import check_smooth
    from empirics.measure.models.feature_map import prepare

    x = network.inputs
    try:
        ready = prepare(features, x[:2])
        check_smooth(ready, "refuse")
        pairs = (x[0].numel() + 1) / 2  # second derivatives for every first one
        if ready.chain is None and each * pairs > budget:
            return None, cost.said(each * pairs, 0, len(x), "curvature")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # points without a curvature are left out below
            one = cost.seconds(lambda: measure.scalar_curvature(features, x[:1], memory=memory), budget)
            count = cost.affordable(one, len(x), budget)
            values = measure.scalar_curvature(features, x[:count], memory=memory).cpu().numpy() if count else None
    except (ValueError, NotImplementedError, RuntimeError) as refused:
        return None, f"no curvature: {refused}"
    return values, cost.said(one, count, len(x), "curvature")
