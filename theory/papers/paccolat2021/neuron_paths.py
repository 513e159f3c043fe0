"""Neurons on the paper's stripe, integrated, against which the sentences on fixed points and growth are checked."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from theory.compression import Stripes, attractors, neuron_flow
from theory.compression.fixed_points import Attractor

Array = NDArray[np.float64]
STRIPE = Stripes((-0.3, 1.18549233272))
QUARTER = float(special.ndtri(0.75))
SYMMETRIC = Stripes((-QUARTER, QUARTER))
"""A stripe of equiprobable labels that are not correlated with the informative coordinate."""


def path_from(attractor: Attractor, *times: float, ahead: float = 0.0, across: float = 0.0) -> Array:
    """States of a neuron in five dimensions that starts beside an attractor: ``[time, omega_1 ... omega_5 b beta]``.

    Args:
        attractor: of the stripe, with d = 5; the start is at ``|omega_1| = 1``, growing.
        times: the first is that of the start; per tau.
        ahead: by how much its intercept is larger than the attractor's.
        across: one of its perpendicular weights; the others are zero.
    """
    bias = -attractor.side * (attractor.position + ahead) / math.sqrt(5)
    size = math.sqrt(1 + attractor.position**2 / 5)
    beta = math.copysign(size, attractor.side * attractor.c_parallel)
    start = np.array([attractor.side, across, 0, 0, 0, bias, beta])
    return neuron_flow(STRIPE, 5).integrate(start, np.array(times))


def neuron_vector(state: Array) -> Array:
    """The point of the hyperplane of a neuron that is closest to the origin, ``[d]``."""
    omega, bias = state[:-2], state[-2]
    return np.asarray(-math.sqrt(len(omega)) * bias * omega / (omega @ omega))


class Neuron(NamedTuple):
    """A neuron before and after a long time in the average over the data."""

    start: Array
    end: Array
    velocity: float
    """Of beta at the start, per tau."""

    def distance(self) -> float:
        """How far its neuron vector ends from the nearest attractor of the stripe."""
        places = [a.position * np.eye(len(self.end) - 2)[0] for a in attractors(STRIPE, len(self.end) - 2) if a.stable]
        return float(min(np.linalg.norm(neuron_vector(self.end) - place) for place in places))


@cache
def random_neurons(count: int = 20) -> tuple[Neuron, ...]:
    """Neurons of unit Gaussian weights in two dimensions, after 200 tau."""
    flow = neuron_flow(STRIPE, 2)
    starts = np.random.default_rng(5).normal(size=(count, 4))
    ends = [flow.integrate(start, [0.0, 200.0])[-1] for start in starts]
    return tuple(Neuron(s, e, float(flow.rates(s)[-1])) for s, e in zip(starts, ends, strict=True))


def turning(labels: Stripes, direction: Array) -> float:
    """Speed at which a neuron of unit size turns, per tau; zero at a fixed point."""
    unit = direction / np.linalg.norm(direction)
    force = neuron_flow(labels, len(unit) - 1).rates(np.append(unit, 1.0))[:-1]
    return float(np.linalg.norm(force - unit * (unit @ force)))


def fixed_vectors(labels: Stripes) -> list[Array]:
    """Neuron vectors in two dimensions that stand still: those on the axis, and of six neurons with omega_1 = 0."""
    on_axis = [a.side * np.array([1.0, 0.0, -a.position / math.sqrt(2)]) for a in attractors(labels, 2)]
    across = [np.array([0.0, sign, bias]) for sign in (-1, 1) for bias in (-0.6, 0.2, 0.5)]
    states = [np.append(u, 1.0) for u in (*on_axis, *across) if turning(labels, u) < 1e-9]
    return [neuron_vector(state) for state in states]


def saturated(points: float) -> tuple[float, float]:
    """Amplification factor and distance of the neuron vector from the axis, at rest, with ``points`` training points.

    One attractor in five dimensions, with a fixed draw of the fluctuations of the data; integrated.
    """
    attractor = attractors(STRIPE, 5)[0]
    start = path_from(attractor, 0.0, 1e-9)[0]
    flow = neuron_flow(STRIPE, 5, fluctuation=(0.7, -1.1, 0.4, 0.9), points=points)
    end = flow.integrate(start, [0.0, 60.0])[-1]
    across = float(np.linalg.norm(end[1:5]))
    return abs(float(end[0])) / across, float(np.linalg.norm(neuron_vector(end)[1:]))
