"""Gradients of a net of three layers, of an integrated net and of the Hamiltonian, by differences; Section 1.5."""

from __future__ import annotations

from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from theory import leaky_resnet
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.states import states

DEPTH, STRENGTH, STEP, SAMPLES = 1.5, 0.2, 1 / 3, 3
_DRAW = np.random.default_rng(2)
_START, _TARGET = _DRAW.normal(size=(2, 2, SAMPLES))
_WEIGHTS = 0.5 * _DRAW.normal(size=(3, 2, 3))


def _after(A: nets.Array, layers: nets.Array) -> nets.Array:
    for layer in layers:
        A = (1 - STEP * DEPTH) * A + STEP * layer @ nets.activation(A, True)
    return A


def mean_cost(output: nets.Array) -> float:
    """The cost of Section 1.1: squared error, mean over samples."""
    return float(((_TARGET - output) ** 2).sum() / SAMPLES)


def _cost_after(A: nets.Array, layers: nets.Array) -> float:
    return mean_cost(_after(A, layers))


def _whole(layers: nets.Array) -> float:
    return _cost_after(_START, layers) + STRENGTH / (2 * DEPTH) * STEP * float((layers**2).sum())


@cache
def critical() -> tuple[dict[str, Any], ...]:
    """For each layer the weights that would make the gradient of the whole cost zero, and gradients of the cost.

    The regulariser is quadratic, so that these weights are at a distance of gradient over curvature.
    """
    whole = nets.difference(_whole, _WEIGHTS)
    plain = nets.difference(partial(_cost_after, _START), _WEIGHTS)
    cases = []
    for index in range(3):
        before = _after(_START, _WEIGHTS[:index])
        output = _after(before, _WEIGHTS[index : index + 1])
        slope = nets.difference(partial(_cost_after, layers=_WEIGHTS[index + 1 :]), output)
        cases.append({
            "L": DEPTH, "lam": STRENGTH, "W": _WEIGHTS[index] - whole[index] * DEPTH / (STRENGTH * STEP),
            "grad_W": plain[index] / STEP, "grad_A": slope, "B": -slope / STRENGTH,
            "S": nets.activation(before, True),
        })  # fmt: skip
    return tuple(cases)


@cache
def last_layer() -> dict[str, Any]:
    """The momentum that makes the critical weights of the last layer, by least squares."""
    case = critical()[2]
    momentum = np.linalg.lstsq(case["S"], case["W"].T / DEPTH, rcond=None)[0].T
    return {**nets.FUNCTIONS, "B_1": momentum, "F": _TARGET, "A_1": _after(_START, _WEIGHTS), "lam": STRENGTH,
            "samples": SAMPLES}  # fmt: skip


def terminal() -> dict[str, Any]:
    """Targets and outputs of three samples at lambda = 1/2."""
    return {**nets.FUNCTIONS, "F": _TARGET, "A_1": _START, "lam": 0.5, "samples": SAMPLES}


@cache
def backward() -> tuple[dict[str, Any], ...]:
    """Momenta in the middle of an integrated net with bias, and their derivative in p, by differences."""
    constant, rising = np.random.default_rng(5).normal(size=(2, 2, 3))
    rate = nets.leaky(lambda p: constant + p * rising, DEPTH, True)

    def momentum(p: float) -> nets.Array:
        there = nets.flow(_START, rate, 0.0, p, 60)
        return -nets.difference(lambda A: mean_cost(nets.flow(A, rate, p, 1.0, 60)), there, 1e-4) / STRENGTH

    h, p = 1e-3, 0.55
    there = nets.flow(_START, rate, 0.0, p, 60)
    return ({
        "L": DEPTH, "W": (constant + p * rising)[:, :-1], "B": momentum(p), "slopes": (there > 0).astype(float),
        "B_dot": (momentum(p + h) - momentum(p - h)) / (2 * h),
    },)  # fmt: skip


def neurons_of_states() -> list[dict[str, Any]]:
    """States with the rows of sigma(A) that have a slope: without the row of ones."""
    return [{**case, "S": np.maximum(case["A"], 0), "slopes": (case["A"] > 0).astype(float)} for case in states()]


@cache
def gradients() -> tuple[dict[str, Any], ...]:
    """States with derivatives of the Hamiltonian, by differences."""
    cases = []
    for case in states():
        A, B, depth, bias = case["A"], case["B"], case["L"], bool(case["beta"])
        in_A = nets.difference(partial(nets.energy, B=B, depth=depth, bias=bias), A)
        in_B = nets.difference(partial(nets.energy, A, depth=depth, bias=bias), B)
        cases.append({**case, "grad_A_H": in_A, "grad_B": in_B})
    return tuple(cases)


class CrossingPath(NamedTuple):
    """How far the Hamiltonian spreads along a path, over its larger term, and whether a neuron switches."""

    spread: float
    switches: bool


@cache
def crossing_paths() -> tuple[CrossingPath, ...]:
    """Paths of A and B on which neurons switch."""
    found = []
    for seed in (1, 2, 5):
        path = leaky_resnet.flow(*nets.random_state(seed, width=4, samples=5), 2.0, np.linspace(0, 1, 21))
        energies = [nets.energy(a, b, 2.0, bias=True) for a, b in path]
        size = 2.0 * max(float((b * a).sum()) for a, b in np.abs(path))
        found.append(CrossingPath(float(np.ptp(energies)) / size, bool(np.diff(path[:, 0] > 0, axis=0).any())))
    return tuple(found)
