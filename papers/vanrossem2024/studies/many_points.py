"""Networks on larger data sets that belong to no study: loss, and the distances of the recorded points."""

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.plots import layout
from bridge.results.analysis import Analysis, Picture, Traces
from bridge.two_point import curves, pairs
from papers.vanrossem2024.studies import panels


def analyse(traces: Traces) -> Analysis:
    """Draw the training loss, and the distances of the recorded points before and after training."""
    for label, trace in traces.items():
        pairs.checked(label, trace)
    pictures = tuple(
        Picture(
            f"many-points-{number}",
            f"Training loss of every network ({label}), and distances of the representations of the recorded points of "
            "the first one, before and after training.",
            draw(trace),
        )
        for number, (label, trace) in enumerate(traces.items(), start=1)
    )
    findings = tuple(
        f"{label}: the loss falls from {float(trace.loss.isel(epoch=0).mean()):.3g} to "
        f"{float(trace.loss.isel(epoch=-1).mean()):.3g} (mean over networks)."
        for label, trace in traces.items()
    )
    return Analysis(traces=traces, pictures=pictures, findings=findings)


def draw(trace: xr.Dataset) -> Figure:
    """Draw the loss and both matrices of distances."""
    with layout.drawing(1, 3, size=(2.4, 2.1)) as (figure, axes):
        left, *matrices = axes[0]
        left.plot(trace.epoch, trace.loss.transpose("epoch", "seed"), color=curves.LOSS)
        left.set(yscale="log", xlabel="epoch", ylabel="training loss")
        for axis, moment in zip(matrices, (0, -1), strict=True):
            panels.matrix(
                axis, np.sqrt(trace.distance2.isel(seed=0, epoch=moment).values), shrink=0.8
            )
            axis.set_title(rf"$\|dh\|$, epoch {int(trace.epoch[moment])}")
    return figure
