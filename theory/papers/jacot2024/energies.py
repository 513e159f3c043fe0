"""Sections 2.1 and 4: kinetic and potential energy, the speed, and the choice of gamma."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from theory import leaky_resnet
from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import allowed, chosen, is_close, stating, unconditional, with_lemmas
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import nets
from theory.papers.jacot2024.nets import Case, states, witnessed
from theory.papers.jacot2024.theorem_4 import speed_of, stable_state


def kernels() -> list[Case]:
    """States with gamma from the largest eigenvalue of K."""
    return [{**case, "gamma_0": 0.3, "gamma_p": 0.3 * float(np.linalg.eigvalsh(case["K"])[-1])} for case in states()]


@cache
def critical_weights() -> tuple[Case, ...]:
    """Weights along integrated paths, with bias and without."""

    def along(bias: bool) -> Case:
        path = zip(*nets.joint_path(*nets.random_state(3, size=0.5), 2.0, bias, steps=500), strict=True)
        found = [2.0 * b @ nets.activation(a, bias).T for a, b in path]
        return {**nets.MARKS, "p": 0.8, "beta": float(bias), "W_at": lambda p: found[round(500 * p)]}

    return along(False), along(True)


def velocity_at_a_gap(size: float, depth: float) -> float:
    """Velocity where the gap is fixed: of a random state, or in a mode exp(depth (p - 1)/2), whose size vanishes."""
    if size == 0:
        return float(depth / 2 * np.exp(-depth / 4))
    return float(np.linalg.norm(nets.joint_rates(*nets.random_state(0, width=9, samples=3), depth, True)[0]))


def grows(statement: Any) -> tuple[Check, ...]:
    """Velocities at a fixed gap, at depths 20, 80 and 320; S is the limit of the size of an activation."""
    blows_up = chosen(unconditional(statement), "what", {"blow up": True, "stay finite": False})
    sizes = allowed(statement, [{**nets.MARKS, "S": size, "s_min": abs} for size in (0.5, 0.0)])

    def agrees(case: Case) -> bool:
        values = [velocity_at_a_gap(case["S"], depth) for depth in (20.0, 80.0, 320.0)]
        return bool(values[2] > 3 * values[1] > 9 * values[0]) is blows_up

    return (Check("two families", lambda: for_all(sizes, agrees), "velocities"),)


@cache
def moving_states() -> tuple[Case, ...]:
    """Three states at one depth."""
    return tuple(nets.letters(*nets.random_state(n, width=9, samples=3, size=0.2 + n), 2.0, True) for n in range(3))


def printed_ratios(side: Any) -> nets.Array:
    """A side of the relation in three states at one depth, over its value in the first."""
    values = np.array([evaluate(side, case) for case in moving_states()])
    return np.asarray(values / values[0])


def is_proportional(relation: Any) -> tuple[Check, ...]:
    """Both sides in three states."""
    left, right = printed_ratios(relation.lhs), printed_ratios(relation.rhs)
    return (Check("three states at one depth", lambda: is_close(left, right, 1e-8), "norms by K"),)


def kinetic_ratio() -> float:
    """The ratio of the kinetic energies of two states, by least squares."""
    one, other = (nets.cost(case["A_dot"], case["S"]) for case in moving_states()[:2])
    return other / one


def fate_of_stable_hamiltonian() -> str:
    """The stable Hamiltonian along an integrated trajectory."""
    stable = []
    for a, b in leaky_resnet.flow(*nets.random_state(1, width=6, samples=4), 2.0, np.linspace(0, 1, 11)):
        case = stable_state(a, b, 2.0, 0.1, True)
        stable.append(speed_of(case) ** 2 / 4 - nets.ridge(a, case["S"], 0.1) ** 2)
    return "not exactly constant" if np.ptp(stable) > 1e-3 else "exactly constant"


def power_of_potential() -> float:
    """The power of the cost of identity to which minus the potential energy, over the depth, is proportional."""
    found = []
    for case in states()[:2]:
        potential = case["H"] - nets.cost(case["A_dot"], case["S"]) / (2 * case["L"])
        found.append((nets.cost(case["A"], case["S"]), -potential / case["L"]))
    (cost, energy), (other_cost, other_energy) = found
    return float(np.log(energy / other_energy) / np.log(cost / other_cost))


def printed_power(claim: Claim) -> float:
    """The power that the sentence names."""
    return float(chosen(claim, "how", {"inversely proportional": -1, "negatively proportional": 1}))


def with_dead_neuron() -> tuple[Case, ...]:
    """States whose rows are in the image of K, and a dead neuron, whose row is not."""
    return *states(), nets.letters(np.array([[-1.0]]), np.array([[0.5]]), 2.0, False)


in_the_image = numerically(with_dead_neuron, "norms by K", tolerance=1e-8)

PROGRAMS: Programs = {
    "2.1 energies": with_lemmas(in_the_image, canonical.ENERGIES),
    "2.1 speed": in_the_image,
    "2.1 blow up": Program(
        grows,
        lambda: velocity_at_a_gap(0.0, 160.0),
        value=lambda claim: chosen(claim, "what", {"blow up": 80.0, "stay finite": 0.0}),
    ),
    "2.1 gamma": witnessed(
        numerically(kernels, "eigenvalues"), lambda: kernels()[0], lambda: kernels()[0]["gamma_p"], part=1
    ),
    "2.1 weights": numerically(critical_weights, "integration", tolerance=1e-3),
    "2.1 not constant": with_lemmas(
        stating({"constant": fate_of_stable_hamiltonian}, "integration, ridge regression"), canonical.STABLE
    ),
    "2.1 kinetic energy": Program(
        is_proportional,
        kinetic_ratio,
        value=lambda relation: printed_ratios(relation.rhs)[1] / printed_ratios(relation.lhs)[1] * kinetic_ratio(),
    ),
    "4 potential energy": Program(
        lambda claim: (
            Check("two states", lambda: is_close(printed_power(claim), power_of_potential(), 1e-7), "least squares"),
        ),
        power_of_potential,
        value=printed_power,
        tolerance=1e-7,
    ),
}
