r"""Least squares of several curves at once, with errors that hold when the curves' noise differs or is correlated.

A model predicts ``[curve, time]`` from a few free parameters. The estimate minimises the plain sum of squares (the fit
loss of the two-point paper, Eq. 49). Its covariance is the sandwich

.. math:: (J^T J)^{-1} \Big( \sum_{c c'} \sqrt{s_c s_{c'}}\, \Sigma_{c c'} J_c^T J_{c'} \Big) (J^T J)^{-1},

with :math:`\Sigma` the covariance of the residuals between curves, and :math:`s_c` the integrated autocorrelation time
of curve ``c``: how many neighbouring residuals say the same thing. White, equal, independent noise gives back the
textbook :math:`\sigma^2 (J^T J)^{-1}`. Residuals of real networks are systematic, not noise; there the correction says
at least how few independent residuals there are, but errors over seeds are the ones to trust.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import fft

from bridge.search import Array, Model, minimise

DIFFERENCE_STEP = 1e-7  # relative: truncation and rounding of a forward difference both stay near 1e-7
NEAR = 1e-6  # damping of a search that begins next to its minimum
AT_BOUND = 1e-6  # fraction of the allowed interval within which a parameter counts as at its bound
SIGNIFICANT = 3.0  # standard errors at which an autocorrelation counts as one: one white curve in 400


@dataclass(frozen=True)
class Estimate:
    """A least-squares estimate.

    Attributes:
        parameters: ``[parameter]``.
        covariance: ``[parameter, parameter]``; infinite on the diagonal where the data do not determine a parameter. A
            parameter at a bound counts as free: an error that treats it as known would be too small.
        residuals: ``[curve, time]``, model minus observation.
        jacobian: ``[curve, time, parameter]``.
        autocorrelation: ``[curve]``, of neighbouring residuals, between -1 and 1.
        correlation_time: ``[curve]``, at least 1, in samples.
        at_bound: indices of the parameters at a bound.
        converged: whether the search ended by its own criteria.
        evaluations: how often the model was called by the search, each time with the differences for its derivatives.
    """

    parameters: Array
    covariance: Array
    residuals: Array
    jacobian: Array
    autocorrelation: Array
    correlation_time: Array
    at_bound: tuple[int, ...]
    converged: bool
    evaluations: int


class Beginning(NamedTuple):
    """What is known of the curves' first samples besides these, ``[curve]`` each.

    Attributes:
        values: what they should be.
        errors: standard errors of that.
        weights: of the squared differences, beside 1 for every sample.
    """

    values: Array
    errors: Array
    weights: Array


def estimate(
    model: Model,
    observed: Array,
    start: Array,
    lower: Array,
    upper: Array,
    *,
    step: float = DIFFERENCE_STEP,
    beginning: Beginning | None = None,
) -> Estimate:
    """Minimise the sum of squares of ``model(parameters) - observed``.

    Args:
        model: curves for many sets of parameters at once.
        observed: ``[curve, time]``.
        start: ``[parameter]`` or ``[start, parameter]``, inside the bounds, next to the minimum.
        lower: ``[parameter]``.
        upper: ``[parameter]``.
        step: relative step of the differences (absolute below one), larger for a model that is less exact.
        beginning: what the curves are drawn to at their first sample.
    """
    sought, known = model, observed
    if beginning is not None:
        sought = partial(_with_beginning, model, beginning)
        known = np.concatenate([observed, (np.sqrt(beginning.weights) * beginning.values)[:, None]], axis=1)
    found = minimise(sought, known, np.atleast_2d(start), lower, upper, step, NEAR)
    points = observed.shape[1]
    parameters, remainder, slopes = found.parameters, found.residuals[:, :points], found.jacobian[:, :points]
    room = upper - lower
    bound = (parameters - lower < AT_BOUND * room) | (upper - parameters < AT_BOUND * room)
    rho, time = zip(*(_correlation(row) for row in remainder), strict=True)
    return Estimate(
        parameters=parameters,
        covariance=sandwich(slopes, remainder, np.array(time), step, beginning),
        residuals=remainder,
        jacobian=slopes,
        autocorrelation=np.array(rho),
        correlation_time=np.array(time),
        at_bound=tuple(int(i) for i in np.flatnonzero(bound)),
        converged=found.converged,
        evaluations=found.evaluations,
    )


def _with_beginning(model: Model, beginning: Beginning, parameters: Array) -> Array:
    """Return the model's curves, and after them their first samples once more, weighted."""
    curves = model(parameters)
    return np.concatenate([curves, np.sqrt(beginning.weights)[:, None] * curves[:, :, :1]], axis=2)


def sandwich(
    jacobian: Array,
    residuals: Array,
    correlation_time: Array,
    precision: float,
    beginning: Beginning | None = None,
) -> Array:
    """Compute the covariance ``[parameter, parameter]`` of the estimate; see the module's docstring.

    Args:
        jacobian: ``[curve, time, parameter]``.
        residuals: ``[curve, time]``.
        correlation_time: ``[curve]``, in samples.
        precision: relative error of the columns of the Jacobian; a direction that they show more faintly is not seen.
        beginning: what the curves were drawn to at their first sample.
    """
    points = residuals.shape[1]
    parameters = jacobian.shape[-1]
    rows = np.moveaxis(jacobian, -1, 0).reshape(-1, points)  # [parameter and curve, time]
    products = (rows @ rows.T).reshape(parameters, -1, parameters, len(residuals))
    normal = np.einsum("pcqc->pq", products)
    drawn = np.zeros_like(normal)
    if beginning is not None:
        first, weights = jacobian[:, 0], beginning.weights
        normal = normal + np.einsum("c,cp,cq->pq", weights, first, first)
        drawn = np.einsum("c,cp,cq->pq", (weights * beginning.errors) ** 2, first, first)
    unit = np.sqrt(np.diagonal(normal))  # columns of length one: conditioning without units
    blind = unit == 0
    unit = np.where(blind, 1.0, unit)
    products, normal = products / (unit[:, None, None, None] * unit[:, None]), normal / np.outer(unit, unit)
    degrees = max(residuals.size - parameters, 1)
    noise = residuals @ residuals.T / points * (residuals.size / degrees)
    noise = noise * np.sqrt(np.outer(correlation_time, correlation_time))
    meat = np.einsum("cd,pcqd->pq", noise, products) + drawn / np.outer(unit, unit)
    values, vectors = np.linalg.eigh(normal)
    seen = values > parameters * precision**2 * values.max() if not blind.all() else np.zeros(len(values), bool)
    inverse = (vectors[:, seen] / values[seen]) @ vectors[:, seen].T
    covariance = inverse @ meat @ inverse / np.outer(unit, unit)
    # A direction that the curves do not see leaves every parameter in it undetermined: infinite, not zero.
    lost = (vectors[:, ~seen] ** 2).sum(axis=1) > np.sqrt(np.finfo(float).eps)
    covariance[lost, :], covariance[:, lost] = 0.0, 0.0
    covariance[lost, lost] = np.inf
    return np.asarray(covariance)


def _correlation(residuals: Array) -> tuple[float, float]:
    """Return the autocorrelation of neighbours, and the integrated autocorrelation time in samples.

    The time is summed over Sokal's window, the first lag that is five times the running sum; where neighbours are not
    significantly correlated it is 1 exactly, so that white noise keeps its textbook errors.
    """
    n = len(residuals)
    deviation = residuals - residuals.mean()
    power = float(deviation @ deviation)
    if power == 0:
        return 0.0, 1.0
    neighbour = float(deviation[1:] @ deviation[:-1]) / power
    if neighbour < SIGNIFICANT / np.sqrt(n):
        return neighbour, 1.0
    length = fft.next_fast_len(2 * n, real=True)  # padded, so that the ends do not meet
    spectrum = np.abs(fft.rfft(deviation, length)) ** 2
    correlation = fft.irfft(spectrum, length)[:n] / power
    running = 2 * np.cumsum(correlation) - 1
    window = int(np.argmax(np.arange(n) >= 5 * running))
    return neighbour, float(np.clip(running[window], 1.0, n))
