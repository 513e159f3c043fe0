"""The paper's statements on classifiers of images after training, as numbers with errors over networks."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import xarray as xr

from bridge.results.analysis import Table, Traces, table_of
from bridge.statistics.arrays import NestedMean, nested_mean
from bridge.statistics.rank_correlation import is_constant, spearman
from closedform.measured import Measured
from papers.zavatoneveth2023 import quantities as q

CAPTION = (
    "After training; standard errors over networks and what is nested in them, none below three networks. Bulge: rise "
    "of log √det g in the middle of a segment over the mean of its ends, nats, or over the higher one; a segment has a "
    "peak where the latter is positive; gain: change of the former by training. Shift: "
    "change of the mean log₁₀ of the eigenvalues by training. Smallest eigenvalues that are zero or negative by "
    "rounding are left out. Triangle: Spearman's correlation of log √det g with the entropy of the prediction over the "
    "points of the triangle of three images; the same before training, with the entropy after it; and the difference, "
    "network by network, which is what training adds."
)


def corners(trace: xr.Dataset) -> list[str]:
    """Return the classes at the corners of every triangle, in words."""
    labels = trace["anchor_label"].isel(seed=0).transpose("triangle", "corner").values.astype(int)
    return [f"a {a}, a {b} and a {c}" for a, b, c in labels]


def bulge(trace: xr.Dataset, epoch: int = -1) -> NestedMean:
    """Return the rise of log √det g in the middle of the segments over the mean of their ends, nats."""
    return nested_mean(rise(trace, epoch))


def rise(trace: xr.Dataset, epoch: int, *, higher: bool = False) -> Any:
    """Return ``[seed, line]``: how far log √det g in the middle is above the ends' mean, or above the ``higher``."""
    values = (
        trace["line_log_volume"].isel(epoch=epoch).transpose("seed", "line", "position").values
    )
    ends = values[..., [0, -1]]
    return values[..., values.shape[-1] // 2] - (ends.max(-1) if higher else ends.mean(-1))


def peaked_share(trace: xr.Dataset) -> NestedMean:
    """Return the share of the segments in whose middle log √det g is above both ends."""
    return nested_mean((rise(trace, -1, higher=True) > 0).astype(float))


def distance_correlation(trace: xr.Dataset) -> NestedMean:
    """Return Spearman's correlation of log √det g with the distance to the boundary along the segments."""
    volume, distance = (
        trace[f"line_{name}"].isel(epoch=-1).transpose("seed", "line", "position").values
        for name in ("log_volume", "distance")
    )
    return nested_mean(_correlations(volume, distance))


def in_triangle(trace: xr.Dataset, triangle: int, epoch: int = -1) -> NestedMean:
    """Return Spearman's correlation of log √det g at a checkpoint with the final entropy, over a triangle."""
    return nested_mean(_over_triangle(trace, triangle, epoch))


def _over_triangle(trace: xr.Dataset, triangle: int, epoch: int) -> Any:
    at = trace.isel(triangle=triangle).transpose("seed", "epoch", "vertex", ...)
    return _correlations(
        at["plane_log_volume"].values[:, epoch], at["plane_entropy"].values[:, -1]
    )[:, None]


def smallest_eigenvalue(trace: xr.Dataset) -> NestedMean:
    """Return log₁₀ of the smallest eigenvalue of the metric at the images of the first triangle."""
    values = (
        trace["spectrum"].isel(epoch=-1).transpose("seed", "corner", "eigenvalue").values.min(-1)
    )
    with np.errstate(divide="ignore"):
        return nested_mean(np.log10(values))


def eigenvalue_shift(trace: xr.Dataset) -> NestedMean:
    """Return the change of the mean log₁₀ of the eigenvalues by training, at the images of the first triangle."""
    values = (
        trace["spectrum"]
        .isel(epoch=[0, -1])
        .transpose("seed", "corner", "epoch", "eigenvalue")
        .values
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.log10(values).mean(-1)
    return nested_mean(mean[..., 1] - mean[..., 0])


def table(traces: Traces) -> Table:
    """Return all of these numbers, a row for each configuration."""
    triangles = range(max(_triangles(trace) for trace in traces.values()))
    return table_of(
        "images-claims", "Statements on classifiers of images", CAPTION, traces.items(),
        (
            ("network", lambda row: row[0]),
            ("networks", lambda row: row[1].sizes["seed"]),
            *((head, lambda row, q=quantity, get=get: get(row[1]).of(q, row[0])) for head, quantity, get in COLUMNS),
            *(
                (f"{head} {i + 1}", lambda row, i=i, of=(quantity, get): _over(i, *of, *row))
                for i, (head, quantity, get) in product(triangles, OVER_TRIANGLES)
            ),
        ),
    )  # fmt: skip


def _triangles(trace: xr.Dataset) -> int:
    return int(trace.sizes.get("triangle", 0)) if "plane_entropy" in trace else 0


def _over(
    i: int,
    quantity: str,
    get: Callable[[xr.Dataset, int], NestedMean],
    label: str,
    trace: xr.Dataset,
) -> Measured | None:
    return (
        get(trace, i).of(quantity, f"{label}, triangle {i + 1}") if i < _triangles(trace) else None
    )


def _correlations(first: Any, second: Any) -> Any:
    """Return Spearman's correlation over the last axis, ``[...]``; NaN where it has no value."""
    correlations = np.full(first.shape[:-1], np.nan)
    for index in np.ndindex(correlations.shape):
        a, b = first[index], second[index]
        good = np.isfinite(a) & np.isfinite(b)
        if good.sum() >= 4 and not is_constant(a[good]) and not is_constant(b[good]):
            correlations[index] = spearman(a[good], b[good])
    return correlations


COLUMNS: tuple[tuple[str, str, Callable[[xr.Dataset], NestedMean]], ...] = (
    (
        "test accuracy",
        q.TEST_ACCURACY,
        lambda trace: nested_mean(trace["test_accuracy"].values[:, -1:]),
    ),
    (
        "training accuracy",
        q.TRAINING_ACCURACY,
        lambda trace: nested_mean(trace["train_accuracy"].values[:, -1:]),
    ),
    ("bulge (nats)", q.FINAL_BULGE, bulge),
    (
        "over the higher end (nats)",
        q.FINAL_PEAK,
        lambda trace: nested_mean(rise(trace, -1, higher=True)),
    ),
    ("share with a peak", q.PEAKED_SHARE, peaked_share),
    ("gain (nats)", q.BULGE_GAIN, lambda trace: nested_mean(rise(trace, -1) - rise(trace, 0))),
    (r"shift of $\log_{10}\lambda$", q.EIGENVALUE_SHIFT, eigenvalue_shift),
    (r"$\rho$ with the distance", q.DISTANCE_CORRELATION, distance_correlation),
    (r"$\log_{10}\lambda_{\min}$", q.SMALLEST_EIGENVALUE, smallest_eigenvalue),
)
OVER_TRIANGLES: tuple[tuple[str, str, Callable[[xr.Dataset, int], NestedMean]], ...] = (
    ("triangle", q.TRIANGLE, in_triangle),
    ("before triangle", q.TRIANGLE_BEFORE, lambda trace, i: in_triangle(trace, i, 0)),
    (
        "gain triangle",
        q.TRIANGLE_GAIN,
        lambda trace, i: nested_mean(_over_triangle(trace, i, -1) - _over_triangle(trace, i, 0)),
    ),
)
