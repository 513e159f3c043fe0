r"""Estimation of the effective learning rates of a training run by least squares along exact trajectories.

The objective is the paper's fit loss (Eq. 49): the unweighted sum over epochs of the squared differences in ``dh2``,
``dy2`` and ``w``. The parameters are the logarithms of the time constants.

**The initial state.** A trace of an experiment contains the initial state of the network exactly, and the paper uses
it: ``initial="data"``. In a noisy table a trajectory through the first point biases both time constants;
``initial="fit"`` also fits the initial state. The default, ``"auto"``, chooses as :mod:`bridge.two_point.hidden_noise`
describes. ``fit.initial`` is ``"data"``, ``"fit"`` or ``"drawn"`` accordingly; a warning gives the constants of the
other choice, or of another minimum within the noise, if they differ by more than twice their errors.

**Errors.** With several seeds, the error is the standard error of the mean logarithm over seeds. With one trace, it
comes from the residuals (:mod:`bridge.fit.estimate`); those of trained networks are systematic, so that it is only a
lower bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from bridge.fit.estimate import find_noise
from bridge.fit.outcome import Failure, each, raised
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
Initial = str | tuple[float, float, float]
Choice = tuple[Trajectory, str, Array]


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
    return joint(fit_traces(law, read(data, dx2=dx2, target2=target2, layer=layer, time=time), initial))


def fit_layers(data: Any, **options: Any) -> Mapping[Any, TwoPointFit]:
    """Apply :func:`fit` to every layer of a trace; ``options`` as there, without ``layer``. Returns fits by layer.

    Args:
        data: a trace or table with several layers, as of :func:`fit`.
        options: keywords of :func:`fit` other than ``layer``.

    Returns:
        The fits by layer.

    Raises:
        TypeError, ValueError: as of :func:`fit`, and for the option ``layer``.

    >>> from empirics.experiments import two_point
    >>> config = two_point.Config(depth=3, width=40, layers=(1, 2), epochs=800, seeds=2)
    >>> list(fit_layers(two_point.run(config, progress=False)))
    [1, 2]
    """
    if "layer" in options:
        raise TypeError("layer: fit_layers takes every layer; for one of them call fit(..., layer=...)")
    layers = table.layers(data)
    return {layer: fit(data, layer=layer, **options) for layer in layers}


def fit_traces(law: str, traces: Sequence[Trace], initial: Initial = "auto") -> list[TwoPointFit | Failure]:
    """Fit a law to the checked traces of single seeds; each fit, or error, is the one that the trace has alone."""
    dynamics = EFFECTIVE if law == EFFECTIVE.name else Altered(law)
    notes: list[list[str]] = [[] for _ in traces]
    chosen = _each(dynamics, traces, initial, notes)
    find_noise([one[0].estimate for one in chosen if isinstance(one, tuple)])
    means = mean_output.fit_each(traces, chosen, notes)
    return each(partial(_fit, dynamics, initial), zip(traces, chosen, means, notes, strict=True))


def _each(
    law: Dynamics, traces: Sequence[Trace], initial: Initial, notes: Sequence[list[str]]
) -> list[Choice | Failure]:
    begins = each(partial(_known, initial), zip(traces, notes, strict=True))
    known = [(trace, one) if isinstance(one, np.ndarray) else one for trace, one in zip(traces, begins, strict=True)]
    return each(partial(_trajectory, law, initial), zip(traces, trajectories.through(law, known), notes, strict=True))


def _fit(
    law: Dynamics, initial: Initial, trace: Trace, choice: Choice | Failure, mean: MeanOutput | Failure | None,
    warnings: list[str],
) -> TwoPointFit:  # fmt: skip
    fitted, how, noise = raised(choice)
    estimate, state, (tau_h, tau_y), mean = fitted.estimate, fitted.initial, fitted.constants, raised(mean)
    errors = dict(zip(("tau_h", "tau_y"), np.multiply(fitted.constants, fitted.errors).tolist(), strict=True))
    if mean is not None:
        errors["tau_mean"] = mean.error
    warnings += applicability.check(trace, estimate, tau_h, tau_y, state, noise, law is EFFECTIVE)
    begin, again = (float(state[0]), float(state[1]), float(state[2])), partial(_constants, law, initial)
    return TwoPointFit(law, tau_h, tau_y, mean, errors, tuple(warnings), how, begin, trace, estimate, again=again)


def _known(initial: Initial, trace: Trace, warnings: list[str]) -> Array | None:
    """Return the initial state ``[3]`` of a fit with a known one, else None."""
    if not isinstance(initial, str):
        return states.given(initial, trace.target2)
    noise = states.noise(trace)
    is_possible = trace.state[0, 0] > 0 and trace.state[1, 0] >= 0  # undetected noise may make them negative
    if initial == "fit" or (initial == "auto" and (not is_possible or states.is_noisy(trace, noise))):
        return None
    return states.first(trace, warnings, noise)


def _constants(law: Dynamics, initial: Initial, traces: Sequence[Trace]) -> list[Array | Failure]:
    """Return the logarithms of the time constants ``[2]`` of each trace alone."""
    chosen = _each(law, traces, initial, [[] for _ in traces])
    return [one if isinstance(one, Failure) else one[0].estimate.parameters[:2] for one in chosen]


def _trajectory(
    law: Dynamics, initial: Initial, trace: Trace, through: Trajectory | Failure | None, warnings: list[str]
) -> Choice:
    """Return the fit, how its initial state was chosen, and the noise of the curves; ``warnings`` are of the first."""
    noise, how, fixed = states.noise(trace), initial if isinstance(initial, str) else "given", raised(through)
    if fixed is None:
        unbound = trajectories.free(law, trace, noise)
        known = hidden_noise.beginning(trace, unbound.estimate, noise) if how == "auto" else None
        if known is not None:
            return trajectories.drawn(law, trace, unbound, known), "drawn", noise
        warnings += hidden_noise.other_minimum(unbound)
        return unbound, "fit", np.maximum(noise, hidden_noise.white_noise(unbound)) if how == "auto" else noise
    left = np.sqrt((fixed.estimate.residuals**2).mean(axis=1))
    if how != "auto" or trace.exact or not states.is_noisy(trace, left):
        return fixed, how.replace("auto", "data"), noise
    unbound = trajectories.free(law, trace, noise)
    hidden = hidden_noise.hidden_noise(fixed, unbound)
    if hidden is None:
        warnings += hidden_noise.other_start(fixed, unbound, "if it is free (initial='fit')")
        return fixed, "data", noise
    warnings[:] = hidden_noise.other_start(unbound, fixed, "through the first point (initial='data')")
    warnings += hidden_noise.other_minimum(unbound)
    return unbound, "fit", hidden


def joint(outcomes: Sequence[TwoPointFit | Failure]) -> TwoPointFit:
    """Return the joint fit of several seeds: geometric means, and standard errors of the mean logarithms.

    The fit of one seed is this fit; the first error, if there is one, is raised.
    """
    fits = tuple(raised(outcome) for outcome in outcomes)
    if len(fits) == 1:
        return fits[0]
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
        shared = ("mean2_0", "loss", "r_squared")
        averages = {name: float(np.mean([getattr(decay, name) for decay in means])) for name in shared}
        mean = MeanOutput(centre["tau_mean"], errors["tau_mean"], **averages)
    state = np.mean([fit.initial_state for fit in fits], axis=0)
    warnings = tuple(f"{fit.trace.label}: {warning}" for fit in fits for warning in fit.warnings)
    how = first.initial if len({fit.initial for fit in fits}) == 1 else "mixed"
    tau_h, tau_y, begin = centre["tau_h"], centre["tau_y"], (float(state[0]), float(state[1]), float(state[2]))
    return TwoPointFit(first.law, tau_h, tau_y, mean, errors, warnings, how, begin, first.trace, first.estimate, fits)
