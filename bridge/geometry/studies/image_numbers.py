"""What classifiers of images say of the paper's statements after training, as numbers with errors over networks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.analysis import Column, Table
from bridge.nested_mean import NestedMean, in_a_row, nested_mean
from bridge.ranking import is_constant, spearman

if TYPE_CHECKING:
    import xarray as xr

CAPTION = (
    "After training; standard errors over networks and what is nested in them, none below three networks. Bulge: rise "
    "of log √det g in the middle of a segment over the mean of its ends, nats; gain: its change by training. Shift: "
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
    return nested_mean(_rise(trace, epoch))


def bulge_gain(trace: xr.Dataset) -> NestedMean:
    """Return by how much the rise in the middle grows by training, nats."""
    return nested_mean(_rise(trace, -1) - _rise(trace, 0))


def _rise(trace: xr.Dataset, epoch: int) -> Any:
    """Return the rise of log √det g in the middle of the segments over the mean of their ends, ``[seed, line]``."""
    values = trace["line_log_volume"].isel(epoch=epoch).transpose("seed", "line", "position").values
    return values[..., values.shape[-1] // 2] - (values[..., 0] + values[..., -1]) / 2


def distance_correlation(trace: xr.Dataset) -> NestedMean:
    """Return Spearman's correlation of log √det g with the distance to the boundary along the segments."""
    volume, distance = (
        trace[f"line_{name}"].isel(epoch=-1).transpose("seed", "line", "position").values
        for name in ("log_volume", "distance")
    )
    return nested_mean(_correlations(volume, distance))


def in_triangle(trace: xr.Dataset, triangle: int, epoch: int = -1) -> NestedMean:
    """Return Spearman's correlation of log √det g at a checkpoint with the final entropy, over a triangle."""
    return nested_mean(_over_triangle(trace, triangle, epoch)[:, None])


def gain_in_triangle(trace: xr.Dataset, triangle: int) -> NestedMean:
    """Return that correlation after training less that before it, network by network."""
    after, before = (_over_triangle(trace, triangle, epoch) for epoch in (-1, 0))
    return nested_mean((after - before)[:, None])


def _over_triangle(trace: xr.Dataset, triangle: int, epoch: int) -> Any:
    at = trace.isel(triangle=triangle).transpose("seed", "epoch", "vertex", ...)
    return _correlations(at["plane_log_volume"].values[:, epoch], at["plane_entropy"].values[:, -1])


def smallest_eigenvalue(trace: xr.Dataset) -> NestedMean:
    """Return log₁₀ of the smallest eigenvalue of the metric at the images of the first triangle."""
    values = trace["spectrum"].isel(epoch=-1).transpose("seed", "corner", "eigenvalue").values.min(-1)
    with np.errstate(divide="ignore"):
        return nested_mean(np.log10(values))


def eigenvalue_shift(trace: xr.Dataset) -> NestedMean:
    """Return the change of the mean log₁₀ of the eigenvalues by training, at the images of the first triangle."""
    values = trace["spectrum"].isel(epoch=[0, -1]).transpose("seed", "corner", "epoch", "eigenvalue").values
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.log10(values).mean(-1)
    return nested_mean(mean[..., 1] - mean[..., 0])


def table(traces: Mapping[str, xr.Dataset]) -> Table:
    """Return all of these numbers, a row for each configuration."""
    rows = [_row(label, trace) for label, trace in traces.items()]
    heads = {
        "test_accuracy": "test accuracy", "train_accuracy": "training accuracy", "final_bulge": "bulge (nats)",
        "bulge_gain": "gain (nats)", "eigenvalue_shift": r"shift of $\log_{10}\lambda$",
        "distance_correlation": r"$\rho$ with the distance", "smallest_eigenvalue": r"$\log_{10}\lambda_{\min}$",
    }  # fmt: skip
    places = [key for key in rows[0] if "triangle_" in key and not key.endswith("_error")]
    heads |= {key: key.replace("_", " ") for key in places}
    columns = (
        Column("configuration", "network"), Column("seeds", "networks"),
        *(Column(key, head) for key, head in heads.items()),
    )  # fmt: skip
    return Table("images-claims", "Statements on classifiers of images", CAPTION, columns, tuple(rows))


def _row(label: str, trace: xr.Dataset) -> dict[str, Any]:
    last = trace.isel(epoch=-1)
    numbers = {name: nested_mean(last[name].values[:, None]) for name in ("test_accuracy", "train_accuracy")}
    numbers |= {
        "final_bulge": bulge(trace),
        "bulge_gain": bulge_gain(trace),
        "eigenvalue_shift": eigenvalue_shift(trace),
        "distance_correlation": distance_correlation(trace),
        "smallest_eigenvalue": smallest_eigenvalue(trace),
    }
    for i in range(trace.sizes.get("triangle", 0) if "plane_entropy" in trace else 0):
        numbers |= {f"triangle_{i + 1}": in_triangle(trace, i), f"before_triangle_{i + 1}": in_triangle(trace, i, 0)}
        numbers |= {f"gain_triangle_{i + 1}": gain_in_triangle(trace, i)}
    return {"configuration": label, **in_a_row(numbers, trace.sizes["seed"])}


def _correlations(first: Any, second: Any) -> Any:
    """Return Spearman's correlation over the last axis, ``[...]``; NaN where it has no value."""
    found = np.full(first.shape[:-1], np.nan)
    for index in np.ndindex(found.shape):
        a, b = first[index], second[index]
        good = np.isfinite(a) & np.isfinite(b)
        if good.sum() >= 4 and not is_constant(a[good]) and not is_constant(b[good]):
            found[index] = spearman(a[good], b[good])
    return found
