r"""Fit of the third time constant, that of the mean output, to the loss (Eq. 9).

.. math:: L(t) = \tfrac12 m_0\, e^{-2 t / \tau_{\bar y}} + \tfrac14 \big( w + \tfrac12 (\|\Delta y\|^2 - dy2) \big),

with ``w`` and ``dy2`` from the trajectory fitted before, as in the paper, and :math:`m_0` the squared distance of the
initial mean output from the mean target. :math:`m_0` is measured, or follows from the first value of the loss; it is
fitted if the first point is noisy. The error of the time constant includes the error of the trajectory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import theory
from bridge.fit import estimate as least_squares
from bridge.statistics.arrays import Array
from bridge.two_point.trace import Trace

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
def _formula() -> Callable[..., Any]:
    compiled: Callable[..., Any] = theory.catalogue()["two_point.loss"].function("numpy", validate=False)
    return compiled


def fit(
    trace: Trace, dynamics: least_squares.Estimate, model: Callable[[Array], Array], warnings: list[str]
) -> MeanOutput | None:
    """Fit the time constant of the mean output; return None and add a warning if the loss does not determine it."""
    assert trace.loss is not None
    t = trace.elapsed
    fitted = model(dynamics.parameters[None])[0]
    spread = loss_of(fitted, t, trace.target2)
    left = trace.loss - spread
    free = dynamics.parameters.size > 2
    measured = 2 * float(trace.loss[0] - loss_of(trace.state[:, :1], t[:1], trace.target2)[0])
    if trace.mean2_0 is not None:
        implied = trace.mean2_0 / 2 + float(trace.loss[0]) - measured / 2
        if abs(implied - trace.loss[0]) > MISMATCH * max(implied, trace.loss[0]):
            warnings.append(
                f"the first loss is {trace.loss[0]:.4g}, but Eq. 9 makes it {implied:.4g} from dy2, w and the output "
                "mean: is it half the mean squared error, taken before any update?"
            )
        measured = trace.mean2_0
    largest = max(float(trace.loss.max()), np.finfo(float).tiny)
    if free:
        measured = 2 * float(left[: max(3, len(t) // 100)].mean())
    if measured / 2 < NEGLIGIBLE * largest:
        warnings.append("tau_mean is not determined: the output mean starts at its target, or the loss is not Eq. 1's")
        return None
    area = float(np.sum(np.diff(t) * (left[1:] + left[:-1]) / 2))
    guess = np.log(np.clip(4 * area / measured, np.diff(t).min() / 10, 10 * t[-1])) + GRID

    def curves(parameters: Array) -> Array:
        m0 = measured * parameters[:, 1, None] if free else measured
        return loss_of(fitted, t, trace.target2, np.exp(parameters[:, :1]), m0)[:, None, :]

    sets = np.stack([guess, np.ones_like(guess)], axis=1)[:, : 1 + free]
    begin = sets[np.argmin(((curves(sets)[:, 0] - trace.loss) ** 2).sum(axis=1))]
    lower = np.array([begin[0] - WIDEST, 0.0])[: 1 + free]
    upper = np.array([begin[0] + WIDEST, 8 * largest / measured])[: 1 + free]
    estimate = least_squares.estimate(curves, t, trace.loss[None], begin, lower, upper)
    tau = float(np.exp(estimate.parameters[0]))
    error = tau * np.sqrt(estimate.covariance[0, 0] + _inherited(estimate, dynamics))
    if 0 in estimate.at_bound or not error < tau:
        warnings.append("tau_mean is not determined by the loss: its error is as large as itself, or it is at a bound")
    residual = float((estimate.residuals**2).sum())
    return MeanOutput(
        tau=tau,
        error=float(error),
        mean2_0=measured * float(estimate.parameters[1]) if free else measured,
        loss=residual,
        r_squared=1 - residual / max(float(((trace.loss - trace.loss.mean()) ** 2).sum()), np.finfo(float).tiny),
    )


def _inherited(estimate: least_squares.Estimate, dynamics: least_squares.Estimate) -> float:
    """Return the contribution of the uncertain trajectory to the variance of log tau (a two-step estimate)."""
    is_known = np.isfinite(np.diagonal(dynamics.covariance))
    slopes = np.moveaxis(dynamics.jacobian, -1, 0)  # [parameter, curve, time]
    below = loss_of(slopes, np.zeros(1), 0.0)[is_known]  # the loss is linear in dy2 and w
    response = np.linalg.pinv(estimate.jacobian[0])[0] @ below.T
    return float(response @ dynamics.covariance[np.ix_(is_known, is_known)] @ response)
