r"""The amplification factor of every data set, predicted from the fluctuation of that set.

At an attractor the perpendicular weights saturate at :math:`v^* = F_\perp/J`. Here
:math:`F_\perp = p^{-1}\sum_\mu y^\mu x_\perp^\mu \Theta(\pm(x_1^\mu - z))` is the force of the training set, at the
fixed point *z* of the sums over this set (Eq. 6), and *J* is the derived linear response, which is constant in the
whole cell; :math:`\sqrt p\,F_\perp` is the fluctuation :math:`\sqrt{D_\perp} N`. The neurons of the fastest attractor
dominate at late times, so that the network has :math:`\Lambda^* = \sqrt{d-1}\,|J|/\|F_\perp\|`.

A neuron of a trained network belongs to the stable fixed point on its own side (the sign of its informative weight)
that is nearest to the intercept :math:`\zeta_1 = -\sqrt d\,b/\omega_1` of its hyperplane. It has settled if it is
within a given distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge.compression import trace as read
from bridge.plots.result import Result
from bridge.statistics.arrays import Array, mean_and_error
from closedform import checks
from closedform.checks.arrays import real_array

if TYPE_CHECKING:
    from theory.compression import Attractor

SETTLED = 0.25  # distance in units of the inputs


@dataclass(frozen=True, repr=False)
class Saturation(Result):
    """Global amplification factors of one trace, at t*.

    Attributes:
        measured: measured factors, dimensionless, ``[seed]``; NaN where the share of points was never fitted.
        predicted: factors predicted from each data set, dimensionless, ``[seed]``.
        mean_log: derived mean over data sets of the logarithm of the factor.
        attractor: attractor of the prediction, the fastest one.
        log_ratio: mean of log(measured/predicted).
        log_ratio_error: standard error of ``log_ratio``.
        explained: fraction of the variance of log(measured) that the fluctuations of the data sets explain.
    """

    measured: Array
    predicted: Array
    mean_log: float
    attractor: Attractor
    log_ratio: float
    log_ratio_error: float
    explained: float


def predicted_amplification(attractor: Attractor, inputs: ArrayLike, labels: ArrayLike) -> Array:
    r"""Predict the amplification factor :math:`\lambda^*` at an attractor for one training set.

    Args:
        attractor: entry of ``theory.compression.attractors``.
        inputs: ``[..., point, d]``, with the informative direction first.
        labels: ``[..., point]``, +1 or -1.

    Returns:
        The factors ``[...]``, dimensionless.

    Raises:
        TypeError: for anything but an attractor and real numbers.
        ValueError: for shapes that do not fit, or an attractor without amplification.

    >>> from theory.compression import Stripes, attractors
    >>> attractor = attractors(Stripes((-0.3, 1.2)), 2)[0]
    >>> factor = predicted_amplification(attractor, [[0.5, 1.0], [-1.0, 0.3], [2.0, 0.4]], [1, -1, -1])
    >>> round(float(factor), 2)
    2.81
    """
    if not hasattr(attractor, "amplification"):
        raise TypeError(
            f"attractor: got {type(attractor).__name__}, needs an entry of theory.compression.attractors"
        )
    x, y = real_array("inputs", inputs), real_array("labels", labels)
    if x.ndim < 2 or x.shape[-1] < 2 or y.shape != x.shape[:-1] or not y.size:
        raise ValueError(
            f"inputs, labels: got shapes {x.shape} and {y.shape}, needs [..., point, d >= 2], [..., point]"
        )
    if attractor.amplification is None:
        raise ValueError(
            "attractor: its perpendicular weights outgrow the informative one; lambda has no limit"
        )
    flat = zip(x.reshape(-1, *x.shape[-2:]), y.reshape(-1, y.shape[-1]), strict=True)
    forces = np.array([np.linalg.norm(force_across(attractor, *data_set)) for data_set in flat])
    return np.asarray(abs(float(attractor.current)) / forces.reshape(x.shape[:-2]))


def force_across(attractor: Attractor, x: Array, y: Array) -> Array:
    """Return the force of one training set perpendicular to the informative direction, ``[d - 1]``."""
    is_active = attractor.side * (x[:, 0] - own_position(attractor, x[:, 0], y, x.shape[1])) > 0
    return np.asarray(((y * is_active)[:, None] * x[:, 1:]).mean(axis=0))


def own_position(attractor: Attractor, x: Array, y: Array, dimension: int) -> float:
    """Return the zero of Eq. (6) near the derived one for ``x [point]``, informative coordinates, and their labels."""
    # neurons are active beyond their hyperplane, in the direction of their side
    along = attractor.side * x
    order = np.argsort(-along)
    beyond = np.cumsum(y[order]) / len(x), np.cumsum((x * y)[order]) / len(x)
    # hyperplanes between neighbouring points
    gaps = attractor.side * (along[order][:-1] + along[order][1:]) / 2
    values = dimension * beyond[0][:-1] + gaps * beyond[1][:-1]
    changes = np.flatnonzero(np.sign(values[:-1]) != np.sign(values[1:]))
    if not changes.size:
        return float(attractor.position)
    places = (gaps[changes] + gaps[changes + 1]) / 2
    return float(places[np.abs(places - float(attractor.position)).argmin()])


def saturation(trace: Any) -> Saturation:
    """Compare the global amplification factor of every realisation at t* with its prediction.

    It needs a trace, since the prediction is computed from the training set of every realisation;
    :func:`predicted_amplification` takes training sets of any origin.

    Args:
        trace: trace of the experiment with stripes as labels.

    Raises:
        TypeError, ValueError: if it is another trace, or fewer than three realisations reached t*.

    >>> from empirics.experiments import compression
    >>> config = compression.Config(dimension=2, points=100, width=50, seeds=3)
    >>> saturation(compression.run(config, progress=False)).measured.shape
    (3,)
    """
    from empirics.experiments.compression import realisations
    from theory.compression.linear_response import mean_log_amplification
    from theory.compression.population import fastest

    config = read.config_of(read.checked(trace))
    attractor = fastest(read.stripes_of(config, "the prefactor"), config.dimension)
    drawn = realisations(config)
    root = math.sqrt(config.dimension - 1)
    predicted = root * predicted_amplification(
        attractor, drawn.inputs.numpy(), drawn.labels.numpy()
    )
    measured = read.at_first_share(trace, "amplification")
    is_finite = np.isfinite(measured)
    if is_finite.sum() < 3:
        raise ValueError(f"trace: {is_finite.sum()} realisations reached t*, needs at least 3")
    ratio = np.log(measured[is_finite] / predicted[is_finite])
    log_ratio, error = mean_and_error(ratio)
    spread = np.log(measured[is_finite]).var(ddof=1)
    mean_log = mean_log_amplification()(
        amplification=float(attractor.amplification or math.nan),
        p=float(config.points),
        d=config.dimension,
    )
    return Saturation(
        measured=measured,
        predicted=predicted,
        mean_log=float(mean_log) + math.log(root),
        attractor=attractor,
        log_ratio=log_ratio,
        log_ratio_error=error,
        explained=float(1 - ratio.var(ddof=1) / spread),
    )


@dataclass(frozen=True, repr=False)
class Assignment(Result):
    """The neurons of one realisation at one time, assigned to attractors.

    Attributes:
        attractors: stable attractors, fastest first.
        nearest: index of the attractor of each neuron, ``[neuron]``.
        distance: distance of the intercept from that attractor, in units of the inputs, ``[neuron]``.
        settled: whether the neuron has settled at that attractor, ``[neuron]``.
        vectors: vectors z of the neurons, ``[neuron, d]``.
        amplification: lambda = |omega_1|/|omega_perp|, dimensionless, ``[neuron]``.
        predicted: lambda* from the fluctuation of the data set, dimensionless, ``[attractor]``.
        size: fraction of the neuron in the sum of squares of all informative weights, ``[neuron]``.
    """

    attractors: tuple[Attractor, ...]
    nearest: NDArray[np.intp]
    distance: Array
    settled: NDArray[np.bool_]
    vectors: Array
    amplification: Array
    predicted: Array
    size: Array

    def median(self, attractor: int) -> float:
        """Return the median lambda of the settled neurons of an attractor; NaN if there are none."""
        is_counted = self.settled & (self.nearest == attractor)
        return float(np.median(self.amplification[is_counted])) if is_counted.any() else math.nan


def assignment(trace: Any, *, seed: int = 0, within: float = SETTLED) -> Assignment:
    """Assign the recorded neurons of a trace to the attractors of the compressing regime.

    It needs a trace, since it uses the weights of the neurons and the training set of the realisation.

    Args:
        trace: trace with stripes as labels and ``kept`` neurons.
        seed: index of the realisation. Default: 0.
        within: distance within which a neuron has settled, in units of the inputs. Default: 0.25.

    Raises:
        TypeError, ValueError: if it is another trace, has no neurons, or never fitted the share of points.

    >>> from empirics.experiments import compression
    >>> trace = compression.run(compression.Config(dimension=2, points=100, width=50, kept=50, seeds=1), progress=False)
    >>> assignment(trace).nearest.shape
    (50,)
    """
    from empirics.experiments.compression import realisations
    from empirics.measure import neuron_vectors
    from theory.compression import attractors
    from theory.compression.population import by_growth_time

    config = read.config_of(read.checked(trace))
    if "kept_at" not in trace:
        raise ValueError("trace: has no recorded neurons; run the experiment with kept=")
    within = checks.positive_number("within", within)
    weights = np.asarray(trace["kept_at"].isel(seed=seed, share=0).values)
    if not np.isfinite(weights).all():
        raise ValueError(f"trace: realisation {seed} never fitted a share of {config.shares[0]}")
    known = attractors(read.stripes_of(config, "an attractor"), config.dimension)
    stable = by_growth_time([attractor for attractor in known if attractor.stable])
    omega, bias = weights[:, : config.dimension], weights[:, config.dimension]
    intercept = -math.sqrt(config.dimension) * bias / omega[:, 0]
    apart = np.abs(intercept[:, None] - [float(attractor.position) for attractor in stable])
    apart[np.sign(omega[:, :1]) != [attractor.side for attractor in stable]] = np.inf
    nearest = apart.argmin(axis=1)
    distance = apart[np.arange(len(apart)), nearest]
    drawn = realisations(config)
    x, y = drawn.inputs[seed].numpy(), drawn.labels[seed].numpy()
    return Assignment(
        attractors=tuple(stable),
        nearest=nearest,
        distance=distance,
        settled=distance < within,
        vectors=neuron_vectors(omega, bias).numpy(),
        amplification=np.abs(omega[:, 0]) / np.linalg.norm(omega[:, 1:], axis=1),
        predicted=np.array([predicted_amplification(attractor, x, y) for attractor in stable]),
        size=omega[:, 0] ** 2 / (omega[:, 0] ** 2).sum(),
    )
