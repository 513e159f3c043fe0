"""States and paths in the norm of K + gamma: random ones, and simple ones that reach the bounds of Theorem 4."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.states import letters


def _state(A: nets.Array, B: nets.Array, depth: float, gamma: float, bias: bool = False) -> dict[str, Any]:
    values = letters(A, B, depth, bias)
    features = values["S"]
    cost = nets.ridge(A, features, gamma) ** 2
    return {
        **values, "gamma": gamma, "c": float((B**2).sum()), "extra": cost + 2 / depth * values["H"],
        "K": features.T @ features, "one": np.eye(A.shape[1]),
    }  # fmt: skip


def alone(a: float, b: float, depth: float, gamma: float) -> dict[str, Any]:
    """One neuron and one sample without bias."""
    return _state(np.array([[a]]), np.array([[b]]), depth, gamma)


@cache
def at_rest() -> dict[str, Any]:
    """One neuron at rest, A = B = 1, at depth 3 and gamma = 1/2."""
    return alone(1.0, 1.0, 3.0, 0.5)


def cost_at_rest() -> float:
    """Its stable cost."""
    return nets.ridge(np.eye(1), np.eye(1), 0.5) ** 2


@cache
def pointwise() -> tuple[dict[str, Any], ...]:
    """Random states, neurons at rest and slow ones, and dead neurons: far from their momentum, at twice gamma times it.

    For slow neurons the Hamiltonian makes up nearly all of the cost: without it a bound on their speed fails.
    """
    random = [
        _state(*nets.random_state(seed, size=0.4), 0.5 + seed / 2, 10.0 ** (seed % 4 - 2), bool(seed % 2))
        for seed in range(8)
    ]
    rest = [alone(a, 1 / a, depth, gamma) for a, depth, gamma in ((1.0, 3.0, 0.5), (0.4, 0.6, 0.02), (3.0, 2.0, 2.0))]
    slow = [alone(a, b, depth, 1e-3) for a, b, depth in ((1.0, 1.2, 2.0), (1.0, 0.8, 1.1), (2.0, 0.6, 0.7))]
    dead = []
    for b in (0.2, 3.0):
        for gamma in (0.1, 5.0):
            for depth in (0.4, 2.5):
                dead.append(alone(-1e3 * gamma * b, b, depth, gamma))
                dead.append(alone(-2 * gamma * b * (1 + 1e-8), -b, depth, gamma))
    return (*random, *rest, *slow, *dead)


def _path(A: nets.Array, B: nets.Array, depth: float, gamma: float, bias: bool, both: bool) -> dict[str, Any]:
    """Numbers of a whole path, [p, neuron, sample] each; the bound c is on B, or on A and B."""
    states = [_state(a, b, depth, gamma, bias) for a, b in zip(A, B, strict=True)]
    costs = [state["extra"] - 2 / depth * state["H"] for state in states]
    speeds = np.array([nets.ridge(state["A_dot"], state["S"], gamma) for state in states])
    sizes = [float((x**2).sum()) for x in ((*A, *B) if both else B)]
    with np.errstate(invalid="ignore"):  # a negative extra cost has no root, and the path no mean root
        roots = np.sqrt([state["extra"] for state in states])
    return {
        "L": depth, "gamma": gamma, "c": max(sizes), "H": states[0]["H"], "smallest": min(costs),
        "ell": nets.mean(speeds), "mean_root": nets.mean(roots), "least_extra": min(s["extra"] for s in states),
    }  # fmt: skip


@cache
def paths(both: bool) -> tuple[dict[str, Any], ...]:
    """Integrated paths with kinks; dead neurons and neurons at rest that hardly move.

    Args:
        both: whether c bounds A, too, as in Theorem 7.
    """
    found = []
    for seed in range(6):
        bias, depth, gamma = bool(seed % 2), 0.5 + seed / 3, 10.0 ** (seed % 5 - 3)
        A, B = nets.joint_path(*nets.random_state(seed, size=0.4), depth, bias, steps=20)
        found.append(_path(A, B, depth, gamma, bias, both))
    slow, p = 1e-6, np.linspace(0, 1, 5)[:, None, None]
    for a in (0.03, 0.3, 1.0, 3.0):
        for gamma in (0.01, 0.5, 9.0):
            found.append(_path(-a * np.exp(-slow * p), a * np.exp(slow * p), slow, gamma, False, both))
    for depth, growth in ((0.5, 0.25), (2.0, -1.2)):  # a neuron that is active and grows as exp(growth p)
        grown = np.exp(growth * p)
        found.append(_path(grown, (1 + growth / depth) / grown, depth, 1e-3, False, both))
    found.append(_path(1 + 0 * p, -1 + 0 * p, slow, 0.3, False, both))
    for a, gamma in ((0.4, 0.01), (1.0, 0.01), (3.0, 0.01), (3.0, 2.0)):
        found.append(_path(a + 0 * p, 1 / a + 0 * p, 1.3, gamma, False, both))
    found.append(_path(np.eye(3) + 0 * p, np.eye(3) + 0 * p, 1.3, 0.01, False, both))  # three neurons at rest
    found.append(_path(0.3 + 0 * p, 0.3 + 0 * p, slow, 9.0, False, both))  # far from rest, at a large gamma
    found.append(_path(0.5 + 0 * p, 2 / 3 + 0 * p, slow, 0.5, False, both))  # B (K + gamma) is A: the upper bound
    return tuple(found)


@cache
def witness() -> dict[str, Any]:
    """A dead neuron, A = -exp(-p/10)/2 and B = exp(p/10)/2 at depth 1/10, gamma = 1/2; c bounds both squares."""
    p = np.linspace(0, 1, 201)[:, None, None]
    return _path(-np.exp(-0.1 * p) / 2, np.exp(0.1 * p) / 2, 0.1, 0.5, False, True)


def above_the_bound() -> float:
    """How far the difference is above minus the square of length/depth + |gamma B|, by ridge regression; K = 0."""
    values = witness()
    pull = nets.ridge(0.5 * np.array([[np.exp(0.1) / 2]]), np.zeros((1, 1)), 0.5)
    return float(-2 * values["H"] / 0.1 - values["smallest"] + (values["ell"] / 0.1 + pull) ** 2)
