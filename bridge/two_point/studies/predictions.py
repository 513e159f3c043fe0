r"""Predictions of the final distance of the representations from a fit, compared with the networks.

There are two predictions for each seed, from the seed's own initial state:

* *fitted*: the final distance (Eq. 10) with the constants fitted to the whole training.
* *forecast*: the final distance with constants fitted only until the outputs are half way to their targets, so that the
  prediction does not use the later part of the training.

The differences of the seeds are independent, so their scatter gives the standard error.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from bridge.results.analysis import with_verdict
from bridge.two_point import TwoPointFit
from bridge.two_point import quantities as q
from bridge.two_point.studies.fitted import Fitted
from bridge.validity.prediction import Pair, paired
from closedform.measured import Measured

HALF_WAY = 0.25  # |dy - (y2 - y1)|^2 relative to |y2 - y1|^2 when dy is half way to its target
QUANTITIES = (q.DISTANCE_FITTED, q.DISTANCE_FORECAST)


def final_distances(fitted: Sequence[Fitted]) -> tuple[Measured, ...]:
    """Compare fit and forecast with every configuration of at least two seeds, under the effective theory."""
    return with_verdict(
        paired(quantity, entry.label, distances(entry, fits))
        for entry in fitted
        if entry.law == "effective" and len(entry.fit.per_seed) > 1
        for quantity, fits in zip(QUANTITIES, (entry.fit.per_seed, forecasts(entry)), strict=True)
        if fits
    )


def finding(compared: Sequence[Measured]) -> tuple[str, ...]:
    """Return a sentence on the deviations from Eq. (10) over all configurations; none without comparisons."""
    shares = [
        [abs(one.deviation / one.predicted) for one in compared if one.quantity == quantity and one.predicted]
        for quantity in QUANTITIES
    ]
    if not all(shares):
        return ()
    fitted, forecast = (100 * float(np.median(share)) for share in shares)
    return (
        f"Where the representations end, Eq. (10) says to {fitted:.2g} % with the constants of the whole training, and "
        f"to {forecast:.2g} % with those of the time until the outputs are half way (medians over configurations).",
    )


def forecasts(fitted: Fitted) -> tuple[TwoPointFit, ...]:
    """Fit the theory to each seed's training up to half way; return none if one of them is too short."""
    from bridge import two_point

    fits = []
    for seed in range(fitted.trace.sizes["seed"]):
        beginning = until_half_way(fitted.trace.isel(seed=[seed]))
        try:
            fits.append(two_point.fit(beginning, layer=fitted.layer))
        except ValueError:
            return ()
    return tuple(fits)


def until_half_way(trace: xr.Dataset) -> xr.Dataset:
    """Return a trace of one seed up to the first epoch at which the outputs are half way to their targets."""
    target2 = float(trace.attrs["target2"])
    error = (2 * trace["w"] - trace["dy2"] + target2).values[0]  # |dy - (y2 - y1)|^2
    is_half_way = np.flatnonzero(error <= HALF_WAY * target2)
    return trace.isel(step=slice(0, int(is_half_way[0]) + 1 if is_half_way.size else None))


def predicted_distances(fits: Sequence[TwoPointFit], dx2: float, target2: float) -> NDArray[np.float64]:
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
    dx2, target2 = (float(fitted.trace.attrs[name]) for name in ("dx2", "target2"))
    measured = fitted.trace["dh2"].sel(layer=fitted.layer).isel(step=-1).values
    return predicted_distances(fits, dx2, target2), measured
