r"""Estimation of the effective learning rates of a training run by least squares along exact trajectories.

The objective is the paper's fit loss (Eq. 49): the unweighted sum over epochs of the squared differences in ``dh2``,
``dy2`` and ``w``. The parameters are the logarithms of the time constants.

**The initial state.** A trace of an experiment contains the initial state of the network exactly, and the paper uses
it: ``initial="data"``. In a noisy table a trajectory through the first point biases both time constants;
``initial="fit"`` also fits the initial state. The default, ``"auto"``, uses the data for traces of this package, and
for other tables without white noise in their curves or, where there are too few points to see it there, in their
residuals; otherwise the state is free, but drawn to what the first stretch of the curves gives
(:mod:`bridge.two_point.hidden_noise`). ``fit.initial`` is ``"data"``, ``"fit"`` or ``"drawn"`` accordingly, and a
warning gives the constants of the other choice if they differ by more than twice their errors, or those of another
minimum within the noise.

**Errors.** With several seeds, the error is the standard error of the mean logarithm over seeds; ``fit.interval`` uses
Student's t. With one trace, it comes from the residuals and allows for noise that differs between curves, is shared by
them, or is correlated in time (:mod:`bridge.fit.correlated_noise`). The residuals of trained networks are systematic,
so this error is only a lower bound, and several seeds should be used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from bridge.statistics import arrays
from bridge.statistics.arrays import Array
from bridge.tables import table
from bridge.two_point import applicability, hidden_noise, mean_output, trajectories
from bridge.two_point import state as states
from bridge.two_point.alternatives import ALTERNATIVES, EFFECTIVE, Altered, Dynamics
from bridge.two_point.mean_output import MeanOutput
from bridge.two_point.result import TwoPointFit
from bridge.two_point.trace import Trace, read
from bridge.two_point.trajectories import Trajectory
from closedform import checks

INITIALS = ("auto", "data", "fit")


def fit(
    data: Any,
    *,
    dx2: float | None = None,
    target2: float | None = None,
    layer: Any = None,
    initial: str | tuple[float, float, float] = "auto",
    time: str | None = None,
    law: str = EFFECTIVE.name,
) -> TwoPointFit:
    """Fit the effective theory (Eq. 7), or altered dynamics (Eq. 51), to a training run on two points.

    Args:
        data: a trace of this package, or a Dataset, DataFrame, mapping, CSV or netCDF file with ``t`` (or ``step``,
            ``epoch``), ``dh2``, ``dy2``, ``w``; optionally ``loss`` (half the mean squared error) and ``seed``, which
            identifies the run. In a mapping, arrays ``[seed, time]`` hold several runs.
        dx2: squared distance of the inputs, input^2. Default: from the data's attributes.
        target2: squared distance of the target outputs, output^2. Default: from the data's attributes.
        layer: name of the layer, for data with several layers. Default: the only one.
        initial: ``"auto"``, ``"data"``, ``"fit"``, or a known state ``(dh2, dy2, w)``; see the module's docstring.
            Default: ``"auto"``.
        time: name of the time column. Default: ``t``, ``step``, ``epoch`` or ``time``.
        law: ``"effective"``, the theory, or one of the altered dynamics that :mod:`bridge.two_point.alternatives`
            lists: ``"factor_two"``, ``"square"``, ``"factor_two_dh2"``, ``"plus_sign"``, ``"missing_term"``.

    Returns:
        The fit. For several seeds it is their joint fit, with the single fits in ``per_seed``.

    Raises:
        TypeError, ValueError: for invalid data or arguments; the message names the value and the requirement.

    >>> from empirics.experiments import two_point
    >>> trace = two_point.run(two_point.Config(depth=4, width=40, layers=(2,), epochs=800, seeds=2), progress=False)
    >>> fit(trace).tau_h > 0
    True
    """
    checks.one_of("law", law, (EFFECTIVE.name, *ALTERNATIVES))
    if isinstance(initial, str) and initial not in INITIALS:
        raise ValueError(f"initial: got {initial!r}, needs one of {INITIALS} or three numbers (dh2, dy2, w)")
    traces = read(data, dx2=dx2, target2=target2, layer=layer, time=time)
    dynamics = EFFECTIVE if law == EFFECTIVE.name else Altered(law)
    fits = tuple(fit_trace(dynamics, trace, initial) for trace in traces)
    return fits[0] if len(fits) == 1 else joint(fits)


def fit_layers(data: Any, **options: Any) -> Mapping[Any, TwoPointFit]:
    """Apply :func:`fit` to every layer of a trace; ``options`` as there, without ``layer``. Returns fits by layer.

    >>> from empirics.experiments import two_point
    >>> config = two_point.Config(depth=3, width=40, layers=(1, 2), epochs=800, seeds=2)
    >>> list(fit_layers(two_point.run(config, progress=False)))
    [1, 2]
    """
    if "layer" in options:
        raise TypeError("layer: fit_layers takes every layer; for one of them call fit(..., layer=...)")
    layers = table.layers(data)
    return {layer: fit(data, layer=layer, **options) for layer in layers}


def fit_trace(law: Dynamics, trace: Trace, initial: str | tuple[float, float, float] = "auto") -> TwoPointFit:
    """Fit a law to the checked trace of one seed."""
    warnings: list[str] = []
    fitted, how, noise = _trajectory(law, trace, initial, warnings)
    estimate, model, state, *_ = fitted
    tau_h, tau_y = (float(tau) for tau in np.exp(estimate.parameters[:2]))
    deviation = np.sqrt(np.diagonal(estimate.covariance)[:2])
    errors = {"tau_h": tau_h * float(deviation[0]), "tau_y": tau_y * float(deviation[1])}
    mean = mean_output.fit(trace, estimate, model, warnings) if trace.loss is not None else None
    if mean is not None:
        errors["tau_mean"] = mean.error
    warnings += applicability.check(trace, estimate, tau_h, tau_y, state, noise, law is EFFECTIVE)
    return TwoPointFit(
        law=law,
        tau_h=tau_h,
        tau_y=tau_y,
        mean=mean,
        errors=errors,
        warnings=tuple(warnings),
        initial=how,
        initial_state=(float(state[0]), float(state[1]), float(state[2])),
        trace=trace,
        estimate=estimate,
        again=partial(_constants, law, initial),
    )


def _trajectory(
    law: Dynamics, trace: Trace, initial: str | tuple[float, float, float], warnings: list[str]
) -> tuple[Trajectory, str, Array]:
    """Return the fit, how its initial state was chosen, and the noise of the curves."""
    noise = states.noise(trace)
    how = initial if isinstance(initial, str) else "given"
    if how == "auto":
        return _automatic(law, trace, noise, warnings)
    if how == "fit":
        fitted = trajectories.free(law, trace, noise)
        warnings += hidden_noise.other_minimum(fitted)
    else:
        state = states.first(trace, warnings, noise) if how == "data" else states.given(initial, trace.target2)
        fitted = trajectories.through(law, trace, state)
    return fitted, how, noise


def _constants(law: Dynamics, initial: str | tuple[float, float, float], trace: Trace) -> Array:
    """Return the logarithms of the time constants ``[2]`` alone."""
    return _trajectory(law, trace, initial, [])[0].estimate.parameters[:2]


def _automatic(law: Dynamics, trace: Trace, noise: Array, warnings: list[str]) -> tuple[Trajectory, str, Array]:
    """Return the fit with the initial state that the data call for, how that is, and the noise of the curves."""
    is_possible = trace.state[0, 0] > 0 and trace.state[1, 0] >= 0  # undetected noise may make them negative
    if not is_possible or states.is_noisy(trace, noise):
        unbound = trajectories.free(law, trace, noise)
        known = hidden_noise.beginning(trace, unbound.estimate, noise)
        if known is None:
            warnings += hidden_noise.other_minimum(unbound)
            return unbound, "fit", np.maximum(noise, hidden_noise.white_noise(unbound))
        return trajectories.drawn(law, trace, unbound, known), "drawn", noise
    about_first: list[str] = []
    fixed = trajectories.through(law, trace, states.first(trace, about_first, noise))
    if trace.exact or not hidden_noise.leaves_residuals(trace, fixed):
        warnings += about_first
        return fixed, "data", noise
    unbound = trajectories.free(law, trace, noise)
    hidden = hidden_noise.hidden_noise(fixed, unbound)
    if hidden is None:
        warnings += [*about_first, *hidden_noise.other_start(fixed, unbound, "if it is free (initial='fit')")]
        return fixed, "data", noise
    warnings += hidden_noise.other_start(unbound, fixed, "through the first point (initial='data')")
    warnings += hidden_noise.other_minimum(unbound)
    return unbound, "fit", hidden


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
