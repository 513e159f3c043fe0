"""Section 2.4: neurons on the paper's stripe, integrated; the compressing, the fitting and the over-fitting regime."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy import special

from theory.compression import Stripes, attractors, neuron_flow
from theory.compression.fixed_points import Attractor
from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import chosen, stating, unconditional
from theory.papers.paccolat2021.notation import letters
from theory.papers.paccolat2021.small_network import Training, slopes

beta, beta_dot = letters("beta beta_dot")
Array = NDArray[np.float64]
ATTRACTORS = 3  # of the paper's stripe
SETTLED = 1e-3  # of the length scale of the data
NODES = np.arange(-600, 601) / 100
STRIPE = Stripes((-0.3, 1.18549233272))
QUARTER = float(special.ndtri(0.75))
SYMMETRIC = Stripes((-QUARTER, QUARTER))
"""A stripe of equiprobable labels that are not correlated with the informative coordinate."""


def path_from(attractor: Attractor, *times: float, ahead: float = 0.0, across: float = 0.0) -> Array:
    """States of a neuron in five dimensions that starts next to an attractor: ``[time, omega_1 ... omega_5 b beta]``.

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


def converge(sentence: Claim | Given) -> tuple[Check, ...]:
    """Where random neurons end, those that the condition allows: on an attractor or not, and on how many of them."""
    claim, condition = unconditional(sentence), sentence.condition if isinstance(sentence, Given) else sp.true
    everyone = chosen(claim, "share", {"all": True, "most": False})
    few = chosen(claim, "number", {"finite": True, "infinite": False})
    neurons = [n for n in random_neurons() if condition.subs({beta: n.start[-1], beta_dot: n.velocity}) == sp.true]
    settled = [neuron.distance() < SETTLED for neuron in neurons]
    places = {tuple(np.round(neuron_vector(neuron.end), 3) + 0.0) for neuron in neurons}
    return (
        Check("how many", lambda: bool(settled) and all(settled) is everyone, "integrated flow"),
        Check("places", lambda: (len(places) <= ATTRACTORS) is few, "integrated flow"),
    )


def gaussian_mean(values: Array) -> float:
    """Mean over a unit Gaussian of a function at the nodes; exactly zero for an odd one."""
    return float(np.exp(-(NODES**2) / 2) @ (values + values[::-1])) / 2


def fixed_points_of_stripes() -> Iterator[dict[str, Any]]:
    """Distance from the axis of each neuron vector that stands still; the paper's stripe and a symmetric one."""
    for labels in (STRIPE, SYMMETRIC):
        for vector in fixed_vectors(labels):
            yield {"z_perp_star": abs(vector[1]), "x_1": NODES, "label": labels, "mean": gaussian_mean}


def contribution() -> str:
    """Of the training points that are fitted: whether exactly the other ones move a weight by their loss."""
    training = Training(10, alpha=2.0)
    margins = training.labels * training.predictor(training.weights)

    def loss(weights: Array, point: int) -> float:
        return float(max(0.0, 1 - training.labels[point] * training.predictor(weights)[point]))

    moves = [slopes(partial(loss, point=point), training.weights).any() for point in range(len(margins))]
    return "no longer" if np.array_equal(moves, margins < 1) else "still"


def fastest() -> Attractor:
    """The attractor whose neurons outgrow all others as alpha goes to 0; in five dimensions."""
    return min((each for each in attractors(STRIPE, 5) if each.stable), key=lambda each: each.growth_time)


@cache
def fastest_neuron() -> Array:
    """A neuron that has grown on the fastest attractor for a while, ``[omega_1 ... omega_5 b beta]``."""
    return path_from(fastest(), 0.0, 10.0)[-1]


def margin(place: float) -> float:
    """Y F at a coordinate x_1, from neurons on the fastest attractor alone; in units of the largest weight squared."""
    state = fastest_neuron()
    scale = state[0] ** 2
    return float(int(STRIPE(place)) * state[-1] * max(0.0, state[0] * place / math.sqrt(5) + state[-2]) / scale)


def drops_out_in_order(sentence: Claim | Given) -> tuple[Check, ...]:
    """Pairs of points: that with the larger margin is excluded first; the sentence says which it is by its distance."""
    claim = unconditional(sentence)
    places = np.linspace(-3, 3, 13)
    if isinstance(sentence, Given):
        left = chosen(sentence.condition, "side", {"left": True, "right": False})
        places = places[(places < STRIPE.places[0]) if left else (places > STRIPE.places[1])]

    def agrees(pair: tuple[float, float]) -> bool:
        gaps = [min(abs(place - edge) for edge in STRIPE.places) for place in pair]
        first = chosen(claim, "extreme", {"furthest": np.argmax, "closest": np.argmin})(gaps)
        return bool(margin(pair[first]) > margin(pair[1 - first]))

    pairs = list(itertools.combinations(places, 2))
    return (Check("pairs of points", lambda: for_all(pairs, agrees), "flow along the fastest attractor"),)


PROGRAMS: Programs = {
    "2.4 all neurons": Program(
        converge,
        lambda: float(np.mean([neuron.distance() < SETTLED for neuron in random_neurons()])),
        value=lambda claim: 1.0 if claim["share"] == "all" else 0.5,
    ),
    "2.4 informative subspace": Program(
        numerically(fixed_points_of_stripes, "velocity of the direction of a neuron", scale=1.0),
        lambda: float(np.abs(fixed_vectors(SYMMETRIC)[-1][1])),
        value=lambda statement: float(statement.rhs),
    ),
    "2.4 dropping out": stating({"contribute": contribution}, "differences of the loss of each point"),
    "2.4 order": Program(
        drops_out_in_order,
        lambda: float(max((-1.5, 3.0), key=margin)),
        value=lambda claim: 3.0 if claim["extreme"] == "furthest" else -1.5,
    ),
}
