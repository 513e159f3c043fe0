r"""Values of the letters of Appendix F: kernels with known features, and a kernel learned from positive pairs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from theory.papers.zavatoneveth2023.unit_averages import Array, circles, derivative

X, Y = np.array([0.5, -0.3]), np.array([-0.2, 0.6])
INDICES = ((1, 1), (1, 2), (2, 2))
ROOT = np.array([[1.2, 0.3], [0.3, 0.7]])
"""Positive definite; its square is M."""
MATRIX = ROOT @ ROOT
SLOPES = np.array([[0.8, -0.4], [0.3, 0.9], [-0.5, 0.6]])
Kernel = Callable[[Array, Array], Array]


def features(at: Array) -> Array:
    """Three functions of two inputs [points, 2], which may be complex: [points, 3]."""
    return np.sin(at @ SLOPES.T + np.array([0.2, -0.4, 0.7]))


def feature_metric(at: Array) -> Array:
    """The Euclidean metric pulled back by the features to an input [2]: Jacobian transposed times Jacobian."""
    jacobian = np.cos(at @ SLOPES.T + np.array([0.2, -0.4, 0.7]))[:, None] * SLOPES
    return jacobian.T @ jacobian


def base_kernel(one: Array, other: Array) -> Array:
    """Products of the features, [points, 1]."""
    return np.sum(features(one) * features(other), axis=-1, keepdims=True)


def mapped_kernel(one: Array, other: Array) -> Array:
    """The base kernel after the linear map."""
    return base_kernel(one @ ROOT, other @ ROOT)


def second_derivatives(kernel: Kernel, mu: int, nu: int) -> dict[str, Any]:
    """What the formula for the metric of a kernel takes: values on circles around the input."""
    around = circles(X, mu, nu)
    fixed = np.zeros_like(around) + X
    return {"mu": mu, "nu": nu, "hess_x": derivative, "hess_y_at_x": derivative,
            "k_xx": kernel(around, around), "k_xy": kernel(fixed, around)}  # fmt: skip


@cache
def base() -> list[dict[str, Any]]:
    """The base kernel and its metric."""
    metric = feature_metric(X)
    return [second_derivatives(base_kernel, mu, nu) | {"g": metric[mu - 1, nu - 1]} for mu, nu in INDICES]


def distance_function(squared: Any) -> Any:
    """A smooth function of the squared distance, positive and falling."""
    return np.exp(-1.3 * squared) + 0.4 * np.exp(-0.5 * squared)


def distance_slope(squared: Any) -> Any:
    """Its derivative."""
    return -1.3 * np.exp(-1.3 * squared) - 0.2 * np.exp(-0.5 * squared)


def mahalanobis(one: Array, other: Array) -> Array:
    """Squared distance in the matrix M, [points, 1]."""
    return np.einsum("pi,ij,pj->p", one - other, MATRIX, one - other)[:, None]


@cache
def invariant() -> list[dict[str, Any]]:
    """A kernel of the squared distance and its metric."""
    cases = []
    for mu, nu in INDICES:
        around = circles(X, mu, nu)
        fixed = np.zeros_like(around) + X
        cases.append({
            "mu": mu, "nu": nu, "hess_x": derivative, "hess_y_at_x": derivative, "h": distance_function,
            "h_slope": distance_slope, "mahalanobis": mahalanobis(fixed, around),
            "M": lambda i, k: MATRIX[i - 1, k - 1], "g": invariant_metric(X)[mu - 1, nu - 1],
        })  # fmt: skip
    return cases


def invariant_metric(at: Array) -> Array:
    """Its metric from squared distances of the features of close inputs, k(x, x) - 2 k(x, y) + k(y, y)."""

    def squared_distance(step: Array) -> Any:
        one, other = at[None] + step, at[None] - step
        return 2 * (distance_function(0.0) - distance_function(mahalanobis(one, other)[0, 0]))

    metric = np.empty((2, 2))
    for i, k in np.ndindex(2, 2):
        along, across = np.eye(2)[i] + np.eye(2)[k], np.eye(2)[i] - np.eye(2)[k]
        metric[i, k] = (_quadratic(squared_distance, along) - _quadratic(squared_distance, across)) / 4
    return metric


def _quadratic(squared_distance: Callable[[Array], Any], direction: Array) -> float:
    """Coefficient of the square of a small step, its higher powers removed by a circle of complex steps."""
    turns = 0.05 * np.exp(2j * np.pi * np.arange(12) / 12)
    return float(np.real(np.mean([squared_distance(turn / 2 * direction) / turn**2 for turn in turns])))


@cache
def mapped() -> list[dict[str, Any]]:
    """The base kernel after the linear map; its metric by the chain rule for its features."""
    base_metric, metric = feature_metric(ROOT @ X), mapped_metric(X)
    return [
        {name.replace("k_", "k_M_"): value for name, value in second_derivatives(mapped_kernel, mu, nu).items()}
        | {"g_M": metric[mu - 1, nu - 1], "d": 2, "metric": lambda i, k: base_metric[i - 1, k - 1]}
        | {"root_M": lambda i, k: ROOT[i - 1, k - 1]}
        for mu, nu in INDICES
    ]


def mapped_metric(at: Array) -> Array:
    """From the Jacobian of the features of the mapped input."""
    jacobian = np.stack([_jacobian_column(at, axis) for axis in (1, 2)], axis=1)
    return np.real(jacobian.T @ jacobian)


def _jacobian_column(at: Array, axis: int) -> Array:
    around = features(circles(at, axis) @ ROOT)
    return np.array([derivative(around[:, [index]]) for index in range(around.shape[1])])


def determinants() -> list[dict[str, Any]]:
    """Of both metrics at several inputs, and of M."""
    return [
        {
            "det_g_M": np.linalg.det(mapped_metric(at)),
            "det_g": np.linalg.det(feature_metric(ROOT @ at)),
            "det_M": np.linalg.det(MATRIX),
        }
        for at in (X, Y, 2 * X)
    ]
