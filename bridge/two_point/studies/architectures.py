"""Figure 2 and Figure 12: one theory, two fitted constants, many architectures and nonlinearities."""

from __future__ import annotations

from matplotlib.figure import Figure

from bridge.plots import layout
from bridge.results.analysis import Analysis, Picture, Traces
from bridge.two_point import curves
from bridge.two_point.studies import panels
from bridge.two_point.studies.fitted import (
    EXPLAINED,
    HOW_COMPARED,
    SHARES_COMPARED,
    Fitted,
    analysis,
    fit_each,
    unexplained,
)
from bridge.two_point.studies.predictions import final_distances, finding


def analyse(traces: Traces) -> Analysis:
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
    described = (one for quantity in EXPLAINED for one in unexplained(quantity, fitted))
    found = (*_findings(fitted), *finding(compared))
    return analysis(fitted, pictures, (*compared, *described), found, f"{HOW_COMPARED} {SHARES_COMPARED}")


def draw_dynamics(fitted: tuple[Fitted, ...], columns: int = layout.COLUMNS) -> Figure:
    """Draw Figure 2: a panel of three curves for every configuration."""
    labels: layout.Look = {"x": "training time (epochs)", "y": "squared distance, alignment"}
    with layout.drawing_of(len(fitted), columns, **labels) as (figure, axes):
        for panel, entry in zip(axes, fitted, strict=True):
            title = f"{entry.label}\n$R^2$ = {entry.fit.r_squared:.3f}"
            panels.dynamics(panel, entry, title=title)
        curves.legend(figure)
    return figure


def draw_losses(fitted: tuple[Fitted, ...]) -> Figure:
    """Draw Figure 12: the training loss of every configuration over Eq. (9)."""
    with layout.drawing_of(len(fitted), x="training time (epochs)", y="training loss") as (figure, axes):
        for panel, entry in zip(axes, fitted, strict=True):
            share = f"\n$R^2$ = {entry.fit.mean.r_squared:.3f}" if entry.fit.mean else "\nno loss to fit"
            panels.losses(panel, entry, title=entry.label + share)
        curves.legend_of_losses(figure)
    return figure


def _findings(fitted: tuple[Fitted, ...]) -> tuple[str, ...]:
    best = max(fitted, key=lambda entry: entry.fit.r_squared)
    worst = min(fitted, key=lambda entry: entry.fit.r_squared)
    above = sum(entry.fit.r_squared > 0.99 for entry in fitted)
    return (
        f"R² is above 0.99 for {above} of {len(fitted)} configurations; "
        f"best {best.label} ({best.fit.r_squared:.4f}), worst {worst.label} ({worst.fit.r_squared:.4f}).",
    )
