r"""Values of the letters of Appendix D: the tangent kernel of a wide network, its derivatives and its metric."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from theory.papers.zavatoneveth2023.unit_averages import (
    ACTIVATION,
    Array,
    circles,
    derivative,
    gaussian_nodes,
    mean_with,
)

SIGMA, ZETA, XI = 0.8, 0.5, 1.3
X, Y = np.array([0.6, -0.9]), np.array([-0.4, 0.7])
INDICES = ((1, 1), (1, 2))
NODES, WEIGHTS = gaussian_nodes(3)
mean = mean_with(WEIGHTS)


def preactivations(inputs: Array) -> Array:
    """At complex inputs [points, 2], for all weights and biases: [points, nodes]."""
    return SIGMA * inputs @ NODES[:2] + ZETA * NODES[2]


def kernel(inputs: Array, others: Array) -> Array:
    """The mean product of the gradients of one unit's output in read-out, weights and bias: [points, 1].

    Inputs and others are [points, 2] or [1, 2]. The gradients in weights and bias contain the read-out, whose square
    has the mean xi^2.
    """
    one = preactivations(inputs)
    two = one if inputs is others else preactivations(others)
    products = {}
    for name in ("phi0", "phi1"):
        first = ACTIVATION[name](one)
        products[name] = first * (first if two is one else ACTIVATION[name](two))
    inner = np.sum(inputs * others, axis=1, keepdims=True)
    return mean(products["phi0"]) + XI**2 * (1 + inner) * mean(products["phi1"])


def second_derivatives(mu: int, nu: int, point: Array = X, other: Array = X) -> tuple[complex, complex]:
    """Of the kernel of ``point`` with itself, and of the kernel of ``point`` with ``other`` in the latter."""
    around, moved = circles(point, mu, nu), circles(other, mu, nu)
    return derivative(kernel(around, around)), derivative(kernel(point[None], moved))


@cache
def metric(point: tuple[float, float] = (0.6, -0.9)) -> Array:
    """The metric of the kernel [2, 2], real."""
    found = np.empty((2, 2))
    for mu, nu in np.ndindex(2, 2):
        own, crossed = second_derivatives(mu + 1, nu + 1, np.array(point), np.array(point))
        found[mu, nu] = np.real(own / 2 - crossed)
    return found


def letters(mu: int, nu: int, inputs: Array, others: Array) -> dict[str, Any]:
    """Values at inputs and others [points, 2]; weights and preactivations are [1 or points, nodes]."""
    at = preactivations(inputs)
    return {
        **ACTIVATION,
        "mu": mu, "nu": nu, "sigma": SIGMA, "xi": XI, "E": mean,
        "z": at, "z_x": at, "z_y": preactivations(others),
        "w": lambda index: SIGMA * NODES[[index - 1]],
        "x": lambda index: inputs[:, [index - 1]],
        "norm2": np.sum(inputs**2, axis=1, keepdims=True),
        "inner": np.sum(inputs * others, axis=1, keepdims=True),
        "d_x": derivative, "d_y": derivative, "d_r": derivative, "hess_x": derivative, "hess_y": derivative,
    }  # fmt: skip


@cache
def at_the_point() -> list[dict[str, Any]]:
    """All letters at one input, the derivatives of the kernel by Cauchy's formula."""
    cases = []
    for mu, nu in INDICES:
        own, crossed = second_derivatives(mu, nu)
        cases.append(
            letters(mu, nu, X[None] + 0j, X[None] + 0j)
            | {"theta_xx": own, "theta_yy_at_x": crossed, "g": metric()[mu - 1, nu - 1], **coefficient()}
        )
    return cases


@cache
def around_the_point(order: int) -> list[dict[str, Any]]:
    """Letters on circles around the input, for one or two derivatives in it."""
    return [
        letters(mu, nu, *[circles(X, *(mu, nu)[2 - order :])] * 2) | {"theta_xx": second_derivatives(mu, nu)[0]}
        for mu, nu in INDICES
    ]


@cache
def around_the_other(order: int) -> list[dict[str, Any]]:
    """Letters at the first input and, for ``order`` derivatives in it, on circles around the second."""
    cases = []
    for mu, nu in INDICES:
        others = circles(Y, *(mu, nu)[2 - order :]) if order else Y[None] + 0j
        inputs = np.zeros_like(others) + X
        known = {"theta_yy": second_derivatives(mu, nu, X, Y)[1], "theta": kernel(X[None] + 0j, Y[None] + 0j)}
        cases.append(letters(mu, nu, inputs, others) | known)
    return cases


def along_the_radius() -> Array:
    """Inputs in the direction of X whose squared norm runs over a circle, [points, 2]."""
    size = float(X @ X)
    return np.sqrt(circles(np.array([size]), 1) / size) * X


@cache
def around_the_norm() -> list[dict[str, Any]]:
    """Letters on a circle of the squared norm."""
    inputs = along_the_radius()
    return [letters(1, 1, inputs, inputs) | coefficient()]


def across(size: Any) -> Any:
    """Eigenvalue of the metric across the input, at an input of this squared norm, which may be complex."""
    own, crossed = second_derivatives(2, 2, np.array([np.sqrt(size), 0]), np.array([np.sqrt(size), 0]))
    return own / 2 - crossed


@cache
def coefficient() -> dict[str, Any]:
    """Psi, the eigenvalue of the metric across the input, and its derivative in the squared norm."""
    size = X @ X + 0j
    around = circles(np.array([size]), 1)[:, 0]
    return {"psi": across(size), "psi_slope": derivative(np.array([[across(value)] for value in around]))}
