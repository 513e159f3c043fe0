"""Forecasts of every network from the first part of its training, scored on the rest, for reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from bridge.plots import layout, style
from bridge.results.analysis import Picture, Table, table_of
from bridge.two_point import Forecast, Score, curves
from bridge.two_point.curves import draw_forecast
from bridge.two_point.studies.fitted import Fitted
from bridge.two_point.studies.predictions import until_half_way

LARGE = (4.2, 2.8)  # of a single panel, inches
DRAWN = 4  # configurations in the figure
POINTS = 200  # times of a drawn forecast
CAPTION = (
    "The first network of each configuration. Coloured, left of the grey line: what the theory was fitted to; right of "
    "it: what came. Dashed with bands: the forecast."
)


@dataclass(frozen=True)
class Scored:
    """The forecasts of one configuration, one for each seed, and their scores."""

    label: str
    forecasts: tuple[Forecast, ...]
    scores: tuple[Score, ...]

    @property
    def held(self) -> int:
        """Number of seeds whose whole rest is inside the band."""
        return sum(all(score.held) for score in self.scores)


def scored(fitted: Sequence[Fitted]) -> tuple[Scored, ...]:
    """Forecast every seed from the time when its outputs are half way, and score it; skip seeds that are too short."""
    from bridge import two_point

    found = []
    for entry in fitted:
        forecasts, scores = [], []
        for seed in range(entry.trace.sizes["seed"]) if entry.law == "effective" else ():
            whole = entry.trace.isel(seed=[seed])
            beginning = until_half_way(whole)
            if beginning.sizes["step"] == whole.sizes["step"]:
                continue
            later = whole.step.values[beginning.sizes["step"] :]
            try:
                fit = two_point.fit(beginning, layer=entry.layer)
                forecast = fit.forecast(np.unique(np.linspace(later[0], later[-1], POINTS)))
                scores.append(forecast.score(whole))
                forecasts.append(forecast)
            except ValueError:  # too few points, or constant curves
                continue
        if scores:
            found.append(Scored(entry.label, tuple(forecasts), tuple(scores)))
    return tuple(found)


def table(found: Sequence[Scored]) -> Table:
    """Return the table of scores."""
    caption = (
        "Each network is forecast from the time (in epochs, median) when its outputs were half way to their targets. "
        f"Wholly inside: networks whose whole rest is inside the band, meant for {found[0].scores[0].level:.0%}; "
        "difference: root mean square, relative to the largest value of the curve."
    )
    return table_of(
        "forecasts", "Forecasts", caption, found,
        (
            ("configuration", lambda one: one.label),
            ("seeds", lambda one: len(one.scores)),
            ("seen up to", lambda one: float(np.median([forecast.seen for forecast in one.forecasts]))),
            ("wholly inside", lambda one: f"{one.held} of {len(one.scores)}"),
            ("points inside, %", lambda one: 100 * float(np.concatenate([s.inside for s in one.scores]).mean())),
            ("difference, %", lambda one: 100 * float(np.mean([score.errors.mean() for score in one.scores]))),
        ),
    )  # fmt: skip


def finding(found: Sequence[Scored]) -> str:
    """Return one sentence on all forecasts."""
    count = sum(len(entry.scores) for entry in found)
    return (
        f"Forecast from half way, the whole rest of {sum(entry.held for entry in found)} of {count} networks is inside "
        f"bands meant for {found[0].scores[0].level:.0%}."
    )


def picture(found: Sequence[Scored], fitted: Sequence[Fitted]) -> Picture:
    """Return the figure of the first forecast of at most four configurations, with the rest of the measurement."""
    traces = {entry.label: entry for entry in fitted}
    return Picture(
        "two-point-forecast", CAPTION, draw([(traces[one.label], one.forecasts[0]) for one in found[:DRAWN]])
    )


def draw(shown: Sequence[tuple[Fitted, Forecast]]) -> Figure:
    """Draw a row of panels, one for each pair of a configuration and a forecast of one of its seeds."""
    with layout.drawing(1, len(shown), size=LARGE if len(shown) == 1 else style.PANEL) as (figure, axes):
        for axis, (entry, forecast) in zip(np.ravel(axes), shown, strict=True):
            draw_forecast(forecast, axis)
            label = forecast.fit.trace.label
            fit = next(one for one in entry.fit.per_seed if one.trace.label == label)
            later = fit.trace.t > forecast.seen
            for (colour, _), row in zip(curves.LOOKS.values(), fit.trace.state, strict=True):
                axis.plot(fit.trace.t[later], row[later], color=colour, linewidth=1.2)
            axis.set_xlim(0, 3 * forecast.seen)
            axis.set_title(entry.label, loc="left")
            axis.set_xlabel("")
            axis.get_legend().remove()
        figure.supxlabel("training time (epochs)", fontsize=9)
        curves.legend(figure)
    return figure
