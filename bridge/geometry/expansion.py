"""A test of the hypothesis that training expands volume near the decision boundary of a classifier of the plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bridge import arguments
from bridge.geometry.association import Association, association
from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from bridge.statistics.rank_correlation import LEVEL
from bridge.tables.grid import gridded, single
from bridge.tables.reader import load
from closedform import checks
from closedform.checks.arrays import real_array

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


def expansion(
    trace: Any, *, layer: int | None = None, region: float = REGION, level: float = LEVEL
) -> Expansion:
    """Test the hypothesis on a run of ``experiments.geometry.trained``, within the region of the training inputs.

    Args:
        trace: trace of that experiment, or a table of your own (DataFrame, mapping of columns, CSV file) with the
            columns ``epoch`` (the first and the last count), ``x`` and ``y`` (inputs on a grid), ``log_volume``,
            ``margin`` (its zero is the decision boundary) and, for several networks or layers, ``seed`` and ``layer``.
        layer: number of the hidden layer. Default: the first recorded one.
        region: half-width of the square around 0 whose inputs are used. Default: 1.
        level: confidence level of the intervals over seeds, between 0 and 1. Default: 0.95.

    Raises:
        TypeError, ValueError: for no trace of this experiment, an incomplete table, no such layer, no grid points in
            the region, or no network with a decision boundary there.

    >>> import pandas as pd
    >>> rows = [(t, x / 4, y / 4, 0.01 * y - t * x**2, x) for t in (0, 1) for x in range(-4, 5) for y in range(-4, 5)]
    >>> found = expansion(pd.DataFrame(rows, columns=["epoch", "x", "y", "log_volume", "margin"]))
    >>> found.after.rho < -0.9  # the farther from the boundary, the smaller the volume
    True
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
        raise ValueError(
            f"region: got {region}, which contains {int(inside.sum())} points of the grid, needs more"
        )
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
        middle = [
            np.median(after[usable][where])
            for where in (gap[usable] <= nearest, gap[usable] >= farthest)
        ]
        ratios.append(float(np.exp(middle[0] - middle[1])))
    if not seeds:
        raise ValueError(
            "trace: no network has a decision boundary on the grid, so there is no distance to it"
        )
    return Expansion(
        layer=chosen,
        after=association(last, gaps, level=level),
        before=association(first, gaps, level=level),
        change=association([b - a for a, b in zip(first, last, strict=True)], gaps, level=level),
        seeds=tuple(seeds),
        ratio=np.array(ratios),
    )


def boundary_lines(x: ArrayLike, y: ArrayLike, margin: ArrayLike) -> list[Array]:
    """Return the lines ``[vertex, 2]`` at which ``margin`` changes sign, by linear interpolation on the grid.

    Args:
        x: increasing first coordinates of the grid, ``[x]``.
        y: increasing second coordinates of the grid, ``[y]``.
        margin: ``[y, x]``, positive for one class and negative for the other.

    Raises:
        TypeError: if entries are not real numbers.
        ValueError: if shapes are wrong, coordinates do not increase, or numbers are not finite.

    >>> [line.tolist() for line in boundary_lines([0, 1], [0, 1], [[-1, 1], [-1, 1]])]
    [[[0.5, 1.0], [0.5, 0.0]]]
    """
    import contourpy  # comes with matplotlib

    first, second, values = (
        real_array(name, argument) for name, argument in (("x", x), ("y", y), ("margin", margin))
    )
    for name, axis in (("x", first), ("y", second)):
        if axis.ndim != 1 or axis.size < 2 or not (np.diff(axis) > 0).all():
            raise ValueError(
                f"{name}: got shape {axis.shape}, needs at least two increasing numbers"
            )
    if values.shape != (second.size, first.size):
        raise ValueError(
            f"margin: got shape {values.shape}, needs {(second.size, first.size)}, y before x"
        )
    lines = contourpy.contour_generator(first, second, values).lines(0.0)
    return [np.asarray(line, dtype=np.float64) for line in lines]


def distance_to_boundary(x: ArrayLike, y: ArrayLike, margin: ArrayLike) -> Array:
    """Compute the Euclidean distance ``[y, x]`` of every point of the grid to the boundary within the grid.

    It is infinite where there is no boundary.

    Args:
        x: coordinates of the grid's columns, increasing, ``[x]``.
        y: coordinates of the grid's rows, increasing, ``[y]``.
        margin: a function that changes its sign at the boundary, ``[y, x]``.

    Raises:
        TypeError, ValueError: as of :func:`boundary_lines`.

    >>> distance_to_boundary([0, 1], [0, 1], [[-1, 1], [-1, 1]]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    lines = boundary_lines(x, y, margin)
    first, second = np.meshgrid(real_array("x", x), real_array("y", y))
    points = np.stack([first.ravel(), second.ravel()], axis=1)[:, None]
    nearest = np.full(len(points), np.inf)
    for line in lines:
        start, step = line[:-1], np.diff(line, axis=0)
        # vertices may coincide
        length2 = np.maximum((step**2).sum(axis=1), np.finfo(np.float64).tiny)
        share = np.clip(((points - start) * step).sum(axis=2) / length2, 0, 1)
        gap = points - start - share[..., None] * step
        nearest = np.minimum(nearest, np.sqrt((gap**2).sum(axis=2)).min(axis=1))
    return nearest.reshape(first.shape)
