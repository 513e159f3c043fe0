"""The result of a fit of the two-point theory."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bridge import arguments
from bridge import fit as least_squares
from bridge.arrays import Array
from bridge.two_point import misfit
from bridge.two_point import state as states
from bridge.two_point.dynamics import Dynamics
from bridge.two_point.mean_output import MeanOutput, loss_of
from bridge.two_point.trace import CURVES, Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ONE_SIGMA = 0.6826894921370859  # share of a normal distribution within one standard deviation
LARGEST_LOG = 700.0  # of a float


@dataclass(frozen=True)
class TwoPointFit:
    """The effective learning rates of one training run, or of several seeds of it.

    Attributes:
        law: the dynamics, normally Eq. (7).
        tau_h: time constant of the encoder, as in Eq. (7), in the unit of the data's time.
        tau_y: time constant of the decoder, same unit.
        mean: decay of the output mean, or None without a (usable) loss.
        errors: standard error by name (``tau_h``, ``tau_y``, ``tau_mean``), same unit. One of them on either side
            covers less than 68 % if it comes from few seeds (58 % for three), which ``interval`` allows for.
        warnings: where the theory does not apply, or the fit is not to be trusted; empty is good.
        initial: where the initial state came from: ``"data"``, ``"fit"``, ``"drawn"`` (fitted, and drawn to where the
            curves begin) or ``"given"``.
        initial_state: ``(dh2, dy2, w)`` from which the trajectory leaves; for several seeds, their mean.
        trace: the data; of the first seed, where there are several.
        estimate: residuals, Jacobian and covariance, in log parameters; of the first seed, where there are several.
        seeds: the single fits, where there are several.
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
    seeds: tuple[TwoPointFit, ...] = field(default=(), repr=False)

    @property
    def per_seed(self) -> tuple[TwoPointFit, ...]:
        """The single-trace fits; for one trace, this one."""
        return self.seeds or (self,)

    @property
    def dynamics(self) -> str:
        """Name of the law: ``"effective"``, or one of ``ALTERNATIVES``."""
        return self.law.name

    @property
    def tau_mean(self) -> float | None:
        """Time constant of the output mean, or None if there is no loss to read it from."""
        return self.mean.tau if self.mean else None

    @property
    def layer(self) -> Any:
        """Layer in which the representation was read, or None."""
        return self.trace.layer

    @property
    def error_source(self) -> str:
        """``"seeds"`` or ``"residuals"``."""
        return "seeds" if self.seeds else "residuals"

    @property
    def repetitions(self) -> float:
        """How many repetitions the errors come from, for ``bridge.compare(..., error=, repetitions=)``."""
        return float(len(self.seeds)) if self.seeds else math.inf

    def interval(self, name: str = "tau_h", level: float = ONE_SIGMA) -> tuple[float, float]:
        """Interval of a time constant, symmetric in its logarithm; over seeds, Student's.

        Args:
            name: ``"tau_h"``, ``"tau_y"`` or ``"tau_mean"``.
            level: between 0 and 1; default one standard deviation.

        Raises:
            ValueError: for a name that the fit has no error of, or a level outside its range.
        """
        if name not in self.errors:
            raise ValueError(f"name: got {name!r}, needs one of {tuple(self.errors)}")
        if isinstance(level, bool) or not isinstance(level, (int, float)) or not 0 < level < 1:
            raise ValueError(f"level: got {level!r}, needs a number between 0 and 1")
        value = getattr(self, name)
        seeds = sum(each.mean is not None for each in self.seeds) if name == "tau_mean" else len(self.seeds)
        limit = stats.t.ppf((1 + level) / 2, seeds - 1) if self.seeds else stats.norm.ppf((1 + level) / 2)
        factor = math.exp(min(float(limit) * self.errors[name] / value, LARGEST_LOG))
        return value / factor, value * factor

    @property
    def loss(self) -> float:
        """Fit loss (Eq. 49): sum over epochs of the three squared differences; mean over seeds."""
        return float(np.mean([(seed.estimate.residuals**2).sum() for seed in self.per_seed]))

    @property
    def r_squared_by_curve(self) -> Mapping[str, float]:
        """Share of each curve's variance that the theory explains; pooled over seeds; nan for a constant curve."""
        remainder, spread = self._squares()
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = np.where(spread > 0, 1 - remainder / spread, np.nan)
        return dict(zip(CURVES, (float(share) for share in shares), strict=True))

    @property
    def r_squared(self) -> float:
        """Share of the variance of all three curves, pooled, that the theory explains."""
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
        """Theory minus measurement, ``[seed, 3, time]``.

        Raises:
            ValueError: if the seeds were recorded at different times; take ``per_seed`` one by one then.
        """
        if len({seed.trace.t.size for seed in self.per_seed}) > 1:
            raise ValueError("residuals: the seeds have different numbers of points; take them from per_seed")
        return np.stack([seed.estimate.residuals for seed in self.per_seed])

    @property
    def autocorrelation(self) -> Mapping[str, float]:
        """Correlation of neighbouring residuals per curve, mean over seeds: near 1 means systematic, not noise."""
        values = np.mean([seed.estimate.autocorrelation for seed in self.per_seed], axis=0)
        return dict(zip(CURVES, (float(value) for value in values), strict=True))

    @property
    def effective_points(self) -> Mapping[str, float]:
        """How many independent residuals each curve amounts to, mean over seeds."""
        values = np.mean([seed.trace.t.size / seed.estimate.correlation_time for seed in self.per_seed], axis=0)
        return dict(zip(CURVES, (float(value) for value in values), strict=True))

    @property
    def unexplained(self) -> Mapping[str, float]:
        """Share of each curve's variance, noise apart, that the theory leaves (``misfit``); mean over seeds."""
        values = np.mean(
            [misfit.unexplained(one.estimate, one.trace.state, states.noise(one.trace)) for one in self.per_seed],
            axis=0,
        )
        return dict(zip(CURVES, (float(value) for value in values), strict=True))

    def predict(self, t: ArrayLike) -> Array:
        """Return the theory ``[3, time]`` at times ``t`` in the data's unit, from the (seeds' mean) initial state.

        Raises:
            ValueError: for times before the first point, or that are not finite.
        """
        elapsed = self._elapsed(t)
        tau = np.array([[self.tau_h, self.tau_y]])
        begin = np.array([self.initial_state])
        return np.asarray(self.law.curves(elapsed, tau, begin, self.trace.dx2, self.trace.target2)[0])

    def predict_loss(self, t: ArrayLike) -> Array:
        """Return the theory of the training loss (Eq. 9), ``[time]``.

        Raises:
            ValueError: if the data had no loss, or the times are not good.
        """
        if self.mean is None:
            raise ValueError("predict_loss: the data had no usable column 'loss', so the mean's decay is unknown")
        return loss_of(self.predict(t), self._elapsed(t), self.trace.target2, self.mean.tau, self.mean.mean2_0)

    def _elapsed(self, t: ArrayLike) -> Array:
        times = arguments.real_array("t", t)
        if times.ndim != 1 or times.size == 0:
            raise ValueError(f"t: got shape {times.shape}, needs [time] with at least one")
        if times.min() < self.trace.t[0]:
            raise ValueError(f"t: got {times.min():g}, needs times from the first point, {self.trace.t[0]:g}, on")
        return np.asarray(times - self.trace.t[0])

    def plot(self, ax: Axes | None = None) -> Figure:
        """Draw the measurement (every seed thin) with the theory over it; see :func:`bridge.two_point.plot.draw`."""
        from bridge.two_point.plot import draw

        return draw(self, ax)

    def summary(self) -> str:
        """Return a table of at most 100 columns."""
        from bridge.two_point.summary import write

        return write(self)
