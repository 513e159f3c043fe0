"""Section 5 in numbers: how initial distances fall with the layer (Eq. 14), and rates against numbers of parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bridge import arguments
from bridge.plots import layout, style
from bridge.results.analysis import Picture, with_verdict
from bridge.statistics.arrays import Array, mean_and_error
from bridge.two_point import quantities as q
from bridge.two_point.studies.fitted import Fitted
from closedform.activation_names import named
from closedform.measured import Measured

FEWEST = 3  # layers for a line
EXPONENTS = {"encoder": q.ENCODER_EXPONENT, "decoder": q.DECODER_EXPONENT}


@dataclass(frozen=True)
class Depth:
    """The layers of one configuration of fully connected networks."""

    label: str
    layer: Array
    initial: Array = field(repr=False)  # |dh|² over |dx|² before training, [seed, layer]
    parameters: dict[str, Array] = field(repr=False)  # of encoder and decoder, [layer]
    rates: dict[str, Array] = field(repr=False)  # of encoder and decoder, 1/epoch, [seed, layer]
    second_half: NDArray[np.bool_] = field(repr=False)
    expected: float | None  # factor per layer of very wide networks; None if the activation is not a ReLU

    @property
    def log_gain(self) -> Array:
        """Logarithm of the factor G per layer, the slope of a line through the logarithms of all layers, ``[seed]``."""
        return np.array([np.polyfit(self.layer, np.log(row), 1)[0] for row in self.initial])

    def exponent(self, which: str) -> Array:
        """Return the exponent of a rate in the number of parameters in the second half of the network, ``[seed]``."""
        size = np.log(self.parameters[which][self.second_half])
        return np.array([np.polyfit(size, np.log(row[self.second_half]), 1)[0] for row in self.rates[which]])


def depth(fitted: Sequence[Fitted]) -> Depth | None:
    """Return the layers of one configuration; None if it is not fully connected or has too few layers."""
    trace = fitted[0].trace
    config: dict[str, Any] = arguments.attribute(trace, "config") if "config" in trace.attrs else {}
    if config.get("architecture") != "fully_connected" or len(fitted) < 2 * FEWEST:
        return None
    layer = np.array([entry.layer for entry in fitted])
    width, inputs, outputs, total = (config[name] for name in ("width", "inputs", "outputs", "depth"))
    between = width * (width + 1)
    initial = trace.dh2.isel(step=0).sel(layer=layer).transpose("seed", "layer").values / float(trace.attrs["dx2"])
    one = named(config["activation"])
    slope = {"relu": 0, "leaky_relu": one.number}.get(one.name) if one else None
    rates = {
        name: np.array([[1 / getattr(fit, tau) for fit in entry.fit.per_seed] for entry in fitted]).T
        for name, tau in (("encoder", "tau_h"), ("decoder", "tau_y"))
    }
    return Depth(
        label=fitted[0].label,
        layer=layer,
        initial=initial,
        parameters={
            "encoder": (inputs + 1) * width + (layer - 1) * between,
            "decoder": (total - layer) * between + (width + 1) * outputs,
        },
        rates=rates,
        second_half=layer > total / 2,
        expected=None if slope is None else config["gain"] ** 2 * (1 + float(slope) ** 2) / 2,
    )


def picture(one: Depth, name: str) -> Picture:
    """Return the figure of Section 5 for one configuration."""
    caption = (
        "Left: squared distance of the representations at initialisation over that of the inputs, a line for every "
        "network; dashed: G^n (Eq. 14) with the mean of the fitted G. Right: fitted rates against the number of "
        "parameters of encoder and decoder, layers of the second half filled; dashed: proportional (Section 5.2)."
    )
    return Picture(name, caption, draw(one))


def draw(one: Depth) -> Figure:
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
        for which, colour, marker in (("encoder", style.BLUE, "o"), ("decoder", style.ORANGE, "s")):
            size, rate = one.parameters[which], np.exp(np.log(one.rates[which]).mean(axis=0))
            order = np.argsort(size)
            right.plot(size[order], rate[order], color=colour, linewidth=0.8)
            for half, face in ((~one.second_half, "none"), (one.second_half, colour)):
                points: Any = {"marker": marker, "linestyle": "", "markersize": 3.5, "markerfacecolor": face}
                right.plot(size[half], rate[half], color=colour, label=which if face == colour else None, **points)
            late = np.sort(size[one.second_half])
            middle = np.exp(np.log(rate[one.second_half]).mean() - np.log(late).mean())
            right.plot(late, middle * late, **style.THEORY)
        right.set(xscale="log", yscale="log")
        right.legend(loc="best")
    return figure


def measured(one: Depth) -> tuple[Measured, ...]:
    """Compare the factor per layer with that of wide networks, and both exponents with one."""
    rows = [Measured.mean(EXPONENTS[which], one.label, one.exponent(which), 1.0, resolution=0.2) for which in one.rates]
    if one.expected is not None:
        rows.append(Measured.mean(q.LAYER_FACTOR, one.label, one.log_gain, np.log(one.expected), resolution=0.1))
    return with_verdict(rows)


def finding(one: Depth) -> str:
    """Return the sentence on Eq. (14) and Section 5.2."""
    gain, error = mean_and_error(one.log_gain)
    exponents = [f"{which} {one.exponent(which).mean():.2g}" for which in one.rates]
    expected = "" if one.expected is None else f" (gain² (1 + slope²)/2 = {one.expected:.3f})"
    return (
        f"{one.label}: before training the squared distance changes by G = {np.exp(gain):.3f} from layer to layer, "
        f"standard error {np.exp(gain) * error:.2g}{expected}. Exponents of the rates in the number of parameters, "
        f"second half of the network: {', '.join(exponents)}; proportionality (Section 5.2) is 1."
    )
