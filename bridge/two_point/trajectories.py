"""Least-squares fits of the theory to one trace, with an initial state that is known, free, or drawn to a value."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

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
from bridge.two_point.state import InitialState
from bridge.two_point.trace import Trace

# increase of chi^2 within which the data allow a minimum: 95 % for two parameters
NEARLY_AS_WELL = 6.0
NONE = np.empty((0, 2))
# largest distance of the logarithm of a time constant from its starting value
WIDEST = np.log(1e4)


class Trajectory(NamedTuple):
    """A fitted trajectory; one with a known initial state has neither starts nor rivals."""

    estimate: Estimate  # its first two parameters are the logarithms of the time constants
    model: Model  # curves at the times of the trace, [set, parameter] -> [set, curve, time]
    initial: Array  # initial state, [3]
    starts: Array = NONE  # starting values of a free search, [start, parameter]
    # log time constants at the minima that the data allow, the best first, [minimum, 2]
    rivals: Array = NONE

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


class Search(NamedTuple):
    """A search through a known initial state, from the best parameters at few points in time."""

    trace: Trace
    initial: Array  # [3]
    begin: Array  # logarithms of the time constants, [2]
    lower: Array  # their bounds, [2]
    upper: Array


def through(
    law: Dynamics, traces: Sequence[Trace], initial: Sequence[InitialState | Failure | None]
) -> list[Trajectory | Failure | None]:
    """Fit the time constants of every trace through a known initial state.

    Args:
        law: the dynamical law.
        traces: the data, one for each state.
        initial: the initial states; an error, or None where the state is not known, stays in its place.

    Returns:
        The trajectory of each trace, or its error.
    """
    pairs = [
        (trace, state.state) if isinstance(state, InitialState) else state
        for trace, state in zip(traces, initial, strict=True)
    ]
    searches = together(partial(_searches, law), pairs, lambda pair: start.thinned(pair[0]).size)
    return together(partial(_fitted, law), searches, lambda search: search.trace.t.size)


def _searches(law: Dynamics, pairs: Sequence[tuple[Trace, Array]]) -> list[Search]:
    """Find the best parameters of each trace and initial state at few points in time, and their bounds."""
    traces, initial = [trace for trace, _ in pairs], np.array([state for _, state in pairs])
    starts = start.searches(traces, initial, law)  # [trace, start, 2]
    lower, upper = _around(law, starts, axis=1)
    owner = np.repeat(np.arange(len(pairs)), starts.shape[1])
    together = start.Together(law, [traces[index] for index in owner], start.THINNED)
    ends, _ = descend(
        _model(together, initial[owner]), together.observed, starts.reshape(-1, 2),
        lower=lower[owner], upper=upper[owner], step=law.step,
    )  # fmt: skip
    lowest = ends.squares.reshape(starts.shape[:2]).argmin(axis=1)
    best = ends.parameters.reshape(starts.shape)[np.arange(len(pairs)), lowest]
    return list(map(Search, traces, initial, best, lower, upper))


def _fitted(law: Dynamics, searches: Sequence[Search]) -> list[Trajectory]:
    """Continue the searches at all points in time."""
    traces, *rows = zip(*searches, strict=True)
    initial, begin, lower, upper = map(np.array, rows)
    together = start.Together(law, traces)
    model, times = _model(together, initial), [trace.elapsed for trace in traces]
    estimates = least_squares.estimates(
        model, times, together.observed, begin, lower=lower, upper=upper, step=law.step
    )  # fmt: skip
    return [
        Trajectory(estimate, partial(model, which=index), initial[index])
        for index, estimate in enumerate(estimates)
    ]


def _model(together: start.Together, initial: Array) -> Callable[..., Array]:
    """Return the model ``(parameters [set, 2], which [set] of the traces, or one for all sets)`` of several traces."""

    def model(parameters: Array, which: NDArray[np.int_] | int) -> Array:
        owners = np.broadcast_to(which, len(parameters))
        return together.curves(owners, parameters, initial[owners])

    return model


def free(law: Dynamics, trace: Trace) -> Trajectory:
    """Fit the time constants and the initial state of a trace."""
    log_tau, begin = start.searches_with_state(trace, law)
    starts = np.concatenate([log_tau, [states.pack(state, trace) for state in begin]], axis=1)
    bounds = _bounds(law, starts, trace)
    curves, keep = partial(_with_state, law, trace), start.thinned(trace)
    thinned = partial(curves, elapsed=trace.elapsed[keep])
    searched, _ = minimise(thinned, trace.state[:, keep], starts, **bounds, step=law.step)
    model = partial(curves, elapsed=trace.elapsed)
    best = searched.parameters[searched.squares.argmin()]
    estimate = least_squares.estimate(
        model, trace.elapsed, trace.state, best, **bounds, step=law.step
    )
    state = states.unpack(estimate.parameters[None, 2:], trace)[0]
    return Trajectory(estimate, model, state, starts, _rivals(searched, estimate))


def drawn(law: Dynamics, trace: Trace, unbound: Trajectory, known: Beginning) -> Trajectory:
    """Fit again from a free trajectory, with the initial state drawn to ``known``."""
    starts = unbound.estimate.parameters[None]
    if known.values[0] > 0:
        state = states.project(known.values, trace.target2)
        log_tau = start.searches([trace], state[None], law)[0]
        packed = np.tile(states.pack(state, trace), (len(log_tau), 1))
        starts = np.concatenate([starts, np.concatenate([log_tau, packed], axis=1)])
    bounds = _bounds(law, np.concatenate([starts, unbound.starts]), trace)
    estimate = least_squares.estimate(
        unbound.model, trace.elapsed, trace.state, starts, **bounds, step=law.step, beginning=known
    )  # fmt: skip
    return Trajectory(
        estimate,
        unbound.model,
        states.unpack(estimate.parameters[None, 2:], trace)[0],
        unbound.starts,
    )


def _rivals(searched: Ends, estimate: Estimate) -> Array:
    """Return log time constants ``[minimum, 2]`` of the minima that lie above the lowest by no more than noise."""
    best, points = float(searched.squares.min()), searched.residuals.shape[2]
    correlated = max(
        1.0, float(estimate.correlation_time.max()) * points / estimate.residuals.shape[1]
    )
    degrees = max(searched.residuals[0].size - searched.parameters.shape[1], 1) / correlated
    order = np.argsort(searched.squares)
    allowed = order[searched.squares[order] <= best * (1 + NEARLY_AS_WELL / degrees)]
    return np.asarray(searched.parameters[allowed, :2])


def _with_state(law: Dynamics, trace: Trace, parameters: Array, elapsed: Array) -> Array:
    begins = states.unpack(parameters[:, 2:], trace)
    return law.curves(elapsed, np.exp(parameters[:, :2]), begins, trace.dx2, trace.target2)


def _around(law: Dynamics, starts: Array, axis: int) -> tuple[Array, Array]:
    """Return bounds around starting values along an axis; those of a known time constant are its logarithm."""
    lower, upper = starts.min(axis=axis) - WIDEST, starts.max(axis=axis) + WIDEST
    for index, tau in enumerate(law.fixed):
        if tau is not None:
            lower[..., index] = upper[..., index] = np.log(tau)
    return lower, upper


def _bounds(law: Dynamics, starts: Array, trace: Trace) -> dict[str, Any]:
    """Return the bounds of the parameters, ``lower`` and ``upper``: wide for logarithms, physical for the state."""
    lower, upper = _around(law, starts, axis=0)
    unit = states.units(trace)
    longest, most = np.sqrt(np.abs(trace.state[:2]).max(axis=1))
    length, gain = longest / unit[0], most / longest / np.sqrt(unit[-1])
    decoder = 4 * max(gain, float(np.abs(starts[:, 3:-1]).max(initial=0)))
    lower[2:-1], upper[2:-1] = -decoder, decoder
    lower[2], upper[2] = -2 * length, 2 * length
    lower[-1], upper[-1] = 0.0, max(decoder**2, 4 * float(starts[:, -1].max()))
    return {"lower": lower, "upper": upper}
