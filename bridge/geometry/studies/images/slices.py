r"""The hypothesis over planes, on lines of two kinds and in spectra, as numbers with errors over networks.

On a plane through three images: Spearman's rank correlation of :math:`\log\sqrt{\det g}` with the entropy of the
prediction, over all points (affine hull) or over those inside the triangle (convex hull). On lines: how far the volume
element in the middle third rises over that at the two ends, in decades, between images of different classes minus
between images of one class. Of spectra: the smallest eigenvalue that is not zero to rounding, the share of those that
are, and the lowest of all.
"""

from __future__ import annotations

import numpy as np
import xarray as xr

from bridge.geometry import quantities as q
from bridge.geometry.studies.images import spectra
from bridge.geometry.studies.images.decisions import entropy
from bridge.geometry.studies.images.hypothesis import correlation
from bridge.results.analysis import Table, Traces, table_of
from bridge.statistics.arrays import Array
from bridge.statistics.nested_mean import NestedMean, nested_mean
from bridge.statistics.ranking import ranks
from closedform.measured import Measured

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

    ``inside``: of the points inside the triangle of the three images only.
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


def table(traces: Traces) -> Table:
    """Return all of these numbers, a row for each configuration."""
    planes = range(max(len(different_planes(trace)) for trace in traces.values()))
    return table_of(
        "geometry-slices", "Volume over planes, on lines of both kinds, and spectra", CAPTION, traces.items(),
        (
            ("configuration", lambda row: row[0]),
            ("networks", lambda row: row[1].sizes["seed"]),
            *(
                (f"{kind} hull {i + 1}", lambda row, of=(i, quantity, kind == "convex"): _hull(*row, *of))
                for kind, quantity in (("convex", q.HULL), ("affine", q.AFFINE))
                for i in planes
            ),
            ("rise beyond that within one class", lambda row: rise_beyond_one_class(row[1]).of(q.RISE, row[0])),
            (r"$\log_{10}$ of the smallest eigenvalue",
             lambda row: smallest_eigenvalue(row[1]).of(q.SMALLEST_EIGENVALUE, row[0])),
            ("zero eigenvalues", lambda row: zero_eigenvalues(row[1]).of(q.ZERO_EIGENVALUES, row[0])),
            (r"$\log_{10}$ of the lowest one", lambda row: lowest_eigenvalue(row[1]).of(q.LOWEST_EIGENVALUE, row[0])),
        ),
    )  # fmt: skip


def _hull(label: str, trace: xr.Dataset, i: int, quantity: str, inside: bool) -> Measured | None:
    planes = different_planes(trace)
    return (
        over_plane(trace, planes[i], inside=inside).of(quantity, f"{label}, plane {i + 1}") if i < len(planes) else None
    )
