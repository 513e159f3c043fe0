r"""What planes, lines of two kinds and spectra say of the hypothesis, as numbers with errors over networks.

On a plane through three images: Spearman's rank correlation of :math:`\log\sqrt{\det g}` with the entropy of the
prediction, over all points (affine hull) or over those inside the triangle (convex hull). On lines: how far the volume
element in the middle third rises over that at the two ends, in decades, between images of different classes minus
between images of one class. Of spectra: the smallest eigenvalue that is not zero to rounding, the share of those that
are, and the lowest of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.analysis import Column, Table
from bridge.arrays import Array
from bridge.geometry.images import spectra
from bridge.geometry.images.decisions import entropy
from bridge.geometry.images.hypothesis import correlation, ranks
from bridge.nested_mean import NestedMean, in_a_row, nested_mean

if TYPE_CHECKING:
    import xarray as xr

HEIGHT = np.sqrt(3) / 2  # of the triangle of images, whose side is one
ROUNDING = 1e-9  # of barycentric coordinates
CAPTION = (
    "Standard errors over networks and what is nested in them; none below three networks. Hull: rank correlation of "
    "log √det g with the entropy of the prediction over the points inside the triangle of three images; affine hull: "
    "over the whole plane. Rise: decades by which the volume element in the middle third of a line exceeds that at its "
    "ends, between two classes minus within one. Zero eigenvalues: share of the metric's eigenvalues at the images of "
    "the first plane that are zero to rounding; a Jacobian of full rank has none. Smallest eigenvalue: of those above "
    "rounding; lowest: of all, zero counting as the smallest number of float32."
)


def different_planes(trace: xr.Dataset) -> list[str]:
    """Return the names of the planes through images of three classes."""
    return [str(name) for name in trace["plane"].values if str(name).startswith("different")]


def over_plane(trace: xr.Dataset, plane: str, *, inside: bool) -> NestedMean:
    """Return the rank correlation of log volume and entropy over a plane after training, with its error over networks.

    Args:
        trace: trace of one of the two experiments on images.
        plane: name of the plane.
        inside: whether to take the points inside the triangle of the three images only.
    """
    at = trace.isel(snapshot=-1).sel(plane=plane)
    volume = at["plane_log_volume"].transpose("seed", "row", "column").values
    uncertain = entropy(at["plane_logits"].transpose("seed", "row", "column", "class").values)
    third = at["row"].values[:, None] / HEIGHT
    second = at["column"].values[None] - third / 2
    weights = np.stack(np.broadcast_arrays(1 - second - third, second, third))
    chosen = (weights >= -ROUNDING).all(0) if inside else np.ones(volume.shape[1:], dtype=bool)
    rows = [(a[chosen], b[chosen]) for a, b in zip(volume, uncertain, strict=True)]
    found = [correlation(ranks(a), ranks(b)) if np.isfinite(a).all() else np.nan for a, b in rows]
    return nested_mean(np.array(found)[:, None])


def rises(trace: xr.Dataset, kind: str) -> Array:
    """Return by how many decades volume rises from the ends to the middle third of each line, ``[seed, line]``."""
    chosen = [i for i, name in enumerate(trace["line"].values) if str(name).startswith(kind)]
    volume = trace["line_log_volume"].isel(snapshot=-1, line=chosen).transpose("seed", "line", "position").values
    middle = np.abs(trace["position"].values - 0.5) <= 1 / 6 + ROUNDING
    risen: Array = (volume[..., middle].mean(-1) - (volume[..., 0] + volume[..., -1]) / 2) / np.log(10)
    return risen


def rise_beyond_one_class(trace: xr.Dataset) -> NestedMean:
    """Return the rise between two classes minus that within one class, paired by network."""
    return nested_mean(rises(trace, "different") - rises(trace, "same").mean(1, keepdims=True))


def smallest_eigenvalue(trace: xr.Dataset) -> NestedMean:
    """Return log₁₀ of the smallest eigenvalue of the metric above rounding, after training."""
    values = trace["spectrum"].isel(snapshot=-1).transpose("seed", "corner", "eigenvalue").values
    live = np.where(spectra.above_rounding(values, spectra.rounding(trace)), values, np.inf).min(-1)
    return nested_mean(np.log10(live))


def zero_eigenvalues(trace: xr.Dataset) -> NestedMean:
    """Return the share of the eigenvalues of the metric that are zero to rounding, after training."""
    values = trace["spectrum"].isel(snapshot=-1).transpose("seed", "corner", "eigenvalue").values
    share = (~spectra.above_rounding(values, spectra.rounding(trace))).mean(-1)
    return nested_mean(np.where(np.isfinite(values).all(-1), share, np.nan))


def lowest_eigenvalue(trace: xr.Dataset) -> NestedMean:
    """Return log₁₀ of the lowest eigenvalue of the metric after training, at least the smallest number of float32."""
    values = trace["spectrum"].isel(snapshot=-1).transpose("seed", "corner", "eigenvalue").values.min(-1)
    return nested_mean(np.log10(np.maximum(values, np.finfo(np.float32).smallest_subnormal, dtype=np.float64)))


def table(traces: Mapping[str, xr.Dataset]) -> Table:
    """Return all of these numbers, a row for each configuration."""
    rows = [_row(label, trace) for label, trace in traces.items()]
    hulls = [key for key in rows[0] if key.startswith(("hull_", "affine_")) and not key.endswith("_error")]
    columns = (
        Column("configuration", "configuration"), Column("seeds", "networks"),
        *(Column(key, key.replace("hull", "convex").replace("_", " hull ")) for key in hulls),
        Column("rise", "rise between classes beyond that within one"),
        Column("smallest_eigenvalue", r"$\log_{10}$ of the smallest eigenvalue"),
        Column("zero_eigenvalues", "zero eigenvalues", 2),
        Column("lowest_eigenvalue", r"$\log_{10}$ of the lowest one"),
    )  # fmt: skip
    return Table(
        "geometry-slices", "Volume over planes, on lines of both kinds, and spectra", CAPTION, columns, tuple(rows)
    )


def _row(label: str, trace: xr.Dataset) -> dict[str, Any]:
    planes = different_planes(trace)
    numbers = {f"hull_{i}": over_plane(trace, name, inside=True) for i, name in enumerate(planes, start=1)}
    numbers |= {
        **{f"affine_{i}": over_plane(trace, name, inside=False) for i, name in enumerate(planes, start=1)},
        "rise": rise_beyond_one_class(trace),
        "smallest_eigenvalue": smallest_eigenvalue(trace),
        "zero_eigenvalues": zero_eigenvalues(trace),
        "lowest_eigenvalue": lowest_eigenvalue(trace),
    }
    return {"configuration": label, **in_a_row(numbers, trace.sizes["seed"])}
