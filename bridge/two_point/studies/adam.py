"""Figure 15: under Adam the theory, which is derived for gradient descent, does not fit."""

from __future__ import annotations

from bridge.results.analysis import Picture, Traces
from bridge.two_point import quantities as q
from bridge.two_point.studies import losses, shares, single
from bridge.two_point.studies.fitted import HOW_COMPARED, TwoPointAnalysis, analysis, fit_each
from bridge.two_point.studies.predictions import final_distances


def analyse(traces: Traces) -> TwoPointAnalysis:
    """Fit the theory to networks trained with Adam, and to the others of the study."""
    fitted = fit_each(traces)
    picture = Picture(
        "figure-15-adam",
        "Dynamics and training loss under Adam, to which a theory of gradient descent need not apply. "
        "Coloured: every seed. Dashed: theory. As Figure 15 of the paper.",
        single.draw(fitted),
    )
    findings = tuple(
        f"{entry.label}: R² = {entry.fit.r_squared:.3f}, fit loss {losses.over_seeds(entry.fit)}." for entry in fitted
    )
    measured = (*final_distances(fitted), *shares.unexplained(q.UNEXPLAINED_CURVES, fitted))
    return analysis(fitted, (picture,), measured, findings, f"{HOW_COMPARED} {shares.HOW_COMPARED}")
