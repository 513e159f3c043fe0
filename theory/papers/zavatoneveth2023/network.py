r"""A shallow network in plain numbers: the arrays from which the formulas of Appendix B are summed as they are printed.

All formulas of that appendix depend on the weights, on the slopes :math:`\varphi'(z_j)` and on the bends
:math:`\varphi''(z_j)` only.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
CLOSE = 1e-10  # relative; sums of up to 10^5 terms of order one in double precision


def close(one: ArrayLike, other: ArrayLike, tolerance: float = CLOSE) -> bool:
    """Whether two arrays agree, relative to the largest entry."""
    left, right = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    scale = max(float(np.max(np.abs(right))), float(np.max(np.abs(left))))
    return left.shape == right.shape and bool(np.max(np.abs(left - right)) <= tolerance * scale)


def levi_civita(dimension: int) -> Array:
    """The totally antisymmetric symbol, [d] * d."""
    symbol = np.zeros((dimension,) * dimension)
    for order in itertools.permutations(range(dimension)):
        symbol[order] = np.linalg.det(np.eye(dimension)[list(order)])
    return symbol


@dataclass(frozen=True)
class Network:
    """Weights [n, d]; slopes and bends of the units at the input, [n]."""

    weights: Array
    slopes: Array
    bends: Array

    @property
    def width(self) -> int:
        """Number of units."""
        return len(self.weights)

    @property
    def inputs(self) -> int:
        """Number of inputs."""
        return int(self.weights.shape[1])

    @cached_property
    def metric(self) -> Array:
        """Eq. (2), [d, d]."""
        return np.einsum("j,jm,jn->mn", self.slopes**2, self.weights, self.weights) / self.width

    @cached_property
    def inverse(self) -> Array:
        """Inverse of the metric, [d, d]."""
        return np.asarray(np.linalg.inv(self.metric), dtype=np.float64)

    @cached_property
    def determinant(self) -> float:
        """Determinant of the metric."""
        return float(np.linalg.det(self.metric))

    @cached_property
    def slope_of_metric(self) -> Array:
        """Its derivatives, Eq. (B.26), [d, d, d]."""
        return 2 / self.width * np.einsum("j,ja,jm,jn->amn", self.slopes * self.bends, *[self.weights] * 3)

    @cached_property
    def minors(self) -> Array:
        """Determinants of d rows of the weights, [n] * d."""
        found = np.zeros((self.width,) * self.inputs)
        for rows in itertools.product(range(self.width), repeat=self.inputs):
            found[rows] = np.linalg.det(self.weights[list(rows)]) if len(set(rows)) == len(rows) else 0.0
        return found

    def riemann(self, factor: float = 1.0) -> Array:
        """All indices down, from the derivatives of the metric: Appendix A; the paper has the factor 3."""
        return riemann_of_symmetric(self.metric, self.slope_of_metric, factor)


def riemann_of_symmetric(metric: Array, slope: Array, factor: float = 1.0) -> Array:
    """Riemann tensor of a metric whose derivatives [d, d, d] are symmetric in all indices, [d, d, d, d]."""
    product = np.einsum("rl,mar,nbl->mnab", np.linalg.inv(metric), slope, slope)
    return -factor / 4 * (product - product.swapaxes(2, 3))


def scalar_of(metric: Array, riemann: Array) -> float:
    """Scalar curvature from a Riemann tensor with all indices down."""
    up = np.linalg.inv(metric)
    return float(np.einsum("ma,nb,mnab->", up, up, riemann))


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
