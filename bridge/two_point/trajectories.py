"""Least-squares fits of the theory to one trace, with an initial state that is known, free, or drawn to a value."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bridge.fit import estimate as least_squares
from bridge.fit.estimate import Beginning, Estimate
from bridge.fit.outcome import Failure, together
from bridge.fit.search import Ends, Model, descend, minimise
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


def through(law: Dynamics, given: Sequence[tuple[Trace, Array] | Failure | None]) -> list[Trajectory | Failure | None]:
    """Fit the time constants of every trace through a known initial state ``[3]``; errors and None stay."""
    begun = together(partial(_begun, law), given, lambda one: start.thinned(one[0]).size)
    return together(partial(_fitted, law), begun, lambda one: one[0].t.size)


def _begun(law: Dynamics, given: Sequence[tuple[Trace, Array]]) -> list[tuple[Trace, Array, Array, Array, Array]]:
    """Return traces and initial states with the best parameters at few points in time, and their bounds."""
    traces, initial = [trace for trace, _ in given], np.array([begin for _, begin in given])
    starts = start.searches(traces, initial, law)  # [trace, start, 2]
    lower, upper = starts.min(axis=1) - WIDEST, starts.max(axis=1) + WIDEST
    each = np.repeat(np.arange(len(given)), starts.shape[1])
    model, observed = _with_known(law, [traces[i] for i in each], initial[each], start.THINNED)
    ends, _ = descend(model, observed, starts.reshape(-1, 2), lower[each], upper[each], law.step)
    lowest = ends.squares.reshape(starts.shape[:2]).argmin(axis=1)
    best = ends.parameters.reshape(starts.shape)[np.arange(len(given)), lowest]
    return [*zip(traces, initial, best, lower, upper, strict=True)]


def _fitted(law: Dynamics, begun: Sequence[tuple[Trace, Array, Array, Array, Array]]) -> list[Trajectory]:
    traces, *rows = zip(*begun, strict=True)
    initial, best, lower, upper = map(np.array, rows)
    model, observed = _with_known(law, traces, initial)
    times = [trace.elapsed for trace in traces]
    estimates = enumerate(least_squares.estimates(model, times, observed, best, lower, upper, law.step))
    return [Trajectory(one, partial(model, which=number), initial[number], NONE) for number, one in estimates]


def _with_known(
    law: Dynamics, traces: Sequence[Trace], initial: Array, points: int | None = None
) -> tuple[Callable[..., Array], Array]:
    """Return the model ``(parameters [set, 2], which [set] of the traces or one)`` of the traces, and what they see."""
    together = start.Together(law, traces, points)

    def model(parameters: Array, which: NDArray[np.int_] | int) -> Array:
        owners = np.broadcast_to(which, len(parameters))
        return together.curves(owners, parameters, initial[owners])

    return model, together.observed


def free(law: Dynamics, trace: Trace, noise: Array) -> Trajectory:
    """Fit the time constants and the initial state; ``noise [3]`` are the standard deviations of the curves' noise."""
    log_tau, begin = start.searches_with_state(trace, noise, law)
    starts = np.concatenate([log_tau, [states.pack(state, trace) for state in begin]], axis=1)
    lower, upper = _bounds(starts, trace)
    curves, keep = partial(_with_state, law, trace), start.thinned(trace)
    thinned = partial(curves, elapsed=trace.elapsed[keep])
    searched, _ = minimise(thinned, trace.state[:, keep], starts, lower, upper, law.step)
    model = partial(curves, elapsed=trace.elapsed)
    found = searched.parameters[searched.squares.argmin()]
    estimate = least_squares.estimate(model, trace.elapsed, trace.state, found, lower, upper, step=law.step)
    state = states.unpack(estimate.parameters[None, 2:], trace)[0]
    return Trajectory(estimate, model, state, starts, _rivals(searched, estimate))


def drawn(law: Dynamics, trace: Trace, unbound: Trajectory, known: Beginning) -> Trajectory:
    """Fit again from a free trajectory, with the initial state drawn to ``known``."""
    starts = unbound.estimate.parameters[None]
    if known.values[0] > 0:
        state = states.project(known.values, trace.target2)
        more = [[*log_tau, *states.pack(state, trace)] for log_tau in start.searches([trace], state[None], law)[0]]
        starts = np.concatenate([starts, more])
    lower, upper = _bounds(np.concatenate([starts, unbound.starts]), trace)
    estimate = least_squares.estimate(
        unbound.model, trace.elapsed, trace.state, starts, lower, upper, step=law.step, beginning=known
    )  # fmt: skip
    return Trajectory(estimate, unbound.model, states.unpack(estimate.parameters[None, 2:], trace)[0], unbound.starts)


def _rivals(searched: Ends, estimate: Estimate) -> Array:
    """Return log time constants ``[minimum, 2]`` of the minima that lie above the lowest by no more than noise."""
    best, points = float(searched.squares.min()), searched.residuals.shape[2]
    correlated = max(1.0, float(estimate.correlation_time.max()) * points / estimate.residuals.shape[1])
    degrees = max(searched.residuals[0].size - searched.parameters.shape[1], 1) / correlated
    order = np.argsort(searched.squares)
    allowed = order[searched.squares[order] <= best * (1 + NEARLY_AS_WELL / degrees)]
    return np.asarray(searched.parameters[allowed, :2])


def _with_state(law: Dynamics, trace: Trace, parameters: Array, elapsed: Array) -> Array:
    begins = states.unpack(parameters[:, 2:], trace)
    return law.curves(elapsed, np.exp(parameters[:, :2]), begins, trace.dx2, trace.target2)


def _bounds(starts: Array, trace: Trace) -> tuple[Array, Array]:
    """Return the bounds of the parameters: wide for logarithms, physical for the initial state."""
    lower, upper = starts.min(axis=0) - WIDEST, starts.max(axis=0) + WIDEST
    unit = states.units(trace)
    longest, most = np.sqrt(np.abs(trace.state[:2]).max(axis=1))
    length, gain = longest / unit[0], most / longest / np.sqrt(unit[-1])
    decoder = 4 * max(gain, float(np.abs(starts[:, 3:-1]).max(initial=0)))
    lower[2:-1], upper[2:-1] = -decoder, decoder
    lower[2], upper[2] = -2 * length, 2 * length
    lower[-1], upper[-1] = 0.0, max(decoder**2, 4 * float(starts[:, -1].max()))
    return lower, upper
