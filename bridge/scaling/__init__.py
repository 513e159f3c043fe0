"""Scaling exponents, with an offset if there is one and with intervals that cover.

fit = bridge.scaling.fit(x, y)              # y: [point], or [point, repetition]
fit.exponent, fit.interval, fit.offset, fit.plot()
"""

from __future__ import annotations

from bridge.scaling.power_law import fit
from bridge.scaling.result import ScalingFit

__all__ = ["ScalingFit", "fit"]
