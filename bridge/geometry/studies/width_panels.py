"""Figures of convergence: quantities against the norm of the input, deviations against the width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from bridge.geometry.convergence import NAMES, QUANTITIES, Convergence
from bridge.plots import layout, style


def draw(results: Mapping[str, Sequence[Convergence]]) -> Figure:
    """Draw Figure 1: a column for each activation, volume above curvature."""
    look: layout.Look = {"x": r"$\|x\|$", "y": (r"$(\det g)^{1/2}$", "$R$"), "titles": [*results]}
    with layout.drawing(2, len(results), **look) as (figure, axes):
        for column, pair in enumerate(results.values()):
            for row, result in enumerate(pair):
                _against_norm(axes[row, column], result)
        widths = _shown(next(iter(results.values()))[0].widths)
        entries = [style.entry(f"$n = {n:.0f}$", color=tint) for n, tint in zip(widths, style.COLOURS, strict=False)]
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
                    _rate(panel, result, label, colour)
            panel.set_yscale("log")
            layout.logarithmic_at(panel, widths)
            panel.set_xlim(0.85 * widths[0], widths[-1] / 0.85)
            panel.yaxis.set_minor_formatter(NullFormatter())
            if panel.lines:
                handles = [*panel.get_legend_handles_labels()[0], style.theory_handle("$1/n$")]
                panel.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, fontsize=8)
            else:
                panel.text(0.5, 0.5, "below the scatter", transform=panel.transAxes, ha="center", alpha=0.7)
    return figure


def _against_norm(panel: Any, result: Convergence) -> None:
    chosen = _shown(result.widths)
    for width, colour in zip(chosen, style.COLOURS, strict=False):
        values = result.samples[int(np.flatnonzero(result.widths == width)[0])]
        mean, scatter = values.mean(axis=0), values.std(axis=0, ddof=1)
        panel.fill_between(result.norms, mean - scatter, mean + scatter, color=colour, alpha=0.18, linewidth=0)
        panel.plot(result.norms, mean, color=colour)
    panel.plot(result.norms, result.expected, **style.THEORY)
    panel.margins(x=0)
    low, high = (
        float(result.expected.min()),
        float(result.expected.max()),
    )  # narrow networks scatter far beyond the panel
    values = result.samples[len(result.widths) // 2]
    mean, scatter = values.mean(axis=0), values.std(axis=0, ddof=1)
    panel.set_ylim(min(low, (mean - 2 * scatter).min()), max(high, (mean + 2 * scatter).max()))


def _rate(panel: Any, result: Convergence, label: str, colour: str) -> None:
    fit = result.rate
    assert fit is not None
    where = int(np.flatnonzero(result.norms == result.rate_norm)[0])
    deviation, errors = np.abs(fit.y), result.limits[where].errors
    is_visible = deviation > errors  # deviations below their own errors are not drawn on the logarithmic axis
    name = f"{label}: $n^{{{fit.exponent:.2f} \\pm {fit.error:.2f}}}$"
    low = np.minimum(errors, 0.7 * deviation)
    bars = np.stack([low, errors])[:, is_visible]
    style.with_errors(panel, result.widths[is_visible], deviation[is_visible], bars, color=colour, linestyle="none")
    panel.plot(result.widths, np.abs(fit.predict(result.widths)), color=colour, label=name)
    middle = np.sqrt(result.widths[0] * result.widths[-1])
    panel.plot(result.widths, np.abs(fit.predict(middle)) * middle / result.widths, **style.THEORY)


def _shown(widths: Any) -> list[float]:
    """Return the narrowest, a middle and the widest width."""
    return [float(width) for width in dict.fromkeys((widths[0], widths[len(widths) // 2], widths[-1]))]
