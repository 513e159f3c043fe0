"""Section 2.4: where neurons end and how they grow, and which points drop out first."""

import itertools
import math
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from scipy import special

from papers.paccolat2021.ledger.notation import STRIPE, Array, path_from, state_at
from theory.compression import Shells, Stripes, attractors, neuron_flow
from theory.core import Check, Claim, Conditional, Program, Programs, numerically
from theory.core.ledger.proving import allowed, chosen, for_all, stating, unconditional

ATTRACTORS = 3  # of the paper's stripe
SETTLED = 1e-3  # of the length scale of the data
STANDING = 0.02  # speed that the grid leaves, per tau
NODES = np.arange(-600, 601) / 100
QUARTER = float(special.ndtri(0.75))
SYMMETRIC = Stripes((-QUARTER, QUARTER))
"""A stripe of equiprobable labels that are not correlated with the informative coordinate."""


def neuron_vector(state: Array) -> Array:
    """The point of the hyperplane of a neuron that is closest to the origin, ``[d]``."""
    omega, bias = state[:-2], state[-2]
    return np.asarray(-math.sqrt(len(omega)) * bias * omega / (omega @ omega))


@cache
def random_neurons() -> list[dict[str, Any]]:
    """Twenty neurons of unit Gaussian weights at the start, and where they are after 200 tau in the average."""
    flow, cases = neuron_flow(STRIPE, 2), []
    places = [(point.position, 0.0) for point in attractors(STRIPE, 2) if point.stable]
    for start in np.random.default_rng(5).normal(size=(20, 4)):
        vector = neuron_vector(flow.integrate(start, [0.0, 200.0])[-1])
        is_settled = bool(np.linalg.norm(vector - np.array(places), axis=1).min() < SETTLED)
        cases.append(
            {
                "beta": start[-1],
                "beta_dot": flow.rates(start)[-1],
                "vector": vector,
                "settled": is_settled,
            }
        )
    return cases


def turning(labels: Stripes, direction: Array) -> float:
    """Speed at which a neuron of unit size turns, per tau; zero at a fixed point."""
    unit = direction / np.linalg.norm(direction)
    force = neuron_flow(labels, len(unit) - 1).rates(np.append(unit, 1.0))[:-1]
    return float(np.linalg.norm(force - unit * (unit @ force)))


def fixed_vectors(labels: Stripes) -> list[Array]:
    """Neuron vectors in two dimensions that stand still: those on the axis, and of six neurons with omega_1 = 0."""
    on_axis = [
        a.side * np.array([1.0, 0.0, -a.position / math.sqrt(2)]) for a in attractors(labels, 2)
    ]
    across = [np.array([0.0, sign, bias]) for sign, bias in product((-1, 1), (-0.6, 0.2, 0.5))]
    return [
        neuron_vector(np.append(u, 1.0)) for u in (*on_axis, *across) if turning(labels, u) < 1e-9
    ]


def converge(sentence: Claim | Conditional) -> tuple[Check, ...]:
    """Where random neurons end, those that the condition allows: on an attractor or not, and on how many of them."""
    claim, neurons = unconditional(sentence), allowed(sentence, random_neurons())
    everyone = chosen(claim, "share", {"all": True, "most": False})
    few = chosen(claim, "number", {"finite": True, "infinite": False})
    places = {tuple(np.asarray(neuron["vector"]).round(3) + 0.0) for neuron in neurons}
    return (
        Check(
            "all of them", lambda: bool(neurons) and all(n["settled"] for n in neurons) is everyone
        ),
        Check("places", lambda: (len(places) <= ATTRACTORS) is few),
    )


@cache
def data_in_a_plane() -> Array:
    """Points of equal mass of a Gaussian in two dimensions, on a grid of radii and angles, ``[point, 2]``."""
    radii = np.sqrt(-2 * np.log((np.arange(300) + 0.5) / 300))
    angles = (np.arange(360) + 0.5) * np.pi / 180
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return np.asarray((radii[:, None, None] * rays).reshape(-1, 2))


def standing(coordinates: str, radius: float = 1.0) -> int:
    """Of neurons in twelve directions of a plane, at the distance of an attractor, how many stand still; d = 3."""
    labels: Any = STRIPE if coordinates == "one coordinate" else Shells((radius,), 2)
    x = data_in_a_plane()
    y = labels(x[:, 0]) if coordinates == "one coordinate" else labels(x)
    point = next(a for a in attractors(labels, 3) if a.stable and abs(a.position) > 0.1)
    count = 0
    for angle in np.arange(12) * np.pi / 6:
        neuron = np.array([np.cos(angle), np.sin(angle), -point.position / math.sqrt(3)])
        active = y * (x @ neuron[:2] + math.sqrt(3) * neuron[2] > 0)
        force = np.array([*(active @ x), math.sqrt(3) * active.sum()]) / len(x)
        unit = neuron / np.linalg.norm(neuron)
        count += bool(np.linalg.norm(force - unit * (unit @ force)) < STANDING)
    return count


def growth_across(attractor: int, points: str = "infinite") -> float:
    """Rate at which the perpendicular weights grow on an attractor of the paper's stripe, per tau; integrated."""
    sample = {"finite": {"fluctuation": (0.7, -1.1, 0.4, 0.9), "points": 1e6}, "infinite": {}}
    point = attractors(STRIPE, 5)[attractor]
    flow = neuron_flow(STRIPE, 5, **sample[points])  # type: ignore[arg-type]
    path = flow.integrate(state_at(5, point, across=1e-3), [0.0, 10.0, 12.0])
    across = np.linalg.norm(path[1:, 1:5], axis=1)
    return float(np.log(across[1] / across[0]) / 2)


def diverging_weights(points: str = "infinite") -> str:
    """Growth across on the attractors of the paper's stripe, with and without fluctuations of a training set; d = 5."""
    return "all" if all(growth_across(i, points) > 0 for i in range(ATTRACTORS)) else "not all"


def count_in_words(coordinates: str = "the norm of two coordinates") -> str:
    """Whether neurons stand still in every direction of the plane, or in few."""
    return "infinite" if standing(coordinates) == 12 else "finite"


def fixed_points_of_stripes() -> Iterator[dict[str, Any]]:
    """Neuron vectors that stand still in two dimensions, on the paper's stripe and on a symmetric one."""

    def gaussian_mean(values: Array) -> float:
        # exactly zero for an odd function
        return float(np.exp(-(NODES**2) / 2) @ (values + values[::-1])) / 2

    for labels in (STRIPE, SYMMETRIC):
        for vector in fixed_vectors(labels):
            yield {
                "z_perp_star": abs(vector[1]),
                "x_1": NODES,
                "label": labels,
                "mean": gaussian_mean,
            }


@cache
def grown_neuron() -> Array:
    """A neuron that has grown for a while on the attractor whose neurons outgrow all others as alpha goes to 0."""
    times = [point.growth_time for point in attractors(STRIPE, 5)]
    return path_from(int(np.argmin(times)), 0.0, 10.0)[-1]


def margin(place: float) -> float:
    """Y F at a coordinate x_1, from neurons on the fastest attractor alone; in units of the largest weight squared."""
    state = grown_neuron() / abs(grown_neuron()[0])
    return float(
        int(STRIPE(place)) * state[-1] * max(0.0, state[0] * place / math.sqrt(5) + state[-2])
    )


def drops_out_in_order(sentence: Claim | Conditional) -> tuple[Check, ...]:
    """Pairs of points: that with the larger margin is excluded first; the sentence says which it is by its distance."""
    claim = unconditional(sentence)
    places = np.linspace(-3, 3, 13)
    if isinstance(sentence, Conditional):
        is_left = chosen(sentence.condition, "side", {"left": True, "right": False})
        places = places[(places < STRIPE.places[0]) if is_left else (places > STRIPE.places[1])]

    def agrees(pair: tuple[float, float]) -> bool:
        gaps = np.abs(np.subtract.outer(pair, STRIPE.places)).min(axis=1)
        first = chosen(claim, "extreme", {"furthest": np.argmax, "closest": np.argmin})(gaps)
        return bool(margin(pair[first]) > margin(pair[1 - first]))

    return (Check("pairs of points", lambda: for_all(itertools.combinations(places, 2), agrees)),)


PROGRAMS: Programs = {
    "2.4 all neurons": Program(
        converge,
        lambda: float(np.mean([neuron["settled"] for neuron in random_neurons()])),
        value=lambda claim: 1.0 if claim["share"] == "all" else 0.5,
        at=lambda: {"neurons": len(random_neurons())},
        quantity="share of random neurons that end on an attractor of the paper's stripe, d = 2",
    ),
    "2.4 weights": Program(
        stating(which=diverging_weights),
        growth_across,
        value=lambda claim, attractor: 1 / attractors(STRIPE, 5)[attractor].growth_time,
        tolerance=1e-3,
        at={"attractor": 0},
        quantity="rate of growth across, per tau; infinitely many points, the paper's stripe, d = 5",
    ),
    "2.4 finite number": Program(
        stating(number=count_in_words),
        lambda radius: float(standing("the norm of two coordinates", radius)),
        value=lambda claim: float(ATTRACTORS),
        at={"radius": 1.0},
        quantity="of twelve directions in the plane those in which a neuron stands still",
    ),
    "2.4 informative subspace": numerically(fixed_points_of_stripes, scale=1.0),
    "2.4 order": Program(
        drops_out_in_order,
        lambda x_1: float(max(x_1, key=margin)),
        value=lambda claim, x_1: float(
            chosen(claim, "extreme", {"furthest": max, "closest": min})(
                x_1, key=lambda place: min(abs(place - edge) for edge in STRIPE.places)
            )
        ),
        at={"x_1": (-1.5, 3.0)},
        quantity="the first that is excluded; the paper's stripe, d = 5",
    ),
}
