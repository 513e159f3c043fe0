"""Figures of Bayesian networks: the factor of the correction against the overlap, and the measured first orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
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
    with layout.drawing(1, len(DIMENSIONS), size=(3.2, 2.7), sharey=True) as (figure, axes):
        for panel, dimension in zip(axes[0], DIMENSIONS, strict=True):
            for degree in DEGREES:
                chi = bayesian_volume_correction(degree).factor
                largest = float(chi(d=dimension, p2=1.0))
                curve = np.broadcast_to(chi(d=dimension, p2=overlap**2), overlap.shape)
                panel.plot(overlap, curve / largest, color=_shade(degree))
                for mean, _ in results.values():
                    if (mean.degree, mean.dimension) == (degree, dimension) and mean.squared_target > 1:
                        scale = mean.per_coefficient
                        panel.errorbar(
                            mean.overlaps, (dimension + scale * mean.measured) / largest,
                            yerr=scale * mean.errors / largest, color=_shade(degree), **_MARKERS,
                        )  # fmt: skip
            panel.set(xlabel="overlap $p$", title=f"$d = {dimension}$")
        axes[0, 0].set_ylabel(r"$\chi(p^2)/\chi(1)$")
        figure.legend(handles=_degrees(), loc="outside right center", fontsize=7)
    return figure


def draw_orders(results: Mapping[str, Sequence[FirstOrder]]) -> Figure:
    """Draw both first orders in 1/width against the overlap, one panel for each configuration."""
    overlap = np.linspace(0.0, 1.0, POINTS)
    with layout.drawing_of(len(results)) as (figure, axes):
        for panel, (label, pair) in zip(axes.flat, results.items(), strict=False):
            for result, colour in zip(pair, style.COLOURS, strict=False):
                panel.errorbar(result.overlaps, result.measured, yerr=result.errors, color=colour, **_MARKERS)
                panel.plot(overlap, result.curve(overlap), **(style.THEORY | {"color": colour}))
            panel.axhline(0, color=style.INK, linewidth=0.6)
            panel.set(title=label, xlabel="overlap $p$")
        axes.flat[0].set_ylabel(r"coefficient of $1/n$")
        style.legend(figure, _kinds())
    return figure


_MARKERS: dict[str, Any] = {"marker": "o", "markersize": 3.5, "linestyle": "none"}


def _shade(degree: int) -> Any:
    from matplotlib import colormaps

    return colormaps["Reds"](1.0 - 0.07 * (degree - 1))


def _degrees() -> list[Any]:
    lines = [style.entry(f"$q = {degree}$", color=_shade(degree)) for degree in DEGREES]
    return [*lines, style.entry("measured", color=style.INK, **_MARKERS)]


def _kinds() -> list[Any]:
    colours = zip(QUANTITIES.values(), style.COLOURS, strict=False)
    names = [style.entry(name, color=colour, **_MARKERS) for name, colour in colours]
    return [*names, style.theory_handle()]
