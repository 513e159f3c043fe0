"""Figure 10: the fit loss and the effective learning rates in every hidden layer."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces, with_verdict
from bridge.two_point import curves
from bridge.two_point import quantities as q
from bridge.two_point.studies import depth, panels
from bridge.two_point.studies.fitted import TWICE, Fitted, analysis, fit_one, over_seeds, per_seed
from closedform.measured import Measured

HOW_COMPARED = (
    "Section 5 in numbers: the factor by which squared distances change from layer to layer before training, against "
    "that of very wide networks, and the exponents of the fitted rates in the number of parameters, against 1. The "
    "median fit loss in the second half of the layers over that in the first, network by network, as a logarithm "
    "against 0: negative where the second half is fitted better."
)


def analyse(traces: Traces) -> Analysis:
    """Fit the theory at every recorded layer of every trace."""
    fitted = fit_layers(traces)
    pictures = tuple(
        Picture(
            "figure-10-layers" if len(traces) == 1 else f"figure-10-layers-{number}",
            f"Fit loss (Eq. 49) and fitted effective learning rates against the hidden layer in which the "
            f"representation is read ({label}). Points: every network; lines: medians of the losses, geometric means "
            "of the rates with one standard error. As Figure 10 of the paper.",
            draw(tuple(entry for entry in fitted if entry.label == label)),
        )
        for number, label in enumerate(traces, start=1)
    )
    groups = [tuple(entry for entry in fitted if entry.label == label) for label in traces]
    depths = [one for group in groups if (one := depth.depth(group)) is not None]
    names = [f"section-5-depth-{n}" if n > 1 else "section-5-depth" for n in range(1, len(depths) + 1)]
    return analysis(
        fitted,
        (*pictures, *map(depth.picture, depths, names)),
        (*(row for one in depths for row in depth.measured(one)), *(row for group in groups for row in halves(group))),
        (*(_finding(group) for group in groups), *(depth.finding(one) for one in depths)),
        how_compared=HOW_COMPARED,
    )


def halves(fitted: tuple[Fitted, ...]) -> tuple[Measured, ...]:
    """Compare the median fit loss in the second half of the layers of every network with that in the first."""
    half = len(fitted) // 2
    if not half:
        return ()
    logs = np.log([per_seed(entry.fit) for entry in fitted])
    ratio = np.median(logs[half:], axis=0) - np.median(logs[:half], axis=0)
    return with_verdict([Measured.mean(q.FIT_LOSS_HALVES, fitted[0].label, ratio, 0.0, "<", TWICE)])


def fit_layers(traces: Traces) -> tuple[Fitted, ...]:
    """Fit the effective theory at every recorded layer."""
    return tuple(
        fit_one(label, trace, layer=int(layer)) for label, trace in traces.items() for layer in trace.layer.values
    )


def draw(fitted: tuple[Fitted, ...]) -> Figure:
    """Draw Figure 10: fit loss, and both effective learning rates with their errors, against the layer."""
    layer = np.array([entry.layer for entry in fitted])
    y = ("fit loss", "effective learning rate (1/epoch)")
    with layout.drawing(1, 2, x="hidden layer", y=y, size=(4.4, 2.8)) as (figure, axes):
        left, right = axes[0]
        every = np.array([per_seed(entry.fit) for entry in fitted])
        left.plot(layer, every, ".", markersize=2.5, alpha=0.5, color=curves.LOSS)
        left.plot(layer, np.median(every, axis=1), marker="o", markersize=3.5, color=curves.LOSS)
        _rates(right, layer, fitted, "tau_h", style.BLUE, r"encoder, $1/\tau_h$", "o")
        _rates(right, layer, fitted, "tau_y", style.ORANGE, r"decoder, $1/\tau_y$", "s")
        right.legend(loc="best")
        for axis in (left, right):
            panels.finish(axis, "")
            axis.margins(x=0.04)
            layout.logarithmic(axis)
    return figure


def _rates(axis: Any, layer: Any, fitted: tuple[Fitted, ...], name: str, colour: str, label: str, marker: str) -> None:
    tau = np.array([getattr(entry.fit, name) for entry in fitted])
    error = np.array([entry.fit.errors.get(name, np.nan) for entry in fitted])
    rate = 1 / tau
    spread = np.where(np.isfinite(error), rate * error / tau, 0.0)  # to first order; drawn no lower than half the rate
    bars = np.stack([np.minimum(spread, rate / 2), spread])
    every = np.array([[1 / getattr(one, name) for one in entry.fit.per_seed] for entry in fitted])
    axis.plot(layer, every, ".", markersize=2.5, alpha=0.5, color=colour)
    style.with_errors(axis, layer, rate, bars, color=colour, label=label, marker=marker, linewidth=1.1)


def _finding(fitted: tuple[Fitted, ...]) -> str:
    half = len(fitted) // 2
    if half < 2:
        return f"{fitted[0].label}: too few layers were recorded to see a trend."
    spreads = [over_seeds(entry.fit) for entry in fitted]
    medians = np.array([spread.median for spread in spreads])
    best = int(medians.argmin())
    encoder = [1 / entry.fit.tau_h for entry in fitted[half:]]
    decoder = [1 / entry.fit.tau_y for entry in fitted[half:]]
    return (
        f"{fitted[0].label}: the fit loss is lowest in layer {fitted[best].layer} of {len(fitted)}, {spreads[best]} "
        f"(median and range over {spreads[best].networks} networks), {spreads[0]} in the first and {spreads[-1]} in "
        f"the last layer. Median over the first half of the layers {np.median(medians[:half]):.3g}, over the second "
        f"{np.median(medians[half:]):.3g}; the paper says that the theory is accurate in the second half. Through it "
        f"1/τ_h changes by a factor {encoder[-1] / encoder[0]:.2g}, 1/τ_y by {decoder[-1] / decoder[0]:.2g} (the paper "
        "expects it to rise and to fall)."
    )
