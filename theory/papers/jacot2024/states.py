"""Representations and momenta as random numbers, with the values of all letters that they determine."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from theory.papers.jacot2024 import explicit_nets as nets


def letters(A: nets.Array, B: nets.Array, depth: float, bias: bool) -> dict[str, Any]:
    """Letters of a state; velocities by the forward and the backward pass."""
    A_dot, B_dot = nets.joint_rates(A, B, depth, bias)
    features = nets.activation(A, bias)
    return {
        **nets.FUNCTIONS,
        "A": A,
        "B": B,
        "A_dot": A_dot,
        "B_dot": B_dot,
        "S": features,
        "W": depth * B @ features.T,
        "L": depth,
        "H": nets.energy(A, B, depth, bias),
        "beta": float(bias),
    }


@cache
def states() -> tuple[dict[str, Any], ...]:
    """States with more neurons than samples, so that the norms are finite, with bias and without."""
    return tuple(
        letters(*nets.random_state(seed, width=9, samples=3, size=0.4), depth, bias)
        for seed, (depth, bias) in enumerate(((0.7, True), (3.0, False), (2.2, True)))
    )


@cache
def with_dead_neuron() -> tuple[dict[str, Any], ...]:
    """States whose rows are in the image of K, and a dead neuron, whose row is not; energies by pseudo-inverses."""
    dead = letters(np.array([[-1.0]]), np.array([[0.5]]), 2.0, False)
    return tuple({**case, "residual": residual(case["A"], case["S"])} for case in (*states(), dead))


def residual(A: nets.Array, features: nets.Array) -> float:
    """How far the rows of A are from the row space of the features; 0 up to rounding."""
    gap = float(np.abs(nets.weights_of(A, features) @ features - A).max())
    return gap if gap > 1e-9 else 0.0
