r"""Fit of the third time constant, that of the mean output, to the loss (Eq. 9).

.. math:: L(t) = \tfrac12 m_0\, e^{-2 t / \tau_{\bar y}} + \tfrac14 \big( w + \tfrac12 (\|\Delta y\|^2 - dy2) \big),

with ``w`` and ``dy2`` from the trajectory fitted before, as in the paper, and :math:`m_0` the squared distance of the
initial mean output from the mean target. :math:`m_0` is measured, or follows from the first value of the loss; it is
fitted if the first point is noisy. The error of the time constant includes the error of the trajectory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import theory
from bridge.fit import estimate as least_squares
from bridge.fit.estimate import Estimate, find_noise
from bridge.fit.outcome import Failure, each, raised, together
from bridge.statistics.arrays import Array
from bridge.two_point.trace import Trace
from bridge.two_point.trajectories import Trajectory

GRID = np.log(np.geomspace(0.02, 50, 25))  # relative to the time constant estimated from the area under the decay
WIDEST = np.log(1e6)
NEGLIGIBLE = 1e-6  # fraction of the first loss below which the term of the mean output is lost in rounding
MISMATCH = 0.02  # relative difference of recorded and implied first loss beyond which the loss is of another kind


@dataclass(frozen=True)
class MeanOutput:
    """The exponential decay of the output mean."""

    tau: float  # time constant, in the unit of the trace's time
    error: float  # its standard error
    mean2_0: float  # initial squared distance of the output mean from the target mean, output^2
    loss: float  # sum over epochs of the squared differences between recorded and theoretical loss
    r_squared: float  # share of the loss curve's variance that the theory explains


def loss_of(curves: Array, elapsed: Array, target2: float, tau: Any = 1.0, mean2_0: Any = 0.0) -> Array:
    """Return the loss of Eq. (9), ``[..., time]``, along curves ``[..., 3, time]`` that may lie outside its domain."""
    dy2, w = curves[..., 1, :], curves[..., 2, :]
    return np.asarray(_formula()(t=elapsed, dy2=dy2, w=w, tau_mean=tau, target2=target2, mean2_0=mean2_0))


@cache
def _formula(**known: float) -> Callable[..., Any]:
    formula = theory.catalogue()["two_point.loss"]
    compiled: Callable[..., Any] = (formula.specialise(known) if known else formula).function("numpy", validate=False)
    return compiled


class Decay(NamedTuple):
    """A loss that determines the time constant of the mean output."""

    trace: Trace
    dynamics: Estimate
    loss: Array  # without the part in the difference of the outputs, [time]
    is_free: bool  # whether ``mean2_0`` is fitted
    mean2_0: float  # initial squared distance of the output mean from the target mean, or what it is expected to be
    most: float  # largest factor of it
    guess: float  # logarithm of the time constant, from the area under the decay


def fit_each(
    traces: Sequence[Trace], fitted: Sequence[tuple[Trajectory, Any, Any] | Failure], notes: Sequence[list[str]]
) -> list[MeanOutput | Failure | None]:
    """Fit the time constant of each; None without a loss or, with a warning in its notes, if that does not tell."""
    decays = each(_decay, zip(traces, fitted, notes, strict=True))
    estimates = together(_search, decays, lambda one: (one.loss.size, one.is_free))
    find_noise([one for one in estimates if isinstance(one, Estimate)])
    return each(_mean, zip(decays, estimates, notes, strict=True))


def _decay(trace: Trace, fitted: tuple[Trajectory, Any, Any] | Failure, warnings: list[str]) -> Decay | None:
    loss = trace.loss
    if loss is None:
        return None
    t, (dynamics, model, *_) = trace.elapsed, raised(fitted)[0]
    left = loss - loss_of(model(dynamics.parameters[None])[0], t, trace.target2)
    is_free = dynamics.parameters.size > 2
    measured = 2 * float(loss[0] - loss_of(trace.state[:, :1], t[:1], trace.target2)[0])
    if trace.mean2_0 is not None:
        implied = trace.mean2_0 / 2 + float(loss[0]) - measured / 2
        if abs(implied - loss[0]) > MISMATCH * max(implied, loss[0]):
            warnings.append(
                f"the first loss is {loss[0]:.4g}, but Eq. 9 makes it {implied:.4g} from dy2, w and the output "
                "mean: is it half the mean squared error, taken before any update?"
            )
        measured = trace.mean2_0
    largest = max(float(loss.max()), np.finfo(float).tiny)
    if is_free:
        measured = 2 * float(left[: max(3, len(t) // 100)].mean())
    if measured / 2 < NEGLIGIBLE * largest:
        warnings.append("tau_mean is not determined: the output mean starts at its target, or the loss is not Eq. 1's")
        return None
    area = float(np.sum(np.diff(t) * (left[1:] + left[:-1]) / 2))
    guess = np.log(np.clip(4 * area / measured, np.diff(t).min() / 10, 10 * t[-1]))
    return Decay(trace, dynamics, left, is_free, measured, 8 * largest / measured, guess)


def _search(decays: Sequence[Decay]) -> list[Estimate]:
    """Return estimates of the logarithm of each time constant and, where it is free, the factor of ``mean2_0``."""
    traces, _, losses, (is_free, *_), *numbers = zip(*decays, strict=True)
    times, left = np.stack([trace.elapsed for trace in traces]), np.stack(losses)
    mean2_0, most, guess = np.array(numbers)[..., None]
    exponential = _formula(dy2=0, w=0, target2=0)

    def model(parameters: Array, which: NDArray[np.int_]) -> Array:
        begin = mean2_0[which] * (parameters[:, 1:] if is_free else 1.0)
        found: Array = exponential(t=times[which], tau_mean=np.exp(parameters[:, :1]), mean2_0=begin)
        return found[:, None]

    sets = np.stack(np.broadcast_arrays(guess + GRID, 1.0), axis=2)[..., : 1 + is_free]  # [trace, start, parameter]
    which = np.repeat(np.arange(len(decays)), GRID.size)
    squares = ((model(sets.reshape(which.size, -1), which)[:, 0] - left[which]) ** 2).sum(axis=1)
    begin = sets[np.arange(len(decays)), squares.reshape(len(decays), -1).argmin(axis=1)]
    lower = np.concatenate([begin[:, :1] - WIDEST, np.zeros_like(most)], axis=1)[:, : 1 + is_free]
    upper = np.concatenate([begin[:, :1] + WIDEST, most], axis=1)[:, : 1 + is_free]
    return least_squares.estimates(model, [*times], left[:, None], begin, lower, upper)


def _mean(decay: Decay | Failure | None, found: Estimate | Failure | None, warnings: list[str]) -> MeanOutput | None:
    decay, estimate = raised(decay), raised(found)
    if decay is None or estimate is None:
        return None
    assert decay.trace.loss is not None
    tau, factor = float(np.exp(estimate.parameters[0])), float(estimate.parameters[1]) if decay.is_free else 1.0
    error = tau * np.sqrt(estimate.covariance[0, 0] + _inherited(estimate, decay.dynamics))
    if 0 in estimate.at_bound or not error < tau:
        warnings.append("tau_mean is not determined by the loss: its error is as large as itself, or it is at a bound")
    residual, loss = float((estimate.residuals**2).sum()), decay.trace.loss
    r_squared = 1 - residual / max(float(((loss - loss.mean()) ** 2).sum()), np.finfo(float).tiny)
    return MeanOutput(tau, float(error), decay.mean2_0 * factor, residual, r_squared)


def _inherited(estimate: Estimate, dynamics: Estimate) -> float:
    """Return the contribution of the uncertain trajectory to the variance of log tau (a two-step estimate)."""
    is_known = np.isfinite(np.diagonal(dynamics.covariance))
    slopes = np.moveaxis(dynamics.jacobian, -1, 0)  # [parameter, curve, time]
    below = loss_of(slopes, np.zeros(1), 0.0)[is_known]  # the loss is linear in dy2 and w
    response = np.linalg.pinv(estimate.jacobian[0])[0] @ below.T
    return float(response @ dynamics.covariance[np.ix_(is_known, is_known)] @ response)
