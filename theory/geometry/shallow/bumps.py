r"""The determinant of an erf network's metric as a sum of Gaussian bumps, one for each d-tuple of hidden units.

.. math:: \det g = \sum_{J} A_J\, e^{-(x - c_J)^\top Q_J (x - c_J)}, \qquad
    A_J = \left(\frac{2}{\pi n}\right)^{d} (\det W_J)^2, \quad Q_J = W_J^\top W_J, \quad c_J = -W_J^{-1} b_J,

where J runs over sets of d units: the expansion of ``theory.geometry.shallow.derivation`` with
:math:`\varphi'(z)^2 = \frac2\pi e^{-z^2}`. All terms are positive, so the sum is accurate however small it is. The
exponents of a tuple add up to :math:`-\|W_J x + b_J\|^2`; a centre is where all its pre-activations vanish.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedform.rounding import ROUNDING
from theory.activations import ERF
from theory.core.numbers.arguments import real_array
from theory.geometry.shallow.frame import NUMBERS_AT_ONCE, checked

_MOST_BUMPS = 2_000_000


@dataclass(frozen=True)
class ErfBumps:
    """The Gaussian bumps whose sum is det g."""

    units: NDArray[np.intp]  # indices of the hidden units of each bump, [bump, d], increasing
    amplitudes: NDArray[np.float64]  # height of each bump, [bump], positive, in 1/input^(2 d)
    centres: NDArray[np.float64]  # of the bumps, [bump, d], in the unit of the inputs
    # Q of each bump exp(-(x - c) Q (x - c)), [bump, d, d], in 1/input^2
    precisions: NDArray[np.float64]
    _weights: NDArray[np.float64]
    _biases: NDArray[np.float64]

    def determinant(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the sum of all bumps at inputs [..., d], which is det g, [...], in 1/input^(2 d)."""
        layer = checked(self._weights, self._biases, x, ERF)
        result = np.empty(len(layer.points))
        size = max(1, NUMBERS_AT_ONCE // max(1, self.units.size))
        for start in range(0, len(result), size):
            part = slice(start, start + size)
            squares = (layer.points[part] @ layer.weights.T + layer.biases) ** 2
            result[part] = np.exp(-squares[:, self.units].sum(axis=-1)) @ self.amplitudes
        return result.reshape(layer.shape)[()]


def erf_bumps(weights: ArrayLike, biases: ArrayLike) -> ErfBumps:
    """Return the bumps of a network with activation erf(z / sqrt 2).

    There is one for every set of d units with linearly independent weights, [width, d], in 1/input.

    Raises:
        TypeError, ValueError: for arguments that are not finite real arrays of fitting shapes, width < d, more than two
            million sets, or no set with independent weights.

    Source: Zavatone-Veth et al. (2023), Eqs. (B.44) to (B.64).
    """
    weights = real_array("weights", weights)
    layer = checked(weights, biases, np.zeros((1, *weights.shape[1:])), ERF)
    n, d = layer.width, layer.dimension
    if n < d:
        raise ValueError(
            f"weights: got width {n} < d = {d}, needs at least as many units as inputs"
        )
    if math.comb(n, d) > _MOST_BUMPS:
        raise ValueError(
            f"weights give {math.comb(n, d)} sets of {d} units, more than {_MOST_BUMPS}"
        )
    units = np.array(list(combinations(range(n), d)), dtype=np.intp)
    minors = np.linalg.det(layer.weights[units])
    # A determinant below Hadamard's bound times the rounding error of d factors is zero, and its centre arbitrary.
    largest = np.linalg.norm(layer.weights[units], axis=2).prod(axis=1)
    independent = np.abs(minors) > d * ROUNDING * largest
    if not independent.any():
        raise ValueError(
            "weights: got linearly dependent rows, needs d independent ones; the metric is singular everywhere"
        )
    units, minors = units[independent], minors[independent]
    chosen = layer.weights[units]
    return ErfBumps(
        units,
        (2 / (np.pi * n)) ** d * minors**2,
        -np.linalg.solve(chosen, layer.biases[units][..., None])[..., 0],
        chosen.swapaxes(1, 2) @ chosen,
        layer.weights,
        layer.biases,
    )
