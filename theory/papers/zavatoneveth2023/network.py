r"""A shallow network in plain numbers: weights, slopes :math:`\varphi'(z_j)` and bends :math:`\varphi''(z_j)`."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def levi_civita(dimension: int) -> Array:
    """The totally antisymmetric symbol, [d] * d."""
    return minors(np.eye(dimension))


def minors(weights: Array) -> Array:
    """Determinants of d rows of the weights [n, d], by elimination: [n] * d."""
    width, inputs = weights.shape
    found = np.zeros((width,) * inputs)
    for rows in itertools.permutations(range(width), inputs):
        found[rows] = np.linalg.det(weights[list(rows)])
    return found


@dataclass(frozen=True)
class Network:
    """Weights [n, d]; slopes and bends of the units at the input, [n]."""

    weights: Array
    slopes: Array
    bends: Array

    @cached_property
    def metric(self) -> Array:
        """Eq. (2), [d, d]."""
        return np.einsum("j,jm,jn->mn", self.slopes**2, self.weights, self.weights) / len(self.weights)


def erf_network(weights: ArrayLike, biases: ArrayLike, point: ArrayLike) -> Network:
    """Units erf(z / sqrt 2) at an input."""
    w = np.asarray(weights, dtype=float)
    z = w @ np.asarray(point, dtype=float) + np.asarray(biases, dtype=float)
    slopes = np.sqrt(2 / np.pi) * np.exp(-(z**2) / 2)
    return Network(w, slopes, -z * slopes)


def random_network(seed: int, width: int, inputs: int) -> Network:
    """Weights, slopes and bends of order one, independent of each other: any activation function."""
    draw = np.random.default_rng(seed)
    return Network(draw.normal(size=(width, inputs)), draw.uniform(0.5, 1.5, width), draw.normal(size=width))


def quadratic_features(net: Network) -> Any:
    """Features near the origin with these slopes and bends there, scaled by the root of the width, in 100 digits."""
    from theory.papers.zavatoneveth2023.christoffel import WORK, exact

    w, p, c = (exact(values) for values in (net.weights, net.slopes, net.bends))
    return lambda x: (p * (w @ x) + c * (w @ x) ** 2 / 2) / WORK.sqrt(len(w))
