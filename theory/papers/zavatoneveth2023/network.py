r"""Shallow networks in plain numbers, and as metrics in 100 digits of which ``christoffel`` takes the curvature."""

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.papers.zavatoneveth2023.christoffel import WORK, Metric, exact

Array = NDArray[np.float64]
WEIGHTS = (
    ("0.8", "-0.3", "0.5"),
    ("0.2", "0.9", "-0.4"),
    ("-0.7", "0.4", "0.6"),
    ("0.3", "0.5", "1.1"),
)
BIASES = ("0.1", "-0.2", "0.3", "0.25")
POINT = ("0.4", "-0.3", "0.2")
"""A network of four units on three inputs, and where it is looked at: the witness of the tensor formulas."""


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


def erf_units(weights: ArrayLike, biases: ArrayLike, point: ArrayLike) -> Network:
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
    w, p, c = (exact(values) for values in (net.weights, net.slopes, net.bends))
    return lambda x: (p * (w @ x) + c * (w @ x) ** 2 / 2) / WORK.sqrt(len(w))


def metric_of(net: Network) -> Metric:
    """The metric near the origin, with exact slopes."""
    w, p, c = (exact(values) for values in (net.weights, net.slopes, net.bends))
    return lambda x: np.einsum("j,jm,jn->mn", (p + c * (w @ x)) ** 2, w, w) / len(w)


def erf_metric(weights: Any, biases: Any) -> Metric:
    """Eq. (2) for units erf(z / sqrt 2), weights [n, d], biases [n]."""
    w, b = exact(weights), exact(biases)

    def metric(x: Any) -> Any:
        squares = [2 / WORK.pi * WORK.exp(-(z**2)) for z in w @ x + b]
        return np.einsum("j,jm,jn->mn", np.array(squares, dtype=object), w, w) / len(b)

    return metric
