"""Theorem 4 (Section 2.1), which is Theorem 7, and the lines of its proof (Appendix A.2).

States and paths in the norm of K + gamma: random ones, and simple ones that reach the bounds.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import with_lemmas
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import nets
from theory.papers.jacot2024.nets import Array, Case
from theory.papers.jacot2024.symbols import letters

H, L = letters("H L")


def stable_state(A: Array, B: Array, depth: float, gamma: float, bias: bool = False) -> Case:
    """Letters of a state; c is the squared momentum."""
    one = np.eye(A.shape[1])
    return {**nets.letters(A, B, depth, bias), "gamma": gamma, "c": float((B**2).sum()), "one": one}


def alone(a: float, b: float, depth: float, gamma: float) -> Case:
    """One neuron and one sample without bias."""
    return stable_state(np.array([[a]]), np.array([[b]]), depth, gamma)


def speed_of(case: Case) -> float:
    """The norm of the velocity under K + gamma, by ridge regression."""
    return nets.ridge(case["A_dot"], case["S"], case["gamma"])


@cache
def pointwise() -> tuple[Case, ...]:
    """Random states, neurons at rest and slow ones, and dead neurons: far from their momentum, at twice gamma times it.

    For slow neurons the Hamiltonian makes up nearly all of the cost: without it a bound on their speed fails. The last
    one has no momentum, and reaches all bounds.
    """
    random = [
        stable_state(*nets.random_state(seed, size=0.4), 0.5 + seed / 2, 10.0 ** (seed % 4 - 2), bool(seed % 2))
        for seed in range(8)
    ]
    rest = [alone(a, 1 / a, depth, gamma) for a, depth, gamma in ((1.0, 3.0, 0.5), (0.4, 0.6, 0.02), (3.0, 2.0, 2.0))]
    slow = [alone(a, b, depth, 1e-3) for a, b, depth in ((1.0, 1.2, 2.0), (1.0, 0.8, 1.1), (2.0, 0.6, 0.7))]
    dead = []
    for b, gamma, depth in ((b, gamma, depth) for b in (0.2, 3.0) for gamma in (0.1, 5.0) for depth in (0.4, 2.5)):
        dead.append(alone(-1e3 * gamma * b, b, depth, gamma))
        dead.append(alone(-2 * gamma * b * (1 + 1e-8), -b, depth, gamma))
    together = stable_state(np.eye(3), np.eye(3), 1.3, 0.1)
    return (*random, *rest, together, *slow, *dead, alone(-1.0, 0.0, 2.0, 0.5))


def stable_path(A: Array, B: Array, depth: float, gamma: float, bias: bool = False) -> Case:
    """Letters of a whole path, [p, neuron, sample] each; c bounds the squared momenta."""
    states = [stable_state(a, b, depth, gamma, bias) for a, b in zip(A, B, strict=True)]
    return {
        **states[0], "A": A, "K": np.array([state["K"] for state in states]), "c": max(state["c"] for state in states),
        "ell": nets.mean(np.array([speed_of(state) for state in states])),
    }  # fmt: skip


@cache
def paths() -> tuple[Case, ...]:
    """Integrated paths with kinks; dead neurons and neurons at rest that hardly move."""
    found = []
    for seed in range(6):
        bias, depth, gamma = bool(seed % 2), 0.5 + seed / 3, 10.0 ** (seed % 5 - 3)
        A, B = nets.joint_path(*nets.random_state(seed, size=0.4), depth, bias, steps=20)
        found.append(stable_path(A, B, depth, gamma, bias))
    slow, p = 1e-6, np.linspace(0, 1, 5)[:, None, None]
    for a in (0.03, 0.3, 1.0, 3.0):
        for gamma in (0.01, 0.5, 9.0):
            found.append(stable_path(-a * np.exp(-slow * p), a * np.exp(slow * p), slow, gamma))
    for depth, growth in ((0.5, 0.25), (2.0, -1.2)):  # a neuron that is active and grows as exp(growth p)
        grown = np.exp(growth * p)
        found.append(stable_path(grown, (1 + growth / depth) / grown, depth, 1e-3))
    still = 0 * p
    for a, gamma in ((0.4, 0.01), (1.0, 0.01), (3.0, 0.01), (3.0, 2.0)):  # at rest
        found.append(stable_path(a + still, 1 / a + still, 1.3, gamma))
    found.append(stable_path(np.eye(3) + still, np.eye(3) + still, 1.3, 0.1))
    # a = b far from rest; b (K + gamma) = a, which reaches the upper bound; a momentum of the other sign
    for a, b, gamma in ((0.3, 0.3, 9.0), (0.5, 2 / 3, 0.5), (1.0, -1.0, 0.3)):
        found.append(stable_path(a + still, b + still, slow, gamma))
    found.append(stable_path(-1 + still, still, 1e-12, 0.5))  # no momentum: all bounds are reached
    return tuple(found)


@cache
def witness() -> Case:
    """A dead neuron, A = -exp(-p/10)/2 and B = exp(p/10)/2 at depth 1/10, gamma = 1/2; c bounds both squares."""
    p = np.linspace(0, 1, 201)[:, None, None]
    return stable_path(-np.exp(-0.1 * p) / 2, np.exp(0.1 * p) / 2, 0.1, 0.5)


def above_the_bound() -> float:
    """How far the difference is above minus the square of length/depth + |gamma B|, by ridge regression; K = 0."""
    values = witness()
    pull = nets.ridge(0.5 * np.array([[np.exp(0.1) / 2]]), np.zeros((1, 1)), 0.5)
    smallest = min(nets.ridge(A, np.zeros((1, 1)), 0.5) ** 2 for A in values["A"])
    return float(-2 * values["H"] / 0.1 - smallest + (values["ell"] / 0.1 + pull) ** 2)


def printed_distance(relation: Any) -> float:
    """How far the difference is above the printed bound; a relation that bounds from above says nothing of it."""
    is_lower = isinstance(relation, sp.LessThan)
    return float(evaluate(relation.rhs - relation.lhs, witness())) if is_lower else float("nan")


def if_possible(prove: Any) -> Program:
    """A line that needs a root: a neuron at rest, A = B = 1, whose stable cost is below -2H/depth."""
    return Program(
        prove,
        lambda: nets.ridge(np.eye(1), np.eye(1), 0.5) ** 2,
        value=lambda chain: evaluate(-2 * H / L, alone(1.0, 1.0, 3.0, 0.5)),
    )


at_points = numerically(pointwise, "norms by K + gamma", tolerance=1e-7)
on_paths = numerically(paths, "norms by K + gamma")

PROGRAMS: Programs = {
    "Theorem 4, Hamiltonian": Program(on_paths, above_the_bound, value=printed_distance),
    "Theorem 4, Hamiltonian, upper bound": on_paths,
    **dict.fromkeys(
        ("Theorem 4, speed", "Theorem 4, speed, upper bound", "(1)", "A.2 upper bound, third line", "A.2 upper bound"),
        if_possible(at_points),
    ),
    **dict.fromkeys(("A.2 length, second line", "A.2 length"), if_possible(on_paths)),
    **dict.fromkeys(
        (
            "A.2 identity, first line",
            "A.2 identity, second line",
            "A.2 Hamiltonian",
            "A.2 lower bound, first line",
            "A.2 upper bound, first line",
            "A.2 upper bound, second line",
        ),
        at_points,
    ),
    "A.2 identity": with_lemmas(at_points, canonical.IDENTITY),
    "A.2 lower bound, second line": with_lemmas(at_points, canonical.SMALL),
}
