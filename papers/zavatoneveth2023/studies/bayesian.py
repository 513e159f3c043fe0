"""Figure E.1: one training example and the volume element of wide Bayesian networks, to first order in 1/width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure

from bridge.geometry.convergence import AT_ONCE
from bridge.geometry.posterior import QUANTITIES, FirstOrder, first_order
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, members, table_of
from closedform.measured import Measured
from papers.zavatoneveth2023 import quantities as q

DIMENSIONS = (2, 100)  # of the panels of Figure E.1
DEGREES = range(1, 11)  # of its curves
POINTS = 101

SHARE = 0.1  # smallest relevant deviation, relative to the largest coefficient of the closed form
MISFIT = 1e-3


def analyse(traces: Traces) -> Analysis:
    """Extrapolate the coefficients of 1/width at every overlap and compare them with the closed forms."""
    results = {}
    for label, trace in traces.items():
        results[label] = tuple(first_order(trace, name) for name in QUANTITIES)
    return Analysis(
        traces=traces,
        pictures=(
            Picture(
                "figure-e1-bayesian-factor",
                "Factor χ of the correction against the overlap with the training input, over its value at full "
                "overlap: closed form for degrees 1 to 10, and values measured on samples of the posterior, with one "
                "standard error. As Figure E.1 of the paper.",
                draw_factor(results),
            ),
            Picture(
                "first-order-in-width",
                "Coefficient of 1/width in the volume element over that at infinite width, of the mean metric and of "
                "the mean volume element: samples of the posterior extrapolated in 1/width, and the closed forms. "
                "The two differ by the fluctuations of the metric, which the paper leaves out.",
                draw_orders(results),
            ),
        ),
        tables=(_table(results),),
        measured=tuple(_worst(label, result) for label, result in members(results)),
        how_compared=(
            "At the overlap whose measured value is farthest from the closed form: width times relative deviation of "
            "the volume element, extrapolated to infinite width by a polynomial in 1/width. For the mean metric this "
            "is given as χ. The limit of standard errors is raised, since it is the worst of many; a tenth of the "
            "largest closed form over the overlaps would matter."
        ),
        findings=tuple(_finding(label, *pair) for label, pair in results.items()),
        doubts=tuple(_doubts(results)),
        theory=tuple(dict.fromkeys(result.closed_form for _, result in members(results))),
        reading={
            "How the posterior is sampled": "Given the first layer, the output is Gaussian, so that the posterior of "
            "the first layer has a known and bounded density relative to the prior. Rejection gives independent exact "
            "samples; no Markov chain is needed.",
        },
    )


def _table(results: Mapping[str, Sequence[FirstOrder]]) -> Table:
    rows = []
    for label, result in members(results):
        at_overlaps = zip(result.overlaps, result.expected, result.limits, result.z, strict=True)
        for overlap, expected, limit, z in at_overlaps:
            rows.append((label, result, f"{overlap:.2f}", float(expected), limit, float(z)))
    caption = "Coefficient of 1/width; errors over batches of networks; P is the probability of a larger chi-squared."
    return table_of(
        "bayesian", "First order in 1/width", caption, rows,
        (
            ("networks", lambda row: row[0]),
            ("volume element", lambda row: QUANTITIES[row[1].quantity]),
            ("overlap", lambda row: row[2]),
            ("closed form", lambda row: row[3]),
            ("measured", lambda row: Measured(
                q.COEFFICIENT, f"{row[0]}, {QUANTITIES[row[1].quantity]}, overlap {row[2]}", row[4].limit, row[4].error,
                row[4].realisations,
            )),
            ("$z$", lambda row: row[5]),
            (r"$P(\chi^2)$", lambda row: row[4].misfit),
        ),
    )  # fmt: skip


def _worst(label: str, result: FirstOrder) -> Measured:
    """Return the measured value that is farthest from the closed form; of the mean metric as χ."""
    worst = int(np.argmax(np.abs(result.z)))
    scale, offset, quantity = 1.0, 0.0, q.FIRST_ORDER
    if result.quantity == "metric" and np.isfinite(result.per_coefficient):
        scale, offset, quantity = result.per_coefficient, float(result.dimension), q.CHI
    expected = offset + scale * result.expected
    return Measured(
        quantity, f"{label}, overlap {result.overlaps[worst]:.2f}", offset + scale * float(result.measured[worst]),
        abs(scale) * float(result.errors[worst]), result.limits[worst].realisations, float(expected[worst]),
        resolution=SHARE * float(np.abs(expected).max()), among=len(expected),
    )  # fmt: skip


def _finding(label: str, metric: FirstOrder, volume: FirstOrder) -> str:
    opposite = [
        f"{overlap:.2f}"
        for overlap, mean, whole, error in zip(
            metric.overlaps, metric.measured, volume.measured, volume.errors, strict=True
        )
        if mean * whole < 0 and abs(whole) > AT_ONCE * error
    ]
    text = (
        f"{label}: largest |z| {np.abs(metric.z).max():.1f} for the volume element of the mean metric and "
        f"{np.abs(volume.z).max():.1f} for the mean volume element, over {metric.overlaps.size} overlaps"
    )
    if opposite:
        text += (
            f"; at overlap {', '.join(opposite)} the two have opposite signs, so that the mean volume element does "
            "not change as the expansion of the mean metric says"
        )
    return text + "."


def _doubts(results: Mapping[str, Sequence[FirstOrder]]) -> Iterator[Doubt]:
    for label, pair in results.items():
        for result in pair:
            bad = [
                p
                for p, limit in zip(result.overlaps, result.limits, strict=True)
                if limit.misfit < MISFIT
            ]
            if bad:
                where = f"{QUANTITIES[result.quantity]}, overlap {', '.join(f'{overlap:.2f}' for overlap in bad)}"
                yield Doubt(label, f"{where}: a quadratic in 1/width does not describe it")


def draw_factor(results: Mapping[str, Sequence[FirstOrder]]) -> Figure:
    """Draw Figure E.1: chi over its largest value for degrees 1 to 10, with the measured values where d is that."""
    from theory.geometry import bayesian_volume_correction

    overlap = np.linspace(0.0, 1.0, POINTS)
    titles = [f"$d = {dimension}$" for dimension in DIMENSIONS]
    look: layout.Look = {"x": "overlap $p$", "y": r"$\chi(p^2)/\chi(1)$", "titles": titles}
    with layout.drawing(1, len(DIMENSIONS), **look, size=(3.2, 2.7), sharey=True) as (
        figure,
        axes,
    ):
        for panel, dimension in zip(axes[0], DIMENSIONS, strict=True):
            for degree in DEGREES:
                chi = bayesian_volume_correction(degree).factor
                largest = float(chi(d=dimension, p2=1.0))
                curve = np.broadcast_to(chi(d=dimension, p2=overlap**2), overlap.shape)
                panel.plot(overlap, curve / largest, color=_shade(degree))
                for mean, _ in results.values():
                    if (mean.degree, mean.dimension) == (
                        degree,
                        dimension,
                    ) and mean.squared_target > 1:
                        scale = mean.per_coefficient
                        measured, errors = (
                            (dimension + scale * mean.measured) / largest,
                            scale * mean.errors / largest,
                        )
                        style.with_errors(
                            panel,
                            mean.overlaps,
                            measured,
                            errors,
                            color=_shade(degree),
                            linestyle="",
                        )
        entries = [style.entry(f"$q = {degree}$", color=_shade(degree)) for degree in DEGREES]
        entries.append(style.entry("measured", color=style.INK, marker="o", linestyle="none"))
        figure.legend(handles=entries, loc="outside right center", fontsize=7)
    return figure


def draw_orders(results: Mapping[str, Sequence[FirstOrder]]) -> Figure:
    """Draw both first orders in 1/width against the overlap, one panel for each configuration."""
    overlap = np.linspace(0.0, 1.0, POINTS)
    with layout.drawing_of(len(results), x="overlap $p$", y=r"coefficient of $1/n$") as (
        figure,
        axes,
    ):
        for panel, (label, pair) in zip(axes, results.items(), strict=True):
            for result, colour in zip(pair, style.COLOURS, strict=False):
                style.with_errors(
                    panel,
                    result.overlaps,
                    result.measured,
                    result.errors,
                    color=colour,
                    linestyle="",
                )
                panel.plot(overlap, result.curve(overlap), **(style.THEORY | {"color": colour}))
            panel.axhline(0, color=style.INK, linewidth=0.6)
            panel.set_title(label)
        kinds = zip(QUANTITIES.values(), style.COLOURS, strict=False)
        entries = [
            style.entry(name, color=colour, marker="o", linestyle="none") for name, colour in kinds
        ]
        style.legend(figure, [*entries, style.theory_handle()])
    return figure


def _shade(degree: int) -> Any:
    return colormaps["Reds"](1.0 - 0.07 * (degree - 1))
