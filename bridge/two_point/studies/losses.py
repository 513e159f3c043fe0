"""Fit losses over networks: their median and range, since one network says little of the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bridge.statistics.arrays import Array
from bridge.two_point import TwoPointFit


@dataclass(frozen=True)
class Losses:
    """Fit losses (Eq. 49) over networks.

    Attributes:
        median: their median.
        least: the smallest.
        largest: the largest.
        networks: number of networks.
    """

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
