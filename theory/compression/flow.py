r"""The gradient flow of one neuron before any training point is fitted (Eqs. 4, 5), at any amplification factor.

Averaged over standard Gaussian data, in units of :math:`\tau = h\sqrt{d/2}`,

.. math:: \dot\omega_1 &= \beta\,\langle y\,x_1\,g\rangle, \qquad
          \dot\omega_\perp = \beta\Bigl[\frac{e^{-z^2/2}}{\sqrt{2\pi}} \frac{\omega_\perp}{\omega}
             \bigl\langle y(\tfrac{\|\omega_\perp\|}{\omega} x_1 + \tfrac{\omega_1}{\omega} z)\bigr\rangle
             + \sqrt{\tfrac{D_\perp}{p}}\,N\Bigr], \\
          \dot b &= \sqrt d\,\beta\,\langle y\,g\rangle, \qquad
          \dot\beta = \omega\cdot\dot\omega/\beta + b\,\dot b/\beta,

with :math:`z = -\sqrt d\,b/\omega`, :math:`g = \Phi((\sqrt d\,b + \omega_1 x_1)/\|\omega_\perp\|)` the probability
that the neuron is active given :math:`x_1`, and :math:`D_\perp = \Phi(-z)`. The averages over a cell of constant label
are closed forms in normal distribution functions and Owen's T. :math:`\beta^2 - \|\omega\|^2 - b^2` is conserved.

The fluctuation *N* of a training set is a constant unit Gaussian vector only on the attractor; for a given training set
``rates_on`` computes the sums over its points. Source: Paccolat et al. (2021), Eqs. (4), (5), (7), appendix C.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy import integrate, special

from theory.compression.labels import Array, Stripes, density
from theory.core.numbers.arguments import increasing, integer, positive_number, real_array

TOLERANCE = 1e-10  # relative tolerance of the integration


@dataclass(frozen=True)
class NeuronFlow:
    """Right-hand side and integration of one neuron's flow. A state is ``[omega_1 ... omega_d, b, beta]``.

    Attributes:
        labels: labels of the data.
        dimension: input dimension *d*, at least 2.
        fluctuation: *N* of Eq. (7), ``[d-1]`` unit Gaussian numbers; None for infinitely many training points.
        points: number of training points *p*; used with ``fluctuation`` only.
    """

    labels: Stripes
    dimension: int
    fluctuation: tuple[float, ...] | None = None
    points: float = math.inf

    def __post_init__(self) -> None:
        if not isinstance(self.labels, Stripes):
            raise TypeError(f"labels: got {type(self.labels).__name__}, needs compression.Stripes")
        object.__setattr__(self, "dimension", integer("dimension", self.dimension, 2))
        if self.fluctuation is not None or not (
            isinstance(self.points, float) and self.points == math.inf
        ):
            object.__setattr__(self, "points", positive_number("points", self.points))
        if self.fluctuation is not None:
            values = real_array(
                "fluctuation", self.fluctuation, dimensions=1, last=self.dimension - 1
            )
            object.__setattr__(self, "fluctuation", tuple(map(float, values)))

    def rates(self, state: ArrayLike) -> Array:
        """Return the velocity of a neuron averaged over the data, ``[d + 2]``, per tau."""
        return self._rates(*self._parts(state))

    def _rates(self, weights: Array, bias: float, beta: float) -> Array:
        first, perpendicular = float(weights[0]), weights[1:]
        across = math.sqrt(perpendicular @ perpendicular)
        norm = math.hypot(first, across)
        offset = math.sqrt(self.dimension) * bias
        y_bias, y_first = self._averages(first, across, offset)
        z = -offset / norm
        there = math.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
        seen = self._mean_label(first * z / norm, across / norm)
        drift = there * seen * perpendicular / norm
        if self.fluctuation is not None:
            drift = drift + math.sqrt(special.ndtr(-z) / self.points) * np.array(self.fluctuation)
        forces = np.array([y_first, *drift, math.sqrt(self.dimension) * y_bias])
        return np.append(beta * forces, forces[:-1] @ weights + forces[-1] * bias)

    def rates_on(self, state: ArrayLike, inputs: ArrayLike) -> Array:
        """Return the velocity ``[d + 2]``, per tau, on ``inputs [points, d]`` (Eq. 4) before any point is fitted."""
        return self._rates_on(self._inputs(inputs), *self._parts(state))

    def _inputs(self, inputs: ArrayLike) -> Array:
        return real_array("inputs", inputs, dimensions=2, last=self.dimension)

    def _rates_on(self, x: Array, weights: Array, bias: float, beta: float) -> Array:
        offset = math.sqrt(self.dimension) * bias
        y = self.labels(x[:, 0]) * (x @ weights + offset > 0)
        forces = np.append(y @ x, math.sqrt(self.dimension) * y.sum()) / len(x)
        return np.append(beta * forces, forces @ np.append(weights, bias))

    def integrate(
        self, state: ArrayLike, times: ArrayLike, inputs: ArrayLike | None = None
    ) -> Array:
        """Return the states of the averaged flow, or of the flow on ``inputs``, at ``times``, ``[times, d + 2]``.

        Times are in units of tau, the first that of the state ``[d + 2]``. With training points ``inputs [points, d]``,
        Eq. (4) on these points replaces its average.

        Raises:
            ValueError: if an argument has the wrong shape or values.
            ArithmeticError: if the integration fails.
        """
        start = np.concatenate([np.atleast_1d(part) for part in self._parts(state)])
        at = increasing("times", times)
        if len(at) < 2:
            raise ValueError("times: got one, needs at least two")
        rates = self._rates if inputs is None else partial(self._rates_on, self._inputs(inputs))
        # On a training set the velocity is discontinuous whenever a point crosses the hyperplane.
        tolerance = TOLERANCE if inputs is None else 1e-6
        solution = integrate.solve_ivp(
            lambda _, s: rates(s[:-2], float(s[-2]), float(s[-1])),
            (at[0], at[-1]),
            start,
            method="DOP853",
            t_eval=at,
            rtol=tolerance,
            atol=1e-12,
        )
        if not solution.success:
            raise ArithmeticError(f"the flow could not be integrated: {solution.message}")
        return np.asarray(solution.y.T)

    def _parts(self, state: ArrayLike) -> tuple[Array, float, float]:
        values = real_array("state", state, dimensions=1, last=self.dimension + 2)
        if not np.any(values[: self.dimension]):
            raise ValueError("state: all weights are zero, so the neuron has no hyperplane")
        return values[: self.dimension], float(values[-2]), float(values[-1])

    def _averages(self, first: float, across: float, offset: float) -> tuple[float, float]:
        places, jumps = self.labels.places, self.labels.jumps
        if across == 0:
            side, zeta = (1 if first > 0 else -1), -offset / first
            return float(self.labels.c_bias(zeta, side)), float(self.labels.c_parallel(zeta, side))
        norm = math.hypot(first, across)
        # Each boundary contributes its jump times the average over x_1 > boundary.
        everywhere = special.ndtr(offset / norm), first / norm * density(offset / norm)
        beyond = everywhere[0] - _below(places, offset / across, first / across)
        # Integration by parts: <x g> beyond b is density(b) g(b) plus the integral of g', after completing the square.
        centre, width = -first * offset / norm**2, across / norm
        slope = first / norm * density(offset / norm) * special.ndtr(-(places - centre) / width)
        edge = density(places) * special.ndtr((offset + first * places) / across)
        leftmost = self.labels.leftmost
        return float(leftmost * everywhere[0] + jumps @ beyond), float(
            leftmost * everywhere[1] + jumps @ (edge + slope)
        )

    def _mean_label(self, centre: float, width: float) -> float:
        """Return the mean label for a Gaussian coordinate with this mean and standard deviation."""
        if width == 0:
            return float(self.labels(centre))
        tails = special.ndtr((centre - self.labels.places) / width)
        return float(self.labels.leftmost + self.labels.jumps @ tails)


def neuron_flow(
    labels: Stripes, dimension: int, fluctuation: ArrayLike | None = None, points: float = math.inf
) -> NeuronFlow:
    """Return the flow of a neuron; the arguments are the attributes of :class:`NeuronFlow`.

    Args:
        labels: the stripes.
        dimension: dimension d of the inputs, at least 2.
        fluctuation: sample means N of the labels times the inputs across the stripes, ``[d - 1]``. Default: none, as
            for infinitely many points.
        points: number p of training points. Default: infinity.

    Returns:
        The flow, with its right-hand side and integration.

    Raises:
        TypeError, ValueError: for a number out of range, or a fluctuation of another length.

    >>> flow = neuron_flow(Stripes((-0.3, 1.2)), 5)
    >>> flow.dimension, flow.points
    (5, inf)
    """
    values = None if fluctuation is None else tuple(real_array("fluctuation", fluctuation).ravel())
    return NeuronFlow(labels, dimension, values, points)


def _below(x: Array, offset: float, slope: float) -> Array:
    """Return the integral of density(t) Phi(offset + slope t) over t < x, a bivariate normal probability."""
    scale = math.sqrt(1 + slope**2)
    h = offset / scale
    rho = -slope / scale
    root = 1 / scale  # sqrt(1 - rho^2)
    # Owen (1956): P(X < h, Y < x) from T(h, .) and T(x, .).
    h = h if h != 0 else 1e-300
    x = np.where(x == 0, 1e-300, x)
    first = special.owens_t(h, (x - rho * h) / (h * root))
    second = special.owens_t(x, (h - rho * x) / (x * root))
    apart = np.where(h * x < 0, 0.5, 0.0)
    return (special.ndtr(h) + special.ndtr(x)) / 2 - first - second - apart
