r"""The time at which the predictor of the whole network becomes of order one.

At late times every neuron that moves is near an attractor and grows as :math:`\omega_1 = c\, e^{t/\tau^*}`; the neurons
at the fastest attractor dominate. There :math:`\beta = \operatorname{sign}(C_1)\sqrt{1+z^{*2}/d}\;\omega_1`, so the
predictor is

.. math:: \alpha f(x) = \alpha\,M K e^{2t/\tau^*} \max(0, \pm(x_1 - z^*)), \qquad
          K = \sqrt{\tfrac{2}{d}\bigl(1 + \tfrac{z^{*2}}{d}\bigr)},

with *M* the mean of :math:`c^2` over all neurons. A given fraction of the training points is fitted at

.. math:: t^* = \frac{\tau^*}{2}\Bigl[\log\frac{1}{\alpha} - \log(M K X)\Bigr],

with *X* the distance from the hyperplane beyond which that fraction of the points lies and has the label that the
neurons learn. The slope, :math:`\tau^*/2`, needs no simulation; *M* depends on the distribution of the initial weights
and is computed by integrating the flow of random neurons. The law is derived here; section 2.4 of the paper has the
scaling.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from theory.compression.attractor import Attractor
from theory.compression.fixed_points import attractors
from theory.compression.flow import neuron_flow
from theory.compression.labels import Stripes
from theory.core.numbers.arguments import LARGEST_ARRAY, integer, real_number

FARTHEST = 40.0  # standard deviations, beyond which float64 has no Gaussian tail
SAME = 1e-10  # relative difference of growth times that rounding of the attractors may cause


@dataclass(frozen=True)
class CharacteristicTime:
    """The law t* = slope log(1/alpha) + offset, with times in units of tau."""

    slope: float  # half the growth time of the fastest attractor
    offset: float  # for unit Gaussian initial weights
    offset_error: float  # standard error from the finite number of random neurons
    attractor: Attractor  # the fastest one

    def __call__(self, alpha: float) -> float:
        """Return t*/tau at the network scale ``alpha``, which is positive and small."""
        if not (math.isfinite(alpha) and alpha > 0):
            raise ValueError(f"alpha: got {alpha}, needs a positive number")
        return self.slope * math.log(1 / alpha) + self.offset


def fastest(labels: Stripes, dimension: int) -> Attractor:
    """Return the stable fixed point with the shortest growth time; ValueError if there is none."""
    stable = [attractor for attractor in attractors(labels, dimension) if attractor.stable]
    if not stable:
        raise ValueError(f"labels: {labels} have no attractor in {dimension} dimensions")
    return by_growth_time(stable)[0]


def by_growth_time(attractors: Sequence[Attractor]) -> list[Attractor]:
    """Return the attractors in order of growth time; equally fast ones, such as mirror images, keep the given order."""
    remaining, ordered = list(attractors), []
    while remaining:
        shortest = min(attractor.growth_time for attractor in remaining)
        limit = (1 + SAME) * shortest
        ordered.append(
            remaining.pop(
                next(i for i, entry in enumerate(remaining) if entry.growth_time <= limit)
            )
        )
    return ordered


def characteristic_time(
    labels: Stripes, dimension: int, *, fitted: float = 0.1, neurons: int = 200, seed: int = 0
) -> CharacteristicTime:
    """Return the time at which a fraction of the training points is fitted, for many points and small network scale.

    Args:
        labels: labels of alternating sign in the informative direction.
        dimension: input dimension *d*, at least 2.
        fitted: fraction of fitted points at which the predictor counts as of order one, in (0, 1); default 0.1.
        neurons: number of random neurons from which the offset is computed; default 200.
        seed: seed of these random neurons; default 0.

    Raises:
        ValueError: if an argument is out of range, or the fastest attractor alone never fits that fraction.

    >>> law = characteristic_time(Stripes((0,)), 5, neurons=20)
    >>> round(law.slope, 3)
    0.764
    """
    neurons = integer("neurons", neurons, 2, LARGEST_ARRAY)
    fitted = real_number("fitted", fitted, "a share between 0 and 1", above=0, below=1)
    attractor = fastest(labels, dimension)
    learned = int(math.copysign(1, attractor.c_parallel)) * attractor.side
    reach = _reach(labels, attractor, learned, fitted)
    squares = _squares(labels, dimension, attractor, neurons, seed)
    mean = squares.mean()
    if mean == 0:
        raise ValueError(f"neurons: none of {neurons} went to the fastest attractor; draw more")
    height = reach * math.sqrt(2 / dimension * (1 + attractor.position**2 / dimension))
    slope = float(attractor.growth_time) / 2
    error = slope * float(squares.std(ddof=1)) / math.sqrt(neurons) / mean
    return CharacteristicTime(slope, -slope * math.log(mean * height), error, attractor)


def _reach(labels: Stripes, attractor: Attractor, learned: int, fitted: float) -> float:
    """Return the distance from the hyperplane beyond which a fraction ``fitted`` of points has label ``learned``."""
    side, position = attractor.side, attractor.position

    def share(distance: float) -> float:
        edge = position + side * distance
        seen = special.ndtr(-side * edge)
        # (P + <y Theta>)/2 is the probability of one label
        return float((seen + learned * labels.c_bias(edge, side)) / 2)

    if not share(0.0) > fitted:
        raise ValueError(
            f"fitted: got {fitted}; the fastest attractor fits at most {share(0.0):.3g} of the points"
        )
    if not share(FARTHEST) < fitted:
        raise ValueError(
            f"fitted: got {fitted}, which points farther than {FARTHEST:g} standard deviations have"
        )
    return float(optimize.brentq(lambda distance: share(distance) - fitted, 0.0, FARTHEST))


def _squares(
    labels: Stripes, dimension: int, attractor: Attractor, neurons: int, seed: int
) -> np.ndarray:
    """Return c^2 of random neurons; it is zero for neurons that converge to another attractor."""
    rng = np.random.default_rng(integer("seed", seed, 0))
    flow = neuron_flow(labels, dimension)
    late = 12 * float(attractor.growth_time)  # by then slower attractors are negligible
    squares = np.zeros(neurons)
    for index in range(neurons):
        end = flow.integrate(rng.normal(size=dimension + 2), np.array([0.0, late]))[-1]
        intercept = -math.sqrt(dimension) * end[-2] / end[0]
        if np.sign(end[0]) == attractor.side and abs(intercept - attractor.position) < 1e-2:
            squares[index] = end[0] ** 2 * math.exp(-2 * late / float(attractor.growth_time))
    return squares
