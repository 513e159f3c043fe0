"""What can be tested of two points: predictions of the studies, for networks that have learned both targets."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

import numpy as np
import xarray as xr

from bridge.results.quantity import Quantity
from bridge.validity.prediction import Pair, Prediction
from bridge.validity.recorded import PlannedMap
from empirics.experiments.two_point import Config
from empirics.experiments.two_point.studies import named
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.figures import EXPONENTIAL
from papers.vanrossem2024.studies import single
from papers.vanrossem2024.studies.fitted import MISSES, TWICE, Fitted, fit_one, logarithms
from papers.vanrossem2024.studies.predictions import distances, forecasts

LEARNED = 1e-3  # squared distance of the outputs from both targets, relative to that of the targets, when it has ended
STEADY = float(np.log(1.1))  # smallest relevant change of a time constant, in a logarithm
FORM = ("two_point.final_distance",)
CURVES = ("two_point.dh2", "two_point.dy2", "two_point.w")

BASE = named("default", "smoke")


def of_trained(compare: Callable[[Fitted], Pair]) -> Callable[[xr.Dataset], Pair]:
    """Return a comparison of a trace, NaN for networks that have not learned both targets, from one of their fit."""

    @wraps(compare)
    def of_trace(trace: xr.Dataset) -> Pair:
        target2 = float(trace.attrs["target2"])
        last = trace[["dy2", "w", "loss"]].isel(step=-1)
        distances_of_seeds = trace["dh2"].transpose("seed", ...).values
        has_learned = (last["loss"] <= LEARNED * target2).values & np.isfinite(
            distances_of_seeds
        ).all(axis=(1, 2))
        pair = np.full((2, len(has_learned)), np.nan)
        if has_learned.any():
            try:
                pair[:, has_learned] = np.broadcast_arrays(
                    *compare(fit_one("networks", trace.isel(seed=has_learned)))
                )
            except ValueError:  # curves that no time constants describe at all
                return pair[0], pair[1]
        return pair[0], pair[1]

    return of_trace


@of_trained
def final_distance(fitted: Fitted) -> Pair:
    """Return Eq. (10) with the rates of the whole training, and the final distances."""
    return distances(fitted, fitted.fit.per_seed)


@of_trained
def forecast_distance(fitted: Fitted) -> Pair:
    """Return Eq. (10) with the rates of the first half of the way, and the final distances."""
    fits = forecasts(fitted)
    return distances(fitted, fits) if fits else (np.nan, np.nan)


def unexplained(quantity: Quantity) -> Callable[[xr.Dataset], Pair]:
    """Return the comparison of a share that the theory leaves unexplained with a tenth."""
    return of_trained(lambda fitted: (MISSES, logarithms(quantity, fitted)))


def constancy(name: str) -> Callable[[xr.Dataset], Pair]:
    """Return the comparison of the logarithms of a time constant, of the whole training and of its first half."""

    def compare(fitted: Fitted) -> Pair:
        early = np.log([getattr(fit, name) for fit in forecasts(fitted)])
        whole = np.log([getattr(fit, name) for fit in fitted.fit.per_seed])
        return (whole, early) if len(early) else (np.nan, np.nan)

    return of_trained(compare)


def delay(trace: xr.Dataset) -> Pair:
    """Return the delay of exponential decay, and that of each network."""
    return EXPONENTIAL, single.delays(trace)


def with_gain(config: Config, gain: float) -> Config:
    """Return networks of another gain, with steps that are smaller where the weights make the gradients larger.

    Args:
        config: networks whose ``gain`` and ``learning_rate`` change, and nothing else.
        gain: standard deviation of the initial weights, relative to one over the root of the width.
    """
    steeper = max(1.0, gain**config.depth) / max(1.0, config.gain**config.depth)
    return config.changed(gain=gain, learning_rate=config.learning_rate / steeper)


def _about(
    name: str, sentence: str, compare: Callable[[xr.Dataset], Pair], quantity: str, **fields: Any
) -> Prediction:
    settings: dict[str, Any] = {
        "base": BASE,
        "forms": CURVES,
        "axes": {"gain": with_gain},
    } | fields
    return Prediction(f"two_point.{name}", sentence, compare, quantity=quantity, **settings)


FINAL_DISTANCE = _about(
    "final_distance", "The representations end as far apart as Eq. (10) says with the rates of the whole training.",
    final_distance, q.DISTANCE_FITTED, forms=FORM,
)  # fmt: skip
FORECAST_DISTANCE = _about(
    "forecast_distance", "They end as far apart as Eq. (10) says with the rates of the first half of the way.",
    forecast_distance, q.DISTANCE_FORECAST, forms=FORM,
)  # fmt: skip
CURVES_EXPLAINED = _about(
    "curves", "Two constants explain nine tenths of the variance of distances and alignment.",
    unexplained(q.UNEXPLAINED_CURVES), q.UNEXPLAINED_CURVES, relation="<", resolution=TWICE, is_relative=False,
)  # fmt: skip
WORST_CURVE = _about(
    "worst_curve", "Two constants explain nine tenths of the variance of each of the three curves.",
    unexplained(q.UNEXPLAINED_WORST), q.UNEXPLAINED_WORST, relation="<", resolution=TWICE, is_relative=False,
)  # fmt: skip
LOSS_EXPLAINED = _about(
    "loss", "Three constants explain nine tenths of the variance of the training loss.",
    unexplained(q.UNEXPLAINED_LOSS), q.UNEXPLAINED_LOSS, relation="<", resolution=TWICE, is_relative=False,
    forms=("two_point.loss",),
)  # fmt: skip
ENCODER_RATE = _about(
    "constant_encoder_rate", "The encoder's time constant is that of the first half of the way, to a tenth.",
    constancy("tau_h"), "", resolution=STEADY, is_relative=False,
)  # fmt: skip
DECODER_RATE = _about(
    "constant_decoder_rate", "The decoder's time constant is that of the first half of the way, to a tenth.",
    constancy("tau_y"), "", resolution=STEADY, is_relative=False,
)  # fmt: skip
PLATEAU = _about(
    "plateau", "The loss stays on a plateau: it takes longer to its half than exponential decay does.",
    delay, q.DELAY, relation=">", resolution=TWICE, is_relative=False,
    base=replace(BASE, gain=0.9, learning_rate=0.06),
)  # fmt: skip
FORECASTS = PlannedMap(
    "two-point-forecasts", FORECAST_DISTANCE, {"gain": (0.8, 1.6), "dx": (0.2, 3.0)}, 1000, first_seed=3000
)  # fmt: skip
POINTS = PlannedMap("two-point-points", FINAL_DISTANCE, {"dx": (0.2, 3.0)}, 600)
# A first plan, with 2,400 networks, left 30 % of the places undecided; twice as many do not decide more.
WEIGHTS = PlannedMap(
    "two-point-weights", FINAL_DISTANCE, {"gain": (0.8, 1.6), "width": (10, 100), "depth": (2, 8)}, 5000,
    first_seed=2000,
)  # fmt: skip
