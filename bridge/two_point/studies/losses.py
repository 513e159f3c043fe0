r"""Fit losses (Eq. 49) over networks, and those with the ratio of both rates fixed by the final distance.

The fit of the released code starts with the latter: it tries 100 common scales of both rates at the ratio
:math:`dh2(\infty)^2 / (dx2\, target2)`, which Eq. (10) implies at small weights, and then minimises over both by a
quasi-Newton method without scaled variables. The altered dynamics end elsewhere, so that on this line their losses are
much larger than at their minimum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from bridge.statistics.arrays import Array
from bridge.two_point import TwoPointFit

EVERY = 10  # epochs between those that are summed, each counted as often
WIDEST = 2.0  # logarithm of the largest change of the common scale from that of the fit
ACCURACY = 1e-3  # of the logarithm of the scale


@dataclass(frozen=True)
class Losses:
    """Median and range of the fit losses (Eq. 49) over networks."""

    median: float
    least: float
    largest: float
    networks: int

    def __str__(self) -> str:
        if self.networks == 1:
            return f"{self.median:.3g}"
        return f"{self.median:.3g} ({self.least:.3g} to {self.largest:.3g})"


def per_seed(fit: TwoPointFit) -> Array:
    """Return the fit loss of every network, ``[seed]``."""
    return np.array([one.loss for one in fit.per_seed])


def over_seeds(fit: TwoPointFit) -> Losses:
    """Return median and range of the fit losses of all networks of a fit."""
    losses = per_seed(fit)
    return Losses(float(np.median(losses)), float(losses.min()), float(losses.max()), len(losses))


def at_fixed_ratio(fit: TwoPointFit) -> Array:
    """Return the smallest fit loss of every network over a common scale of both rates at a fixed ratio, ``[seed]``."""
    return np.array([_smallest(one) for one in fit.per_seed])


def _smallest(fit: TwoPointFit) -> float:
    trace = fit.trace
    kept = slice(None, None, EVERY)
    elapsed, measured = trace.elapsed[kept], trace.state[:, kept]
    begin = np.array([fit.initial_state])
    ratio = trace.state[0, -1] ** 2 / (trace.dx2 * trace.target2)  # of the encoder's rate to the decoder's

    def loss(log_tau_y: float) -> float:
        tau_y = float(np.exp(log_tau_y))
        curves = fit.law.curves(elapsed, np.array([[tau_y / ratio, tau_y]]), begin, trace.dx2, trace.target2)[0]
        return EVERY * float(((curves - measured) ** 2).sum())

    middle = float(np.log(fit.tau_y * fit.tau_h * ratio) / 2)  # the same product of both rates as in the fit
    found = minimize_scalar(
        loss, bounds=(middle - WIDEST, middle + WIDEST), method="bounded", options={"xatol": ACCURACY}
    )
    return float(found.fun)
