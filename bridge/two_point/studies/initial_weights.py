"""Figure 3: a plateau at small initial weights, immediate decay at large ones, and the theory's failure beyond."""

from __future__ import annotations

from dataclasses import replace

from bridge.results.analysis import Picture, Traces
from bridge.two_point import quantities as q
from bridge.two_point.studies import plateaus, shares, single
from bridge.two_point.studies.fitted import HOW_COMPARED, Fitted, TwoPointAnalysis, analysis, fit_each
from bridge.two_point.studies.predictions import final_distances


def analyse(traces: Traces) -> TwoPointAnalysis:
    """Fit the theory at every scale of the initial weights."""
    fitted = fit_each(traces)
    picture = Picture(
        "figure-03-initial-weights",
        "Dynamics (above) and training loss (below) at growing initial weights: a plateau at small ones, immediate "
        "decay at large ones; at very large ones the representations start far apart and the approximation breaks "
        "down. Coloured: every seed. Dashed: theory. As Figure 3 of the paper.",
        single.draw(fitted),
    )
    measured = (*final_distances(fitted), *shares.unexplained(q.UNEXPLAINED_CURVES, fitted))
    whole = analysis(fitted, (picture,), measured, _findings(fitted), f"{HOW_COMPARED} {shares.HOW_COMPARED}")
    return replace(whole, tables=(*whole.tables, plateaus.table(traces)))


def _findings(fitted: tuple[Fitted, ...]) -> tuple[str, ...]:
    explained = ", ".join(f"{entry.label} {entry.fit.r_squared:.3f}" for entry in fitted)
    doubted = [entry.label for entry in fitted if entry.fit.warnings]
    doubt = f" The fit itself warns for {', '.join(doubted)}." if doubted else ""
    return (f"R² from small to large initial weights: {explained}.{doubt}",)
