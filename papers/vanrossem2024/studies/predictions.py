r"""Predictions of the final distance of the representations (Eq. 10) from a fit, compared with the networks.

There are two predictions for each seed, from its own initial state: *fitted*, with the constants of the whole training,
and *forecast*, with those until the outputs are half way to their targets. The differences of the seeds are
independent, so their scatter gives the standard error. For reports, every network is forecast from the first part of
its training, and scored on the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bridge.plots import layout, style
from bridge.results.analysis import Picture, Table, table_of, with_verdict
from bridge.results.quantity import Quantity
from bridge.two_point import Forecast, Score, TwoPointFit, curves, forecasted
from bridge.two_point.forecast import LEVEL, deviations
from bridge.two_point.forecasted import draw as draw_forecast
from bridge.two_point.trace import Trace
from bridge.validity.prediction import Pair, paired
from closedform.measured import Measured
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies.fitted import Fitted, fit_half_way

LARGE = (4.2, 2.8)  # of a single panel, inches
DRAWN = 4  # configurations in the figure
POINTS = 200  # times of a drawn forecast
CAPTION = (
    "The first network of each configuration. Coloured, left of the grey line: what the theory was fitted to; right of "
    "it: what came. Dashed with bands: the forecast."
)


def final_distances(fitted: Sequence[Fitted]) -> tuple[Measured, ...]:
    """Compare fit and forecast with every configuration of at least two seeds, under the effective theory."""
    entries = [
        entry for entry in fitted if entry.law == "effective" and len(entry.fit.per_seed) > 1
    ]
    fit_half_way(entries)
    compared = []
    for entry in entries:
        compared.append(
            paired(q.DISTANCE_FITTED, entry.label, distances(entry, entry.fit.per_seed))
        )
        early = forecasts(entry)
        if early:
            compared.append(paired(q.DISTANCE_FORECAST, entry.label, distances(entry, early)))
    return with_verdict(compared)


def finding(compared: Sequence[Measured]) -> tuple[str, ...]:
    """Return a sentence on the deviations from Eq. (10) over all configurations; none without comparisons."""

    def shares(quantity: Quantity) -> list[float]:
        of_quantity = [measured for measured in compared if measured.quantity == quantity]
        return [
            abs(measured.deviation / measured.predicted)
            for measured in of_quantity
            if measured.predicted
        ]

    of_fits, of_forecasts = shares(q.DISTANCE_FITTED), shares(q.DISTANCE_FORECAST)
    if not of_fits or not of_forecasts:
        return ()
    fitted, forecast = 100 * float(np.median(of_fits)), 100 * float(np.median(of_forecasts))
    return (
        f"Where the representations end, Eq. (10) says to {fitted:.2g} % with the constants of the whole training, and "
        f"to {forecast:.2g} % with those of the time until the outputs are half way (medians over configurations).",
    )


def forecasts(fitted: Fitted) -> tuple[TwoPointFit, ...]:
    """Fit the theory to each seed's training up to half way; return none if one of them is too short."""
    fits = [fit for fit in fitted.half_way if fit is not None]
    return tuple(fits) if len(fits) == len(fitted.half_way) else ()


def predicted_distances(
    fits: Sequence[TwoPointFit], dx2: float, target2: float
) -> NDArray[np.float64]:
    """Evaluate Eq. (10), ``[fit]``, with the constants and the initial state of each fit."""
    import theory

    states = np.array([fit.initial_state for fit in fits])
    value = theory.catalogue()["two_point.final_distance"](
        dh2_0=states[:, 0],
        dy2_0=states[:, 1],
        tau_h=np.array([fit.tau_h for fit in fits]),
        tau_y=np.array([fit.tau_y for fit in fits]),
        dx2=dx2,
        target2=target2,
    )
    return np.asarray(value, dtype=np.float64)


def distances(fitted: Fitted, fits: Sequence[TwoPointFit]) -> Pair:
    """Return Eq. (10) with the constants of each fit, and the measured final distances, ``[seed]`` each."""
    first = fitted.fit.trace
    measured = np.array([seed_fit.trace.state[0, -1] for seed_fit in fitted.fit.per_seed])
    return predicted_distances(fits, first.dx2, first.target2), measured


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
    entries = [entry for entry in fitted if entry.law == "effective"]
    fit_half_way(entries)

    def early(entry: Fitted) -> list[tuple[TwoPointFit, Trace]]:
        """Return the fits of a configuration that saw a part of the training only, with the whole trace."""
        wholes = [seed_fit.trace for seed_fit in entry.fit.per_seed]
        both = zip(entry.half_way, wholes, strict=True)
        return [(fit, whole) for fit, whole in both if fit and fit.trace.t.size < whole.t.size]

    forecastable = list(map(early, entries))
    roots = iter(deviations([fit for fit, _ in chain.from_iterable(forecastable)]))
    collected = []
    for entry, pairs in zip(entries, forecastable, strict=True):
        forecasts, scores = [], []
        for fit, whole in pairs:
            times = np.unique(np.linspace(whole.t[fit.trace.t.size], whole.t[-1], POINTS))
            try:
                forecast = forecasted.forecast(fit, times, LEVEL, roots=[next(roots)])
                scores.append(forecast.scored([whole]))
                forecasts.append(forecast)
            except ValueError:  # too few points, or constant curves
                continue
        if scores:
            collected.append(Scored(entry.label, tuple(forecasts), tuple(scores)))
    return tuple(collected)


def forecasts_table(found: Sequence[Scored]) -> Table:
    """Return the forecasts_table of scores."""
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


def forecasts_finding(found: Sequence[Scored]) -> str:
    """Return one sentence on all forecasts."""
    count = sum(len(entry.scores) for entry in found)
    return (
        f"Forecast from half way, the whole rest of {sum(entry.held for entry in found)} of {count} networks is inside "
        f"bands meant for {found[0].scores[0].level:.0%}."
    )


def forecasts_picture(found: Sequence[Scored], fitted: Sequence[Fitted]) -> Picture:
    """Return the figure of the first forecast of at most four configurations, with the rest of the measurement."""
    traces = {entry.label: entry for entry in fitted}
    firsts = [(traces[score.label], score.forecasts[0]) for score in found[:DRAWN]]
    return Picture("two-point-forecast", CAPTION, draw_forecasts(firsts))


def draw_forecasts(shown: Sequence[tuple[Fitted, Forecast]]) -> Figure:
    """Draw a row of panels, one for each pair of a configuration and a forecast of one of its seeds."""
    with layout.drawing(1, len(shown), size=LARGE if len(shown) == 1 else style.PANEL) as (
        figure,
        axes,
    ):
        for axis, (entry, forecast) in zip(np.ravel(axes), shown, strict=True):
            draw_forecast(forecast, axis)
            label = forecast.fit.trace.label
            fit = next(
                seed_fit for seed_fit in entry.fit.per_seed if seed_fit.trace.label == label
            )
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
