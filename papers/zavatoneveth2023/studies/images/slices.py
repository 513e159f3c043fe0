r"""The hypothesis over planes, on lines of two kinds and in spectra, as numbers with errors over networks.

On a plane through three images: Spearman's rank correlation of :math:`\log\sqrt{\det g}` with the entropy of the
prediction, over all points (affine hull) or inside the triangle (convex hull). On lines: how far the volume element in
the middle third rises over that at the ends, in decades, between images of different classes minus within one class.
"""

from itertools import product
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bridge.plots import layout
from bridge.results.analysis import Table, Traces, table_of
from bridge.statistics.arrays import Array, NestedMean, nested_mean
from bridge.statistics.rank_correlation import ranks
from closedform.measured import Measured
from papers.zavatoneveth2023 import quantities as q
from papers.zavatoneveth2023.studies.images import drawing
from papers.zavatoneveth2023.studies.images.hypothesis import correlation, entropy, prediction

HEIGHT = np.sqrt(3) / 2  # of the triangle of images, whose side is one
CORNERS = np.array([(0, 0), (1, 0), (0.5, HEIGHT)])
HEADS = (r"$\log_{10}\sqrt{\det g}$", "prediction", "entropy")
CLIPPED = (2.0, 98.0)  # percentiles at which the colours of the volume element end

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
    """Return the rank correlation of log volume and entropy over a plane, or ``inside`` its triangle only."""
    at = trace.isel(snapshot=-1).sel(plane=plane)
    volume = at["plane_log_volume"].transpose("seed", "row", "column").values
    uncertain = entropy(at["plane_logits"].transpose("seed", "row", "column", "class").values)
    third = at["row"].values[:, None] / HEIGHT
    second = at["column"].values[None] - third / 2
    weights = np.stack(np.broadcast_arrays(1 - second - third, second, third))
    chosen = (weights >= -ROUNDING).all(0) if inside else np.ones(volume.shape[1:], dtype=bool)
    rows = [(a[chosen], b[chosen]) for a, b in zip(volume, uncertain, strict=True)]
    correlations = [
        correlation(ranks(a), ranks(b)) if np.isfinite(a).all() else np.nan for a, b in rows
    ]
    return nested_mean(np.array(correlations)[:, None])


def rises(trace: xr.Dataset, kind: str) -> Array:
    """Return by how many decades volume rises from the ends to the middle third of each line, ``[seed, line]``."""
    chosen = [i for i, name in enumerate(trace["line"].values) if str(name).startswith(kind)]
    volume = (
        trace["line_log_volume"]
        .isel(snapshot=-1, line=chosen)
        .transpose("seed", "line", "position")
        .values
    )
    middle = np.abs(trace["position"].values - 0.5) <= 1 / 6 + ROUNDING
    return np.asarray(
        (volume[..., middle].mean(-1) - (volume[..., 0] + volume[..., -1]) / 2) / np.log(10)
    )


def rise_beyond_one_class(trace: xr.Dataset) -> NestedMean:
    """Return the rise between two classes minus that within one class, paired by network."""
    return nested_mean(rises(trace, "different") - rises(trace, "same").mean(1, keepdims=True))


def smallest_eigenvalue(trace: xr.Dataset) -> NestedMean:
    """Return log₁₀ of the smallest eigenvalue of the metric above rounding, after training."""
    values = trace["spectrum"].isel(snapshot=-1).transpose("seed", "corner", "eigenvalue").values
    live = np.where(drawing.above_rounding(values, drawing.rounding(trace)), values, np.inf).min(
        -1
    )
    return nested_mean(np.log10(live))


def zero_eigenvalues(trace: xr.Dataset) -> NestedMean:
    """Return the share of the eigenvalues of the metric that are zero to rounding, after training."""
    values = trace["spectrum"].isel(snapshot=-1).transpose("seed", "corner", "eigenvalue").values
    share = (~drawing.above_rounding(values, drawing.rounding(trace))).mean(-1)
    return nested_mean(np.where(np.isfinite(values).all(-1), share, np.nan))


def lowest_eigenvalue(trace: xr.Dataset) -> NestedMean:
    """Return log₁₀ of the lowest eigenvalue of the metric after training, at least the smallest number of float32."""
    values = (
        trace["spectrum"]
        .isel(snapshot=-1)
        .transpose("seed", "corner", "eigenvalue")
        .values.min(-1)
    )
    return nested_mean(
        np.log10(np.maximum(values, np.finfo(np.float32).smallest_subnormal, dtype=np.float64))
    )


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
                for (kind, quantity), i in product((("convex", q.HULL), ("affine", q.AFFINE)), planes)
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
    if i < len(planes):
        return over_plane(trace, planes[i], inside=inside).of(quantity, f"{label}, plane {i + 1}")
    return None


def draw_planes(traces: Traces, plane: str = "different") -> Figure:
    """Draw one row for each configuration, from its first network: volume element, prediction, entropy."""
    from matplotlib.ticker import MaxNLocator

    with layout.drawing(len(traces), 3, titles=HEADS, size=(2.45, 2.25)) as (figure, axes):
        figure.set_layout_engine("compressed")  # leaves room for the labels of the rows
        present: set[int] = set()
        for row, (label, trace) in zip(axes, traces.items(), strict=True):
            at = trace.isel(seed=0, snapshot=-1).sel(plane=plane)
            logits = at["plane_logits"].values
            volume = at["plane_log_volume"].values / np.log(10)
            finite = volume[np.isfinite(volume)]
            low, high = np.percentile(finite, CLIPPED) if len(finite) else (0.0, 1.0)
            predicted = prediction(logits)
            present |= {int(c) for c in np.unique(predicted)}
            shown = _map(row[0], at, volume, cmap="viridis", vmin=low, vmax=high)
            figure.colorbar(shown, ax=row[0], shrink=0.8, extend="both", ticks=MaxNLocator(4))
            _map(row[1], at, predicted, cmap=drawing.colours(), vmin=-0.5, vmax=9.5)
            shown = _map(row[2], at, entropy(logits), cmap="magma", vmin=0, vmax=1)
            figure.colorbar(shown, ax=row[2], shrink=0.8)
            row[0].set_ylabel(label)
            for axis in row:
                _boundaries(axis, at, predicted)
                _triangle(axis)
            _pictures(row[1], at)
        drawing.finish(figure, traces, sorted(present))
    return figure


def _map(axis: Any, at: xr.Dataset, values: NDArray[Any], **options: Any) -> Any:
    x, y = at["column"].values, at["row"].values
    half = (x[1] - x[0]) / 2
    extent = (x[0] - half, x[-1] + half, y[0] - half, y[-1] + half)
    axis.grid(visible=False)
    axis.set_xticks([])
    axis.set_yticks([])
    return axis.imshow(values, origin="lower", extent=extent, interpolation="nearest", **options)


def _boundaries(axis: Any, at: xr.Dataset, predicted: NDArray[np.int64]) -> None:
    x, y = at["column"].values, at["row"].values
    half = (x[1] - x[0]) / 2
    line = {"color": "white", "linewidth": 1.0}
    for i, j in np.argwhere(predicted[:, 1:] != predicted[:, :-1]):
        axis.plot([x[j] + half] * 2, [y[i] - half, y[i] + half], **line)
    for i, j in np.argwhere(predicted[1:] != predicted[:-1]):
        axis.plot([x[j] - half, x[j] + half], [y[i] + half] * 2, **line)


def _triangle(axis: Any) -> None:
    around = CORNERS[[0, 1, 2, 0]]
    for colour, width in (("white", 2.4), ("black", 1.0)):  # visible on any colour
        axis.plot(*around.T, color=colour, linewidth=width, marker="o", markersize=2.5 + width)


def _pictures(axis: Any, at: xr.Dataset) -> None:
    size = 0.3
    offsets = ((-0.28, -0.26), (0.28, -0.26), (0, 0.26))
    for corner, offset, image in zip(CORNERS, offsets, at["plane_images"].values, strict=True):
        x, y = corner + offset
        box = (x - size / 2, y - size / 2, size, size)
        inset = axis.inset_axes(box, transform=axis.transData)
        inset.imshow(drawing.picture(image), interpolation="nearest", aspect="auto")
        inset.set_xticks([])
        inset.set_yticks([])
        inset.grid(visible=False)
