"""Figure 3 with the released initial weights: volume on lines between images, before training as well."""

from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Table, Traces, table_of
from bridge.statistics.arrays import NestedMean, nested_mean
from papers.zavatoneveth2023 import quantities as q
from papers.zavatoneveth2023.studies import image_numbers, interpolation, mnist

CAPTION = (
    "Before training: rise of log √det g in the middle of a segment over the higher of its ends, nats, and the share "
    "of the segments where it is positive; means over networks and segments with standard errors."
)
AXES = (
    "log₁₀ √det g in the middle of the segments after training, as the axes of Figure 3 have it."
)
SHOWN = 3  # networks in the picture


def analyse(traces: Traces) -> Analysis:
    """Analyse the traces as :func:`papers.zavatoneveth2023.studies.mnist.analyse` does, and lines before training."""
    analysis = mnist.analyse(traces)
    pictures = tuple(
        Picture(f"figure-3-{number}", _caption(label, trace), draw(trace))
        for number, (label, trace) in enumerate(traces.items(), start=1)
    )
    return replace(
        analysis,
        pictures=(*pictures, *analysis.pictures),
        tables=(*analysis.tables, table(traces), table_of_volumes(traces)),
    )


def first_peak(trace: xr.Dataset) -> NestedMean:
    """Return how far log √det g in the middle of the segments is above the higher end before training, nats."""
    return nested_mean(image_numbers.rise(trace, 0, higher=True))


def first_peaked_share(trace: xr.Dataset) -> NestedMean:
    """Return the share of the segments in whose middle log √det g is above both ends before training."""
    return nested_mean((image_numbers.rise(trace, 0, higher=True) > 0).astype(float))


def final_volume(trace: xr.Dataset) -> NestedMean:
    """Return log₁₀ √det g in the middle of the segments after training."""
    volume = trace["line_log_volume"].isel(epoch=-1, position=trace.sizes["position"] // 2)
    return nested_mean(volume.transpose("seed", "line").values / interpolation.LOG10)


def table(traces: Traces) -> Table:
    """Return both numbers before training, a row for each configuration."""
    return table_of(
        "before-training", "Volume between images before training", CAPTION, traces.items(),
        (
            ("network", lambda row: row[0]),
            ("networks", lambda row: row[1].sizes["seed"]),
            ("over the higher end (nats)", lambda row: first_peak(row[1]).of(q.FIRST_PEAK, row[0])),
            ("share with a peak", lambda row: first_peaked_share(row[1]).of(q.FIRST_PEAKED_SHARE, row[0])),
        ),
    )  # fmt: skip


def table_of_volumes(traces: Traces) -> Table:
    """Return the volume after training, a row for each configuration."""
    return table_of(
        "after-training", "Volume between images after training", AXES, traces.items(),
        (
            ("network", lambda row: row[0]),
            ("volume (decades)", lambda row: final_volume(row[1]).of(q.FINAL_VOLUME, row[0])),
        ),
    )  # fmt: skip


def draw(trace: xr.Dataset) -> Figure:
    """Draw the volume on the first line: rows are networks, columns checkpoints, colours predicted classes."""
    first = trace.isel(line=0, seed=slice(SHOWN)).transpose("seed", "epoch", "position", ...)
    volume = first["line_log_volume"].values / interpolation.LOG10
    predicted = first["line_prediction"].values.astype(int)
    position = first["position"].values
    look: layout.Look = {
        "x": "position on the line",
        "y": interpolation.TITLES[2],
        "titles": [f"epoch {epoch}" for epoch in trace["epoch"].values],
    }
    with layout.drawing(*volume.shape[:2], **look) as (figure, axes):
        for index in np.ndindex(*volume.shape[:2]):
            _coloured(axes[index], position, volume[index], predicted[index])
        interpolation.class_legend(figure, np.unique(predicted))
    return figure


def _coloured(panel: Any, position: Any, volume: Any, predicted: Any) -> None:
    """Draw a curve with points in the colours of the predicted classes."""
    panel.plot(position, volume, color=style.INK, linewidth=0.6)
    colours = [style.CLASS_COLOURS[number % len(style.CLASS_COLOURS)] for number in predicted]
    panel.scatter(position, volume, c=colours, s=9, linewidths=0, zorder=3)


def _caption(label: str, trace: xr.Dataset) -> str:
    """Return what the picture of a configuration shows."""
    start, end = trace["line_label"].isel(seed=0, line=0).values
    return (
        f"{label}: volume element on the line from a {start:g} to a {end:g} at every checkpoint (columns; epoch 0 is "
        "before training), for each of up to three networks (rows), whose images differ. Points are coloured by the "
        "class that is predicted there. As the upper part of Figure 3 of the paper."
    )
