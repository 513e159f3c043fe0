"""Single networks, and traces that belong to no study: dynamics above, training loss below."""

from __future__ import annotations

from dataclasses import replace

from matplotlib.figure import Figure

from bridge.plots import layout, style
from bridge.results.analysis import Picture, Traces
from bridge.two_point import curves
from bridge.two_point.studies import forecasts, panels
from bridge.two_point.studies.fitted import Fitted, TwoPointAnalysis, analysis, fit_each
from bridge.two_point.studies.predictions import final_distances

COLUMNS = 4
LARGE = (4.2, 2.8)  # of the two panels of a single configuration, inches


def analyse(traces: Traces) -> TwoPointAnalysis:
    """Fit the theory to every trace in the middle of its layers, forecast it from half way, score the forecasts."""
    fitted = fit_each(traces)
    groups = [fitted[start : start + COLUMNS] for start in range(0, len(fitted), COLUMNS)]
    pictures = tuple(
        Picture(
            "two-point" if len(groups) == 1 else f"two-point-{number}",
            "Squared distances and alignment, and training loss, of two points. Coloured: every "
            "seed. Dashed: the theory with fitted constants, from the seed's initial state.",
            draw(group),
        )
        for number, group in enumerate(groups, start=1)
    )
    whole = analysis(fitted, pictures, final_distances(fitted))
    found = forecasts.scored(fitted)
    if not found:
        return whole
    return replace(
        whole,
        pictures=(*whole.pictures, forecasts.picture(found, fitted)),
        tables=(*whole.tables, forecasts.table(found)),
        findings=(*whole.findings, forecasts.finding(found)),
    )


def draw(fitted: tuple[Fitted, ...]) -> Figure:
    """Draw two rows of panels with a column for each configuration; a single one has its panels side by side."""
    shape, size = ((1, 2), LARGE) if len(fitted) == 1 else ((2, len(fitted)), style.PANEL)
    with layout.drawing(*shape, y=("squared distance, alignment", "training loss"), size=size) as (figure, axes):
        for (above, below), entry in zip(axes.reshape(2, -1).T, fitted, strict=True):
            title = f"{entry.label}\n$R^2$ = {entry.fit.r_squared:.3f}"
            panels.dynamics(above, entry, title=title)
            panels.losses(below, entry)
        figure.supxlabel("training time (epochs)", fontsize=9)
        curves.legend(figure, loss=True)
    return figure
