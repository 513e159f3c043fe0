r"""Averages over the Gaussian weights of one hidden unit, at inputs that may be complex.

Quadrature over weights and bias; derivatives are means over circles around the input, by Cauchy's formula. Neither
uses integration by parts, nor any formula of the paper.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
RADIUS, POINTS = 0.2, 12  # what remains is rounding, about 1e-13
TURNS = np.exp(2j * np.pi * np.arange(POINTS) / POINTS)
COUNT = 12  # nodes for each weight: what remains of the square of a sine is about 1e-11
ACTIVATION: dict[str, Callable[[Any], Any]] = {
    "phi0": lambda z: np.sin(0.7 * z + 0.3) + z**2 / 5,
    "phi1": lambda z: 0.7 * np.cos(0.7 * z + 0.3) + 0.4 * z,
    "phi2": lambda z: 0.4 - 0.49 * np.sin(0.7 * z + 0.3),
    "phi3": lambda z: -0.343 * np.cos(0.7 * z + 0.3),
    "phi4": lambda z: 0.2401 * np.sin(0.7 * z + 0.3),
}
"""An activation function without a symmetry, and its derivatives."""


@cache
def gaussian_nodes(dimensions: int, count: int = COUNT) -> tuple[Array, Array]:
    """Nodes [dimensions, nodes] and weights [nodes] for averages over independent standard normal variables."""
    points, masses = np.polynomial.hermite_e.hermegauss(count)
    nodes = np.stack([axis.ravel() for axis in np.meshgrid(*[points] * dimensions, indexing="ij")])
    weights = np.prod(np.meshgrid(*[masses] * dimensions, indexing="ij"), axis=0).ravel()
    return nodes, weights / weights.sum()


def mean_with(weights: Array) -> Callable[[Any], Array]:
    """The average over the last axis, which stays as one of length 1."""
    return lambda values: np.sum(values * weights, axis=-1, keepdims=True)


def circles(point: Array, *axes: int) -> Array:
    """Points around ``point`` [d] on circles along one or two axes, counted from 1: [points, d], complex."""
    around = np.zeros((1, len(point)), dtype=complex) + point
    for axis in axes:
        steps = np.zeros((POINTS, 1, len(point)), dtype=complex)
        steps[:, 0, axis - 1] = RADIUS * TURNS
        around = (steps + around).reshape(-1, len(point))
    return around


def derivative(values: Any) -> Any:
    """The first or mixed second derivative, from values on :func:`circles`: [points, 1] or one for all."""
    size = np.shape(values)[0] if np.ndim(values) else POINTS
    phases, order = (TURNS, 1) if size == POINTS else (np.multiply.outer(TURNS, TURNS).ravel(), 2)
    along = np.broadcast_to(values, (size, 1))[:, 0]
    return np.mean(along * np.conj(phases)) / RADIUS**order
