"""The letters of the paper, its stripe, and neurons at the fixed points of stripes."""

import math

import numpy as np
from numpy.typing import NDArray

from theory.compression import Stripes, attractors, neuron_flow
from theory.compression.fixed_points import Attractor
from theory.core import letters_of

Array = NDArray[np.float64]
letters = letters_of(__package__)
STRIPE = Stripes((-0.3, 1.18549233272))


def state_at(d: int, point: Attractor, ahead: float = 0.0, across: float = 0.0) -> Array:
    """A neuron ``[omega_1 ... omega_d b beta]`` with |omega_1| = 1 next to a fixed point: ahead of it, or across."""
    state = np.zeros(d + 2)
    state[0], state[1] = point.side, across
    state[-2] = -point.side * (point.position + ahead) / math.sqrt(d)
    state[-1] = math.copysign(math.sqrt(1 + point.position**2 / d), point.side * point.c_parallel)
    return state


def path_from(index: int, *times: float, ahead: float = 0.0) -> Array:
    """States of a neuron in five dimensions from next to an attractor of the stripe on; the first time is the start."""
    start = state_at(5, attractors(STRIPE, 5)[index], ahead)
    return neuron_flow(STRIPE, 5).integrate(start, np.array(times))
