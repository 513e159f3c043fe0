r"""Least-squares fits of several curves, with errors that allow for noise that differs between curves or is correlated.

A model predicts curves ``[curve, time]`` from a few free parameters. The estimate minimises the unweighted sum of
squares (the fit loss of the two-point paper, Eq. 49). Its covariance is the sandwich estimate

.. math:: (J^T J)^{-1} \Big( \sum_{c c'} \sqrt{s_c s_{c'}}\, \Sigma_{c c'} J_c^T J_{c'} \Big) (J^T J)^{-1},

with :math:`\Sigma` the covariance of the residuals between curves, and :math:`s_c` the integrated autocorrelation time
of curve ``c``, the number of samples over which residuals are correlated. White noise, equal and independent in all
curves, gives the usual :math:`\sigma^2 (J^T J)^{-1}`. The residuals of trained networks are systematic errors and not
noise. The correction then accounts for the small number of independent residuals, but errors over seeds are more
reliable.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import fft

from bridge.fit.search import Array, Model, minimise

DIFFERENCE_STEP = 1e-7  # relative step at which truncation and rounding errors of a forward difference are near 1e-7
DAMPING_NEAR_MINIMUM = 1e-6  # damping of a search that starts close to its minimum
AT_BOUND = 1e-6  # fraction of the allowed interval within which a parameter counts as at its bound
SIGNIFICANT = 3.0  # standard errors at which an autocorrelation is significant, which one white curve in 400 exceeds


@dataclass(frozen=True)
class Estimate:
    """A least-squares estimate.

    Attributes:
        parameters: estimated parameters, ``[parameter]``.
        covariance: covariance of the parameters, ``[parameter, parameter]``; infinite on the diagonal where the data do
            not determine a parameter. A parameter at a bound counts as free, since treating it as known would make the
            errors too small.
        residuals: model minus observation, ``[curve, time]``.
        jacobian: derivatives of the model, ``[curve, time, parameter]``.
        autocorrelation: correlation of neighbouring residuals, ``[curve]``, dimensionless, between -1 and 1.
        correlation_time: integrated autocorrelation time of the residuals, ``[curve]``, in samples, at least 1.
        at_bound: indices of the parameters at a bound.
        converged: whether the search satisfied its criteria of convergence.
        evaluations: number of calls of the model, each of which includes the finite differences.
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
    """Prior knowledge of the initial values of the curves, in addition to their first samples.

    Attributes:
        values: expected initial values, ``[curve]``.
        errors: standard errors of the expected values, ``[curve]``.
        weights: weights of the squared differences, ``[curve]``; the samples of the curves have weight 1.
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
        model: function ``[set, parameter] -> [set, curve, time]``.
        observed: observed curves, ``[curve, time]``.
        start: ``[parameter]`` or ``[start, parameter]``, inside the bounds and close to the minimum.
        lower: lower bounds, ``[parameter]``.
        upper: upper bounds, ``[parameter]``.
        step: relative step of the finite differences (absolute for parameters below one); a less accurate model needs a
            larger step. Default: 1e-7.
        beginning: prior knowledge of the initial values. Default: none.
    """
    extended_model, extended_curves = model, observed
    if beginning is not None:
        extended_model = partial(_with_beginning, model, beginning)
        extended_curves = np.concatenate([observed, (np.sqrt(beginning.weights) * beginning.values)[:, None]], axis=1)
    starts = np.atleast_2d(start)
    minimum = minimise(extended_model, extended_curves, starts, lower, upper, step, DAMPING_NEAR_MINIMUM)
    points = observed.shape[1]
    parameters = minimum.parameters
    residuals, jacobian = minimum.residuals[:, :points], minimum.jacobian[:, :points]
    width = upper - lower
    bound = (parameters - lower < AT_BOUND * width) | (upper - parameters < AT_BOUND * width)
    rho, time = zip(*(_correlation(row) for row in residuals), strict=True)
    return Estimate(
        parameters=parameters,
        covariance=sandwich(jacobian, residuals, np.array(time), step, beginning),
        residuals=residuals,
        jacobian=jacobian,
        autocorrelation=np.array(rho),
        correlation_time=np.array(time),
        at_bound=tuple(int(i) for i in np.flatnonzero(bound)),
        converged=minimum.converged,
        evaluations=minimum.evaluations,
    )


def _with_beginning(model: Model, beginning: Beginning, parameters: Array) -> Array:
    """Return the model's curves with their weighted first samples appended along the time axis."""
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
        jacobian: derivatives of the model, ``[curve, time, parameter]``.
        residuals: model minus observation, ``[curve, time]``.
        correlation_time: integrated autocorrelation time, ``[curve]``, in samples.
        precision: relative error of the columns of the Jacobian; the data do not determine directions below it.
        beginning: prior knowledge of the initial values, as in the fit. Default: none.
    """
    points = residuals.shape[1]
    parameters = jacobian.shape[-1]
    rows = np.moveaxis(jacobian, -1, 0).reshape(-1, points)  # [parameter x curve, time]
    products = (rows @ rows.T).reshape(parameters, -1, parameters, len(residuals))
    normal = np.einsum("pcqc->pq", products)
    prior = np.zeros_like(normal)
    if beginning is not None:
        first, weights = jacobian[:, 0], beginning.weights
        normal = normal + np.einsum("c,cp,cq->pq", weights, first, first)
        prior = np.einsum("c,cp,cq->pq", (weights * beginning.errors) ** 2, first, first)
    unit = np.sqrt(np.diagonal(normal))  # columns scaled to length one, so that units do not affect the conditioning
    has_no_effect = unit == 0
    unit = np.where(has_no_effect, 1.0, unit)
    products, normal = products / (unit[:, None, None, None] * unit[:, None]), normal / np.outer(unit, unit)
    degrees = max(residuals.size - parameters, 1)
    noise = residuals @ residuals.T / points * (residuals.size / degrees)
    noise = noise * np.sqrt(np.outer(correlation_time, correlation_time))
    meat = np.einsum("cd,pcqd->pq", noise, products) + prior / np.outer(unit, unit)
    values, vectors = np.linalg.eigh(normal)
    threshold = parameters * precision**2 * values.max()
    determined = values > threshold if not has_no_effect.all() else np.zeros(len(values), bool)
    inverse = (vectors[:, determined] / values[determined]) @ vectors[:, determined].T
    covariance = inverse @ meat @ inverse / np.outer(unit, unit)
    # Parameters with a component along a direction without effect on the curves are undetermined; their variance is
    # infinite.
    undetermined = (vectors[:, ~determined] ** 2).sum(axis=1) > np.sqrt(np.finfo(float).eps)
    covariance[undetermined, :], covariance[:, undetermined] = 0.0, 0.0
    covariance[undetermined, undetermined] = np.inf
    return np.asarray(covariance)


def _correlation(residuals: Array) -> tuple[float, float]:
    """Return the autocorrelation of neighbouring residuals and the integrated autocorrelation time in samples.

    The sum ends at Sokal's window, the first lag that is at least five times the running sum. If neighbours are not
    significantly correlated, the time is exactly 1, so that white noise has the usual errors.
    """
    n = len(residuals)
    deviation = residuals - residuals.mean()
    power = float(deviation @ deviation)
    if power == 0:
        return 0.0, 1.0
    neighbour = float(deviation[1:] @ deviation[:-1]) / power
    if neighbour < SIGNIFICANT / np.sqrt(n):
        return neighbour, 1.0
    length = fft.next_fast_len(2 * n, real=True)  # zero padding avoids circular correlation
    spectrum = np.abs(fft.rfft(deviation, length)) ** 2
    correlation = fft.irfft(spectrum, length)[:n] / power
    running = 2 * np.cumsum(correlation) - 1
    window = int(np.argmax(np.arange(n) >= 5 * running))
    return neighbour, float(np.clip(running[window], 1.0, n))
