"""A representation with a small neuron added, in numbers, against which the proof of Proposition 2 is checked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.states import residual


class Case(NamedTuple):
    """A representation, its activation, a new neuron, and how far its activation is from the row space."""

    A: nets.Array
    features: nets.Array
    z: nets.Array

    @property
    def outside(self) -> float:
        """Distance of sigma(z) from the row space of sigma(A); 0 up to rounding."""
        return residual(np.maximum(self.z, 0)[None], self.features)


def _wide(seed: int) -> Case:
    draw = np.random.default_rng(seed)
    A = draw.normal(size=(8, 3))
    return Case(A, np.maximum(A, 0), 0.8 + draw.normal(size=3))


_ROWS = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
LEAVES = Case(_ROWS, _ROWS, _ROWS[0] - _ROWS[1])
"""A neuron in the row space of sigma(A) whose activation is not."""
_DEAD = np.vstack([_ROWS, -0.5 * _ROWS[0]])
CASES = (_wide(0), _wide(1), Case(_DEAD, np.maximum(_DEAD, 0), _ROWS[0] + 0.4 * _ROWS[1]), LEAVES)


def plain_cost(A: nets.Array, features: nets.Array) -> float:
    """The squared norm of A times the pseudo-inverse of the features."""
    return float(np.linalg.norm(A @ np.linalg.pinv(features, rcond=1e-10)) ** 2)


def cost(A: nets.Array, bias: bool) -> float:
    """The cost of identity as printed in Section 1.4."""
    return plain_cost(A, nets.activation(A, bias))


def letters(case: Case, size: float) -> dict[str, Any]:
    """Letters of a neuron of the given size."""
    plus = np.linalg.pinv(case.features)
    active = np.maximum(case.z, 0)
    larger = plain_cost(np.vstack([case.A, size * case.z]), np.vstack([case.features, size * active]))
    return {
        **nets.FUNCTIONS, "A": case.A, "S": case.features, "S_plus": plus, "sigma_plus_T": plus.T, "epsilon": size,
        "z": case.z[:, None], "sigma_z": active[:, None], "coi": larger,
        "trace_plus": lambda X, Y: float(np.trace(X @ np.linalg.pinv(Y, rcond=1e-12, hermitian=True))),
    }  # fmt: skip


def second_order(case: Case) -> float:
    """Change of the cost over the squared size of the neuron."""
    return (letters(case, 1e-3)["coi"] - letters(case, 0.0)["coi"]) / 1e-6


def directions() -> Iterator[dict[str, Any]]:
    """The neurons that the proof adds: sigma(A)' times the activation of a sample."""
    for case in CASES[:2]:
        for index in range(3):
            row = case.features.T @ case.features[:, index]
            yield {"z_row": row[:, None], "sigma_z": np.maximum(row, 0)[:, None]}


@cache
def samples() -> tuple[dict[str, Any], ...]:
    """Samples whose negative entries are below and above the bias, for small and large neurons."""
    columns = ((0.5, -0.1), (1.5, -0.29), (1.5, -0.31), (0.3, -1.2), (2.0, -2.1), (2.0, -1.9))
    cases = []
    for bias in (1.0, 0.0, 0.3, 2.0):
        for column in columns:
            for size in (1.0, 0.3, 3.0):
                x = np.array(column)[:, None]
                active = np.vstack([np.maximum(x, 0), [[bias]]])
                lost = float((np.minimum(x, 0) ** 2).sum())
                cases.append({**nets.FUNCTIONS, "sample": x, "sample_active": active, "epsilon": size, "beta": bias,
                              "negative": lost})  # fmt: skip
    return tuple(cases)


def is_lowered(A: nets.Array, bias: bool) -> bool:
    """Whether scaling A, or adding one of the proof's neurons at small size, gives a smaller cost."""
    before = cost(A, bias)
    features = np.maximum(A, 0)
    nearby = [(1 - 1e-3) * A] + [np.vstack([A, 1e-3 * features.T @ features[:, i]]) for i in range(A.shape[1])]
    return min(cost(other, bias) for other in nearby) < before * (1 - 1e-10)


@cache
def candidates() -> tuple[dict[str, Any], ...]:
    """Representations of all signs, inside the image and outside, with bias and without."""
    draws = [np.random.default_rng(seed).normal(size=(9, 1 + seed % 3)) for seed in range(8)]
    outside = [-np.eye(1), -np.ones((2, 3))]
    nonnegative = [np.eye(2), np.random.default_rng(1).uniform(size=(5, 3))]
    cases = []
    for A in (*draws, *outside, *nonnegative):
        for bias in (False, True) if A.min() < 0 else (False,):
            gap = residual(A, nets.activation(A, bias))
            cases.append({"A": A, "bias": bias, "residual": gap, "is_lowered": is_lowered(A, bias)})
    return tuple(cases)
