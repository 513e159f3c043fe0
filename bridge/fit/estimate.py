r"""Least-squares fits of several curves, with errors that allow for noise that differs between curves or is correlated.

The estimate minimises the unweighted sum of squares (the fit loss of the two-point paper, Eq. 49). Its covariance is
the sandwich estimate

.. math:: (J^T J)^{-1} \Big( \sum_{c c'} J_c^T \Sigma_{c c'} J_{c'} \Big) (J^T J)^{-1},

with :math:`\Sigma_{c c'}` the covariance of the noise of two curves, between all pairs of times. How large the noise is
along a curve is that of :mod:`bridge.fit.noise_profile`. If neighbouring residuals are correlated, their correlation is
that of :mod:`bridge.fit.correlated_noise`; otherwise the noise is white, and may be shared by the curves. Rounding adds
its own part. Residuals of trained networks are systematic errors and not noise; the correlation accounts for the small
number of independent ones, but errors over seeds are more reliable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bridge.fit import correlated_noise, noise_profile
from bridge.fit.correlated_noise import Noise
from bridge.fit.noise_profile import Profile
from bridge.fit.outcome import Failure, together
from bridge.fit.search import Array, Model, SetsModel, descend, minimise

DIFFERENCE_STEP = 1e-7  # relative step at which truncation and rounding errors of a forward difference are near 1e-7
DAMPING_NEAR_MINIMUM = 1e-6  # damping of a search that starts close to its minimum
MOST_CORRELATED = (
    0.98  # correlation of neighbours of noise, which counts for a fiftieth of its points at least
)
AT_BOUND = 1e-6  # fraction of the allowed interval within which a parameter counts as at its bound


@dataclass(frozen=True)
class Estimate:
    """A least-squares estimate; a parameter at a bound counts as free, or its errors would be too small.

    One whose bounds are equal is known: it has no error, and makes those of the others smaller.
    """

    parameters: Array  # [parameter]
    times: Array  # [time]
    observed: Array  # [curve, time]
    residuals: Array  # model minus observation, [curve, time]
    jacobian: Array  # derivatives of the model, [curve, time, parameter]
    lower: Array  # bounds of the parameters, [parameter]
    upper: Array
    converged: bool  # whether the search satisfied its criteria of convergence
    step: float  # of the finite differences
    beginning: Beginning | None = None

    @property
    def at_bound(self) -> tuple[int, ...]:
        """Indices of the parameters at a bound."""
        room = np.minimum(self.parameters - self.lower, self.upper - self.parameters)
        return tuple(np.flatnonzero(room < AT_BOUND * (self.upper - self.lower)).tolist())

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """Which parameters are known and not fitted, ``[parameter]``."""
        return np.asarray(self.lower == self.upper)

    @property
    def slopes(self) -> Array:
        """The derivatives of the model by the fitted parameters, 0 for known ones, ``[curve, time, parameter]``."""
        return np.where(self.is_known, 0.0, self.jacobian)

    @cached_property
    def independent(self) -> Array:
        """The residuals without the errors that runs of equal rounded values share, ``[curve, time]``."""
        return noise_profile.without_runs(self.residuals, self.observed, self.steps)

    @cached_property
    def profiles(self) -> tuple[Profile, ...]:
        """How the noise changes along every curve; constant where smooth residuals are errors of the theory."""
        neighbours = np.clip(correlated_noise.neighbours(self.independent), 0.0, MOST_CORRELATED)
        lasting = (1 + neighbours) / (1 - neighbours)
        is_noise = correlated_noise.are_rough(self.independent) | ~correlated_noise.are_correlated(
            self.independent
        )
        curves = self.observed + self.residuals
        return tuple(
            noise_profile.profile(
                curves[index], row * is_noise[index], self.times, float(lasting[index])
            )
            for index, row in enumerate(self.independent)
        )

    @cached_property
    def sizes(self) -> Array:
        """Standard deviation of the noise along each curve, relative to its root mean square, ``[curve, time]``."""
        return np.stack([profile.sizes for profile in self.profiles])

    @cached_property
    def noise(self) -> Noise | None:
        """The noise of the residuals, relative to :attr:`sizes`; None if they are white."""
        return _noises([self])[0]

    @cached_property
    def covariance(self) -> Array:
        """``[parameter, parameter]``; infinite on the diagonal for what the data do not determine."""
        jacobian, beginning = self.slopes, self.beginning
        _, points, parameters = jacobian.shape
        normal = np.einsum("ctp,ctq->pq", jacobian, jacobian)
        prior = np.zeros_like(normal)
        if beginning is not None:
            first, weights = jacobian[:, 0], beginning.weights
            normal = normal + np.einsum("c,cp,cq->pq", weights, first, first)
            prior = np.einsum("c,cp,cq->pq", (weights * beginning.errors) ** 2, first, first)
        # columns of length one, so that units do not affect the conditioning
        unit = np.sqrt(np.diagonal(normal))
        has_no_effect = unit == 0
        unit = np.where(has_no_effect, 1.0, unit)
        normal = normal / np.outer(unit, unit)
        slopes = np.moveaxis(jacobian, -1, 0) / unit[:, None, None]  # [parameter, curve, time]
        scaled = slopes * self.sizes
        if self.noise is None:
            degrees = max(self.residuals.size - int((~self.is_known).sum()), 1)
            standard = self.independent / self.sizes
            white = standard @ standard.T / points * (self.residuals.size / degrees)
            meat = np.einsum("cd,pct,qdt->pq", white, scaled, scaled, optimize=True)
        else:
            meat = self.noise.covariance(scaled)
        if self.steps.any():
            fitted = self.observed + self.residuals
            meat = meat + noise_profile.runs(self.observed, fitted, self.steps, slopes)
        meat = meat + prior / np.outer(unit, unit)
        values, vectors = np.linalg.eigh(normal)
        threshold = parameters * self.step**2 * values.max()
        determined = values > threshold if not has_no_effect.all() else np.zeros(len(values), bool)
        inverse = (vectors[:, determined] / values[determined]) @ vectors[:, determined].T
        covariance = inverse @ meat @ inverse / np.outer(unit, unit)
        # Parameters with a component along a direction without effect on the curves have an infinite variance.
        undetermined = (vectors[:, ~determined] ** 2).sum(axis=1) > np.sqrt(np.finfo(float).eps)
        covariance[undetermined, :], covariance[:, undetermined] = 0.0, 0.0
        covariance[undetermined, undetermined] = np.inf
        covariance[self.is_known, self.is_known] = 0.0
        return np.asarray(covariance)

    @cached_property
    def steps(self) -> Array:
        """The steps of curves whose values are rounded, ``[curve, time]``; 0 for the others."""
        return noise_profile.steps(self.observed)

    @property
    def correlation_time(self) -> Array:
        """Samples over which residuals are correlated, ``[curve]``, at least 1 (:mod:`bridge.fit.correlated_noise`)."""
        return np.ones(len(self.residuals)) if self.noise is None else self.noise.correlation_time


def find_noise(estimates: Sequence[Estimate]) -> None:
    """Compute :attr:`Estimate.noise` of several estimates at once; one that fails does so when it is asked for."""
    noises = together(
        _noises, estimates, lambda estimate: (estimate.times.tobytes(), estimate.jacobian.shape)
    )
    for estimate, noise in zip(estimates, noises, strict=True):
        if not isinstance(noise, Failure):
            vars(estimate)["noise"] = noise


def _noises(estimates: Sequence[Estimate]) -> list[Noise | None]:
    sizes = np.stack([estimate.sizes for estimate in estimates])
    residuals = np.stack([estimate.independent for estimate in estimates]) / sizes
    slopes = np.stack([estimate.slopes for estimate in estimates]) / sizes[..., None]
    return correlated_noise.estimates(estimates[0].times, residuals, slopes)


class Beginning(NamedTuple):
    """Prior knowledge of the initial values of the curves, in addition to their first samples."""

    values: Array  # expected initial values, [curve]
    errors: Array  # their standard errors, [curve]
    weights: Array  # of the squared differences, [curve]; the samples of the curves have weight 1


def estimate(
    model: Model,
    times: Array,
    observed: Array,
    starts: Array,
    *,
    lower: Array,
    upper: Array,
    step: float = DIFFERENCE_STEP,
    beginning: Beginning | None = None,
) -> Estimate:
    """Minimise the sum of squares of ``model(parameters) - observed``.

    Args:
        model: a function ``[set, parameter] -> [set, curve, time]``.
        times: increasing times, ``[time]``.
        observed: what the curves are to be, ``[curve, time]``.
        starts: ``[parameter]`` or ``[start, parameter]``, close to the minimum; the lowest end is taken.
        lower: bounds of the parameters, ``[parameter]``.
        upper: the same.
        step: relative step of finite differences, absolute for parameters below one; a less accurate model needs a
            larger one. Default: 1e-7.
        beginning: prior knowledge of the initial values of the curves. Default: none.

    Returns:
        The estimate at the lowest end.
    """
    extended_model, extended_curves = model, observed
    if beginning is not None:
        extended_model = partial(_with_beginning, model, beginning)
        extended_curves = np.concatenate(
            [observed, (np.sqrt(beginning.weights) * beginning.values)[:, None]], axis=1
        )
    ends, converged = minimise(
        extended_model, extended_curves, np.atleast_2d(starts),
        lower=lower, upper=upper, step=step, damping=DAMPING_NEAR_MINIMUM,
    )  # fmt: skip
    best, seen = int(np.argmin(ends.squares)), slice(times.size)
    return Estimate(
        parameters=ends.parameters[best],
        times=times,
        observed=observed,
        residuals=ends.residuals[best, :, seen],
        jacobian=np.moveaxis(ends.jacobian[best], 0, -1)[:, seen],
        lower=lower,
        upper=upper,
        converged=bool(converged[best]),
        step=step,
        beginning=beginning,
    )


def estimates(
    model: SetsModel,
    times: Sequence[Array],
    observed: Array,
    starts: Array,
    *,
    lower: Array,
    upper: Array,
    step: float = DIFFERENCE_STEP,
) -> list[Estimate]:
    """Return what :func:`estimate` gives for several problems of equally many times, from one start each.

    Args:
        model: a function of parameters ``[set, parameter]`` and of the problem to which each set belongs, ``[set]``.
        times: increasing times of each problem, ``[time]``.
        observed: what the curves are to be, ``[problem, curve, time]``.
        starts: close to the minima, ``[problem, parameter]``.
        lower: bounds of the parameters, ``[problem, parameter]``.
        upper: the same.
        step: as for one problem.

    Returns:
        The estimate of each problem.
    """
    ends, converged = descend(
        model, observed, starts, lower=lower, upper=upper, step=step, damping=DAMPING_NEAR_MINIMUM
    )  # fmt: skip
    return [
        Estimate(
            parameters=ends.parameters[index],
            times=own,
            observed=observed[index],
            residuals=ends.residuals[index],
            jacobian=np.moveaxis(ends.jacobian[index], 0, -1),
            lower=lower[index],
            upper=upper[index],
            converged=bool(converged[index]),
            step=step,
        )
        for index, own in enumerate(times)
    ]


def _with_beginning(model: Model, beginning: Beginning, parameters: Array) -> Array:
    """Return the model's curves with their weighted first samples appended along the time axis."""
    curves = model(parameters)
    return np.concatenate([curves, np.sqrt(beginning.weights)[:, None] * curves[:, :, :1]], axis=2)
