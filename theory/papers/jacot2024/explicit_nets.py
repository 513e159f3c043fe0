r"""Leaky ResNets in plain numbers, against which the ledger checks the printed formulas.

Pseudo-inverses, central differences and Runge-Kutta steps of the equations as they are defined; nothing here knows a
formula of ``theory.leaky_resnet``, so agreement with one is evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def activation(A: Array, bias: bool) -> Array:
    """ReLU of A [width, samples], with a row of ones appended if ``bias``."""
    rectified = A * (A > 0)
    return np.vstack([rectified, np.ones((1, A.shape[1]))]) if bias else rectified


def energy(A: Array, B: Array, depth: float, bias: bool = False) -> float:
    """depth/2 |B sigma(A)'|^2 - depth Tr B A'."""
    return depth * float((((B @ activation(A, bias).T) ** 2) / 2).sum() - (B * A).sum())


def joint_rates(A: Array, B: Array, depth: float, bias: bool) -> tuple[Array, Array]:
    """Forward and backward pass of Section 1.5 with critical weights, line by line."""
    features = activation(A, bias)
    W = depth * B @ features.T
    backward = (A > 0) * (W.T @ B)[: len(A)]
    return W @ features - depth * A, depth * B - backward


def joint_path(A: Array, B: Array, depth: float, bias: bool, steps: int = 2000) -> tuple[Array, Array]:
    """Both passes integrated from p = 0 to 1 by Runge-Kutta steps: [steps + 1, width, samples] each."""
    found = [np.stack([A, B])]
    h = 1 / steps
    for _ in range(steps):
        x = found[-1]

        def rate(y: Array) -> Array:
            return np.stack(joint_rates(y[0], y[1], depth, bias))

        k1 = rate(x)
        k2 = rate(x + h / 2 * k1)
        k3 = rate(x + h / 2 * k2)
        k4 = rate(x + h * k3)
        found.append(x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    path = np.array(found)
    return path[:, 0], path[:, 1]


def difference(function: Callable[[Array], float], x: Array, step: float = 1e-5) -> Array:
    """Gradient by central differences, the shape of x."""
    slope = np.empty_like(x)
    for index in np.ndindex(x.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[index] += step
        behind[index] -= step
        slope[index] = (function(ahead) - function(behind)) / (2 * step)
    return slope


def mean(values: Array) -> float:
    """Integral over p in [0, 1] of equidistant values, by Simpson's rule (an even number of steps)."""
    weights = np.ones(len(values))
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    return float(weights @ values / weights.sum())


def random_state(seed: int, width: int = 3, samples: int = 4, size: float = 0.3) -> tuple[Array, Array]:
    """Representations of order one and momenta of order ``size``."""
    draw = np.random.default_rng(seed)
    return draw.normal(size=(width, samples)), size * draw.normal(size=(width, samples))


def weights_of(M: Array, features: Array) -> Array:
    """M times the pseudo-inverse of the features, by least squares."""
    return np.asarray(np.linalg.lstsq(features.T, M.T, rcond=1e-10)[0].T, dtype=np.float64)


def ridge(M: Array, features: Array, gamma: float) -> float:
    """Root of Tr M (K + gamma)^-1 M' for K = features' features, by ridge regression."""
    design = np.vstack([features, np.sqrt(gamma) * np.eye(features.shape[1])])
    return float(np.linalg.norm(weights_of(M, design)))


def singular_values(M: Array) -> Array:
    """In descending order."""
    return np.asarray(np.linalg.svd(M, compute_uv=False), dtype=np.float64)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "norm": lambda M: float(np.linalg.norm(M)),
    "norm_F": lambda M: float(np.linalg.norm(M)),
    "norm_op": lambda M: float(singular_values(M)[0]),
    "norm_nuc": lambda M: float(singular_values(M).sum()),
    "norm_K": lambda M, features: float(np.linalg.norm(weights_of(M, features))),
    "norm_gamma": ridge,
    "inner": lambda M, other, features: float((weights_of(M, features) * weights_of(other, features)).sum()),
    "trace": lambda M: float(np.trace(M)),
    "rank": lambda M: int(np.linalg.matrix_rank(M, tol=1e-9)),
}
"""Values of the undefined functions of the printed formulas."""


def flow(state: Array, rate: Callable[[float, Array], Array], start: float, end: float, steps: int = 200) -> Array:
    """The state at ``end``, by Runge-Kutta steps."""
    h = (end - start) / steps
    for i in range(steps):
        p = start + i * h
        k1 = rate(p, state)
        k2 = rate(p + h / 2, state + h / 2 * k1)
        k3 = rate(p + h / 2, state + h / 2 * k2)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(p + h, state + h * k3))
    return state


def leaky(weights: Callable[[float], Array], leakage: float, bias: bool) -> Callable[[float, Array], Array]:
    """The velocity of the representations of a Leaky ResNet with these weights."""
    return lambda p, state: -leakage * state + weights(p) @ activation(state, bias)
