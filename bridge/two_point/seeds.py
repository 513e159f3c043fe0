"""One result from the fits of several seeds."""

from __future__ import annotations

import math

import numpy as np

from bridge import arrays
from bridge.two_point.mean_output import MeanOutput
from bridge.two_point.result import TwoPointFit


def joint(fits: tuple[TwoPointFit, ...]) -> TwoPointFit:
    """One result from the fits of several seeds: geometric means, and standard errors of the mean logarithms."""
    first = fits[0]
    mean, errors = None, {}
    values = {"tau_h": [each.tau_h for each in fits], "tau_y": [each.tau_y for each in fits]}
    means = [each.mean for each in fits if each.mean is not None]
    if len(means) > 1:
        values["tau_mean"] = [each.tau for each in means]
    centre = {}
    for name, each in values.items():
        log, error = arrays.mean_and_error(np.log(each))
        centre[name] = math.exp(log)
        errors[name] = centre[name] * error
    if "tau_mean" in values:
        mean = MeanOutput(
            tau=centre["tau_mean"],
            error=errors["tau_mean"],
            mean2_0=float(np.mean([each.mean2_0 for each in means])),
            loss=float(np.mean([each.loss for each in means])),
            r_squared=float(np.mean([each.r_squared for each in means])),
        )
    state = np.mean([each.initial_state for each in fits], axis=0)
    return TwoPointFit(
        law=first.law,
        tau_h=centre["tau_h"],
        tau_y=centre["tau_y"],
        mean=mean,
        errors=errors,
        warnings=tuple(f"{each.trace.label}: {warning}" for each in fits for warning in each.warnings),
        initial=first.initial if len({each.initial for each in fits}) == 1 else "mixed",
        initial_state=(float(state[0]), float(state[1]), float(state[2])),
        trace=first.trace,
        estimate=first.estimate,
        seeds=fits,
    )
