"""Figure 3 and Figures G.8 to G.12: volume and curvature of classifiers of images, at images and between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.geometry.association import Association, association
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, table_of
from bridge.statistics.rank_correlation import is_constant
from papers.zavatoneveth2023 import quantities as q
from papers.zavatoneveth2023.studies import image_numbers, interpolation

CAPTION = (
    "Medians over test images; bulge: log-volume in the middle of a segment between images of different classes minus "
    "the mean of its ends, mean over networks and segments with its standard error; ρ: Spearman's correlation of "
    "log-volume with the distance to the decision boundary over the points of a segment, mean over segments, and over "
    "single test images."
)
VARYING: dict[str, Any] = {"color": style.INK, "linewidth": 0.6, "linestyle": ":"}
LEARNT = 0.8  # test accuracy below which the images count as not learnt
BLUNT = 0.1  # relative error of an estimated curvature


def analyse(traces: Traces) -> Analysis:
    """Analyse interpolations, triangles and spectra: the bulge of the volume, and its correlation with distance."""
    pictures: list[Picture] = []
    for number, (label, trace) in enumerate(traces.items(), start=1):
        pictures += [
            Picture(
                f"interpolation-{number}",
                f"{label}: volume element{' and curvature' if interpolation.has_curvature(trace) else ''} between two "
                "test images of different classes, less the mean of both ends, coloured by the checkpoint, over "
                "the predicted classes at the last one as shades; below, volume and scalar curvature at single test "
                "images against their distance to the decision boundary. First network. The volume as Figure 3 of the "
                f"paper; the curvature, at {_cost(trace)} a point, is not in it.",
                interpolation.draw(trace),
            ),
            Picture(
                f"spectrum-{number}",
                f"{label}: eigenvalues of the metric at three test images, coloured by the checkpoint. Dotted: as many "
                "eigenvalues as pixels vary over the training images, which say nothing of the others. As Figure G.12.",
                draw_spectra(trace),
            ),
        ]
        if "plane_log_volume" in trace:
            pictures += [
                Picture(
                    f"triangle-{number}-{place}",
                    f"{label}: predicted class, its entropy and the volume element in the plane of test images of "
                    f"{digits}, through training, first network. As the lower part of Figure 3 and Figures G.9 to "
                    "G.11.",
                    interpolation.draw_triangle(trace, place - 1),
                )
                for place, digits in enumerate(image_numbers.corners(trace), start=1)
            ]
    return Analysis(
        traces=traces,
        pictures=tuple(pictures),
        tables=(
            table(traces),
            image_numbers.table(traces),
        ),
        findings=tuple(_finding(label, trace) for label, trace in traces.items()),
        doubts=tuple(
            chain.from_iterable(_doubts(label, trace) for label, trace in traces.items())
        ),
        theory=("geometry.scalar_curvature.erf",),
        reading={
            "The hypothesis": "Training expands volume near the decision boundary. Tested in two ways: the bulge of "
            "the log-volume between two images, and Spearman's rank correlation of log-volume with the distance to the "
            "boundary on the way between them (-1 where volume falls whenever the distance grows). Errors are over "
            "networks and the segments within them, and there is none below three networks.",
            "The distance": "To a point of the decision boundary found by projections onto its linearisation and "
            "bisection: an upper bound of the shortest distance.",
            "The curvature": "Exact, by the Gauss equation summed over pairs of neurons: it needs first and second "
            "derivatives of the map only. In units of inverse squared features, which are divided by the root of the "
            "width, as in the paper.",
        },
    )


def associated(trace: xr.Dataset, epoch: int, place: str = "line") -> Association | None:
    """Correlate log-volume with distance over the points of each segment, or the images of a seed; None if unknown.

    ``place`` is "line" or "image".
    """
    dims = ("seed", "line", "position") if place == "line" else ("seed", "image")
    volume, distance = (
        trace[f"{place}_{quantity}"].isel(epoch=epoch).transpose(*dims).values
        for quantity in ("log_volume", "distance")
    )
    shape = (-1, volume.shape[-1])
    volumes, distances = [], []
    for v, d in zip(volume.reshape(shape), distance.reshape(shape), strict=True):
        good = np.isfinite(v) & np.isfinite(d)
        if good.sum() >= 4 and not is_constant(v[good]) and not is_constant(d[good]):
            volumes.append(v[good])
            distances.append(d[good])
    return association(volumes, distances) if volumes else None


def draw_spectra(trace: xr.Dataset) -> Figure:
    """Draw the eigenvalues of the metric, largest first, a panel for each of three images."""
    values = trace["spectrum"].isel(seed=0).transpose("corner", "epoch", "eigenvalue").values
    varying = values.shape[2] - int(trace["constant_pixels"].isel(seed=0))
    titles = [f"a {int(digit)}" for digit in trace["anchor_label"].isel(seed=0, triangle=0).values]
    look: layout.Look = {
        "x": "number",
        "y": "eigenvalue of $g$",
        "titles": titles,
        "size": (2.6, 2.1),
        "sharey": True,
    }
    with layout.drawing(1, values.shape[0], **look) as (figure, axes):
        for corner, panel in enumerate(axes[0]):
            for epoch, colour in zip(
                range(values.shape[1]), interpolation.shades(values.shape[1]), strict=True
            ):
                label = f"epoch {int(trace['epoch'][epoch])}"
                panel.plot(
                    np.arange(1, values.shape[2] + 1),
                    values[corner, epoch],
                    color=colour,
                    label=label,
                )
            if varying < values.shape[2]:  # the drop lies between this eigenvalue and the next
                panel.axvline(varying + 0.5, label=f"{varying} varying pixels", **VARYING)
            panel.set_yscale("log")
        axes[0, 0].legend(loc="lower left")
    return figure


def table(traces: Traces) -> Table:
    """Return volume, curvature and correlations of every network at each checkpoint."""
    rows = []
    for label, trace in traces.items():
        for epoch, number in enumerate(trace["epoch"].values):
            rows.append((f"{label}, epoch {number}", label, number, trace, epoch))

    def median(name: str) -> Callable[[Any], float]:
        return lambda row: float(row[3][name].isel(epoch=row[4]).median())

    def mean(name: str) -> Callable[[Any], float]:
        return lambda row: float(row[3][name].isel(epoch=row[4]).mean())

    def of(place: str, get: Callable[[Association], float]) -> Any:
        def cell(row: Any) -> float:
            correlated = associated(row[3], row[4], place)
            return np.nan if correlated is None else get(correlated)

        return cell

    return table_of(
        "images", "Volume and curvature of classifiers of images", CAPTION, rows,
        (
            ("network", lambda row: row[1]),
            ("epoch", lambda row: int(row[2])),
            ("test accuracy", mean("test_accuracy")),
            (r"$\log_{10}(\det g)^{1/2}$", lambda row: median("image_log_volume")(row) / interpolation.LOG10),
            ("$R$ (median)", median("image_curvature")),
            ("bulge between images (nats)", lambda row: image_numbers.bulge(*row[3:]).of(q.BULGE, row[0])),
            (r"$\rho$ with the distance", of("line", lambda found: found.rho)),
            ("95 % from", of("line", lambda found: found.interval[0])),
            ("to", of("line", lambda found: found.interval[1])),
            (r"$\rho$ over images", of("image", lambda found: found.rho)),
            ("volume (s a point)", mean("volume_seconds")),
            ("curvature (s a point)", mean("curvature_seconds")),
        ),
    )  # fmt: skip


def _finding(label: str, trace: xr.Dataset) -> str:
    bulge, bulge_before = image_numbers.bulge(trace), image_numbers.bulge(trace, 0)
    curvature = trace["image_curvature"].transpose("epoch", ...).values
    last, lines = trace.isel(epoch=-1), associated(trace, -1)
    rho = (
        "no distance to a boundary was found"
        if lines is None
        else f"ρ with the distance {lines.shown}"
    )
    error = f" ± {bulge.error:.2g}" if np.isfinite(bulge.error) else ""
    return (
        f"{label}: between images of different classes log √det g bulges by {bulge.mean:.3g}{error} nats after "
        f"training ({bulge_before.mean:.3g} before), {rho}; median curvature at test images "
        f"{np.median(curvature[-1]):.3g} ({np.median(curvature[0]):.3g} before), {_cost(trace)} a point on "
        f"{trace.attrs.get('device', '?')}; test accuracy {float(last['test_accuracy'].mean()):.1%}."
    )


def _doubts(label: str, trace: xr.Dataset) -> Iterator[Doubt]:
    poor = trace["seed"].values[(trace["test_accuracy"].isel(epoch=-1) < LEARNT).values]
    if len(poor):
        yield Doubt(
            label,
            f"test accuracy below {LEARNT:.0%}: trained too little",
            ", ".join(map(str, poor)),
        )
    missing = (
        np.isinf(trace["line_distance"].isel(epoch=-1)).sum()
        + np.isinf(trace["image_distance"][:, -1]).sum()
    )
    if missing:
        yield Doubt(
            label,
            f"no point of another class was found near {int(missing)} inputs, which are left out",
        )
    ratio = float((trace["image_curvature_error"] / np.abs(trace["image_curvature"])).max())
    if ratio > BLUNT:
        yield Doubt(
            label, f"standard errors of the estimated curvature reach {ratio:.0%}: more probes"
        )


def _cost(trace: xr.Dataset) -> str:
    return f"{float(trace['curvature_seconds'].isel(epoch=-1).mean()):.2g} s"
