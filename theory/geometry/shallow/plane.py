r"""Scalar curvature for two inputs from seven moments, with a proved bound on its rounding error.

The metric :math:`E, F, H = \frac1n \sum_a \varphi'^2 (w_1^2, w_1 w_2, w_2^2)` and its derivatives
:math:`t_k = \frac2n \sum_a \varphi' \varphi'' w_1^{3-k} w_2^k` are two thin matrix products for all inputs at once, and
:math:`R = -N/2D^2` with :math:`D = EH - F^2` and

.. math:: N = E (t_1 t_3 - t_2^2) - F (t_0 t_3 - t_1 t_2) + H (t_0 t_2 - t_1^2) .

This squares the condition number of the Jacobian, which the factorisation in ``frame`` avoids. The bound says where
that is harmless. In units of the inputs in which E = H = 1, so that :math:`|F| \le 1`, let :math:`s = \sum_k |t_k|`,
let :math:`\gamma` bound the relative error of a sum of n products, and let
:math:`\tau_i = \frac2n \sum_a |\varphi' \varphi''| |w_{ai}|^3`. By Hölder's inequality :math:`\tau_1` and
:math:`\tau_2` bound the sums of the absolute values of the terms of :math:`t_0` and :math:`t_3`, and the larger one,
:math:`\tau`, those of the other two. The errors of E, F and H are at most :math:`\gamma`, those of :math:`t_k` at most
:math:`\gamma` times these sums. The derivatives of N in the :math:`t_k` are computed, those in E, F and H add up to at
most M, the sum of the absolute values of the products in N, and so do the rounding errors of the formulas themselves,
of which :math:`\gamma` contains 32, or as many as the largest pre-activation. Terms of second order add up to at most
:math:`8 \gamma^2 \tau (\tau + s)`:

.. math:: |\delta N| \le \gamma \left( |\partial_0 N| \tau_1 + (|\partial_1 N| + |\partial_2 N|) \tau +
    |\partial_3 N| \tau_2 + 2 M \right) + 8 \gamma^2 \tau (\tau + s), \qquad |\delta D| \le 5 \gamma, \qquad
    |\delta R / R| \le |\delta N / N| + 11 \gamma / D

wherever the right-hand side is small. Where it is not, moments and bound are computed once more, at those inputs only,
in coordinates in which :math:`F \approx 0`: the curvature is the same in all coordinates, and there nothing is lost by
:math:`D`. With :math:`\beta \approx F / E`, rounded to 24 bits so that its products with halves of :math:`w_1` are
exact, :math:`w_2 - \beta w_1` has a relative error of at most three roundings, nine in the moments.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any

import numpy as np
import sympy as sp

from closedform import loops
from closedform.checks.arrays import Array
from closedform.rounding import SPLITTER
from theory.activations import Activation, z
from theory.activations.activation import without_cancellation
from theory.activations.affine import affine_parts
from theory.activations.naming import cached
from theory.core.numbers.backends import numpy_backend
from theory.core.numbers.backends.source import compile_expression
from theory.geometry.shallow.frame import Layer
from theory.geometry.shallow.plane_moments import UNITS, of_moments

Powers = Callable[[Array], tuple[Array, Array, Array]]
ACCURACY = 1e-10
# pairs of a unit and a point for which loops are used, of an activation whose slopes they have
FEWEST = 2**17
NUMBERS_IN_A_BLOCK = 2**15  # 256 kB for each array, so that all stay in a processor's cache
LEAST_POINTS = 128  # inputs in a block; products with fewer columns are slow
# Rounding errors of an activation's derivatives, and of the formulas, in half units in the last place. Those of a
# pre-activation are as many as it is large: they count for a sine, not where an activation saturates.
FORMULAS = 32
SHEARED = 9  # more of them in moments of sheared weights
LARGEST_PREACTIVATION = 1e300  # of which no sum overflows


def scalar_curvature(layer: Layer) -> tuple[Array, Array]:
    """Return the Ricci scalar, [point], and a bound on its relative error, infinite or NaN where there is none.

    Args:
        layer: hidden layer of networks with two inputs, and the points.
    """
    n = layer.width
    with np.errstate(all="ignore"):
        columns = np.concatenate([layer.weights.T, layer.biases[None]])
        points = np.ascontiguousarray(layer.points.T)
        largest = np.abs(columns).max(axis=1)
        preactivation = (largest[0] + largest[1]) * max(points.max(), -points.min()) + largest[2]
        if not preactivation < LARGEST_PREACTIVATION:
            return np.empty(len(layer.points)), np.full(len(layer.points), np.inf)
        formulas = max(FORMULAS, preactivation)
        # Other units of the inputs, exactly: each column of the weights times a power of two, the largest near one.
        w, v = np.ldexp(columns[:2], -np.frexp(largest[:2, None])[1])
        products, rounding = np.stack(_products(w, v)), _rounding(n, UNITS, formulas)
        if n * len(layer.points) >= FEWEST and _is_exponential(layer.act) and loops.is_installed():
            from theory.geometry.shallow import plane_loops

            curvatures = plane_loops.curvature(layer.act, points, columns, products, rounding)
        else:
            moments = _by_products(_powers(layer.act), layer, products)
            curvatures = np.stack([*of_moments(*(*moments, rounding, n)), *moments[:2]])
        (doubtful,) = np.nonzero(~(curvatures[1] <= ACCURACY))
        if doubtful.size:
            moments = _sheared(
                _powers(layer.act), points[:, doubtful], columns, (w, v), curvatures[2:, doubtful]
            )
            rounding = _rounding(n, isqrt(n), formulas + SHEARED)
            curvatures[:2, doubtful] = of_moments(*(*moments, rounding, n))
    return curvatures[0], curvatures[1]


def _rounding(width: int, group: int, formulas: float) -> float:
    """Return the bound on the relative error of a sum over units, by groups of so many."""
    return (min(width, group) + -(-width // group) + formulas) * np.finfo(np.float64).eps / 2


def _products(w: Any, v: Any) -> tuple[Any, ...]:
    """Return the products of weights of which the moments are sums: three of E, F and H, four of t, and two sizes."""
    ww, vv = w * w, v * v
    www, vvv = ww * w, vv * v
    return ww, w * v, vv, www, ww * v, vv * w, vvv, abs(www), abs(vvv)


@cached(64)
def _powers(act: Activation) -> Powers:
    """Return slope², slope times bend and the size of the latter as a function of pre-activations."""
    derivatives = (
        without_cancellation(act.derivative(order), is_differentiated=False) for order in (1, 2)
    )
    both = compile_expression(sp.Tuple(*derivatives), [z], numpy_backend)

    def powers(z: Array) -> tuple[Array, Array, Array]:
        slope, bend = (np.broadcast_to(derivative, z.shape) for derivative in both(z))
        product = slope * bend
        return slope * slope, product, np.abs(product)

    return powers


@cached(64)
def _is_exponential(act: Activation) -> bool:
    """Return whether the slope of an activation is an exponential that loops have, with its scales."""
    return any(affine_parts(act, function) is not None for function in (sp.erf, sp.tanh))


def _sheared(
    powers: Powers, points: Array, columns: Array, weights: tuple[Array, Array], metric: Array
) -> Array:
    """Return the moments [moment, point] in coordinates in which F is about 0, from E and F [2, point]."""
    w, v = weights
    shear = (metric[1] / metric[0]).astype(np.float32).astype(np.float64)
    high = w * SPLITTER
    high -= high - w
    low, (a, b, bias) = (w - high)[:, None], columns[:, :, None]
    group = isqrt(len(w))
    result = np.empty((9, points.shape[1]))
    for start in range(0, points.shape[1], LEAST_POINTS):
        part = slice(start, start + LEAST_POINTS)
        x, y = points[:, part]
        products = _products(
            w[:, None], v[:, None] - high[:, None] * shear[part] - low * shear[part]
        )
        values = powers(a * x + b * y + bias)
        for moment in range(9):
            factor = values[0 if moment < 3 else 1 if moment < 7 else 2]
            terms = products[moment] * factor
            result[moment, part] = np.add.reduceat(terms, range(0, len(w), group), axis=0).sum(
                axis=0
            )
    return result


def _by_products(powers: Powers, layer: Layer, products: Array) -> Array:
    """Return the moments, ``[moment, point]``, by products of matrices, block by block."""
    result = np.zeros((len(products), len(layer.points)))
    size = min(max(LEAST_POINTS, NUMBERS_IN_A_BLOCK // layer.width), len(layer.points))
    for start in range(0, len(layer.points), size):
        part = slice(start, start + size)
        preactivations = layer.weights @ layer.points[part].T
        preactivations += layer.biases[:, None]
        values = powers(preactivations)
        for first in range(0, layer.width, UNITS):
            units = slice(first, first + UNITS)
            for moments, value in zip((slice(3), slice(3, 7), slice(7, 9)), values, strict=True):
                result[moments, part] += products[moments, units] @ value[units]
    return result
