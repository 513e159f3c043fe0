"""Two points: the effective theory of their representations, fitted to a training run.

fit = bridge.two_point.fit(trace)                       # a trace of ours
fit = bridge.two_point.fit("mine.csv", dx2=1.0, target2=0.5)
fit.tau_h, fit.tau_y, fit.errors, fit.loss, fit.r_squared, fit.warnings
bridge.two_point.fit_alternative(trace, "square")       # the altered dynamics of Eq. (51), which should fit worse
"""

from __future__ import annotations

from bridge.two_point.alternatives import ALTERNATIVES, fit_alternative
from bridge.two_point.estimate import fit, fit_layers
from bridge.two_point.result import TwoPointFit

__all__ = ["ALTERNATIVES", "TwoPointFit", "fit", "fit_alternative", "fit_layers"]
