"""What a fit of the two-point theory knows: time constants with errors, residuals, predictions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from bridge.fit import correlated_noise
from bridge.fit import estimate as least_squares
from bridge.fit.noise_words import noise_in_words
from bridge.fit.outcome import Failure
from bridge.statistics import normal
from bridge.statistics.arrays import Array
from bridge.two_point import applicability
from bridge.two_point.alternatives import Dynamics
from bridge.two_point.mean_output import MeanOutput, loss_of
from bridge.two_point.trace import CURVES, Trace, by_curve
from closedform.checks import arrays

# what a time constant is one of
OF = {"tau_h": "encoder", "tau_y": "decoder", "tau_mean": "mean"}
LARGEST_LOG = 700.0  # of a float


class LearningRate(NamedTuple):
    """An effective learning rate of the theory, the reciprocal of a time constant."""

    value: float  # 1 / tau, per unit of the data's time
    error: float  # its standard error, in the same unit


@dataclass(frozen=True, repr=False)
class FittedTheory:
    """The effective learning rates of one training run, or of several seeds of it.

    Attributes:
        law: the dynamical law, normally Eq. (7).
        tau_h: time constant of the encoder, as in Eq. (7), in the unit of the data's time.
        tau_y: time constant of the decoder, in the same unit.
        mean: decay of the mean output, or None without a usable loss.
        errors: standard errors by name (``tau_h``, ``tau_y``, ``tau_mean``), in the same unit. One standard error on
            either side covers less than 68 % if it comes from few seeds (58 % for three); ``interval`` accounts for it.
        warnings: reasons why the theory does not apply or the fit is unreliable; empty if there are none.
        initial: origin of the initial state: ``"data"``, ``"fit"``, ``"drawn"`` (fitted, and drawn to the initial
            values of the curves) or ``"given"``.
        initial_state: initial ``(dh2, dy2, w)`` of the trajectory; for several seeds, their mean.
        trace: the data; for several seeds, those of the first.
        estimate: residuals, Jacobian and covariance in the logarithms of the parameters; for several seeds, those of
            the first.
        seeds: the fits of the single seeds; empty for one trace.
        again: log time constants of other traces, or errors, fitted in the same way; None for several seeds.
    """

    law: Dynamics
    tau_h: float
    tau_y: float
    mean: MeanOutput | None
    errors: Mapping[str, float]
    warnings: tuple[str, ...]
    initial: str
    initial_state: tuple[float, float, float]
    trace: Trace = field(repr=False)
    estimate: least_squares.Estimate = field(repr=False)
    seeds: tuple[Self, ...] = field(default=(), repr=False)
    again: Callable[[Sequence[Trace]], list[Array | Failure]] | None = field(
        default=None, repr=False, compare=False
    )

    @property
    def per_seed(self) -> tuple[Self, ...]:
        """The fits of the single seeds; for one trace, this fit."""
        return self.seeds or (self,)

    @property
    def dynamics(self) -> str:
        """Name of the law: ``"effective"``, or one of ``ALTERNATIVES``."""
        return self.law.name

    @property
    def tau_mean(self) -> float | None:
        """Time constant of the mean output, or None if the data have no usable loss."""
        return self.mean.tau if self.mean else None

    @property
    def known(self) -> tuple[str, ...]:
        """Names of the time constants that were given and not fitted."""
        return tuple(
            name
            for name, tau in zip(("tau_h", "tau_y"), self.law.fixed, strict=True)
            if tau is not None
        )

    @property
    def params(self) -> dict[str, float]:
        """The time constants by name, ``tau_h``, ``tau_y`` and, with a usable loss, ``tau_mean``."""
        return {name: float(getattr(self, name)) for name in self.errors}

    @property
    def learning_rates(self) -> dict[str, LearningRate]:
        """The effective learning rates 1/tau with errors: of ``encoder`` (tau_h), ``decoder`` (tau_y), ``mean``."""
        return {
            OF[name]: LearningRate(1 / tau, self.errors[name] / tau**2)
            for name, tau in self.params.items()
        }

    @property
    def covariance(self) -> Array:
        """Covariance ``[2, 2]`` of tau_h and tau_y, in the unit of the data's time squared; 0 for a known constant.

        It comes from the seeds where there are several, and from the residuals otherwise.
        """
        tau = np.array([self.tau_h, self.tau_y])
        of_logs = self.estimate.covariance[:2, :2]
        if self.seeds:
            logs = np.log([[seed.tau_h, seed.tau_y] for seed in self.seeds])
            of_logs = np.cov(logs, rowvar=False) / len(self.seeds)
        return np.asarray(of_logs * np.outer(tau, tau))

    @property
    def layer(self) -> Any:
        """Layer of the representation, or None."""
        return self.trace.layer

    @property
    def error_source(self) -> str:
        """Origin of the errors: ``"seeds"`` or ``"residuals"``."""
        return "seeds" if self.seeds else "residuals"

    @property
    def repetitions(self) -> float:
        """Number of repetitions behind the errors, for ``bridge.compare(..., error=, repetitions=)``."""
        return float(len(self.seeds)) if self.seeds else math.inf

    def interval(
        self, name: str = "tau_h", level: float = normal.ONE_SIGMA
    ) -> tuple[float, float]:
        """Return the confidence interval of a time constant, symmetric in its logarithm, with Student's t over seeds.

        Args:
            name: ``"tau_h"``, ``"tau_y"`` or ``"tau_mean"``. Default: ``"tau_h"``.
            level: confidence level, between 0 and 1. Default: 0.683, one standard deviation.

        Raises:
            ValueError: if the fit has no error for this name, or the level is outside its range.
        """
        if name not in self.errors:
            raise ValueError(f"name: got {name!r}, needs one of {tuple(self.errors)}")
        if isinstance(level, bool) or not isinstance(level, (int, float)) or not 0 < level < 1:
            raise ValueError(f"level: got {level!r}, needs a number between 0 and 1")
        value = getattr(self, name)
        seeds = (
            sum(fit.mean is not None for fit in self.seeds)
            if name == "tau_mean"
            else len(self.seeds)
        )
        limit = (
            special.stdtrit(seeds - 1, (1 + level) / 2)
            if self.seeds
            else special.ndtri((1 + level) / 2)
        )
        factor = math.exp(min(float(limit) * self.errors[name] / value, LARGEST_LOG))
        return value / factor, value * factor

    @property
    def loss(self) -> float:
        """Fit loss (Eq. 49), the sum over epochs of the three squared differences; for several seeds, their mean."""
        return float(np.mean([(seed.estimate.residuals**2).sum() for seed in self.per_seed]))

    @property
    def r_squared_by_curve(self) -> Mapping[str, float]:
        """Fraction of each curve's variance that the theory explains, pooled over seeds; NaN for a constant curve."""
        remainder, spread = self._squares()
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = np.where(spread > 0, 1 - remainder / spread, np.nan)
        return by_curve(shares)

    @property
    def r_squared(self) -> float:
        """Fraction of the pooled variance of all three curves that the theory explains."""
        remainder, spread = self._squares()
        return float(1 - remainder.sum() / spread.sum())

    def _squares(self) -> tuple[Array, Array]:
        remainder = sum((seed.estimate.residuals**2).sum(axis=1) for seed in self.per_seed)
        spread = sum(
            ((seed.trace.state - seed.trace.state.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
            for seed in self.per_seed
        )
        return np.asarray(remainder), np.asarray(spread)

    @property
    def residuals(self) -> Array:
        """Theory minus measurement, ``[seed, 3, time]``; a ValueError for seeds recorded at different times."""
        if len({seed.trace.t.size for seed in self.per_seed}) > 1:
            raise ValueError(
                "residuals: the seeds have different numbers of points; take them from per_seed"
            )
        return np.stack([seed.estimate.residuals for seed in self.per_seed])

    @property
    def autocorrelation(self) -> Mapping[str, float]:
        """Mean correlation of neighbouring residuals of each curve; values near 1 show systematic residuals."""
        values = np.mean(
            [correlated_noise.neighbours(seed.estimate.residuals) for seed in self.per_seed],
            axis=0,
        )
        return by_curve(values)

    @property
    def effective_points(self) -> Mapping[str, float]:
        """Effective number of independent residuals of each curve, mean over seeds."""
        values = np.mean(
            [seed.trace.t.size / seed.estimate.correlation_time for seed in self.per_seed], axis=0
        )
        return by_curve(values)

    @property
    def noise(self) -> Mapping[str, str]:
        """What the noise of each curve is, in words: its size, how it changes, correlation, rounding.

        That of the first seed. The errors of the constants, and the bands of a forecast, follow it.
        """
        return dict(zip(CURVES, noise_in_words(self.estimate), strict=True))

    @property
    def unexplained(self) -> Mapping[str, float]:
        """Unexplained share of each curve's variance (:mod:`bridge.two_point.applicability`), mean over seeds."""
        return self._shares(applicability.unexplained)

    @property
    def systematic(self) -> Mapping[str, float]:
        """The same where noise that is itself correlated explains nothing: what the theory leaves of the curves."""
        return self._shares(applicability.systematic)

    def _shares(self, share: Callable[[Any, Array, Array], Array]) -> Mapping[str, float]:
        shares = [
            share(seed.estimate, seed.trace.state, seed.trace.noise) for seed in self.per_seed
        ]
        return by_curve(np.mean(shares, axis=0))

    def predict(self, t: ArrayLike) -> Array:
        """Return the theory ``[3, time]`` at times ``t``, in the data's unit, none before the first point."""
        elapsed = self._elapsed(t)
        tau = np.array([[self.tau_h, self.tau_y]])
        begin = np.array([self.initial_state])
        return np.asarray(
            self.law.curves(elapsed, tau, begin, self.trace.dx2, self.trace.target2)[0]
        )

    @property
    def correlation(self) -> float:
        """Correlation of the logarithms of tau_h and tau_y from the residuals, mean over seeds; NaN if undetermined."""
        covariances = np.array([seed.estimate.covariance[:2, :2] for seed in self.per_seed])
        with np.errstate(invalid="ignore", divide="ignore"):
            return float(
                np.mean(
                    covariances[:, 0, 1] / np.sqrt(covariances[:, 0, 0] * covariances[:, 1, 1])
                )
            )

    def predict_loss(self, t: ArrayLike) -> Array:
        """Return the theory of the training loss (Eq. 9), ``[time]``; a ValueError if the data had no usable loss."""
        if self.mean is None:
            raise ValueError(
                "predict_loss: the data had no usable column 'loss', so the decay of the mean is unknown"
            )
        return loss_of(
            self.predict(t), self._elapsed(t), self.trace.target2, self.mean.tau, self.mean.mean2_0
        )

    def _elapsed(self, t: ArrayLike) -> Array:
        times = arrays.real_array("t", t)
        if times.ndim != 1 or times.size == 0:
            raise ValueError(f"t: got shape {times.shape}, needs [time] with at least one")
        if times.min() < self.trace.t[0]:
            raise ValueError(
                f"t: got {times.min():g}, needs times not before the first point, {self.trace.t[0]:g}"
            )
        return np.asarray(times - self.trace.t[0])
