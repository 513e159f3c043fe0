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

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import fft
from scipy.optimize import least_squares

Array = NDArray[np.float64]
Model = Callable[[Array], Array]
"""``[set, parameter] -> [set, curve, time]``: curves for many sets of parameters at once."""

DIFFERENCE_STEP = 1e-7  # relative: truncation and rounding of a forward difference both stay near 1e-7
UNCHANGED = 8 * float(np.finfo(np.float64).eps)  # of the largest value of a curve: rounding of a model
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
        evaluations: how often the model was evaluated by the search, Jacobians counted once.
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


def estimate(
    model: Model, observed: Array, start: Array, lower: Array, upper: Array, *, step: float = DIFFERENCE_STEP
) -> Estimate:
    """Minimise the sum of squares of ``model(parameters) - observed``.

    Args:
        model: curves for many sets of parameters at once.
        observed: ``[curve, time]``.
        start: ``[parameter]``, inside the bounds.
        lower: ``[parameter]``.
        upper: ``[parameter]``.
        step: relative step of the differences (absolute below one), larger for a model that is less exact.
    """
    found = minimise(model, observed, start, lower, upper, step)
    parameters, remainder, slopes = found.parameters, found.residuals, found.jacobian
    room = upper - lower
    bound = (parameters - lower < AT_BOUND * room) | (upper - parameters < AT_BOUND * room)
    rho, time = zip(*(_correlation(row) for row in remainder), strict=True)
    return Estimate(
        parameters=parameters,
        covariance=sandwich(slopes, remainder, np.array(time), step),
        residuals=remainder,
        jacobian=slopes,
        autocorrelation=np.array(rho),
        correlation_time=np.array(time),
        at_bound=tuple(int(i) for i in np.flatnonzero(bound)),
        converged=found.converged,
        evaluations=found.evaluations,
    )


class Minimum(NamedTuple):
    """The end of a search: place, residuals, derivatives, whether it converged, and evaluations used."""

    parameters: Array
    residuals: Array
    jacobian: Array
    converged: bool
    evaluations: int


def minimise(model: Model, observed: Array, start: Array, lower: Array, upper: Array, step: float) -> Minimum:
    """Minimise the sum of squares and return where the search ended; arguments as for :func:`estimate`."""
    scale = float(np.sqrt(np.mean(observed**2))) or 1.0  # makes the search's criteria relative
    count = observed.size

    latest: dict[bytes, Array] = {}  # the search asks for the Jacobian where it has just asked for the curves

    def residuals(parameters: Array) -> Array:
        curves = model(parameters[None])[0]
        latest.clear()
        latest[parameters.tobytes()] = curves
        return np.asarray((curves - observed) / scale, dtype=np.float64).ravel()

    def jacobian(parameters: Array) -> Array:
        curves = latest.get(parameters.tobytes())
        here = model(parameters[None])[0] if curves is None else curves
        return np.asarray(derivatives(model, parameters, here, upper, step) / scale).reshape(count, -1)

    inside = np.clip(start, lower, upper)
    search = least_squares(
        residuals, inside, jacobian, bounds=(lower, upper), x_scale="jac", ftol=1e-9, xtol=1e-9, gtol=1e-12
    )
    return Minimum(
        parameters=np.asarray(search.x, dtype=np.float64),
        residuals=np.asarray(search.fun * scale).reshape(observed.shape),
        jacobian=np.asarray(search.jac * scale).reshape(*observed.shape, -1),
        converged=bool(search.success),
        evaluations=int(search.nfev + search.njev),
    )


def derivatives(model: Model, parameters: Array, here: Array, upper: Array, step: float) -> Array:
    """Compute forward differences ``[curve, time, parameter]`` in one evaluation of the model.

    At an upper bound the differences are backward.

    Zero for a parameter that changes no curve by more than rounding.

    Args:
        model: curves for many sets of parameters at once.
        parameters: ``[parameter]``.
        here: ``[curve, time]``, the model there.
        upper: ``[parameter]``, not to be exceeded.
        step: relative, absolute below one.
    """
    size = step * np.maximum(np.abs(parameters), 1.0)
    size = np.where(parameters + size > upper, -size, size)
    there = parameters + np.diag(size)
    width = np.diagonal(there) - parameters  # as rounded
    change = np.moveaxis(model(there) - here, 0, -1)
    seen = (np.abs(change) > UNCHANGED * np.abs(here).max(axis=1)[:, None, None]).any(axis=(0, 1))
    return np.asarray(np.where(seen, change, 0.0) / width, dtype=np.float64)


def sandwich(jacobian: Array, residuals: Array, correlation_time: Array, precision: float) -> Array:
    """Compute the covariance ``[parameter, parameter]`` of the estimate; see the module's docstring.

    Args:
        jacobian: ``[curve, time, parameter]``.
        residuals: ``[curve, time]``.
        correlation_time: ``[curve]``, in samples.
        precision: relative error of the columns of the Jacobian; a direction that they show more faintly is not seen.
    """
    points = residuals.shape[1]
    parameters = jacobian.shape[-1]
    unit = np.sqrt(np.einsum("ctp,ctp->p", jacobian, jacobian))  # columns of length one: conditioning without units
    blind = unit == 0
    unit = np.where(blind, 1.0, unit)
    slopes = jacobian / unit
    degrees = max(residuals.size - parameters, 1)
    noise = residuals @ residuals.T / points * (residuals.size / degrees)
    noise = noise * np.sqrt(np.outer(correlation_time, correlation_time))
    meat = np.einsum("cd,ctp,dtq->pq", noise, slopes, slopes, optimize=True)
    normal = np.einsum("ctp,ctq->pq", slopes, slopes)
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
    length = fft.next_fast_len(2 * n, real=True)  # padded, so that the ends do not meet
    spectrum = np.abs(fft.rfft(deviation, length)) ** 2
    correlation = fft.irfft(spectrum, length)[:n] / power
    neighbour = float(correlation[1])
    if neighbour < SIGNIFICANT / np.sqrt(n):
        return neighbour, 1.0
    running = 2 * np.cumsum(correlation) - 1
    window = int(np.argmax(np.arange(n) >= 5 * running))
    return neighbour, float(np.clip(running[window], 1.0, n))
