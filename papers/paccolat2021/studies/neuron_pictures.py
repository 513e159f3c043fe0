"""The figures of the study of neurons, from the first realisation of a trace."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bridge.compression import Assignment
from bridge.compression import trace as read
from bridge.compression.saturation import force_across
from bridge.plots import layout, style
from bridge.results.analysis import Traces
from bridge.statistics.arrays import Array
from empirics.experiments.compression import Config

EDGE = 3.0
ARROWS, POINTS = 150, 800
INFORMATIVE, PERPENDICULAR = r"$|\omega_1|$", r"$\|\omega_\perp\|$"
# What is drawn in ink: a sign's name, and how it looks.
SIGNS: Mapping[str, Mapping[str, Any]] = {
    "averaged flow": {"linestyle": style.DASHED, "linewidth": 0.9},
    "boundary of the labels": {"linestyle": ":", "linewidth": 0.7},
    "attractor": {"linestyle": "none", "marker": "x"},
    "neuron at the start": {"linestyle": "none", "marker": ".", "markersize": 2.5},
    "intercept of a neuron": {"linestyle": "none", "marker": "|", "markersize": 4},
}


def arrows(traces: Traces) -> Figure:
    """Draw Figures 1 and 6: beta omega at the start, at t* and at the end, in the informative plane and across it."""
    from empirics.experiments.compression import realisations

    rows = [(label, 0, 1) for label in traces]
    rows += [
        (label, 0, 2) for label, trace in traces.items() if read.config_of(trace).dimension > 2
    ]
    with layout.drawing(len(rows), 3, size=(2.6, 2.5), sharex=True, sharey=True) as (figure, axes):
        for line, (label, i, j) in zip(axes, rows, strict=True):
            trace, config = traces[label], read.config_of(traces[label])
            drawn = realisations(config)
            x, y = drawn.inputs[0, :POINTS].numpy(), drawn.labels[0, :POINTS].numpy()
            reached = np.isfinite(trace["time_at"].isel(seed=0).values)
            last = int(np.flatnonzero(reached)[-1]) if reached.any() else 0
            kept = trace["kept_at"].isel(seed=0)
            states = (
                trace["initial_weights"].isel(seed=0),
                kept.isel(share=0),
                kept.isel(share=last),
            )
            titles = (
                "at the start",
                f"{config.shares[0]:.0%} fitted",
                f"{config.shares[last]:.0%} fitted",
            )
            for axis, state, title in zip(line, states, titles, strict=True):
                for sign, colour in ((1, style.BLUE), (-1, style.ORANGE)):
                    axis.plot(
                        *x[y == sign][:, [i, j]].T, ".", color=colour, markersize=1.2, alpha=0.45
                    )
                weights = state.values[:ARROWS]
                vectors = weights[:, [i, j]] * weights[:, -1:]
                vectors = vectors * 2.6 / np.linalg.norm(vectors, axis=1).max()
                axis.quiver(*np.zeros((2, len(vectors))), *vectors.T, color=style.INK, angles="xy", scale_units="xy",
                            scale=1, width=0.004, alpha=0.7)  # fmt: skip
                axis.set_title(f"{label}, {title}")
                axis.set(
                    xlim=(-EDGE, EDGE), ylim=(-EDGE, EDGE), aspect="equal", xlabel=f"$x_{i + 1}$"
                )
            line[0].set_ylabel(f"$x_{j + 1}$")
    return figure


def figure_3(trace: xr.Dataset, assigned: Assignment) -> Figure:
    """Draw Figure 3: one neuron against its flow, the fixed-point function, the z-plane."""
    from theory.compression.fixed_points import fixed_point_function

    config = read.config_of(trace)
    stripes = read.stripes_of(config, "the fixed points")
    end = float(read.at_first_share(trace, "time")[0])
    time = trace["time"].values[0]
    before = time <= end
    states = trace["tracked"].values[0, before]
    with layout.drawing(1, 3, size=(2.7, 2.5)) as (figure, axes):
        _one_neuron(axes[0, 0], time[before], states, config, assigned)
        zeta = np.linspace(-EDGE, EDGE, 400)
        for side, colour in ((1, style.BLUE), (-1, style.ORANGE)):
            sign = np.sign(stripes.c_parallel(zeta, side))
            drift = -sign * fixed_point_function(stripes, config.dimension, zeta, side)
            inside = sign * [stripes.boundary_current(float(at), side) for at in zeta] > 0
            # dotted where perpendicular weights outgrow
            for where, line in ((inside, "-"), (~inside, ":")):
                label = rf"$\lambda \to {'+' if side > 0 else '-'}\infty$" if line == "-" else None
                axes[0, 1].plot(
                    zeta,
                    np.where(where, drift, np.nan),
                    line,
                    color=colour,
                    linewidth=1,
                    label=label,
                )
        _boundaries(axes[0, 1], config)
        axes[0, 1].axhline(0, color=style.INK, linewidth=0.6)
        _attractors(axes[0, 1], assigned)
        axes[0, 1].set(xlabel=r"intercept $\zeta_1$", ylabel=r"drift of $\zeta_1$, up to a factor")
        _legend_of_drifts(axes[0, 1])
        _plane(axes[0, 2], states, config, assigned)
        _legend(
            figure, "averaged flow", "boundary of the labels", "attractor", "neuron at the start"
        )
    return figure


def one_neuron(
    times: Array, states: Array, config: Config, assigned: Assignment
) -> tuple[int, dict[str, Array]]:
    """Follow the largest neuron of the fastest attractor by the flow averaged over the data, to times ``[time]``.

    Returns its number among the tracked ones, whose states are ``[time, neuron, parameter]``, and sizes of its weights.
    """
    from empirics.experiments.compression import realisations
    from theory.compression import neuron_flow

    d = config.dimension
    # The largest neuron of the fastest attractor: what the network becomes. Its data set's fluctuation is a constant.
    tracked = assigned.nearest[: states.shape[1]] == 0
    chosen = int(np.argmax(np.where(tracked, np.abs(states[-1, :, 0]), -1)))
    fastest = assigned.attractors[0]
    drawn = realisations(config)
    x, y = drawn.inputs[0].numpy(), drawn.labels[0].numpy()
    fluctuation = force_across(fastest, x, y) * math.sqrt(config.points / float(fastest.d_perp))
    flow = neuron_flow(read.stripes_of(config, "the flow"), d, fluctuation, config.points)
    path = flow.integrate(states[0, chosen], times)
    return chosen, {name: read_off(path) for name, read_off in magnitudes(d).items()}


def _one_neuron(
    axis: Axes, time: Array, states: Array, config: Config, assigned: Assignment
) -> None:
    times = np.linspace(0, time[-1], 120)
    chosen, paths = one_neuron(times, states, config, assigned)
    for colour, (name, read_off) in zip(
        style.COLOURS, magnitudes(config.dimension).items(), strict=True
    ):
        axis.plot(time, read_off(states[:, chosen]), color=colour, linewidth=1.2, label=name)
        axis.plot(times, paths[name], color=style.INK, **SIGNS["averaged flow"])
    axis.set_yscale("log")
    axis.set(xlabel=r"time ($\tau$)", ylabel="weights of one neuron")
    axis.legend(fontsize=7)


def magnitudes(d: int) -> dict[str, Callable[[Array], Array]]:
    """Return the functions that read sizes of weights off states ``[time, parameter]``, by name."""
    return {
        INFORMATIVE: lambda s: np.abs(s[:, 0]),
        PERPENDICULAR: lambda s: np.linalg.norm(s[:, 1:d], axis=1),
        r"$|b|$": lambda s: np.abs(s[:, d]),
        r"$|\beta|$": lambda s: np.abs(s[:, d + 1]),
    }


def _plane(axis: Axes, states: Array, config: Config, assigned: Assignment) -> None:
    from empirics.measure import neuron_vectors

    d = config.dimension
    z = neuron_vectors(states[..., :d], states[..., d]).numpy()
    for neuron in range(z.shape[1]):
        axis.plot(z[:, neuron, 0], z[:, neuron, 1], color=style.PURPLE, linewidth=0.6, alpha=0.6)
    axis.plot(z[0, :, 0], z[0, :, 1], color=style.INK, **SIGNS["neuron at the start"])
    _attractors(axis, assigned)
    _boundaries(axis, config)
    axis.set(xlim=(-EDGE, EDGE), ylim=(-EDGE, EDGE), xlabel="$z_1$", ylabel="$z_2$")


def figure_4(trace: xr.Dataset, assigned: Assignment) -> Figure:
    """Draw Figure 4: the decision function through training, the loss and the test error."""
    config = read.config_of(trace)
    with layout.drawing(1, 2, size=(3.4, 2.6)) as (figure, axes):
        left, right = axes[0]
        position = trace["place"].values
        for number, (colour, share) in enumerate(zip(style.COLOURS, config.shares, strict=False)):
            values = trace["predictor_at"].isel(seed=0, share=number).values
            if not np.isfinite(values).all():
                continue
            left.plot(position, values, color=colour, label=f"{share:.0%} fitted")
            weights = trace["kept_at"].isel(seed=0, share=number).values
            zeta = -math.sqrt(config.dimension) * weights[:, config.dimension] / weights[:, 0]
            below = np.full(len(zeta), -4.2 - 0.45 * number)
            left.plot(zeta, below, color=colour, alpha=0.25, **SIGNS["intercept of a neuron"])
            right.axvline(
                float(trace["time_at"].isel(seed=0, share=number)),
                color=colour,
                linewidth=0.9,
                linestyle=":",
            )
        _attractors(left, assigned, -4.2)
        left.axhline(0, color=style.INK, linewidth=0.6)
        _boundaries(left, config)
        left.set(xlim=(-EDGE, EDGE), ylim=(-6.2, 5), xlabel="$x_1$", ylabel="predictor F")
        left.legend(fontsize=7)
        time = trace["time"].values[0]
        right.plot(time, trace["loss"].values[0], color=style.TEAL, label="training loss")
        if "test_error" in trace:
            right.plot(time, trace["test_error"].values[0], color=style.INK, label="test error")
        right.set(yscale="log", xlabel=r"time ($\tau$)")
        right.legend(fontsize=7)
        _legend(figure, "boundary of the labels", "attractor", "intercept of a neuron")
    return figure


def _legend(figure: Figure, *names: str) -> None:
    """Draw one legend above all panels, for the signs that are drawn in ink."""
    handles = [style.entry(name, color=style.INK, **SIGNS[name]) for name in names]
    style.legend(figure, handles)


def _legend_of_drifts(axis: Axes) -> None:
    """Draw the legend of the two sides; a dotted line means that perpendicular weights outgrow the others."""
    from matplotlib.legend_handler import HandlerTuple
    from matplotlib.lines import Line2D

    sides, names = axis.get_legend_handles_labels()
    dotted = tuple(
        Line2D([], [], color=colour, linestyle=":", linewidth=1)
        for colour in (style.BLUE, style.ORANGE)
    )
    axis.legend([*sides, dotted], [*names, r"$|\lambda|$ shrinks"], fontsize=7, handlelength=1.6,
                handler_map={tuple: HandlerTuple(ndivide=None, pad=0)})  # fmt: skip


def _boundaries(axis: Axes, config: Config) -> None:
    for boundary in config.boundaries or ():
        axis.axvline(boundary, color=style.INK, **SIGNS["boundary of the labels"])


def _attractors(axis: Axes, assigned: Assignment, height: float = 0.0) -> None:
    places = [float(attractor.position) for attractor in assigned.attractors]
    axis.plot(
        places, np.full(len(places), height), color=style.INK, zorder=5, **SIGNS["attractor"]
    )
