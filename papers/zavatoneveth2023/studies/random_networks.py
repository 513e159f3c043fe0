"""Figure 1: volume element and curvature of random networks against the closed forms at infinite width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

import theory
from bridge.geometry.convergence import NAMES, QUANTITIES, Convergence, convergence
from bridge.geometry.extrapolation import WidthLimit
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, members, table_of
from closedform.measured import Measured
from papers.zavatoneveth2023 import quantities as q

SHARE = 0.1  # smallest relevant deviation, relative to the largest closed form
MISFIT = 1e-3
WORST = {"volume_element": q.VOLUME_LIMIT, "curvature": q.CURVATURE_LIMIT}


def analyse(traces: Traces) -> Analysis:
    """Extrapolate to infinite width at every input, and fit the rate of convergence."""
    results = {}
    for label, trace in traces.items():
        results[label] = tuple(convergence(trace, name) for name in QUANTITIES)
    pictures = (
        Picture(
            "figure-01-random-networks",
            "Volume element and scalar curvature of random networks against the norm of the input: means over "
            "realisations, with their scatter as bands, and the closed form at infinite width (dashed). The "
            "curvature is a third of what Eq. (7) of the paper prints. As Figure 1 of the paper.",
            draw(results),
        ),
        Picture(
            "convergence-in-width",
            "Deviation of the mean from the closed form against the width, at the input where it is seen best, with "
            "one standard error over realisations; solid: fitted power law; dashed: 1/width through its middle. "
            "Only deviations above five standard errors at the smallest width are drawn.",
            draw_rates(results),
        ),
    )
    forms = dict.fromkeys(result.closed_form for _, result in members(results))
    return Analysis(
        traces=traces,
        pictures=pictures,
        tables=(_table(results), _rates(results)),
        measured=tuple(_worst(label, result) for label, result in members(results)),
        how_compared=(
            "At the input whose extrapolation is farthest from the closed form, out of all where that is not zero: "
            "the polynomial in 1/width through the means over realisations, at infinite width. The limit of standard "
            "errors is raised, since it is the worst of many; a tenth of the largest closed form over the inputs would "
            "matter."
        ),
        doubts=tuple(_doubts(results)),
        theory=tuple(form for form in forms if form in theory.catalogue()),
        reading={
            "What is averaged": "Every realisation is a network of its own, at every width; within one, directions "
            "of the input are averaged first, so that the scatter between realisations gives the errors.",
        },
    )


def _table(results: Mapping[str, Sequence[Convergence]]) -> Table:
    rows = []
    for label, result in members(results):
        for norm, expected, limit, z in zip(
            result.norms, result.expected, result.limits, result.z, strict=True
        ):
            rows.append((label, result, float(norm), float(expected), limit, float(z)))
    caption = "Errors over realisations; P is the probability of a larger chi-squared of the polynomial in 1/width."
    return table_of(
        "random_networks", "Extrapolated to infinite width", caption, rows,
        (
            ("networks", lambda row: row[0]),
            ("quantity", lambda row: NAMES[row[1].quantity]),
            (r"$\|x\|$", lambda row: row[2]),
            ("closed form", lambda row: row[3]),
            ("extrapolated", lambda row: _extrapolated(*row[:3], row[4])),
            ("$z$", lambda row: row[5]),
            (r"$P(\chi^2)$", lambda row: row[4].misfit),
        ),
    )  # fmt: skip


def _extrapolated(label: str, result: Convergence, norm: float, limit: WidthLimit) -> Measured:
    name = f"{label}, {NAMES[result.quantity]}, |x| = {norm:.3g}"
    return Measured(q.EXTRAPOLATED, name, limit.limit, limit.error, limit.realisations)


def _rates(results: Mapping[str, Sequence[Convergence]]) -> Table:
    rates = [(label, result, result.rate) for label, result in members(results)]
    rows = [(label, result, rate) for label, result, rate in rates if rate]
    caption = (
        "Exponent of the deviation from the closed form in the width; -1 is expected where "
        "higher orders are small."
    )
    return table_of(
        "rates", "Rate of convergence", caption, rows,
        (
            ("networks", lambda row: row[0]),
            ("quantity", lambda row: NAMES[row[1].quantity]),
            (r"$\|x\|$", lambda row: row[1].rate_norm),
            ("exponent", lambda row: Measured(
                q.RATE, f"{row[0]}, {NAMES[row[1].quantity]}", row[2].exponent, row[2].error
            )),
            ("95 % from", lambda row: row[2].interval[0]),
            ("to", lambda row: row[2].interval[1]),
        ),
    )  # fmt: skip


def _worst(label: str, result: Convergence) -> Measured:
    """Return the extrapolation that is farthest from the closed form, out of all where that is not zero."""
    worst = int(np.argmax(np.where(result.expected == 0, 0.0, np.abs(result.z))))
    limit = result.limits[worst]
    return Measured(
        WORST[result.quantity], f"{label}, |x| = {result.norms[worst]:.3g}", limit.limit, limit.error,
        limit.realisations, float(result.expected[worst]), resolution=SHARE * float(np.abs(result.expected).max()),
        among=int((result.expected != 0).sum()),
    )  # fmt: skip


def _doubts(results: Mapping[str, Sequence[Convergence]]) -> Iterator[Doubt]:
    for label, pair in results.items():
        for result in pair:
            name = NAMES[result.quantity]
            bad = [
                norm
                for norm, limit in zip(result.norms, result.limits, strict=True)
                if limit.misfit < MISFIT
            ]
            if bad:
                where = ", ".join(f"{norm:.3g}" for norm in bad)
                yield Doubt(
                    label,
                    f"{name} at |x| = {where}: a quadratic in 1/width does not describe the means",
                )
            if result.resolution > SHARE:
                yield Doubt(
                    label,
                    f"{name}: errors of the extrapolation reach {result.resolution:.0%} of the largest closed form; "
                    "more realisations are needed to tell it from another one",
                )


def draw(results: Mapping[str, Sequence[Convergence]]) -> Figure:
    """Draw Figure 1: a column for each activation, volume above curvature."""
    look: layout.Look = {"x": r"$\|x\|$", "y": (r"$(\det g)^{1/2}$", "$R$"), "titles": [*results]}
    with layout.drawing(2, len(results), **look) as (figure, axes):
        for column, pair in enumerate(results.values()):
            for row, result in enumerate(pair):
                _against_norm(axes[row, column], result)
        widths = _shown(next(iter(results.values()))[0].widths)
        entries = [
            style.entry(f"$n = {n:.0f}$", color=tint)
            for n, tint in zip(widths, style.COLOURS, strict=False)
        ]
        style.legend(figure, [*entries, style.theory_handle("infinite width")])
    return figure


def draw_rates(results: Mapping[str, Sequence[Convergence]]) -> Figure:
    """Draw the deviation from the closed form against the width, on logarithmic axes."""
    widths = next(iter(results.values()))[0].widths
    titles = [NAMES[quantity] for quantity in QUANTITIES]
    names: layout.Look = {"x": "width $n$", "y": ["deviation of the mean"] * 2, "titles": titles}
    with layout.drawing(1, 2, **names, size=(3.6, 2.6)) as (figure, axes):
        for panel, quantity in zip(axes[0], QUANTITIES, strict=True):
            for (label, pair), colour in zip(results.items(), style.COLOURS, strict=False):
                result = next(candidate for candidate in pair if candidate.quantity == quantity)
                if result.rate is not None:
                    _draw_rate(panel, result, label, colour)
            panel.set_yscale("log")
            layout.logarithmic_at(panel, widths)
            panel.set_xlim(0.85 * widths[0], widths[-1] / 0.85)
            panel.yaxis.set_minor_formatter(NullFormatter())
            if panel.lines:
                handles = [*panel.get_legend_handles_labels()[0], style.theory_handle("$1/n$")]
                panel.legend(
                    handles=handles,
                    loc="upper center",
                    bbox_to_anchor=(0.5, -0.2),
                    ncols=2,
                    fontsize=8,
                )
            else:
                panel.text(
                    0.5,
                    0.5,
                    "below the scatter",
                    transform=panel.transAxes,
                    ha="center",
                    alpha=0.7,
                )
    return figure


def _against_norm(panel: Any, result: Convergence) -> None:
    chosen = _shown(result.widths)
    for width, colour in zip(chosen, style.COLOURS, strict=False):
        values = result.samples[int(np.flatnonzero(result.widths == width)[0])]
        mean, scatter = values.mean(axis=0), values.std(axis=0, ddof=1)
        panel.fill_between(
            result.norms, mean - scatter, mean + scatter, color=colour, alpha=0.18, linewidth=0
        )
        panel.plot(result.norms, mean, color=colour)
    panel.plot(result.norms, result.expected, **style.THEORY)
    panel.margins(x=0)
    # narrow networks scatter far beyond these
    low, high = (float(result.expected.min()), float(result.expected.max()))
    values = result.samples[len(result.widths) // 2]
    mean, scatter = values.mean(axis=0), values.std(axis=0, ddof=1)
    panel.set_ylim(min(low, (mean - 2 * scatter).min()), max(high, (mean + 2 * scatter).max()))


def _draw_rate(panel: Any, result: Convergence, label: str, colour: str) -> None:
    fit = result.rate
    assert fit is not None
    where = int(np.flatnonzero(result.norms == result.rate_norm)[0])
    deviation, errors = np.abs(fit.y), result.limits[where].errors
    # deviations below their own errors are not drawn on the logarithmic axis
    is_visible = deviation > errors
    name = f"{label}: $n^{{{fit.exponent:.2f} \\pm {fit.error:.2f}}}$"
    low = np.minimum(errors, 0.7 * deviation)
    bars = np.stack([low, errors])[:, is_visible]
    style.with_errors(
        panel,
        result.widths[is_visible],
        deviation[is_visible],
        bars,
        color=colour,
        linestyle="none",
    )
    panel.plot(result.widths, np.abs(fit.predict(result.widths)), color=colour, label=name)
    middle = np.sqrt(result.widths[0] * result.widths[-1])
    panel.plot(result.widths, np.abs(fit.predict(middle)) * middle / result.widths, **style.THEORY)


def _shown(widths: Any) -> list[float]:
    return [
        float(width) for width in dict.fromkeys((widths[0], widths[len(widths) // 2], widths[-1]))
    ]
