r"""The scalar curvature at single inputs with proved digits, in ball arithmetic of growing precision.

In saturated networks most slopes are tiny, the terms of the curvature exceed their sum by many orders of magnitude, and
double precision keeps no digit of it. The sums over units or over components of :math:`T_{ijk}` are then evaluated in
coordinates, with the inverse metric, until the ball around the result is smaller than its rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product

import numpy as np
from flint import arb, arb_mat
from numpy.typing import NDArray

from theory.activations import Activation, z
from theory.core.numbers.backends import ball_backend
from theory.core.numbers.backends.source import compile_expression
from theory.geometry.shallow.frame import Layer

MOST_OPERATIONS = 2_000_000  # about a second


def operations(layer: Layer) -> int:
    """Return the approximate number of multiplications of balls at one input."""
    n, d = layer.width, layer.dimension
    return min(n * n * d, n * d**3 // 6 + 3 * d**4)


def scalar_curvature(layer: Layer, point: NDArray[np.float64]) -> float:
    """Return the Ricci scalar at one input [d], right to the last digit; ArithmeticError if no precision suffices."""
    curvature = ball_backend.nearest(lambda: _in_balls(layer, point))
    if curvature is None:
        raise ArithmeticError(
            f"the metric is singular, or {layer.act.name} has a kink, at x = {point}"
        )
    return curvature


def _in_balls(layer: Layer, point: NDArray[np.float64]) -> arb:
    slope, bend = _derivatives(layer.act)
    n, d = layer.width, layer.dimension
    weights = [list(map(arb, row)) for row in layer.weights.tolist()]
    x = [arb(value) for value in point.tolist()]
    sums = []
    for row, bias in zip(weights, layer.biases.tolist(), strict=True):
        sums.append(sum((w * value for w, value in zip(row, x, strict=True)), arb(bias)))
    slopes = [slope(value) for value in sums]
    coefficients = [2 * at * bend(value) / n for at, value in zip(slopes, sums, strict=True)]
    jacobian = arb_mat(n, d)
    for a, i in product(range(n), range(d)):
        jacobian[a, i] = slopes[a] * weights[a][i]
    inverse = (jacobian.transpose() * jacobian).inv() * n
    if n * n * d <= n * d**3 // 6 + 3 * d**4:
        return _over_units(arb_mat(weights) * inverse * arb_mat(weights).transpose(), coefficients)
    return _over_components(weights, coefficients, inverse)


def _over_units(k: arb_mat, coefficients: list[arb]) -> arb:
    """Return the sum over pairs of units; a unit paired with itself contributes nothing."""
    total = arb(0)
    for a, coefficient in enumerate(coefficients):
        for b in range(a):
            total += coefficient * coefficients[b] * k[a, b] * (k[a, b] ** 2 - k[a, a] * k[b, b])
    return total / 2


def _over_components(weights: list[list[arb]], coefficients: list[arb], inverse: arb_mat) -> arb:
    """Return a quarter of |T|^2 - |tr T|^2, with the indices raised by the inverse metric."""
    d = inverse.ncols()
    lower: dict[tuple[int, ...], arb] = {}
    for i, j, k in combinations_with_replacement(range(d), 3):
        value = sum(
            (c * w[i] * w[j] * w[k] for c, w in zip(coefficients, weights, strict=True)), arb(0)
        )
        lower |= dict.fromkeys(permutations((i, j, k)), value)
    raised = lower
    for _ in range(3):  # raise the first index and put it last
        before, raised = raised, {}
        for i, j, k in product(range(d), repeat=3):
            raised[j, k, i] = sum((inverse[i, m] * before[m, j, k] for m in range(d)), arb(0))
    trace = []
    for i in range(d):
        trace.append(
            sum((inverse[j, k] * lower[i, j, k] for j, k in product(range(d), repeat=2)), arb(0))
        )
    square = sum(
        (inverse[i, j] * trace[i] * trace[j] for i, j in product(range(d), range(d))), arb(0)
    )
    return (sum((value * raised[index] for index, value in lower.items()), arb(0)) - square) / 4


@lru_cache(maxsize=64)
def _derivatives(act: Activation) -> tuple[Callable[[arb], arb], Callable[[arb], arb]]:
    slope, bend = (
        compile_expression(act.derivative(order), [z], ball_backend) for order in (1, 2)
    )
    return slope, bend
