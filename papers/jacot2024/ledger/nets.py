r"""Leaky ResNets in plain numbers, against which the ledger checks the printed formulas.

Least squares, central differences and Runge-Kutta steps of the equations as they are defined; nothing here knows a
formula of ``theory.leaky_resnet``, so agreement with one is evidence.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import simpson

from closedform.checks.arrays import Array as Array

Case = dict[str, Any]
ZERO = 1e-9  # what is smaller is the rounding of zero


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


def flow(
    state: Array, rate: Callable[[float, Array], Array], start: float, end: float, steps: int = 200
) -> Array:
    """The state at ``end``, by Runge-Kutta steps."""
    h = (end - start) / steps
    for i in range(steps):
        p = start + i * h
        k1 = rate(p, state)
        k2 = rate(p + h / 2, state + h / 2 * k1)
        k3 = rate(p + h / 2, state + h / 2 * k2)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(p + h, state + h * k3))
    return state


def joint_path(
    A: Array, B: Array, depth: float, bias: bool, steps: int = 2000
) -> tuple[Array, Array]:
    """Both passes integrated from p = 0 to 1: [steps + 1, width, samples] each."""
    states = [np.stack([A, B])]
    for _ in range(steps):
        states.append(
            flow(
                states[-1],
                lambda p, y: np.stack(joint_rates(y[0], y[1], depth, bias)),
                0.0,
                1 / steps,
                1,
            )
        )
    path = np.array(states)
    return path[:, 0], path[:, 1]


def leaky(
    weights: Callable[[float], Array], leakage: float, bias: bool
) -> Callable[[float, Array], Array]:
    """The velocity of the representations of a Leaky ResNet with these weights."""
    return lambda p, state: -leakage * state + weights(p) @ activation(state, bias)


def mean(values: ArrayLike) -> float:
    """Integral over p in [0, 1] of equidistant values, by Simpson's rule."""
    return float(simpson(values, dx=1 / (len(np.asarray(values)) - 1)))


def random_state(
    seed: int, width: int = 3, samples: int = 4, size: float = 0.3
) -> tuple[Array, Array]:
    """Representations of order one and momenta of order ``size``."""
    draw = np.random.default_rng(seed)
    return draw.normal(size=(width, samples)), size * draw.normal(size=(width, samples))


def weights_of(M: Array, features: Array) -> Array:
    """M times the pseudo-inverse of the features, by least squares."""
    return np.asarray(np.linalg.lstsq(features.T, M.T, rcond=1e-10)[0].T, dtype=np.float64)


def cost(A: Array, features: Array) -> float:
    """The cost of identity: the squared norm of the smallest weights that give A back."""
    return float((weights_of(A, features) ** 2).sum())


def ridge(M: Array, features: Array, gamma: float) -> float:
    """Root of Tr M (K + gamma)^-1 M' for K = features' features, by ridge regression."""
    design = np.vstack([features, np.sqrt(gamma) * np.eye(features.shape[1])])
    return float(np.linalg.norm(weights_of(M, design)))


def residual(A: Array, features: Array) -> float:
    """How far the rows of A are from the row space of the features; 0 up to rounding."""
    return norm(weights_of(A, features) @ features - A)


def norm(M: Any) -> float:
    """Root of the sum of squares; 0 up to rounding."""
    size = float(np.linalg.norm(M))
    return size if size > ZERO else 0.0


def pseudo_inverse(kernel: Array) -> Array:
    """Of a symmetric matrix, or of each of several."""
    return np.asarray(np.linalg.pinv(kernel, rcond=1e-12, hermitian=True))


def norm_in(M: Array, kernel: Array) -> Any:
    """Root of Tr M K^+ M', for one matrix or for each of a path [p, neuron, sample]."""
    return np.sqrt(np.maximum(((M @ pseudo_inverse(kernel)) * M).sum(axis=(-2, -1)), 0.0))


def singular_values(M: Array) -> Array:
    """In descending order."""
    return np.asarray(np.linalg.svd(M, compute_uv=False), dtype=np.float64)


def matrix_root(M: Array) -> Array:
    """Square roots of the singular values, in the singular vectors."""
    left, values, right = np.linalg.svd(M, full_matrices=False)
    return np.asarray((left * np.sqrt(values)) @ right)


def only_at(place: float, value: Any) -> Callable[[float], Any]:
    """A function that is known at one place; another letter in the place of its argument is an error."""

    def at(p: float) -> Any:
        if p != place:
            raise ValueError(f"p: got {p}, needs {place}")
        return value

    return at


MARKS: dict[str, Callable[..., Any]] = {
    "norm": norm,
    "norm_F": norm,
    "norm_op": lambda M: float(singular_values(M)[0]),
    "norm_nuc": lambda M: float(singular_values(M).sum()),
    "norm_in": norm_in,
    "norm_gamma": lambda M, kernel, gamma: norm_in(M, kernel + gamma * np.eye(kernel.shape[-1])),
    "inner": lambda M, other, kernel: float(((M @ pseudo_inverse(kernel)) * other).sum()),
    "trace": lambda M: float(np.trace(M)),
    "trace_4": lambda a, b, c, d: float(np.trace(a @ b @ c @ d)),
    "rank": lambda M: int(np.linalg.matrix_rank(M, tol=ZERO)),
    "root": matrix_root,
    "total": np.sum,
    "largest": np.max,
    "least": np.min,
    "least_p": np.min,
    "least_q": np.min,
    "integral": mean,
    "square": lambda x: np.outer(x, x),
    "product": np.matmul,
    "scalar": lambda M: float(M[0, 0]),
    "sigma": lambda M: np.maximum(M, 0),
    "transposed": np.transpose,
    "lim": lambda x: x,
}
"""Values of the marks of the printed formulas; ``lim`` is read off at a large depth."""


def letters(A: Array, B: Array, depth: float, bias: bool) -> Case:
    """Values of the letters that representations and momenta determine; velocities by both passes."""
    A_dot, B_dot = joint_rates(A, B, depth, bias)
    features = activation(A, bias)
    return {
        **MARKS, "A": A, "B": B, "A_dot": A_dot, "B_dot": B_dot, "S": features, "S_plus": np.linalg.pinv(features),
        "K": features.T @ features, "W": depth * B @ features.T, "L": depth, "H": energy(A, B, depth, bias),
        "K_plus": pseudo_inverse(features.T @ features), "beta": float(bias),
    }  # fmt: skip


@cache
def states() -> tuple[Case, ...]:
    """Random states with more neurons than samples, so that norms are finite, with bias and without."""
    return tuple(
        letters(*random_state(seed, width=9, samples=3, size=0.4), depth, bias)
        for seed, (depth, bias) in enumerate(((0.7, True), (3.0, False), (2.2, True)))
    )
