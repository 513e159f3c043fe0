r"""Dynamics above, training loss below: Figures 2, 12 (architectures), 3 (initial weights), 15 (Adam), and no study.

*Plateaus*: the time to half of the loss over the time from there to a tenth. Of the two parts of the loss only that in
the difference of the outputs has a plateau, :math:`\|dy - \Delta y\|^2 = 2 w - \|dy\|^2 + \|\Delta y\|^2`. Exponential
decay takes :math:`\ln 2 / \ln 5` as long to the half as from there to the tenth; a plateau makes the ratio larger,
immediate decay that slows down makes it smaller.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Table, Traces, table_of
from bridge.statistics.arrays import Array
from bridge.two_point import curves
from closedform.measured import Measured
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies import panels, predictions
from papers.vanrossem2024.studies.fitted import (
    EXPLAINED,
    HOW_COMPARED,
    SHARES_COMPARED,
    Fitted,
    analysis,
    fit_each,
    unexplained,
)
from papers.vanrossem2024.studies.predictions import final_distances, finding

CAPTION = (
    "Logarithm of the time in which the loss in the difference of the outputs falls to a half, over the time from "
    f"there to a tenth; exponential decay has {np.log(np.log(2) / np.log(5)):.2f}, a plateau more. Mean over seeds "
    "with its standard error, without networks that do not come to a tenth."
)

COLUMNS = 4
CONNECTIVITIES = 6  # of Figure 2, the networks of leaky ReLU, which come first
MOST = 32  # configurations in the figures
CHOICE = (
    "the half that the theory explains least (R²), and others at equal distances in their order"
)
LARGE = (4.2, 2.8)  # of the two panels of a single configuration, inches


def analyse(traces: Traces) -> Analysis:
    """Fit the theory to every trace in the middle of its layers, forecast it from half way, score the forecasts."""
    fitted = fit_each(traces)
    shown = drawn(fitted)
    left_out = (
        ""
        if len(shown) == len(fitted)
        else f" {len(shown)} of {len(fitted)} configurations: {CHOICE}."
    )
    groups = [shown[start : start + COLUMNS] for start in range(0, len(shown), COLUMNS)]
    pictures = tuple(
        Picture(
            "two-point" if len(groups) == 1 else f"two-point-{number}",
            "Squared distances and alignment, and training loss, of two points. Coloured: every "
            f"seed. Dashed: the theory with fitted constants, from the seed's initial state.{left_out}",
            draw(group),
        )
        for number, group in enumerate(groups, start=1)
    )
    whole = analysis(fitted, pictures, final_distances(fitted))
    scored = predictions.scored(fitted)
    if not scored:
        return whole
    return replace(
        whole,
        pictures=(*whole.pictures, predictions.forecasts_picture(scored, fitted)),
        tables=(*whole.tables, predictions.forecasts_table(scored)),
        findings=(*whole.findings, predictions.forecasts_finding(scored)),
    )


def drawn(fitted: tuple[Fitted, ...]) -> tuple[Fitted, ...]:
    """Return what is drawn: all configurations, or ``MOST`` of many, by CHOICE."""
    if len(fitted) <= MOST:
        return fitted
    order = np.argsort([entry.fit.r_squared for entry in fitted], kind="stable")
    rest = np.sort(order[MOST // 2 :])
    spread = rest[np.linspace(0, len(rest) - 1, MOST - MOST // 2).round().astype(int)]
    return tuple(fitted[index] for index in np.sort([*order[: MOST // 2], *spread]))


def of_initial_weights(traces: Traces) -> Analysis:
    """Fit the theory at every scale of the initial weights: a plateau at small ones, failure at very large ones."""
    fitted = fit_each(traces)
    caption = (
        "Dynamics (above) and training loss (below) at growing initial weights: a plateau at small ones, immediate "
        "decay at large ones; at very large ones the representations start far apart and the approximation breaks "
        "down. Coloured: every seed. Dashed: theory. As Figure 3 of the paper."
    )
    whole = _with_shares(fitted, Picture("figure-03-initial-weights", caption, draw(fitted)))
    return replace(whole, tables=(*whole.tables, plateaus(traces)))


def of_adam(traces: Traces) -> Analysis:
    """Fit the theory, which is derived for gradient descent, to networks trained with Adam, and to the others."""
    fitted = fit_each(traces)
    caption = (
        "Dynamics and training loss under Adam, to which a theory of gradient descent need not apply. "
        "Coloured: every seed. Dashed: theory. As Figure 15 of the paper."
    )
    return _with_shares(fitted, Picture("figure-15-adam", caption, draw(fitted)))


def _with_shares(fitted: tuple[Fitted, ...], picture: Picture) -> Analysis:
    """Return the analysis with the final distances, and the share of the curves' variance that the theory leaves."""
    measured = (*final_distances(fitted), *unexplained(q.UNEXPLAINED_CURVES, fitted))
    return analysis(fitted, (picture,), measured, how_compared=f"{HOW_COMPARED} {SHARES_COMPARED}")


def draw(fitted: tuple[Fitted, ...]) -> Figure:
    """Draw two rows of panels with a column for each configuration; a single one has its panels side by side."""
    shape, size = ((1, 2), LARGE) if len(fitted) == 1 else ((2, len(fitted)), style.PANEL)
    with layout.drawing(*shape, y=("squared distance, alignment", "training loss"), size=size) as (
        figure,
        axes,
    ):
        for (above, below), entry in zip(axes.reshape(2, -1).T, fitted, strict=True):
            panels.dynamics(above, entry)
            panels.losses(below, entry)
        figure.supxlabel("training time (epochs)", fontsize=9)
        curves.legend(figure, loss=True)
    return figure


def delays(trace: xr.Dataset) -> Array:
    """Return the logarithm of time to half over time from half to tenth ``[seed]``; NaN where there is no tenth."""
    ordered = trace[["dy2", "w"]].transpose("seed", "step")
    loss = 2 * ordered["w"].values - ordered["dy2"].values + float(trace.attrs["target2"])
    steps = trace["step"].values.astype(np.float64)
    steps = steps - steps[0]
    half = np.array([_reached(steps, curve, curve[0] / 2) for curve in loss])
    tenth = np.array([_reached(steps, curve, 1 / 10 * curve[0]) for curve in loss])
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(half / (tenth - half)))


def _reached(steps: Array, curve: Array, level: float) -> float:
    """Return the first time at which a curve falls to a level, linear between the steps; NaN if it never does."""
    below = np.flatnonzero(curve <= level)
    if not below.size:
        return float("nan")
    last = int(below[0])
    if last == 0:
        return float(steps[0])
    above = curve[last - 1]
    return float(
        steps[last - 1] + (above - level) / (above - curve[last]) * (steps[last] - steps[last - 1])
    )


def plateaus(traces: Traces) -> Table:
    """Return the table of delays, one row for each configuration with a network that comes to a tenth."""
    rows = []
    for label, trace in traces.items():
        values = delays(trace)
        rows.append((label, values[np.isfinite(values)]))
    return table_of(
        "two-point-plateaus", "Plateaus", CAPTION, [row for row in rows if row[1].size],
        (
            ("configuration", lambda row: row[0]),
            ("seeds", lambda row: row[1].size),
            ("delay of the loss", lambda row: Measured.mean(q.DELAY, *row)),
        ),
    )  # fmt: skip


def of_architectures(traces: Traces) -> Analysis:
    """Fit the theory to every network; draw dynamics as in Figure 2 and losses as in Figure 12."""
    fitted = fit_each(traces)
    pictures = (
        Picture(
            "figure-02-architectures",
            "Squared distance of representations and of outputs, and alignment, while networks of different "
            "architecture and nonlinearity learn two points. Coloured: every seed. Dashed: the theory, with two "
            "fitted constants, from the seed's initial state. As Figure 2 of the paper.",
            draw_dynamics(fitted),
        ),
        Picture(
            "figure-12-losses",
            "Training loss of the same networks. Dashed: Eq. (9) on the trajectories above, with one more fitted "
            "constant. As Figure 12 of the paper.",
            draw_losses(fitted),
        ),
    )
    compared = final_distances(fitted)
    described = chain.from_iterable(unexplained(quantity, fitted) for quantity in EXPLAINED)
    return analysis(
        fitted,
        pictures,
        (*compared, *described),
        finding(compared),
        f"{HOW_COMPARED} {SHARES_COMPARED}",
    )


def draw_dynamics(fitted: tuple[Fitted, ...], columns: int = CONNECTIVITIES) -> Figure:
    """Draw Figure 2: a panel of three curves for every configuration, nonlinearities below connectivities."""
    labels: layout.Look = {"x": "training time (epochs)", "y": "squared distance, alignment"}
    with layout.drawing_of(len(fitted), columns, **labels) as (figure, axes):
        for panel, entry in zip(axes, fitted, strict=True):
            panels.dynamics(panel, entry)
        curves.legend(figure)
    return figure


def draw_losses(fitted: tuple[Fitted, ...]) -> Figure:
    """Draw Figure 12: the training loss of every configuration over Eq. (9)."""
    labels: layout.Look = {"x": "training time (epochs)", "y": "training loss"}
    with layout.drawing_of(len(fitted), CONNECTIVITIES, **labels) as (figure, axes):
        for panel, entry in zip(axes, fitted, strict=True):
            share = (
                f"\n$R^2$ = {entry.fit.mean.r_squared:.3f}"
                if entry.fit.mean
                else "\nno loss to fit"
            )
            panels.losses(panel, entry, title=entry.label + share)
        style.legend(figure, [curves.loss_handle(), style.theory_handle("theory, Eq. (9)")])
    return figure
