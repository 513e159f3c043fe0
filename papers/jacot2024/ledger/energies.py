"""Sections 2.1 and 4: energies; Theorem 4, which is Theorem 7, and the lines of its proof (Appendix A.2)."""

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from papers.jacot2024.ledger import nets
from papers.jacot2024.ledger.nets import Array, Case, states
from theory import leaky_resnet
from theory.core import Program, Programs, evaluate, letters_of, numerically
from theory.core.ledger.proving import (
    chosen,
    deciding,
    declaring,
    is_close,
    of_each_relation,
    stating,
    with_lemmas,
)
from theory.leaky_resnet import canonical

H, L = letters_of(__package__)("H L")
POWERS = {"inversely proportional": -1.0, "negatively proportional": 1.0}


def stable_state(A: Array, B: Array, depth: float, gamma: float, bias: bool = False) -> Case:
    """Letters of a state; c is the squared momentum."""
    identity = np.eye(A.shape[1])
    return {
        **nets.letters(A, B, depth, bias),
        "gamma": gamma,
        "c": float((B**2).sum()),
        "one": identity,
    }


def alone(a: float, b: float, depth: float, gamma: float) -> Case:
    """One neuron and one sample without bias."""
    return stable_state(np.array([[a]]), np.array([[b]]), depth, gamma)


def speed_of(case: Case) -> float:
    """The norm of the velocity under K + gamma, by ridge regression."""
    return nets.ridge(case["A_dot"], case["S"], case["gamma"])


@cache
def pointwise() -> tuple[Case, ...]:
    """Random states, slow neurons, neurons at rest, and dead ones far from their momentum and at twice gamma times it.

    For slow neurons the Hamiltonian makes up nearly all of the cost: without it a bound on their speed fails. Where
    both are large it exceeds the depth and the squared momentum. The last one has no momentum, and reaches all bounds.
    """
    random = [
        stable_state(
            *nets.random_state(seed, size=0.4),
            0.5 + seed / 2,
            10.0 ** (seed % 4 - 2),
            bool(seed % 2),
        )
        for seed in range(8)
    ]
    rest = [
        alone(a, 1 / a, depth, gamma)
        for a, depth, gamma in ((1.0, 3.0, 0.5), (0.4, 0.6, 0.02), (3.0, 2.0, 2.0))
    ]
    slow = [
        alone(a, b, depth, 1e-3)
        for a, b, depth in ((1.0, 1.2, 2.0), (1.0, 0.8, 1.1), (2.0, 0.6, 0.7))
    ]
    dead = []
    for depth, gamma, size in product((0.4, 2.5), (0.1, 5.0), (0.2, 3.0)):
        dead.append(alone(-1e3 * gamma * size, size, depth, gamma))
        dead.append(alone(-2 * (1 + 1e-8) * gamma * size, -size, depth, gamma))
    together = stable_state(np.eye(3), np.eye(3), 1.3, 0.1)
    A, B = nets.random_state(8, size=4.0)
    return (
        *random,
        *rest,
        together,
        *slow,
        *dead,
        stable_state(5 * A, B, 1.3, 1e-3),
        alone(-1.0, 0.0, 2.0, 0.5),
    )


def stable_path(A: Array, B: Array, depth: float, gamma: float, bias: bool = False) -> Case:
    """Letters of a whole path, [p, neuron, sample] each; c bounds the squared momenta."""
    states = [stable_state(a, b, depth, gamma, bias) for a, b in zip(A, B, strict=True)]
    return {
        **states[0], "A": A, "K": np.array([state["K"] for state in states]), "c": max(state["c"] for state in states),
        "ell": nets.mean(np.array([speed_of(state) for state in states])),
    }  # fmt: skip


@cache
def paths() -> tuple[Case, ...]:
    """Integrated paths with kinks, growing neurons, neurons at rest, and dead neurons that hardly move."""
    cases = []
    for seed in range(6):
        bias, depth, gamma = bool(seed % 2), 0.5 + seed / 3, 10.0 ** (seed % 5 - 3)
        A, B = nets.joint_path(*nets.random_state(seed, size=0.4), depth, bias, steps=20)
        cases.append(stable_path(A, B, depth, gamma, bias))
    slow, p = 1e-6, np.linspace(0, 1, 5)[:, None, None]
    for a, gamma in ((a, gamma) for a, gamma in product((0.03, 0.3, 1.0, 3.0), (0.01, 0.5, 9.0))):
        cases.append(stable_path(-a * np.exp(-slow * p), a * np.exp(slow * p), slow, gamma))
    for depth, growth in ((0.5, 0.25), (2.0, -1.2)):
        cases.append(
            stable_path(
                np.exp(growth * p), (1 + growth / depth) * np.exp(-growth * p), depth, 1e-3
            )
        )
    # at rest; a = b far from it; b (K + gamma) = a, which reaches the upper bound; a momentum of the other sign; and no
    # momentum, which reaches all bounds
    rest = (
        (0.4, 2.5, 1.3, 0.01),
        (1.0, 1.0, 1.3, 0.01),
        (3.0, 1 / 3, 1.3, 0.01),
        (3.0, 1 / 3, 1.3, 2.0),
    )
    still = (
        (0.3, 0.3, slow, 9.0),
        (0.5, 2 / 3, slow, 0.5),
        (1.0, -1.0, slow, 0.3),
        (-1.0, 0.0, 1e-12, 0.5),
    )
    cases += [
        stable_path(a + 0 * p, b + 0 * p, depth, gamma) for a, b, depth, gamma in (*rest, *still)
    ]
    return (*cases, stable_path(np.eye(3) + 0 * p, np.eye(3) + 0 * p, 1.3, 0.1))


@cache
def dead_neuron(depth: float, gamma: float) -> Case:
    """Dead on its path: A = -exp(-depth p)/2 and B = exp(depth p)/2; c bounds both squares."""
    p = np.linspace(0, 1, 201)[:, None, None]
    return stable_path(-np.exp(-depth * p) / 2, np.exp(depth * p) / 2, depth, gamma)


def above_the_bound(depth: float, gamma: float) -> float:
    """How far the difference is above minus the square of length/depth + |gamma B|, by ridge regression; K = 0."""
    values = dead_neuron(depth, gamma)
    pull = nets.ridge(gamma * np.array([[np.exp(depth) / 2]]), np.zeros((1, 1)), gamma)
    smallest = min(nets.ridge(A, np.zeros((1, 1)), gamma) ** 2 for A in values["A"])
    return float(-2 * values["H"] / depth - smallest + (values["ell"] / depth + pull) ** 2)


def printed_distance(relation: Any, depth: float, gamma: float) -> float:
    """How far the difference is above the printed bound; a relation that bounds from above says nothing of it."""
    is_lower = isinstance(relation, sp.LessThan)
    values = dead_neuron(depth, gamma)
    return float(evaluate(relation.rhs - relation.lhs, values)) if is_lower else float("nan")


def if_possible(prove: Any) -> Program:
    """A line that needs a root: a neuron at rest, A = B = 1, whose stable cost is below -2H/depth."""
    return Program(
        prove,
        lambda A, gamma: nets.ridge(A * np.eye(1), A**2 * np.eye(1), gamma) ** 2,
        value=lambda chain, A, B, depth, gamma: evaluate(-2 * H / L, alone(A, B, depth, gamma)),
        at={"A": 1.0, "B": 1.0, "gamma": 0.5, "depth": 3.0},
        quantity="stable cost, at least -2H/depth",
    )


def kernels() -> list[Case]:
    """States with gamma from the largest eigenvalue of K."""
    return [
        {**case, "gamma_0": 0.3, "gamma_p": 0.3 * float(np.linalg.eigvalsh(case["K"])[-1])}
        for case in states()
    ]


@cache
def critical_weights() -> list[Case]:
    """Weights along integrated paths, with bias and without."""
    cases = []
    for bias in (False, True):
        path = zip(
            *nets.joint_path(*nets.random_state(3, size=0.5), 2.0, bias, steps=500), strict=True
        )
        made = [2.0 * b @ nets.activation(a, bias).T for a, b in path]
        cases.append(
            {
                **nets.MARKS,
                "p": 0.8,
                "beta": float(bias),
                "W_at": lambda p, made=made: made[round(500 * p)],
            }
        )
    return cases


def velocity_at_a_gap(size: float, depth: float) -> float:
    """Velocity where the gap is fixed: of a random state, or in a mode exp(depth (p - 1)/2), whose size vanishes."""
    if size == 0:
        return float(depth / 2 * np.exp(-depth / 4))
    return float(
        np.linalg.norm(nets.joint_rates(*nets.random_state(0, width=9, samples=3), depth, True)[0])
    )


def grows(claim: Any, case: Case) -> bool:
    """Velocities at a fixed gap, at depths 20, 80 and 320; S is the limit of the size of an activation."""
    values = [velocity_at_a_gap(case["S"], depth) for depth in (20.0, 80.0, 320.0)]
    blows_up = chosen(claim, "what", {"blow up": True, "stay finite": False})
    return bool(values[2] > 3 * values[1] > 9 * values[0]) is blows_up


@cache
def moving_states() -> tuple[Case, ...]:
    """Three states at one depth."""
    return tuple(
        nets.letters(*nets.random_state(n, width=9, samples=3, size=0.2 + n), 2.0, True)
        for n in range(3)
    )


def ratios(side: Any) -> nets.Array:
    """A side of the relation in three states at one depth, over its value in the first."""
    values = np.array([evaluate(side, case) for case in moving_states()])
    return np.asarray(values / values[0])


def kinetic_ratio() -> float:
    """The ratio of the kinetic energies of two states, by least squares."""
    energy, next_energy = (nets.cost(case["A_dot"], case["S"]) for case in moving_states()[:2])
    return next_energy / energy


def fate_of_stable_hamiltonian() -> str:
    """A trajectory on which the Hamiltonian is constant and the stable one varies."""
    stable = []
    for a, b in leaky_resnet.flow(
        *nets.random_state(1, width=6, samples=4), 2.0, np.linspace(0, 1, 11)
    ):
        case = stable_state(a, b, 2.0, 0.1, True)
        stable.append(speed_of(case) ** 2 / 4 - nets.ridge(a, case["S"], 0.1) ** 2)
    return "not exactly constant" if np.ptp(stable) > 1e-3 else "exactly constant"


def power_of_potential() -> float:
    """The power of the cost of identity to which the Hamiltonian less the kinetic energy is proportional."""
    pairs = []
    for case in states()[:2]:
        potential = case["H"] - nets.cost(case["A_dot"], case["S"]) / (2 * case["L"])
        pairs.append((nets.cost(case["A"], case["S"]), -potential / case["L"]))
    (cost, energy), (other_cost, other_energy) = pairs
    return float(np.log(energy / other_energy) / np.log(cost / other_cost))


def with_dead_neuron() -> tuple[Case, ...]:
    """States whose rows are in the image of K, and a dead neuron, whose row is not."""
    return *states(), nets.letters(np.array([[-1.0]]), np.array([[0.5]]), 2.0, False)


at_points = numerically(pointwise, "norms by K + gamma", tolerance=1e-7)
on_paths = numerically(paths, "norms by K + gamma")
in_the_image = numerically(with_dead_neuron, "norms by K", tolerance=1e-8)

PROGRAMS: Programs = {
    "2.1 energies": with_lemmas(in_the_image, canonical.ENERGIES),
    "2.1 speed": in_the_image,
    "2.1 blow up": Program(
        deciding(
            grows, cases=lambda: [{**nets.MARKS, "S": size, "s_min": abs} for size in (0.5, 0.0)]
        ),
        lambda depth: velocity_at_a_gap(0.0, depth),
        value=lambda claim, depth, gap: chosen(
            claim, "what", {"blow up": depth * gap, "stay finite": 0.0}
        ),
        at={"depth": 160.0, "gap": 0.5},
        quantity="derivative at p = 1/2; printed: depth times gap",
    ),
    "2.1 gamma": numerically(kernels, "eigenvalues"),
    "2.1 weights": numerically(critical_weights, "integration", tolerance=1e-3),
    "2.1 not constant": with_lemmas(
        stating(constant=fate_of_stable_hamiltonian), canonical.STABLE
    ),
    "2.1 kinetic energy": Program(
        declaring(
            of_each_relation(
                lambda one: is_close(ratios(one.lhs), ratios(one.rhs), 1e-8),
                "three states at one depth",
            ),
            "~",
        ),
        kinetic_ratio,
        value=lambda relation: ratios(relation.rhs)[1] / ratios(relation.lhs)[1] * kinetic_ratio(),
        at=lambda: {"L": moving_states()[0]["L"]},
        quantity="ratio of the kinetic energies of two states of nine neurons, three samples",
    ),
    "4 potential energy": Program(
        deciding(lambda claim: is_close(chosen(claim, "how", POWERS), power_of_potential(), 1e-7)),
        power_of_potential,
        value=lambda claim: chosen(claim, "how", POWERS),
        tolerance=1e-7,
        at=lambda: {"depths": tuple(case["L"] for case in states()[:2])},
        quantity="power of the cost of identity, from two states",
    ),
    "Theorem 4, Hamiltonian": Program(
        on_paths,
        above_the_bound,
        value=printed_distance,
        at={"depth": 0.1, "gamma": 0.5},
        quantity="distance from the bound, A = -exp(-depth p)/2, B = exp(depth p)/2",
    ),
    "Theorem 4, Hamiltonian, upper bound": on_paths,
    "A.2 identity": with_lemmas(at_points, canonical.IDENTITY),
    "A.2 Hamiltonian | A.2 lower bound, first line | A.2 upper bound, first line": at_points,
    "A.2 upper bound, second line": at_points,
    "A.2 lower bound, second line": with_lemmas(at_points, canonical.SMALL),
    "Theorem 4, speed | Theorem 4, speed, upper bound | (1) | A.2 upper bound, third line": if_possible(
        at_points
    ),
    "A.2 upper bound": if_possible(at_points),
    "A.2 length, second line | A.2 length": if_possible(on_paths),
}
