"""Figures of Bayesian networks: the factor of the correction against the overlap, and the measured first orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure

from bridge.geometry.posterior import QUANTITIES, FirstOrder
from bridge.plots import layout, style

DIMENSIONS = (2, 100)  # of the panels of Figure E.1
DEGREES = range(1, 11)  # of its curves
POINTS = 101


def draw_factor(results: Mapping[str, Sequence[FirstOrder]]) -> Figure:
    """Draw Figure E.1: chi over its largest value for degrees 1 to 10, with the measured values where d is that."""
    from theory.geometry import bayesian_volume_correction

    overlap = np.linspace(0.0, 1.0, POINTS)
    titles = [f"$d = {dimension}$" for dimension in DIMENSIONS]
    look: layout.Look = {"x": "overlap $p$", "y": r"$\chi(p^2)/\chi(1)$", "titles": titles}
    with layout.drawing(1, len(DIMENSIONS), **look, size=(3.2, 2.7), sharey=True) as (figure, axes):
        for panel, dimension in zip(axes[0], DIMENSIONS, strict=True):
            for degree in DEGREES:
                chi = bayesian_volume_correction(degree).factor
                largest = float(chi(d=dimension, p2=1.0))
                curve = np.broadcast_to(chi(d=dimension, p2=overlap**2), overlap.shape)
                panel.plot(overlap, curve / largest, color=_shade(degree))
                for mean, _ in results.values():
                    if (mean.degree, mean.dimension) == (degree, dimension) and mean.squared_target > 1:
                        scale = mean.per_coefficient
                        measured, errors = (dimension + scale * mean.measured) / largest, scale * mean.errors / largest
                        style.with_errors(panel, mean.overlaps, measured, errors, color=_shade(degree), linestyle="")
        entries = [style.entry(f"$q = {degree}$", color=_shade(degree)) for degree in DEGREES]
        entries.append(style.entry("measured", color=style.INK, marker="o", linestyle="none"))
        figure.legend(handles=entries, loc="outside right center", fontsize=7)
    return figure


def draw_orders(results: Mapping[str, Sequence[FirstOrder]]) -> Figure:
    """Draw both first orders in 1/width against the overlap, one panel for each configuration."""
    overlap = np.linspace(0.0, 1.0, POINTS)
    with layout.drawing_of(len(results), x="overlap $p$", y=r"coefficient of $1/n$") as (figure, axes):
        for panel, (label, pair) in zip(axes, results.items(), strict=True):
            for result, colour in zip(pair, style.COLOURS, strict=False):
                style.with_errors(panel, result.overlaps, result.measured, result.errors, color=colour, linestyle="")
                panel.plot(overlap, result.curve(overlap), **(style.THEORY | {"color": colour}))
            panel.axhline(0, color=style.INK, linewidth=0.6)
            panel.set_title(label)
        kinds = zip(QUANTITIES.values(), style.COLOURS, strict=False)
        entries = [style.entry(name, color=colour, marker="o", linestyle="none") for name, colour in kinds]
        style.legend(figure, [*entries, style.theory_handle()])
    return figure


def _shade(degree: int) -> Any:
    return colormaps["Reds"](1.0 - 0.07 * (degree - 1))
