"""Representations as numbers, for what Section 1.4 says of the cost of identity."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.states import residual


def case(A_: nets.Array, bias: bool) -> dict[str, Any]:
    """Letters of a representation."""
    features = nets.activation(A_, bias)
    values = nets.singular_values(A_)
    return {**nets.FUNCTIONS, "A": A_, "S": features, "S_plus": np.linalg.pinv(features), "beta": float(bias),
            "A_plus": np.linalg.pinv(A_), "residual": residual(A_, features),
            "s_i": values, "total": np.sum, "s_max": float(values[0])}  # fmt: skip


def alone() -> dict[str, Any]:
    """One neuron and one sample with bias, A = 1/2."""
    return case(np.array([[0.5]]), True)


@cache
def representations() -> tuple[dict[str, Any], ...]:
    """Random ones inside the image and outside, with bias and without; multiples of projections reach the bounds."""
    reach = [size * matrix for size in (0.1, 3.0) for matrix in (np.eye(3), np.eye(4)[:2], np.ones((2, 2)) / 2)]
    random = [np.random.default_rng(seed).normal(size=(width, 1 + seed % 4)) for seed in range(16) for width in (3, 9)]
    single = [np.array([[0.5]]), np.array([[-1.0]])]
    return tuple(case(A_, bias) for A_ in (*reach, *random, *single) for bias in (False, True))


@cache
def nonnegative() -> tuple[dict[str, Any], ...]:
    """Non-negative ones, with and without a constant row in their row space."""
    draw = np.random.default_rng(4)
    chosen = (draw.uniform(size=(4, 3)), np.ones((1, 3)), draw.uniform(size=(5, 2)) @ draw.uniform(size=(2, 4)))
    return tuple(case(A_, bias) for A_ in chosen for bias in (False, True))


@cache
def equal_singular_values() -> tuple[dict[str, Any], ...]:
    """Multiples of projections and isometries."""
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 3)))[0]
    return tuple(case(size * M, False) for size in (0.1, 3.0) for M in (turn, turn @ turn.T, np.eye(2)))


def matrix_root(M: nets.Array) -> nets.Array:
    """Square roots of the singular values, in the singular vectors."""
    left, values, right = np.linalg.svd(M, full_matrices=False)
    return np.asarray((left * np.sqrt(values)) @ right)
