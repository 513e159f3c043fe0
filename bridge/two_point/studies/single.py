"""Dynamics above, training loss below: initial weights (Figure 3), Adam (Figure 15), and traces of no study."""

from __future__ import annotations

from dataclasses import replace

from matplotlib.figure import Figure

from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces
from bridge.two_point import curves
from bridge.two_point import quantities as q
from bridge.two_point.studies import forecasts, losses, panels, plateaus
from bridge.two_point.studies.fitted import HOW_COMPARED, SHARES_COMPARED, Fitted, analysis, fit_each, unexplained
from bridge.two_point.studies.predictions import final_distances

COLUMNS = 4
LARGE = (4.2, 2.8)  # of the two panels of a single configuration, inches


def analyse(traces: Traces) -> Analysis:
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


def of_initial_weights(traces: Traces) -> Analysis:
    """Fit the theory at every scale of the initial weights: a plateau at small ones, failure at very large ones."""
    fitted = fit_each(traces)
    caption = (
        "Dynamics (above) and training loss (below) at growing initial weights: a plateau at small ones, immediate "
        "decay at large ones; at very large ones the representations start far apart and the approximation breaks "
        "down. Coloured: every seed. Dashed: theory. As Figure 3 of the paper."
    )
    first, last = (f"{one.fit.r_squared:.3f} at {one.label}".replace("-", "−") for one in (fitted[0], fitted[-1]))
    doubted = sum(bool(entry.fit.warnings) for entry in fitted)
    doubt = f" The fit itself warns at {doubted} of {len(fitted)} scales." if doubted else ""
    findings = (f"From small to large initial weights, R² goes from {first} to {last}.{doubt}",)
    whole = _with_shares(fitted, Picture("figure-03-initial-weights", caption, draw(fitted)), findings)
    return replace(whole, tables=(*whole.tables, plateaus.table(traces)))


def of_adam(traces: Traces) -> Analysis:
    """Fit the theory, which is derived for gradient descent, to networks trained with Adam, and to the others."""
    fitted = fit_each(traces)
    caption = (
        "Dynamics and training loss under Adam, to which a theory of gradient descent need not apply. "
        "Coloured: every seed. Dashed: theory. As Figure 15 of the paper."
    )
    findings = tuple(
        f"{entry.label}: R² = {entry.fit.r_squared:.3f}, fit loss {losses.over_seeds(entry.fit)}." for entry in fitted
    )
    return _with_shares(fitted, Picture("figure-15-adam", caption, draw(fitted)), findings)


def _with_shares(fitted: tuple[Fitted, ...], picture: Picture, findings: tuple[str, ...]) -> Analysis:
    """Return the analysis with the final distances, and the share of the curves' variance that the theory leaves."""
    measured = (*final_distances(fitted), *unexplained(q.UNEXPLAINED_CURVES, fitted))
    return analysis(fitted, (picture,), measured, findings, f"{HOW_COMPARED} {SHARES_COMPARED}")


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
