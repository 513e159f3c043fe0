r"""The attractor that each neuron of a trained network went to, and its compression there.

A neuron belongs to the stable fixed point of its own side (the sign of its informative weight) that its hyperplane's
intercept :math:`\zeta_1 = -\sqrt d\,b/\omega_1` is nearest to, and has settled if it is nearer than a stated distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bridge import arguments
from bridge.arrays import Array
from bridge.compression import trace as read
from bridge.compression.saturation import predicted_amplification

if TYPE_CHECKING:
    from theory.compression import Attractor

SETTLED = 0.25  # of the unit of the inputs


@dataclass(frozen=True)
class Assignment:
    """The neurons of one realisation at one time, assigned to attractors.

    Attributes:
        attractors: the stable ones, fastest first.
        nearest: ``[neuron]``, number of the attractor that the neuron belongs to.
        distance: ``[neuron]``, of its intercept from that attractor.
        settled: ``[neuron]``, whether it is there.
        vectors: ``[neuron, d]``, z.
        amplification: ``[neuron]``, lambda = |omega_1|/|omega_perp|.
        predicted: ``[attractor]``, lambda* from the data set's own fluctuation.
        size: ``[neuron]``, share of the neuron in the sum of the squares of all informative weights.
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
        """Return the median lambda of the settled neurons of an attractor; NaN where there is none."""
        is_counted = self.settled & (self.nearest == attractor)
        return float(np.median(self.amplification[is_counted])) if is_counted.any() else math.nan


def assignment(trace: Any, *, seed: int = 0, share: int = 0, within: float = SETTLED) -> Assignment:
    """Assign the neurons that a trace kept to the attractors of the compressing regime.

    Args:
        trace: of stripes, with ``kept`` neurons.
        seed: position of the realisation.
        share: position of the share of fitted points; 0 is t*, later ones are past the compressing regime.
        within: distance at which a neuron counts as settled, in units of the inputs.

    Raises:
        TypeError, ValueError: for something else, a trace without neurons, or one that never got there.
    """
    from empirics.experiments.compression import realisations
    from empirics.measure import neuron_vectors
    from theory.compression import attractors
    from theory.compression.population import by_growth_time

    config = read.config_of(read.checked(trace))
    if "kept_at" not in trace:
        raise ValueError("trace: kept no neurons; run it with kept=")
    within = arguments.positive_number("within", within)
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
