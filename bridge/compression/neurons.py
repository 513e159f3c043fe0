r"""The attractor of each neuron of a trained network, and the amplification factor of the neuron.

A neuron belongs to the stable fixed point on its own side (the sign of its informative weight) that is nearest to the
intercept :math:`\zeta_1 = -\sqrt d\,b/\omega_1` of its hyperplane. It has settled if it is within a given distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bridge.compression import trace as read
from bridge.compression.saturation import predicted_amplification
from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from closedform import checks

if TYPE_CHECKING:
    from theory.compression import Attractor

SETTLED = 0.25  # distance in units of the inputs


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


def assignment(trace: Any, *, seed: int = 0, share: int = 0, within: float = SETTLED) -> Assignment:
    """Assign the recorded neurons of a trace to the attractors of the compressing regime.

    It needs a trace, since it uses the weights of the neurons and the training set of the realisation.

    Args:
        trace: trace with stripes as labels and ``kept`` neurons.
        seed: index of the realisation. Default: 0.
        share: index of the share of fitted points; 0, the default, is t*, and later ones are after the compressing
            regime.
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
    weights = np.asarray(trace["kept_at"].isel(seed=seed, share=share).values)
    if not np.isfinite(weights).all():
        raise ValueError(f"trace: realisation {seed} never fitted a share of {config.shares[share]}")
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
