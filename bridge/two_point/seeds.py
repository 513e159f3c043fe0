"""The joint result of the fits of several seeds."""

from __future__ import annotations

import math

import numpy as np

from bridge.statistics import arrays
from bridge.two_point.mean_output import MeanOutput
from bridge.two_point.result import TwoPointFit


def joint(fits: tuple[TwoPointFit, ...]) -> TwoPointFit:
    """Return the joint fit of several seeds: geometric means, and standard errors of the mean logarithms."""
    first = fits[0]
    mean, errors = None, {}
    values = {"tau_h": [fit.tau_h for fit in fits], "tau_y": [fit.tau_y for fit in fits]}
    means = [fit.mean for fit in fits if fit.mean is not None]
    if len(means) > 1:
        values["tau_mean"] = [decay.tau for decay in means]
    centre = {}
    for name, constants in values.items():
        log, error = arrays.mean_and_error(np.log(constants))
        centre[name] = math.exp(log)
        errors[name] = centre[name] * error
    if "tau_mean" in values:
        mean = MeanOutput(
            tau=centre["tau_mean"],
            error=errors["tau_mean"],
            mean2_0=float(np.mean([decay.mean2_0 for decay in means])),
            loss=float(np.mean([decay.loss for decay in means])),
            r_squared=float(np.mean([decay.r_squared for decay in means])),
        )
    state = np.mean([fit.initial_state for fit in fits], axis=0)
    return TwoPointFit(
        law=first.law,
        tau_h=centre["tau_h"],
        tau_y=centre["tau_y"],
        mean=mean,
        errors=errors,
        warnings=tuple(f"{fit.trace.label}: {warning}" for fit in fits for warning in fit.warnings),
        initial=first.initial if len({fit.initial for fit in fits}) == 1 else "mixed",
        initial_state=(float(state[0]), float(state[1]), float(state[2])),
        trace=first.trace,
        estimate=first.estimate,
        seeds=fits,
    )
