"""Least-squares fits of the theory to one trace, with an initial state that is known, free, or drawn to a value."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from bridge.fit import estimate as least_squares
from bridge.fit.estimate import Beginning, Estimate
from bridge.fit.search import Minimum, Model, minimise
from bridge.statistics.arrays import Array
from bridge.two_point import start
from bridge.two_point import state as states
from bridge.two_point.alternatives import Dynamics
from bridge.two_point.trace import Trace

NEARLY_AS_WELL = 6.0  # increase of chi^2 within which the data allow a minimum: 95 % for two parameters
NONE = np.empty((0, 2))
WIDEST = np.log(1e4)  # largest distance of the logarithm of a time constant from its starting value


class Trajectory(NamedTuple):
    """A fitted trajectory; one with a known initial state has neither starts nor rivals."""

    estimate: Estimate  # its first two parameters are the logarithms of the time constants
    model: Model  # curves at the times of the trace, [set, parameter] -> [set, curve, time]
    initial: Array  # initial state, [3]
    starts: Array  # starting values of a free search, [start, parameter]
    rivals: Array = NONE  # log time constants at the minima that the data allow, the best first, [minimum, 2]

    @property
    def constants(self) -> tuple[float, float]:
        """Return tau_h and tau_y."""
        tau_h, tau_y = np.exp(self.estimate.parameters[:2])
        return float(tau_h), float(tau_y)

    @property
    def errors(self) -> tuple[float, float]:
        """Return the standard errors of the logarithms of tau_h and tau_y."""
        of_h, of_y = np.sqrt(np.diagonal(self.estimate.covariance)[:2])
        return float(of_h), float(of_y)


def through(law: Dynamics, trace: Trace, initial: Array) -> Trajectory:
    """Fit the time constants with a known initial state ``[3]``."""

    def curves(parameters: Array, elapsed: Array) -> Array:
        begins = np.tile(initial, (len(parameters), 1))
        return law.curves(elapsed, np.exp(parameters[:, :2]), begins, trace.dx2, trace.target2)

    starts = start.searches(trace, initial, law)
    model = partial(curves, elapsed=trace.elapsed)
    lower, upper = _bounds(starts, trace)
    best = _polished(starts, curves, trace, lower, upper, law.step).parameters
    estimate = least_squares.estimate(model, trace.elapsed, trace.state, best, lower, upper, step=law.step)
    return Trajectory(estimate, model, initial, NONE)


def free(law: Dynamics, trace: Trace, noise: Array) -> Trajectory:
    """Fit the time constants and the initial state; ``noise [3]`` are the standard deviations of the curves' noise."""
    log_tau, begin = start.searches_with_state(trace, noise, law)
    starts = np.concatenate([log_tau, [states.pack(state, trace) for state in begin]], axis=1)
    lower, upper = _bounds(starts, trace)
    curves = partial(_with_state, law, trace)
    searched = _polished(starts, curves, trace, lower, upper, law.step)
    model = partial(curves, elapsed=trace.elapsed)
    estimate = least_squares.estimate(
        model, trace.elapsed, trace.state, searched.parameters, lower, upper, step=law.step
    )
    return Trajectory(estimate, model, _state(estimate, trace), starts, _rivals(searched, estimate))


def drawn(law: Dynamics, trace: Trace, unbound: Trajectory, known: Beginning) -> Trajectory:
    """Fit again from a free trajectory, with the initial state drawn to ``known``."""
    starts = np.array([unbound.estimate.parameters, *start.from_state(trace, known.values, law)])
    lower, upper = _bounds(np.concatenate([starts, unbound.starts]), trace)
    estimate = least_squares.estimate(
        unbound.model, trace.elapsed, trace.state, starts, lower, upper, step=law.step, beginning=known
    )  # fmt: skip
    return Trajectory(estimate, unbound.model, _state(estimate, trace), unbound.starts)


def _rivals(searched: Minimum, estimate: Estimate) -> Array:
    """Return log time constants ``[minimum, 2]`` of the minima that lie above the lowest by no more than noise."""
    best, points = float(searched.squares.min()), searched.residuals.shape[1]
    correlated = max(1.0, float(estimate.correlation_time.max()) * points / estimate.residuals.shape[1])
    degrees = max(searched.residuals.size - searched.ends.shape[1], 1) / correlated
    order = np.argsort(searched.squares)
    allowed = order[searched.squares[order] <= best * (1 + NEARLY_AS_WELL / degrees)]
    return np.asarray(searched.ends[allowed, :2])


def _with_state(law: Dynamics, trace: Trace, parameters: Array, elapsed: Array) -> Array:
    begins = states.unpack(parameters[:, 2:], trace)
    return law.curves(elapsed, np.exp(parameters[:, :2]), begins, trace.dx2, trace.target2)


def _state(estimate: Estimate, trace: Trace) -> Array:
    return np.asarray(states.unpack(estimate.parameters[None, 2:], trace)[0])


def _polished(
    starts: Array, curves: Callable[..., Array], trace: Trace, lower: Array, upper: Array, step: float
) -> Minimum:
    """Follow every start ``[start, parameter]`` to its minimum on a thinned time axis."""
    keep = start.thinned(trace)
    model, observed = partial(curves, elapsed=trace.elapsed[keep]), trace.state[:, keep]
    return minimise(model, observed, starts, lower, upper, step)


def _bounds(starts: Array, trace: Trace) -> tuple[Array, Array]:
    """Return the bounds of the parameters: wide for logarithms, physical for the initial state."""
    lower, upper = starts.min(axis=0) - WIDEST, starts.max(axis=0) + WIDEST
    if starts.shape[1] > 2:
        unit = states.units(trace)
        longest, most = np.sqrt(np.abs(trace.state[:2]).max(axis=1))
        length, gain = longest / unit[0], most / longest / np.sqrt(unit[-1])
        decoder = 4 * max(gain, float(np.abs(starts[:, 3:-1]).max(initial=0)))
        lower[2:-1], upper[2:-1] = -decoder, decoder
        lower[2], upper[2] = -2 * length, 2 * length
        lower[-1], upper[-1] = 0.0, max(decoder**2, 4 * float(starts[:, -1].max()))
    return lower, upper
