r"""Estimation of the effective learning rates of a training run by least squares along exact trajectories.

The objective is the paper's fit loss (Eq. 49): the unweighted sum over epochs of the squared differences in ``dh2``,
``dy2`` and ``w``. The parameters are the logarithms of the time constants.

**The initial state.** A trace of an experiment contains the initial state of the network exactly, and the paper uses
it: ``initial="data"``. In a noisy table a trajectory through the first point biases both time constants;
``initial="fit"`` also fits the initial state. The default, ``"auto"``, chooses as :mod:`bridge.two_point.automatic`
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
from itertools import chain
from typing import Any

import numpy as np

from bridge.fit.estimate import find_noise
from bridge.fit.outcome import Failure, each, raised
from bridge.statistics import arrays
from bridge.statistics.arrays import Array
from bridge.tables import table
from bridge.two_point import applicability, automatic, mean_output, trajectories
from bridge.two_point import state as states
from bridge.two_point.alternatives import (
    ALTERNATIVES,
    EFFECTIVE,
    Altered,
    Dynamics,
    Effective,
    Fixed,
)
from bridge.two_point.automatic import Choice
from bridge.two_point.mean_output import MeanFit, MeanOutput
from bridge.two_point.result import TwoPointFit
from bridge.two_point.state import InitialState
from bridge.two_point.trace import Trace, read
from bridge.two_point.trajectories import Trajectory
from closedform import checks

CONSTANTS = ("tau_h", "tau_y")
INITIALS = ("auto", "data", "fit")
Initial = str | tuple[float, float, float]


def fit(
    data: Any,
    *,
    dx2: float | None = None,
    target2: float | None = None,
    layer: Any = None,
    initial: str | tuple[float, float, float] = "auto",
    time: str | None = None,
    law: str = EFFECTIVE.name,
    columns: Mapping[str, str] | None = None,
    fixed: Mapping[str, float] | None = None,
) -> TwoPointFit:
    """Fit the effective theory (Eq. 7), or altered dynamics (Eq. 51), to a training run on two points.

    Args:
        data: a trace of this package, a Dataset, or any log that :func:`bridge.table` reads (a path, a folder, rows, a
            frame), with ``t`` (or ``step``, ``epoch``), ``dh2``, ``dy2``, ``w``; optionally ``loss`` (half the mean
            squared error) and ``seed``, which identifies the run. In a mapping, arrays ``[seed, time]`` hold several
            runs.
        dx2: squared distance of the inputs, input^2. Default: from the data's attributes.
        target2: squared distance of the target outputs, output^2. Default: from the data's attributes.
        layer: name of the layer, for data with several layers. Default: the only one.
        initial: ``"auto"``, ``"data"``, ``"fit"``, or a known state ``(dh2, dy2, w)``; see the module's docstring.
            Default: ``"auto"``.
        time: name of the time column. Default: ``t``, ``step``, ``epoch`` or ``time``.
        law: ``"effective"``, the theory, or one of the altered dynamics that :mod:`bridge.two_point.alternatives`
            lists: ``"factor_two"``, ``"square"``, ``"factor_two_dh2"``, ``"plus_sign"``, ``"missing_term"``.
        columns: our name -> name in the data, as of :func:`bridge.table`. Default: none.
        fixed: a time constant that is known, ``{"tau_h": 300}`` or ``{"tau_y": 300}``, in the unit of the data's time;
            the other one is fitted. Default: none.

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
        raise ValueError(
            f"initial: got {initial!r}, needs one of {INITIALS} or three numbers (dh2, dy2, w)"
        )
    traces = read(data, dx2=dx2, target2=target2, layer=layer, time=time, columns=columns)
    return joint(fit_traces(law, traces, initial, _known(fixed)))


def _known(fixed: Mapping[str, float] | None) -> Fixed:
    """Return tau_h and tau_y where they are known; a ValueError for another name, a wrong value, or both."""
    known = checks.mapping("fixed", fixed)
    if not {*known} <= {*CONSTANTS} or len(known) == len(CONSTANTS):
        raise ValueError(f"fixed: got {checks.shown(fixed)}, needs one of {CONSTANTS}")
    tau_h, tau_y = (
        checks.positive_number(f"fixed {name!r}", known[name]) if name in known else None
        for name in CONSTANTS
    )
    return tau_h, tau_y


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
        raise TypeError(
            "layer: fit_layers takes every layer; for one of them call fit(..., layer=...)"
        )
    layers = table.layers(data)
    return {layer: fit(data, layer=layer, **options) for layer in layers}


def fit_traces(
    law: str, traces: Sequence[Trace], initial: Initial = "auto", fixed: Fixed = (None, None)
) -> list[TwoPointFit | Failure]:
    """Fit a law to the traces of single seeds, all at once; each result is the one that the trace has alone.

    Args:
        law: name of the law, as of :func:`fit`.
        traces: checked traces.
        initial: as of :func:`fit`. Default: ``"auto"``.
        fixed: tau_h and tau_y where they are known. Default: neither.

    Returns:
        The fit of each trace, or its error.
    """
    dynamics = Effective(fixed) if law == EFFECTIVE.name else Altered(law, fixed)
    choices = _choices(dynamics, traces, initial)
    fitted = [choice.trajectory if isinstance(choice, Choice) else choice for choice in choices]
    find_noise(
        [trajectory.estimate for trajectory in fitted if isinstance(trajectory, Trajectory)]
    )
    means = mean_output.fit_each(traces, fitted)
    return each(partial(_result, dynamics, initial), zip(traces, choices, means, strict=True))


def _choices(law: Dynamics, traces: Sequence[Trace], initial: Initial) -> list[Choice | Failure]:
    """Fit the time constants, and the initial state where it is free, of every trace."""
    begins = each(partial(_initial_state, initial), zip(traces, strict=True))
    fixed = trajectories.through(law, traces, begins)
    return each(partial(_choice, law, initial), zip(traces, begins, fixed, strict=True))


def _initial_state(initial: Initial, trace: Trace) -> InitialState | None:
    """Return the initial state of a fit with a known one, else None."""
    if not isinstance(initial, str):
        return states.stated(initial, trace.target2)
    if initial == "fit" or (initial == "auto" and automatic.hides_first_point(trace)):
        return None
    return states.first(trace)


def _choice(
    law: Dynamics,
    initial: Initial,
    trace: Trace,
    begin: InitialState | Failure | None,
    fixed: Trajectory | Failure | None,
) -> Choice:
    """Return the fit through a known initial state, or with a free one."""
    begin, fixed = raised(begin), raised(fixed)
    if begin is None or fixed is None:
        if initial == "auto":
            return automatic.noisy(law, trace)
        free = trajectories.free(law, trace)
        return Choice(free, "fit", trace.noise, automatic.other_minimum(free))
    if initial == "auto":
        return automatic.quiet(law, trace, fixed, begin.warnings)
    return Choice(fixed, "data" if initial == "data" else "given", trace.noise, begin.warnings)


def _result(
    law: Dynamics,
    initial: Initial,
    trace: Trace,
    choice: Choice | Failure,
    mean_fit: MeanFit | Failure,
) -> TwoPointFit:
    choice, (mean, of_mean) = raised(choice), raised(mean_fit)
    fitted = choice.trajectory
    tau_h, tau_y = (
        tau if known is None else known
        for tau, known in zip(fitted.constants, law.fixed, strict=True)
    )
    of_h, of_y = fitted.errors
    errors = {"tau_h": tau_h * of_h, "tau_y": tau_y * of_y}
    if mean is not None:
        errors["tau_mean"] = mean.error
    of_theory = applicability.check(
        trace,
        fitted.estimate,
        tau_h=tau_h,
        tau_y=tau_y,
        initial=fitted.initial,
        noise=choice.noise,
        conserves=law.name == EFFECTIVE.name,
    )
    return TwoPointFit(
        law=law,
        tau_h=tau_h,
        tau_y=tau_y,
        mean=mean,
        errors=errors,
        warnings=(*filter(None, [trace.end]), *choice.warnings, *of_mean, *of_theory),
        initial=choice.initial,
        initial_state=_three(fitted.initial),
        trace=trace,
        estimate=fitted.estimate,
        again=partial(_constants, law, initial),
    )


def _three(state: Array) -> tuple[float, float, float]:
    dh2, dy2, w = map(float, state)
    return dh2, dy2, w


def _constants(law: Dynamics, initial: Initial, traces: Sequence[Trace]) -> list[Array | Failure]:
    """Return the logarithms of the time constants ``[2]`` of each trace alone."""
    choices = _choices(law, traces, initial)
    return [
        choice.trajectory.estimate.parameters[:2] if isinstance(choice, Choice) else choice
        for choice in choices
    ]


def joint(outcomes: Sequence[TwoPointFit | Failure]) -> TwoPointFit:
    """Return the joint fit of several seeds: geometric means, and standard errors of the mean logarithms.

    Args:
        outcomes: the fit of each seed, or its error; at least one.

    Returns:
        The joint fit; that of one seed is this fit.

    Raises:
        TypeError, ValueError, ArithmeticError: the first error among the outcomes.
    """
    fits = tuple(raised(outcome) for outcome in outcomes)
    if len(fits) == 1:
        return fits[0]
    first, means = fits[0], [fit.mean for fit in fits if fit.mean is not None]
    constants = {"tau_h": [fit.tau_h for fit in fits], "tau_y": [fit.tau_y for fit in fits]}
    if len(means) > 1:
        constants["tau_mean"] = [mean.tau for mean in means]
    centre, errors = {}, {}
    for name, values in constants.items():
        log, error = arrays.mean_and_error(np.log(values))
        centre[name] = math.exp(log)
        errors[name] = centre[name] * error
    return TwoPointFit(
        law=first.law,
        tau_h=centre["tau_h"],
        tau_y=centre["tau_y"],
        mean=_joint_mean(means, centre["tau_mean"], errors["tau_mean"])
        if len(means) > 1
        else None,
        errors=errors,
        warnings=tuple(chain.from_iterable(map(_labelled, fits))),
        initial=first.initial if len({fit.initial for fit in fits}) == 1 else "mixed",
        initial_state=_three(np.mean([fit.initial_state for fit in fits], axis=0)),
        trace=first.trace,
        estimate=first.estimate,
        seeds=fits,
    )


def _joint_mean(means: Sequence[MeanOutput], tau: float, error: float) -> MeanOutput:
    mean2_0, loss, r_squared = np.mean(
        [(mean.mean2_0, mean.loss, mean.r_squared) for mean in means], axis=0
    ).tolist()
    return MeanOutput(tau, error, mean2_0, loss, r_squared)


def _labelled(fit: TwoPointFit) -> list[str]:
    """Return the warnings of the fit of a seed, with its name."""
    return [f"{fit.trace.label}: {warning}" for warning in fit.warnings]
