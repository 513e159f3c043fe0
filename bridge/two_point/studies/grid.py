"""Figure 5: final distances at other distances of inputs and targets, from rates fitted once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge import arguments
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Column, Compared, Picture, Table
from bridge.statistics.arrays import Array, mean_and_error
from bridge.two_point.studies.fitted import Fitted, doubts, fit_one

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

GRID = ", grid"  # ends the label of a grid in the study
CONVERGED = 1e-4  # training loss, output^2, above which a network is left out; the nearest targets differ by 1/16
MEASURED = ("dh2_0", "dy2_0", "dh2", "loss")
LOOKS = ("o", "s", "D", "^", "v")
HOW_COMPARED = (
    "Mean over the cells of the grid of the logarithm of the measured over the predicted squared final distance, cells "
    "with identical targets apart. The prediction is Eq. (10) with the initial state of the network in the cell and "
    "the rates that were fitted at one choice of data and averaged over networks; nothing is fitted to the grid. The "
    "error has the scatter of the cells and that of the fitted rates. The exponent of this ratio in the distance of "
    "the inputs, against 0: a mean hides deviations that change sign over the grid."
)


@dataclass(frozen=True)
class Grid:
    """One architecture: predicted and measured final distances of the cells whose network has converged.

    Attributes:
        label: name of the architecture.
        dx: distance of the inputs, ``[cell]``.
        dy: distance of the targets, ``[cell]``.
        predicted: squared final distance by Eq. (10), ``[cell]``.
        measured: squared final distance, ``[cell]``.
        left_out: number of cells whose network has not converged.
        rate_error: standard error of the logarithm of the predictions that the fitted rates cause.
    """

    label: str
    dx: Array = field(repr=False)
    dy: Array = field(repr=False)
    predicted: Array = field(repr=False)
    measured: Array = field(repr=False)
    left_out: int
    rate_error: float

    @property
    def r_squared(self) -> float:
        """Share of the variance of the measured distances that the prediction explains; nothing is fitted to them."""
        left = np.sum((self.measured - self.predicted) ** 2)
        return float(1 - left / np.sum((self.measured - self.measured.mean()) ** 2))

    @property
    def log_ratio(self) -> Array:
        """Logarithm of measured over predicted distance, of the cells with different targets."""
        different = self.dy > 0
        return np.log(self.measured[different] / self.predicted[different])

    @property
    def trend(self) -> tuple[float, float]:
        """Exponent of measured over predicted distance in the distance of the inputs, and its standard error."""
        logs = np.log(self.dx[self.dy > 0])
        line, covariance = np.polyfit(logs, self.log_ratio, 1, cov=True)
        return float(line[0]), float(np.sqrt(covariance[0, 0]))

    @property
    def error(self) -> float:
        """Standard error of the mean logarithm of the ratio, with that of the rates."""
        return float(np.hypot(mean_and_error(self.log_ratio)[1], self.rate_error))


@dataclass(frozen=True)
class GridAnalysis(Analysis):
    """The analysis of the grids of final distances.

    Attributes:
        grids: one for each architecture.
    """

    grids: tuple[Grid, ...] = ()


def analyse(traces: Mapping[str, xr.Dataset]) -> GridAnalysis:
    """Fit the rates of every architecture once and hold Eq. (10) against the final distances of its grid.

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
    return GridAnalysis(
        traces=traces,
        pictures=(picture,),
        tables=(_table(grids),),
        compared=(
            *(_compared(grid) for grid in grids if len(grid.log_ratio) > 1),
            *(_trend(grid) for grid in grids if len(grid.log_ratio) > 3 and np.ptp(grid.dx[grid.dy > 0]) > 0),
        ),
        how_compared=HOW_COMPARED,
        findings=_findings(grids),
        doubts=doubts(fitted),
        theory=("two_point.final_distance",),
        grids=grids,
    )


def predict(traces: Mapping[str, xr.Dataset]) -> tuple[tuple[Fitted, ...], tuple[Grid, ...]]:
    """Return the fits at one choice of data, and for every architecture the grid with its predictions."""
    names = [label for label in traces if not label.endswith(GRID)]
    if not names or set(traces) != {*names, *(f"{name}{GRID}" for name in names)}:
        raise ValueError(f"traces: got {', '.join(traces)}; needs NAME and 'NAME{GRID}' for every architecture NAME")
    fitted = tuple(fit_one(name, traces[name]) for name in names)
    return fitted, tuple(predicted(entry, traces[f"{entry.label}{GRID}"]) for entry in fitted)


def predicted(fitted: Fitted, trace: xr.Dataset) -> Grid:
    """Return the cells of a grid that have converged, with Eq. (10) from the mean rates of ``fitted``.

    Raises:
        ValueError: if no network has converged.
    """
    import theory

    arguments.dataset(trace, "the experiment two_point.final_distances", MEASURED, ("input_distance",), name="grid")
    cells = trace.stack(cell=("seed", "input_distance", "target_distance"))
    settled = np.isfinite(cells.loss.values) & (cells.loss.values < CONVERGED)
    if not settled.any():
        raise ValueError(f"grid of {fitted.label!r}: no network has converged; needs more epochs")
    kept = cells.isel(cell=settled)
    rates = np.array([[1 / fit.tau_h, 1 / fit.tau_y] for fit in fitted.fit.per_seed])
    tau_h, tau_y = 1 / rates.mean(axis=0)
    error = mean_and_error(np.log(rates[:, 0] / rates[:, 1]))[1] / 2  # A_low has the root of the ratio
    dx, dy = kept.input_distance.values, kept.target_distance.values
    distance = theory.catalogue()["two_point.final_distance"]
    return Grid(
        label=fitted.label,
        dx=dx,
        dy=dy,
        predicted=np.asarray(distance(kept.dh2_0.values, kept.dy2_0.values, tau_h, tau_y, dx**2, dy**2)),
        measured=kept.dh2.values,
        left_out=int((~settled).sum()),
        rate_error=float(np.nan_to_num(error)),
    )


def draw(grids: tuple[Grid, ...]) -> Figure:
    """Draw Figure 5: measured against predicted squared distances, a panel for every architecture."""
    from matplotlib.lines import Line2D

    distances = sorted({dx for grid in grids for dx in grid.dx.tolist()})
    colours = (*style.COLOURS, style.INK)
    looks = {dx: (LOOKS[i % len(LOOKS)], colours[i % len(colours)]) for i, dx in enumerate(distances)}
    with style.context():
        figure, axes = layout.rows_of_panels(len(grids), layout.COLUMNS)
        for panel, grid in zip(axes.flat, grids, strict=False):
            top = 1.06 * max(grid.predicted.max(), grid.measured.max())
            panel.plot([0, top], [0, top], **style.THEORY)
            for dx, (marker, colour) in looks.items():
                here = grid.dx == dx
                panel.plot(grid.predicted[here], grid.measured[here], marker, color=colour, markersize=3.6, alpha=0.85)
            panel.set_title(f"{grid.label}\n$R^2$ = {grid.r_squared:.3f}")
            panel.set_xlim(0, top)
            panel.set_ylim(0, top)
        layout.label_outer(figure, r"predicted $\|dh(\infty)\|^2$, no refit", r"measured $\|dh\|^2$ after training")
        handles: list[Any] = [
            Line2D([], [], marker=marker, color=colour, linestyle="", markersize=4, label=rf"$dx$ = {dx:g}")
            for dx, (marker, colour) in looks.items()
        ]
        style.legend(figure, [*handles, style.theory_handle("measured = predicted")])
    return figure


def _compared(grid: Grid) -> Compared:
    import bridge

    ratio, error = float(grid.log_ratio.mean()), grid.error
    comparison = bridge.compare(0.0, ratio, error=error, repetitions=len(grid.log_ratio), resolution=np.log(1.1))
    return Compared(grid.label, "mean logarithm of measured over predicted final distance", comparison)


def _trend(grid: Grid) -> Compared:
    import bridge

    exponent, error = grid.trend
    widest = np.log(grid.dx.max() / grid.dx.min())
    count = len(grid.log_ratio) - 1  # the line takes one more number from the cells than their mean does
    comparison = bridge.compare(0.0, exponent, error=error, repetitions=count, resolution=np.log(1.1) / widest)
    return Compared(grid.label, "exponent of measured over predicted final distance in the input distance", comparison)


def _table(grids: tuple[Grid, ...]) -> Table:
    rows = tuple(
        {
            "architecture": grid.label,
            "networks": len(grid.measured),
            "left_out": grid.left_out,
            "r_squared": grid.r_squared,
            "log_ratio": float(grid.log_ratio.mean()),
            "log_ratio_error": grid.error,
            "median_deviation": float(np.median(np.abs(np.expm1(grid.log_ratio)))),
        }
        for grid in grids
    )
    columns = (
        Column("architecture", "architecture"),
        Column("networks", "networks"),
        Column("left_out", "not converged"),
        Column("r_squared", "$R^2$", 3),
        Column("log_ratio", "ln(measured/predicted)"),
        Column("median_deviation", "median deviation", 2),
    )
    caption = "Final distances on the grid against Eq. (10) without a refit; the median deviation is relative."
    return Table("final-distances", "Final distances", caption, columns, rows)


def _findings(grids: tuple[Grid, ...]) -> tuple[str, ...]:
    shares = np.array([grid.r_squared for grid in grids])
    worst, best = grids[int(shares.argmin())], grids[int(shares.argmax())]
    deviation = np.median(np.concatenate([np.abs(np.expm1(grid.log_ratio)) for grid in grids]))
    left_out = sum(grid.left_out for grid in grids)
    return (
        f"Without a refit, Eq. (10) explains {np.median(shares):.2f} of the variance of the final distances over the "
        f"grid (median over {len(grids)} architectures; best {best.label} {best.r_squared:.2f}, worst {worst.label} "
        f"{worst.r_squared:.2f}); the median deviation of a network with different targets is {100 * deviation:.0f} %.",
        f"{left_out} networks had not converged and are left out, as in the paper.",
    )
