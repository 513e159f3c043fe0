"""Figure 10: the fit loss and the effective learning rates in every hidden layer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bridge import arguments
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces, with_verdict
from bridge.statistics.arrays import Array
from bridge.two_point import curves
from closedform.activation_names import named
from closedform.measured import Measured
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies import panels
from papers.vanrossem2024.studies.fitted import (
    TWICE,
    Fitted,
    analysis,
    by_label,
    fit_one,
    over_seeds,
    per_seed,
)

FEWEST = 3  # layers for a line
EXPONENTS = {"encoder": q.ENCODER_EXPONENT, "decoder": q.DECODER_EXPONENT}

HOW_COMPARED = (
    "Section 5 in numbers: the factor by which squared distances change from layer to layer before training, against "
    "that of very wide networks, and the exponents of the fitted rates in the number of parameters, against 1. The "
    "median fit loss in the second half of the layers over that in the first, network by network, as a logarithm "
    "against 0: negative where the second half is fitted better."
)


def analyse(traces: Traces) -> Analysis:
    """Fit the theory at every recorded layer of every trace."""
    fitted = fit_layers(traces)
    groups = by_label(fitted)
    pictures = tuple(
        Picture(
            "figure-10-layers" if len(traces) == 1 else f"figure-10-layers-{number}",
            f"Fit loss (Eq. 49) and fitted effective learning rates against the hidden layer in which the "
            f"representation is read ({label}). Points: every network; lines: medians of the losses, geometric means "
            "of the rates with one standard error. As Figure 10 of the paper.",
            draw(group),
        )
        for number, (label, group) in enumerate(groups.items(), start=1)
    )
    depths = list(filter(None, map(depth, groups.values())))
    best = (min(group, key=lambda entry: over_seeds(entry.fit)) for group in groups.values())
    names = [
        f"section-5-depth-{n}" if n > 1 else "section-5-depth" for n in range(1, len(depths) + 1)
    ]
    return analysis(
        fitted,
        (*pictures, *map(depth_picture, depths, names)),
        (
            *chain.from_iterable(map(measured_depth, depths)),
            *chain.from_iterable(map(halves, groups.values())),
        ),
        tuple(f"{entry.label}: the fit loss is lowest in layer {entry.layer}." for entry in best),
        how_compared=HOW_COMPARED,
    )


def halves(fitted: tuple[Fitted, ...]) -> tuple[Measured, ...]:
    """Compare the median fit loss in the second half of the layers of every network with that in the first."""
    half = len(fitted) // 2
    if not half:
        return ()
    logs = np.log([per_seed(entry.fit) for entry in fitted])
    ratio = np.median(logs[half:], axis=0) - np.median(logs[:half], axis=0)
    return with_verdict(
        [Measured.mean(q.FIT_LOSS_HALVES, fitted[0].label, ratio, 0.0, "<", TWICE)]
    )


def fit_layers(traces: Traces) -> tuple[Fitted, ...]:
    """Fit the effective theory at every recorded layer."""
    fitted: list[Fitted] = []
    for label, trace in traces.items():
        fitted += [fit_one(label, trace, layer=int(layer)) for layer in trace.layer.values]
    return tuple(fitted)


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


def _rates(
    axis: Any,
    layer: Any,
    fitted: tuple[Fitted, ...],
    name: str,
    colour: str,
    label: str,
    marker: str,
) -> None:
    tau = np.array([getattr(entry.fit, name) for entry in fitted])
    error = np.array([entry.fit.errors.get(name, np.nan) for entry in fitted])
    rate = 1 / tau
    # to first order; drawn no lower than half the rate
    spread = np.where(np.isfinite(error), rate * error / tau, 0.0)
    bars = np.stack([np.minimum(spread, rate / 2), spread])
    axis.plot(layer, rates_of(fitted, name), ".", markersize=2.5, alpha=0.5, color=colour)
    style.with_errors(
        axis, layer, rate, bars, color=colour, label=label, marker=marker, linewidth=1.1
    )


def rates_of(fitted: Sequence[Fitted], name: str) -> Array:
    """Return the inverse of a fitted time constant, ``[fit, seed]``, 1/epoch."""

    def of_seeds(entry: Fitted) -> list[float]:
        return [1 / getattr(fit, name) for fit in entry.fit.per_seed]

    return np.array(list(map(of_seeds, fitted)))


@dataclass(frozen=True)
class Depth:
    """The layers of one configuration of fully connected networks."""

    label: str
    layer: Array
    initial: Array = field(repr=False)  # |dh|² over |dx|² before training, [seed, layer]
    parameters: dict[str, Array] = field(repr=False)  # of encoder and decoder, [layer]
    rates: dict[str, Array] = field(repr=False)  # of encoder and decoder, 1/epoch, [seed, layer]
    second_half: NDArray[np.bool_] = field(repr=False)
    # factor per layer of very wide networks; None if the activation is not a ReLU
    expected: float | None

    @property
    def log_gain(self) -> Array:
        """Logarithm of the factor G per layer, the slope of a line through the logarithms of all layers, ``[seed]``."""
        return np.array([np.polyfit(self.layer, np.log(row), 1)[0] for row in self.initial])

    def exponent(self, which: str) -> Array:
        """Return the exponent of a rate in the number of parameters in the second half of the network, ``[seed]``."""
        size = np.log(self.parameters[which][self.second_half])
        return np.array(
            [np.polyfit(size, np.log(row[self.second_half]), 1)[0] for row in self.rates[which]]
        )


def depth(fitted: Sequence[Fitted]) -> Depth | None:
    """Return the layers of one configuration; None if it is not fully connected or has too few layers."""
    trace = fitted[0].trace
    config: dict[str, Any] = (
        arguments.attribute(trace, "config") if "config" in trace.attrs else {}
    )
    if config.get("architecture") != "fully_connected" or len(fitted) < 2 * FEWEST:
        return None
    layer = np.array([entry.layer for entry in fitted])
    width, inputs, outputs, total = (
        config[name] for name in ("width", "inputs", "outputs", "depth")
    )
    between = width * (width + 1)
    initial = trace.dh2.isel(step=0).sel(layer=layer).transpose("seed", "layer").values / float(
        trace.attrs["dx2"]
    )
    activation = named(config["activation"])
    slope = (
        {"relu": 0, "leaky_relu": activation.number}.get(activation.name) if activation else None
    )
    return Depth(
        label=fitted[0].label,
        layer=layer,
        initial=initial,
        parameters={
            "encoder": (inputs + 1) * width + (layer - 1) * between,
            "decoder": (total - layer) * between + (width + 1) * outputs,
        },
        rates={"encoder": rates_of(fitted, "tau_h").T, "decoder": rates_of(fitted, "tau_y").T},
        second_half=layer > total / 2,
        expected=None if slope is None else config["gain"] ** 2 * (1 + float(slope) ** 2) / 2,
    )


def depth_picture(one: Depth, name: str) -> Picture:
    """Return the figure of Section 5 for one configuration."""
    caption = (
        "Left: squared distance of the representations at initialisation over that of the inputs, a line for every "
        "network; dashed: G^n (Eq. 14) with the mean of the fitted G. Right: fitted rates against the number of "
        "parameters of encoder and decoder, layers of the second half filled; dashed: proportional (Section 5.2)."
    )
    return Picture(name, caption, draw_depth(one))


def draw_depth(one: Depth) -> Figure:
    """Draw Eq. (14) and Section 5.2."""
    x = ("hidden layer n", "number of parameters")
    y = (r"$\|dh(0)\|^2 / \|dx\|^2$", "effective learning rate (1/epoch)")
    with layout.drawing(1, 2, x=x, y=y, size=(3.6, 2.6)) as (figure, axes):
        left, right = axes[0]
        left.plot(one.layer, one.initial.T, color=style.TEAL, linewidth=0.9, alpha=0.7)
        gain = float(np.exp(one.log_gain.mean()))
        start = float(np.exp((np.log(one.initial) - np.log(gain) * one.layer).mean()))
        left.plot(one.layer, start * gain**one.layer, label=f"G = {gain:.3f}", **style.THEORY)
        left.set_yscale("log")
        layout.whole_numbers(left)
        left.legend(loc="best")
        for which, colour, marker in (
            ("encoder", style.BLUE, "o"),
            ("decoder", style.ORANGE, "s"),
        ):
            size, rate = one.parameters[which], np.exp(np.log(one.rates[which]).mean(axis=0))
            order = np.argsort(size)
            right.plot(size[order], rate[order], color=colour, linewidth=0.8)
            for half, face in ((~one.second_half, "none"), (one.second_half, colour)):
                points: Any = {
                    "marker": marker,
                    "linestyle": "",
                    "markersize": 3.5,
                    "markerfacecolor": face,
                }
                right.plot(
                    size[half],
                    rate[half],
                    color=colour,
                    label=which if face == colour else None,
                    **points,
                )
            late = np.sort(size[one.second_half])
            middle = np.exp(np.log(rate[one.second_half]).mean() - np.log(late).mean())
            right.plot(late, middle * late, **style.THEORY)
        right.set(xscale="log", yscale="log")
        right.legend(loc="best")
    return figure


def measured_depth(one: Depth) -> tuple[Measured, ...]:
    """Compare the factor per layer with that of wide networks, and both exponents with one."""
    rows = [
        Measured.mean(EXPONENTS[which], one.label, one.exponent(which), 1.0, resolution=0.2)
        for which in one.rates
    ]
    if one.expected is not None:
        rows.append(
            Measured.mean(
                q.LAYER_FACTOR, one.label, one.log_gain, np.log(one.expected), resolution=0.1
            )
        )
    return with_verdict(rows)
