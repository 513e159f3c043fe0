r"""What the whole network does before it fits anything: when its predictor becomes of order one, and its amplification.

At late times every neuron that moves is near an attractor and grows as :math:`\omega_1 = c\, e^{t/\tau^*}`; the fastest
attractor wins. There :math:`\beta = \operatorname{sign}(C_1)\sqrt{1+z^{*2}/d}\;\omega_1`, so the predictor is

.. math:: \alpha f(x) = \alpha\,M K e^{2t/\tau^*} \max(0, \pm(x_1 - z^*)), \qquad
          K = \sqrt{\tfrac{2}{d}\bigl(1 + \tfrac{z^{*2}}{d}\bigr)},

*M* the mean of :math:`c^2` over all neurons, and a share of the training points is fitted at

.. math:: t^* = \frac{\tau^*}{2}\Bigl[\log\frac{1}{\alpha} - \log(M K X)\Bigr],

*X* the distance from the hyperplane beyond which that share of the points lies, with the label that is learned there.
The slope, :math:`\tau^*/2`, needs no simulation; *M* depends on how the weights are drawn and is found by integrating
the flow of drawn neurons. New here; the paper has the scaling, section 2.4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from theory.compression.fixed_points import Attractor, attractors
from theory.compression.flow import neuron_flow
from theory.compression.labels import Stripes
from theory.core.arguments import integer, positive_number

SAME = 1e-10  # relative difference of growth times that rounding of the attractors may cause


@dataclass(frozen=True)
class CharacteristicTime:
    """The law t* = slope log(1/alpha) + offset, times in units of tau.

    Attributes:
        slope: half the growth time of the fastest attractor.
        offset: for unit Gaussian weights; with its standard error from the drawn neurons.
        offset_error: that error.
        attractor: the fastest.
    """

    slope: float
    offset: float
    offset_error: float
    attractor: Attractor

    def __call__(self, alpha: float) -> float:
        """t*/tau at the network scale ``alpha``, positive and small."""
        if not (math.isfinite(alpha) and alpha > 0):
            raise ValueError(f"alpha: got {alpha}, needs a positive number")
        return self.slope * math.log(1 / alpha) + self.offset


def fastest(labels: Stripes, dimension: int) -> Attractor:
    """The stable fixed point with the shortest growth time, by :func:`by_growth_time`.

    Raises:
        ValueError: if there is none.
    """
    stable = [each for each in attractors(labels, dimension) if each.stable]
    if not stable:
        raise ValueError(f"labels: {labels} have no attractor in {dimension} dimensions")
    return by_growth_time(stable)[0]


def by_growth_time(attractors: Sequence[Attractor]) -> list[Attractor]:
    """Attractors with the fastest first; those that are equally fast, as mirror images are, stay in the given order."""
    left, ordered = list(attractors), []
    while left:
        shortest = min(each.growth_time for each in left)
        ordered.append(left.pop(next(i for i, each in enumerate(left) if each.growth_time <= (1 + SAME) * shortest)))
    return ordered


def characteristic_time(
    labels: Stripes, dimension: int, *, fitted: float = 0.1, neurons: int = 200, seed: int = 0
) -> CharacteristicTime:
    """When a share of the training points is fitted, in the limit of many points and a small network scale.

    Args:
        labels: of alternating sign in the informative direction.
        dimension: *d*, at least 2.
        fitted: share of the points that counts as the predictor being of order one, between 0 and 1.
        neurons: drawn for the offset.
        seed: of that draw.

    Raises:
        ValueError: for bad input, or where the fastest attractor alone never fits that share of the points.
    """
    neurons = integer("neurons", neurons, 2)
    fitted = positive_number("fitted", fitted)
    if fitted >= 1:
        raise ValueError(f"fitted must be a share between 0 and 1, got {fitted}")
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
    """Distance from the hyperplane beyond which a share ``fitted`` of all points lies, with the label ``learned``."""
    side, position = attractor.side, attractor.position

    def share(distance: float) -> float:
        edge = position + side * distance
        seen = special.ndtr(-side * edge)
        return float(
            (seen + learned * labels.c_bias(edge, side)) / 2
        )  # (P + <y Theta>)/2 is the probability of one label

    if share(0.0) <= fitted:
        raise ValueError(f"fitted: got {fitted}; the fastest attractor fits at most {share(0.0):.3g} of the points")
    return float(optimize.brentq(lambda distance: share(distance) - fitted, 0.0, 40.0))


def _squares(labels: Stripes, dimension: int, attractor: Attractor, neurons: int, seed: int) -> np.ndarray:
    """c^2 of drawn neurons, zero for those that go elsewhere."""
    rng = np.random.default_rng(seed)
    flow = neuron_flow(labels, dimension)
    late = 12 * float(attractor.growth_time)  # the next attractors are left behind by then, or do not count
    squares = np.zeros(neurons)
    for index in range(neurons):
        end = flow.integrate(rng.normal(size=dimension + 2), np.array([0.0, late]))[-1]
        intercept = -math.sqrt(dimension) * end[-2] / end[0]
        if np.sign(end[0]) == attractor.side and abs(intercept - attractor.position) < 1e-2:
            squares[index] = end[0] ** 2 * math.exp(-2 * late / float(attractor.growth_time))
    return squares
