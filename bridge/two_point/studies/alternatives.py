"""Figure 11: the theory against four altered dynamics (Eq. 51), which also have two constants to fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bridge.analysis import Picture
from bridge.figures import layout, style
from bridge.two_point import curves
from bridge.two_point.studies import panels
from bridge.two_point.studies.fitted import Fitted, TwoPointAnalysis, analysis, fit_one
from bridge.two_point.studies.predictions import final_distances

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

TITLES = {
    "effective": "effective theory",
    "factor_two": "a factor 2 in d|dy|²/dt",
    "square": "w squared in d|dh|²/dt",
    "plus_sign": "plus for minus in dw/dt",
    "missing_term": "a term less in d|dy|²/dt",
}


def analyse(traces: Mapping[str, xr.Dataset]) -> TwoPointAnalysis:
    """Fit the theory and all four altered dynamics to every trace."""
    fitted = fit_laws(traces)
    groups = {label: tuple(entry for entry in fitted if entry.label == label) for label in traces}
    pictures = tuple(
        Picture(
            "figure-11-alternatives" if len(groups) == 1 else f"figure-11-alternatives-{number}",
            f"The theory and four altered versions of it, each with two fitted constants, on the same networks "
            f"({label}). Coloured: every seed. Dashed: the fitted dynamics. As Figure 11 of the paper.",
            draw(group),
        )
        for number, (label, group) in enumerate(groups.items(), start=1)
    )
    findings = tuple(_finding(label, group) for label, group in groups.items())
    return analysis(fitted, pictures, final_distances(fitted), findings)


def fit_laws(traces: Mapping[str, xr.Dataset]) -> tuple[Fitted, ...]:
    """Fit the theory and then the four altered dynamics to every trace."""
    from bridge.two_point import ALTERNATIVES

    laws = ("effective", *ALTERNATIVES)
    return tuple(fit_one(label, trace, law=law) for label, trace in traces.items() for law in laws)


def draw(fitted: tuple[Fitted, ...]) -> Figure:
    """Draw Figure 11: the same measurement in every panel, under different laws."""
    with style.context():
        figure, axes = style.grid(1, len(fitted), size=(1.95, 1.95), sharey=True)
        for axis, entry in zip(axes.flat, fitted, strict=True):
            title = f"{TITLES[entry.law]}\nfit loss {entry.fit.loss:.3g}"
            panels.dynamics(axis, entry, title=title)
        layout.label_outer(figure, "training time (epochs)", "squared distance, alignment")
        curves.legend(figure)
    return figure


def _finding(label: str, fitted: tuple[Fitted, ...]) -> str:
    theory, *altered = fitted
    beaten = sum(theory.fit.loss < entry.fit.loss for entry in altered)
    losses = ", ".join(f"{TITLES[entry.law]} {entry.fit.loss:.3g}" for entry in altered)
    seeds = [
        all(own.loss < other.loss for other in others)
        for own, *others in zip(theory.fit.per_seed, *(entry.fit.per_seed for entry in altered), strict=True)
    ]
    return (
        f"{label}: fit loss {theory.fit.loss:.3g} for the theory, against {losses}. The theory beats {beaten} of "
        f"{len(altered)}; it beats all of them in {sum(seeds)} of {len(seeds)} seeds."
    )
