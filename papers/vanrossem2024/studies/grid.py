"""Figure 5: final distances at other distances of inputs and targets, from rates fitted once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bridge import arguments
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Table, Traces, table_of, with_verdict
from bridge.statistics.arrays import Array, mean_and_error
from closedform.measured import Measured
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies.fitted import MISSES, TWICE, Fitted, doubts, fit_one

GRID = ", grid"  # ends the label of a grid in the study
CONVERGED = 1e-4  # training loss, output^2, above which a network is left out; the nearest targets differ by 1/16
MATTERS = float(np.log(1.1))  # smallest relevant deviation, in a logarithm
MEASURED = ("dh2_0", "dy2_0", "dh2", "loss")
FEWEST = 4  # cells for a line with an error
LOOKS = ("o", "s", "D", "^", "v")
HOW_COMPARED = (
    "Mean over the cells of the grid of the logarithm of the measured over the predicted squared final distance, "
    "cells with identical targets apart. The prediction is Eq. (10) with the initial state of the network in the "
    "cell and the rates that were fitted at one choice of data and averaged over networks; nothing is fitted to the "
    "grid. The error has the scatter of several grids of networks and that of the fitted rates; one grid has none, "
    "since its cells differ by more than chance. That of the mean over architectures has their scatter. The exponent "
    "of this ratio in the distance of the inputs, against 0: a mean hides deviations that change sign over the grid. "
    "The share of the variance of the final distances that the prediction does not explain, mean logarithm over "
    "architectures, against a tenth."
)


@dataclass(frozen=True)
class Grid:
    """One architecture: predicted and measured final distances of the cells whose network has converged, ``[cell]``."""

    label: str
    seed: Array = field(repr=False)  # number of the grid: each has one network in every cell
    dx: Array = field(repr=False)  # distance of the inputs
    dy: Array = field(repr=False)  # distance of the targets
    predicted: Array = field(repr=False)  # squared, by Eq. (10)
    measured: Array = field(repr=False)  # squared
    left_out: int  # cells whose network has not converged
    rate_error: float  # error of the logarithm of the predictions that the fitted rates cause

    @property
    def r_squared(self) -> float:
        """Share of the variance of the measured distances that the prediction explains; nothing is fitted to them."""
        unexplained = np.sum((self.measured - self.predicted) ** 2)
        return float(1 - unexplained / np.sum((self.measured - self.measured.mean()) ** 2))

    @property
    def log_ratio(self) -> Array:
        """Logarithm of measured over predicted distance, of the cells with different targets."""
        different = self.dy > 0
        return np.log(self.measured[different] / self.predicted[different])

    @property
    def grids(self) -> list[NDArray[np.bool_]]:
        """For every grid, which of the cells with different targets are its own, ``[cell]``."""
        seeds = self.seed[self.dy > 0]
        return [seeds == seed for seed in np.unique(seeds)]

    @property
    def ratio(self) -> Measured:
        """Mean logarithm of the ratio, against 0; its error, from several grids, includes that of the rates."""
        means = np.array([self.log_ratio[cells].mean() for cells in self.grids])
        error = (
            float(np.hypot(mean_and_error(means)[1], self.rate_error)) if len(means) > 1 else None
        )
        n = len(means) if len(means) > 1 else None
        return Measured(
            q.GRID_RATIO, self.label, float(means.mean()), error, n, 0.0, resolution=MATTERS
        )

    @property
    def trend(self) -> Measured | None:
        """Exponent of measured over predicted distance in the distance of the inputs, against 0; None for few cells."""
        logs = np.log(self.dx[self.dy > 0])
        if any(cells.sum() < FEWEST or not np.ptp(logs[cells]) > 0 for cells in self.grids):
            return None
        slopes = [np.polyfit(logs[cells], self.log_ratio[cells], 1)[0] for cells in self.grids]
        widest = float(np.log(self.dx.max() / self.dx.min()))
        return Measured.mean(q.GRID_TREND, self.label, slopes, 0.0, resolution=MATTERS / widest)


def analyse(traces: Traces) -> Analysis:
    """Fit the rates of every architecture once and compare Eq. (10) with the final distances of its grid.

    Raises:
        ValueError: if an architecture has only one of its two traces, or none of its networks has converged.
    """
    fitted, grids = predict(traces)
    picture = Picture(
        "figure-05-final-distances",
        "Squared final distance of the representations for many distances of inputs (symbols) and targets, against "
        "Eq. (10) with rates that were fitted at one choice of data and the initial state of each network; dashed: "
        "equality. One network for each symbol. As Figure 5 of the paper.",
        draw(grids),
    )
    return Analysis(
        traces=traces,
        pictures=(picture,),
        tables=(_table(grids),),
        measured=with_verdict(
            [*(grid.ratio for grid in grids), *(grid.trend for grid in grids), *over_grids(grids)]
        ),
        how_compared=HOW_COMPARED,
        doubts=doubts(fitted),
        theory=("two_point.final_distance",),
    )


def predict(traces: Traces) -> tuple[tuple[Fitted, ...], tuple[Grid, ...]]:
    """Return the fits at one choice of data, and for every architecture the grid with its predictions."""
    names = [label for label in traces if not label.endswith(GRID)]
    if not names or set(traces) != {*names, *(f"{name}{GRID}" for name in names)}:
        raise ValueError(
            f"traces: got {', '.join(traces)}; needs NAME and 'NAME{GRID}' for every architecture NAME"
        )
    fitted = tuple(fit_one(name, traces[name]) for name in names)
    return fitted, tuple(predicted(entry, traces[f"{entry.label}{GRID}"]) for entry in fitted)


def predicted(fitted: Fitted, trace: xr.Dataset) -> Grid:
    """Return the cells of a grid that have converged, with Eq. (10) from the mean rates of ``fitted``."""
    import theory

    arguments.dataset(
        trace,
        "the experiment two_point.final_distances",
        MEASURED,
        ("input_distance",),
        name="grid",
    )
    cells = trace.stack(cell=("seed", "input_distance", "target_distance"))
    limit = trace.attrs.get("left_out_above", CONVERGED)
    settled = np.isfinite(cells.loss.values) & (cells.loss.values < limit)
    if not settled.any():
        raise ValueError(f"grid of {fitted.label!r}: no network has converged; needs more epochs")
    kept = cells.isel(cell=settled)
    rates = np.array([[1 / fit.tau_h, 1 / fit.tau_y] for fit in fitted.fit.per_seed])
    tau_h, tau_y = 1 / rates.mean(axis=0)
    # A_low has the root of the ratio
    error = mean_and_error(np.log(rates[:, 0] / rates[:, 1]))[1] / 2
    dx, dy = kept.input_distance.values, kept.target_distance.values
    distance = theory.catalogue()["two_point.final_distance"]
    return Grid(
        label=fitted.label,
        seed=kept.seed.values,
        dx=dx,
        dy=dy,
        predicted=np.asarray(
            distance(kept.dh2_0.values, kept.dy2_0.values, tau_h, tau_y, dx**2, dy**2)
        ),
        measured=kept.dh2.values,
        left_out=int((~settled).sum()),
        rate_error=float(np.nan_to_num(error)),
    )


def draw(grids: tuple[Grid, ...]) -> Figure:
    """Draw Figure 5: measured against predicted squared distances, a panel for every architecture."""
    distances = sorted(set(chain.from_iterable(grid.dx.tolist() for grid in grids)))
    colours = (*style.COLOURS, style.INK)
    looks = {
        dx: (LOOKS[i % len(LOOKS)], colours[i % len(colours)]) for i, dx in enumerate(distances)
    }
    x, y = r"predicted $\|dh(\infty)\|^2$, no refit", r"measured $\|dh\|^2$ after training"
    with layout.drawing_of(len(grids), x=x, y=y) as (figure, axes):
        for panel, grid in zip(axes, grids, strict=True):
            top = 1.06 * max(grid.predicted.max(), grid.measured.max())
            panel.plot([0, top], [0, top], **style.THEORY)
            for dx, (marker, colour) in looks.items():
                here = grid.dx == dx
                panel.plot(
                    grid.predicted[here],
                    grid.measured[here],
                    marker,
                    color=colour,
                    markersize=3.6,
                    alpha=0.85,
                )
            panel.set(
                title=f"{grid.label}\n$R^2$ = {grid.r_squared:.3f}", xlim=(0, top), ylim=(0, top)
            )
        entries = [
            style.entry(rf"$dx$ = {dx:g}", marker=marker, color=colour, linestyle="")
            for dx, (marker, colour) in looks.items()
        ]
        style.legend(figure, [*entries, style.theory_handle("measured = predicted")])
    return figure


def over_grids(grids: Sequence[Grid]) -> tuple[Measured | None, Measured | None]:
    """Return the share of the variance that the prediction misses, and its bias, as means over architectures."""
    name = f"{len(grids)} architectures"
    unexplained = np.log([1 - grid.r_squared for grid in grids])
    biases = [grid.log_ratio.mean() for grid in grids]
    return (
        Measured.mean(q.GRID_UNEXPLAINED, name, unexplained, MISSES, "<", TWICE),
        Measured.mean(q.GRID_BIAS, name, biases, 0.0, resolution=MATTERS),
    )


def _table(grids: tuple[Grid, ...]) -> Table:
    caption = "Final distances on the grid against Eq. (10) without a refit; the median deviation is relative."
    return table_of(
        "final-distances", "Final distances", caption, grids,
        (
            ("architecture", lambda grid: grid.label),
            ("networks", lambda grid: len(grid.measured)),
            ("not converged", lambda grid: grid.left_out),
            ("$R^2$", lambda grid: grid.r_squared),
            ("ln(measured/predicted)", lambda grid: grid.ratio),
            ("median deviation", lambda grid: float(np.median(np.abs(np.expm1(grid.log_ratio))))),
        ),
    )  # fmt: skip
