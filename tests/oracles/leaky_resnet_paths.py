"""Geodesics of Leaky ResNets by brute force: minimisation over the weights of a discretised path."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize

Cost = Callable[[np.ndarray, np.ndarray], float]


def midpoint_action(squared_weights: Cost, path: np.ndarray) -> float:
    """Integral over p of the squared weights by the midpoint rule; ``path`` [steps + 1, ...]."""
    steps = len(path) - 1
    return (
        sum(
            squared_weights((path[i] + path[i + 1]) / 2, (path[i + 1] - path[i]) * steps)
            for i in range(steps)
        )
        / steps
    )


def shortest(
    squared_weights: Cost, first: np.ndarray, last: np.ndarray, steps: int, guess: np.ndarray
) -> np.ndarray:
    """A path [steps + 1, ...] of least squared weights with given ends, started at ``guess``."""
    shape = guess[1:-1].shape

    def action(flat: np.ndarray) -> float:
        inner = flat.reshape(shape)
        return midpoint_action(squared_weights, np.concatenate([first[None], inner, last[None]]))

    found = minimize(
        action, guess[1:-1].ravel(), method="BFGS", options={"gtol": 1e-9, "maxiter": 5000}
    )
    return np.concatenate([first[None], found.x.reshape(shape), last[None]])


def linear_weights(depth: float, bias: bool) -> Cost:
    """Squared norm of the smallest weights of a linear net that give a velocity: A [width, samples]."""

    def cost(A: np.ndarray, velocity: np.ndarray) -> float:
        features = np.vstack([A, np.ones((int(bias), A.shape[1]))])
        return float(
            (np.linalg.lstsq(features.T, (depth * A + velocity).T, rcond=1e-12)[0] ** 2).sum()
        )

    return cost


def train_mode(s0: float, s1: float, depth: float, layers: int) -> np.ndarray:
    """Weights of a scalar linear net with equal steps that reach s1 with the least sum of squares, [layers]."""
    start = np.full(layers, depth) + 0.1 * np.sin(np.arange(layers))

    def reached(w: np.ndarray) -> float:
        return float(np.log(s0 / s1) + np.log(1 + (w - depth) / layers).sum())

    found = minimize(
        lambda w: float((w**2).mean()),
        start,
        jac=lambda w: 2 * w / layers,
        constraints={"type": "eq", "fun": reached, "jac": lambda w: 1 / (layers + w - depth)},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return found.x
