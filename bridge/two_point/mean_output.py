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

# relative to the time constant estimated from the area under the decay
GRID = np.log(np.geomspace(0.02, 50, 25))
WIDEST = np.log(1e6)
# fraction of the first loss below which the term of the mean output is lost in rounding
NEGLIGIBLE = 1e-6
MISMATCH = 0.02  # relative difference of recorded and implied first loss beyond which the loss is of another kind


@dataclass(frozen=True)
class MeanOutput:
    """The exponential decay of the output mean."""

    tau: float  # time constant, in the unit of the trace's time
    error: float  # its standard error
    mean2_0: float  # initial squared distance of the output mean from the target mean, output^2
    loss: float  # sum over epochs of the squared differences between recorded and theoretical loss
    r_squared: float  # share of the loss curve's variance that the theory explains


def loss_of(
    curves: Array, elapsed: Array, target2: float, tau: Any = 1.0, mean2_0: Any = 0.0
) -> Array:
    """Return the loss of Eq. (9), ``[..., time]``, along curves ``[..., 3, time]`` that may lie outside its domain."""
    dy2, w = curves[..., 1, :], curves[..., 2, :]
    return np.asarray(
        _formula()(t=elapsed, dy2=dy2, w=w, tau_mean=tau, target2=target2, mean2_0=mean2_0)
    )


@cache
def _formula(**known: float) -> Callable[..., Any]:
    formula = theory.catalogue()["two_point.loss"]
    compiled: Callable[..., Any] = (formula.specialise(known) if known else formula).function(
        "numpy", validate=False
    )
    return compiled


class MeanFit(NamedTuple):
    """What the loss of a trace tells of the mean output."""

    mean: MeanOutput | None = None  # None without a loss, or where it does not tell
    warnings: tuple[str, ...] = ()


class Decay(NamedTuple):
    """A loss that determines the time constant of the mean output."""

    trace: Trace
    dynamics: Estimate
    loss: Array  # without the part in the difference of the outputs, [time]
    is_free: bool  # whether ``mean2_0`` is fitted
    mean2_0: float  # initial squared distance of the output mean from the target mean, or what it is expected to be
    most: float  # largest factor of it
    guess: float  # logarithm of the time constant, from the area under the decay
    warnings: tuple[str, ...]  # of a loss that is not that of Eq. (9)


def fit_each(
    traces: Sequence[Trace], trajectories: Sequence[Trajectory | Failure]
) -> list[MeanFit | Failure]:
    """Fit the time constant of the mean output of each trace.

    Args:
        traces: the data.
        trajectories: the trajectory fitted to each of them, or the error of that.

    Returns:
        The constant of each, with warnings, or its error.
    """
    decays = each(_decay, zip(traces, trajectories, strict=True))
    estimates = together(
        _search,
        [decay if isinstance(decay, Decay) else None for decay in decays],
        lambda decay: (decay.loss.size, decay.is_free),
    )
    find_noise([estimate for estimate in estimates if isinstance(estimate, Estimate)])
    return each(_mean, zip(decays, estimates, strict=True))


def _decay(trace: Trace, fitted: Trajectory | Failure) -> Decay | MeanFit:
    """Return the decay of the mean output, as far as the loss of a trace tells it."""
    loss = trace.loss
    if loss is None:
        return MeanFit()
    t, trajectory = trace.elapsed, raised(fitted)
    dynamics = trajectory.estimate
    remainder = loss - loss_of(trajectory.model(dynamics.parameters[None])[0], t, trace.target2)
    is_free = dynamics.parameters.size > 2
    mean2_0 = 2 * float(loss[0] - loss_of(trace.state[:, :1], t[:1], trace.target2)[0])
    warnings: tuple[str, ...] = ()
    if trace.mean2_0 is not None:
        warnings = _mismatch(float(loss[0]), trace.mean2_0 / 2 + float(loss[0]) - mean2_0 / 2)
        mean2_0 = trace.mean2_0
    largest = max(float(loss.max()), np.finfo(float).tiny)
    if is_free:
        mean2_0 = 2 * float(remainder[: max(3, len(t) // 100)].mean())
    if mean2_0 / 2 < NEGLIGIBLE * largest:
        unknown = "tau_mean is not determined: the output mean starts at its target, or the loss is not Eq. 1's"
        return MeanFit(None, (*warnings, unknown))
    area = float(np.sum(np.diff(t) * (remainder[1:] + remainder[:-1]) / 2))
    guess = np.log(np.clip(4 * area / mean2_0, np.diff(t).min() / 10, 10 * t[-1]))
    return Decay(
        trace, dynamics, remainder, is_free, mean2_0, 8 * largest / mean2_0, guess, warnings
    )


def _mismatch(recorded: float, implied: float) -> tuple[str, ...]:
    """Return a warning if the first loss is not what Eq. (9) makes it, or none."""
    if abs(implied - recorded) <= MISMATCH * max(implied, recorded):
        return ()
    return (
        f"the first loss is {recorded:.4g}, but Eq. 9 makes it {implied:.4g} from dy2, w and the output "
        "mean: is it half the mean squared error, taken before any update?",
    )


def _search(decays: Sequence[Decay]) -> list[Estimate]:
    """Return estimates of the logarithm of each time constant and, where it is free, the factor of ``mean2_0``."""
    is_free = decays[0].is_free
    times = np.stack([decay.trace.elapsed for decay in decays])
    losses = np.stack([decay.loss for decay in decays])
    numbers = np.array([(decay.mean2_0, decay.most, decay.guess) for decay in decays])
    mean2_0, most, guess = numbers.T[..., None]
    exponential = _formula(dy2=0, w=0, target2=0)

    def model(parameters: Array, which: NDArray[np.int_]) -> Array:
        begin = mean2_0[which] * (parameters[:, 1:] if is_free else 1.0)
        return np.asarray(
            exponential(t=times[which], tau_mean=np.exp(parameters[:, :1]), mean2_0=begin)
        )[:, None]

    # [trace, start, parameter]
    sets = np.stack(np.broadcast_arrays(guess + GRID, 1.0), axis=2)[..., : 1 + is_free]
    which = np.repeat(np.arange(len(decays)), GRID.size)
    squares = ((model(sets.reshape(which.size, -1), which)[:, 0] - losses[which]) ** 2).sum(axis=1)
    begin = sets[np.arange(len(decays)), squares.reshape(len(decays), -1).argmin(axis=1)]
    lower = np.concatenate([begin[:, :1] - WIDEST, np.zeros_like(most)], axis=1)[:, : 1 + is_free]
    upper = np.concatenate([begin[:, :1] + WIDEST, most], axis=1)[:, : 1 + is_free]
    return least_squares.estimates(
        model, [*times], losses[:, None], begin, lower=lower, upper=upper
    )


def _mean(decay: Decay | MeanFit | Failure, fitted: Estimate | Failure | None) -> MeanFit:
    """Return the constant of a decay with its error, which includes that of the trajectory."""
    if isinstance(decay, Failure):
        raise decay
    if isinstance(decay, MeanFit):
        return decay
    estimate = raised(fitted)
    assert estimate is not None
    tau = float(np.exp(estimate.parameters[0]))
    factor = float(estimate.parameters[1]) if decay.is_free else 1.0
    error = tau * np.sqrt(estimate.covariance[0, 0] + _inherited(estimate, decay.dynamics))
    warnings = decay.warnings
    if 0 in estimate.at_bound or not error < tau:
        warnings += (
            "tau_mean is not determined by the loss: its error is as large as itself, or it is at a bound",
        )
    residual, loss = float((estimate.residuals**2).sum()), np.asarray(decay.trace.loss)
    r_squared = 1 - residual / max(float(((loss - loss.mean()) ** 2).sum()), np.finfo(float).tiny)
    return MeanFit(
        MeanOutput(tau, float(error), decay.mean2_0 * factor, residual, r_squared), warnings
    )


def _inherited(estimate: Estimate, dynamics: Estimate) -> float:
    """Return the contribution of the uncertain trajectory to the variance of log tau (a two-step estimate)."""
    is_known = np.isfinite(np.diagonal(dynamics.covariance))
    slopes = np.moveaxis(dynamics.jacobian, -1, 0)  # [parameter, curve, time]
    below = loss_of(slopes, np.zeros(1), 0.0)[is_known]  # the loss is linear in dy2 and w
    response = np.linalg.pinv(estimate.jacobian[0])[0] @ below.T
    return float(response @ dynamics.covariance[np.ix_(is_known, is_known)] @ response)
