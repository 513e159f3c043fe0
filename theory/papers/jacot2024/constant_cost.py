"""Paths along which both covariances of a representation stay as they are, in numbers."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog

from theory.core import Check, Claim
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.new_neuron import cost
from theory.papers.jacot2024.states import residual

ZERO = 1e-9
BIAS = 0.7


def pair(row: nets.Array) -> nets.Array:
    """The outer products of a neuron and of its activation, entries on and above the diagonal."""
    upper = np.triu_indices(len(row))
    return np.concatenate([np.outer(x, x)[upper] for x in (row, np.maximum(row, 0))])


def dimension_of_pairs(samples: int) -> int:
    """The rank of the pairs of many neurons."""
    rows = np.random.default_rng(samples).normal(size=(8 * samples**2 + 8, samples))
    return int(np.linalg.matrix_rank(np.array([pair(row) for row in rows])))


def combination(A: nets.Array) -> nets.Array:
    """Coefficients of the neurons of A, as few as a vertex has, with the same covariances."""
    pairs = np.array([pair(row) for row in A])
    found = linprog(np.arange(float(len(A))), A_eq=pairs.T, b_eq=pairs.sum(axis=0), bounds=(0, None), method="highs-ds")
    return np.asarray(np.where(found.x > ZERO, found.x, 0.0))


class Path(NamedTuple):
    """A path of the proof from a representation ``start``."""

    start: nets.Array
    coefficients: nets.Array
    residual: float
    costs: tuple[float, ...]
    gradients_are_proportional: bool
    end_is_lowered: bool


def along(A: nets.Array, coefficients: nets.Array, t: float) -> nets.Array:
    """The path, with rows of Section A.1."""
    return np.asarray(np.sqrt((1 - t) + t * coefficients)[:, None] * A)


def _path(A: nets.Array) -> Path:
    coefficients = combination(A)
    end = along(A, coefficients, 1.0)
    empty = int(np.argmin(coefficients))
    before, after = (nets.difference(lambda M: cost(M, False), M, 1e-6) for M in (A, end))
    nearby = []
    for index in range(A.shape[1]):
        other = end.copy()
        other[empty] = 1e-3 * np.maximum(end, 0).T @ np.maximum(end[:, index], 0)
        nearby.append(cost(other, False))
    gap = residual(A, np.maximum(A, 0))
    return Path(
        A,
        coefficients,
        gap,
        tuple(cost(along(A, coefficients, t), False) for t in (0.0, 0.3, 0.7, 1.0)),
        bool(np.allclose(after, np.sqrt(coefficients)[:, None] * before, atol=1e-4)) if gap == 0 else True,
        bool(coefficients[empty] == 0 and min(nearby) < cost(end, False) * (1 - ZERO)),
    )


def _generic(seed: int, width: int, samples: int) -> Path:
    return _path(np.random.default_rng(seed).normal(size=(width, samples)))


@cache
def inside() -> Path:
    """From a representation whose rows are in the image of K."""
    return _generic(7, 7, 2)


@cache
def outside() -> Path:
    """From a representation without positive entries."""
    return _path(-np.ones((4, 1)))


@cache
def paths() -> tuple[Path, ...]:
    """From representations inside the image of K and outside."""
    return inside(), _generic(1, 9, 2), _generic(3, 4, 1), outside()


@cache
def covariances() -> tuple[dict[str, Any], ...]:
    """Both covariances of seven neurons on two samples, without and with bias, and of a place on the path."""
    A, coefficients = inside().start, inside().coefficients
    active = np.maximum(A, 0)
    place = along(A, coefficients, 0.3)
    shared = {
        "neurons": len(A), "a": lambda i: coefficients[i - 1], "t": 0.3, "K_t": place.T @ place, "K_hat": A.T @ A,
        "outer": lambda i: np.outer(A[i - 1], A[i - 1]), "active": lambda i: np.outer(active[i - 1], active[i - 1]),
        "ones": np.ones((2, 2)),
    }  # fmt: skip
    return tuple(
        {**shared, "beta": bias, "K_sigma": active.T @ active + bias**2 * np.ones((2, 2))} for bias in (0.0, BIAS)
    )


def costs() -> list[dict[str, Any]]:
    """Costs of representations, and both covariances."""
    cases = []
    for A, bias in ((inside().start, False), (inside().start, True), (paths()[1].start, True)):
        features = nets.activation(A, bias)
        cases.append({**nets.FUNCTIONS, "A": A, "S_plus": np.linalg.pinv(features), "K_matrix": A.T @ A,
                      "K_sigma_plus": np.linalg.pinv(features.T @ features)})  # fmt: skip
    return cases


@cache
def signs() -> tuple[dict[str, Any], ...]:
    """How far both covariances differ, and the least entry; the first has a bias as large as its negative entry."""
    chosen = [(np.array([[-0.6]]), 0.6), (inside().start, 0.0), (np.abs(inside().start), 0.0), (np.eye(2), 1.0)]
    cases = []
    for A, bias in (*chosen, (np.array([[1.0, 2.0], [0.3, -0.01]]), 0.0)):
        active = np.vstack([np.maximum(A, 0), bias * np.ones((1, A.shape[1]))])
        gap = float(np.abs(A.T @ A - active.T @ active).max())
        cases.append({"K_gap": gap if gap > ZERO else 0.0, "least_entry": float(A.min()), "beta": bias})
    return tuple(cases)


@cache
def ends_nonnegative() -> bool:
    """Descent on the cost from random representations of eight neurons on two samples: what is negative vanishes."""
    shares = []
    for seed in range(4):
        A = np.random.default_rng(seed).normal(size=(8, 2))
        for _ in range(3000):
            features = np.maximum(A, 0)
            inverse = np.linalg.inv(features.T @ features)
            pull = features @ inverse @ (A.T @ A) @ inverse
            A = A - 0.4 * (A @ inverse - (A > 0) * pull)
        shares.append(float(np.abs(np.minimum(A, 0)).max() / np.abs(A).max()))
    return max(shares) < 1e-4


def pushes(claim: Claim) -> tuple[Check, ...]:
    """Whether descent on the cost leads away from representations with negative entries."""
    return (Check("four descents", lambda: ends_nonnegative() is (claim["sign"] == "negative"), "gradient descent"),)
