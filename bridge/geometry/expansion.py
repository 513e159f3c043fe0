"""A test of the hypothesis that training expands volume near the decision boundary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bridge import arguments
from bridge.geometry.association import Association, association
from bridge.geometry.boundary import distance_to_boundary
from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from bridge.statistics.rank_correlation import LEVEL
from bridge.tables.long_table import gridded, single
from bridge.tables.table_file import load
from closedform import checks

REGION = 1.0  # the training inputs lie in [-1, 1]^2


@dataclass(frozen=True, repr=False)
class Expansion(Result):
    """The rank correlation of log-volume with the distance to the final decision boundary.

    Attributes:
        layer: number of the hidden layer, from 1.
        after: correlation for the trained networks.
        before: correlation for the same networks before training, with the distance to the same final boundary.
        change: correlation of the change of the log-volume by training, which removes the baseline.
        seeds: seeds of the networks with a boundary in the region of the data.
        ratio: ratio of the median volume elements in the quarters of the inputs nearest to and farthest from the
            boundary, after training, ``[seed]``.
    """

    layer: int
    after: Association
    before: Association
    change: Association
    seeds: tuple[int, ...]
    ratio: Array


def expansion(trace: Any, *, layer: int | None = None, region: float = REGION, level: float = LEVEL) -> Expansion:
    """Test the hypothesis on a run of ``experiments.geometry.trained``, within the region of the training inputs.

    Args:
        trace: trace of that experiment, or a table of your own (DataFrame, mapping of columns, CSV file) with the
            columns ``epoch`` (the first and the last count), ``x`` and ``y`` (inputs on a grid), ``log_volume``,
            ``margin`` (its zero is the decision boundary) and, for several networks or layers, ``seed`` and ``layer``.
        layer: number of the hidden layer. Default: the first recorded one.
        region: half-width of the square around 0 whose inputs are used. Default: 1.
        level: confidence level of the intervals over seeds, between 0 and 1. Default: 0.95.

    Raises:
        TypeError: if ``trace`` is neither a trace nor a table.
        ValueError: if the trace is of another experiment, has no such layer, no grid points in the region, or no
            network has a decision boundary there; or a table lacks a column or a row, has a row twice or a number that
            is not finite.
    """
    data = load(trace)
    if not hasattr(data, "data_vars"):
        keys = ("seed", "epoch", "layer", "y", "x")
        table = gridded(data, keys, ("log_volume", "margin"), defaults={"seed": 0, "layer": 1})
        data = data if table is None else table.assign(margin=single(table, "margin", "layer"))
    arguments.dataset(data, "the experiment geometry.trained", ("margin", "log_volume"))
    layers = [int(number) for number in data["layer"].values]
    chosen = layers[0] if layer is None else layer
    checks.one_of("layer", chosen, layers)
    x, y = data["x"].values, data["y"].values
    inside = (np.abs(y)[:, None] <= region) & (np.abs(x)[None] <= region)
    if inside.sum() < 4:
        raise ValueError(f"region: got {region}, which contains {int(inside.sum())} points of the grid, needs more")
    volume = data["log_volume"].sel(layer=chosen).transpose("seed", "epoch", "y", "x").values
    margin = data["margin"].transpose("seed", "epoch", "y", "x").values
    first, last, gaps, seeds, ratios = [], [], [], [], []
    for s, seed in enumerate(data["seed"].values):
        gap = distance_to_boundary(x, y, margin[s, -1])[inside]
        before, after = volume[s, 0][inside], volume[s, -1][inside]
        usable = np.isfinite(before) & np.isfinite(after)
        if not np.isfinite(gap).all() or usable.sum() < 4:
            continue  # one class everywhere, or a layer that is singular everywhere
        first.append(before[usable])
        last.append(after[usable])
        gaps.append(gap[usable])
        seeds.append(int(seed))
        nearest, farthest = np.quantile(gap[usable], [0.25, 0.75])
        middle = [np.median(after[usable][where]) for where in (gap[usable] <= nearest, gap[usable] >= farthest)]
        ratios.append(float(np.exp(middle[0] - middle[1])))
    if not seeds:
        raise ValueError("trace: no network has a decision boundary on the grid, so there is no distance to it")
    return Expansion(
        layer=chosen,
        after=association(last, gaps, level=level),
        before=association(first, gaps, level=level),
        change=association([b - a for a, b in zip(first, last, strict=True)], gaps, level=level),
        seeds=tuple(seeds),
        ratio=np.array(ratios),
    )
