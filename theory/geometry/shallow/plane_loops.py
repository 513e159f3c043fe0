"""Moments of shallow networks with two inputs as loops by numba, for error functions and hyperbolic tangents.

A loop goes over the units of a point, in groups as ``plane`` does, and on to the curvature and the bound on its error,
which holds for every order of the sums within a group.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from closedform.checks.arrays import Array
from closedform.loops.elementary import exp, expm1, inlined
from closedform.loops.machine_code import compiled
from theory.activations import Activation
from theory.activations.affine import affine_parts
from theory.activations.naming import cached
from theory.geometry.shallow.plane_moments import UNITS, of_moments

_of_moments = inlined(of_moments)


def curvature(
    act: Activation, points: Array, columns: Array, products: Array, rounding: float
) -> Array:
    """Return curvature, bound on its relative error, E and F at every point, ``[4, point]``.

    Args:
        act: activation ``p + q erf(g z)`` or ``p + q tanh(g z)``.
        points: inputs ``[2, point]``, in the order of memory.
        columns: both weights and the bias of every unit, ``[3, unit]``.
        products: products of weights of which the moments are sums, ``[9, unit]``.
        rounding: bound on the relative error of a sum over units, by groups.
    """
    is_tanh, scale, gain = _scales(act)
    result = np.empty((4, points.shape[1]))
    _loop(is_tanh)(points[0], points[1], columns, products, scale, gain, rounding, result)
    return result


@cached(64)
def _scales(act: Activation) -> tuple[bool, float, float]:
    """Return whether it is a tangent, the square of its slope at zero, and 2 g² of an error function or g."""
    tangent, error = affine_parts(act, sp.tanh), affine_parts(act, sp.erf)
    if tangent is not None:
        _, q, g = tangent
        return True, float((q * g) ** 2), float(g)
    assert error is not None
    _, q, g = error
    return False, float(4 * (q * g) ** 2 / sp.pi), float(2 * g**2)


@inlined
def _of_error_function(z: float, scale: float, gain: float) -> tuple[float, float]:
    square = scale * exp(-gain * (z * z))
    return square, -gain * z * square


@inlined
def _of_tangent(z: float, scale: float, gain: float) -> tuple[float, float]:
    twice = -2.0 * abs(gain * z)
    power = exp(twice)
    slope = 4.0 * power / ((1.0 + power) * (1.0 + power))
    tangent = np.copysign(expm1(twice) / (1.0 + power), z)
    return scale * slope * slope, -2.0 * gain * tangent * scale * slope * slope


@cache
def _loop(is_tanh: bool) -> Callable[..., Any]:
    """Return the loop of one kind of activation."""

    @partial(compiled, sums=True)
    def loop(
        x: Array,
        y: Array,
        columns: Array,
        products: Array,
        scale: float,
        gain: float,
        rounding: float,
        result: Array,
    ) -> None:
        units = columns.shape[1]
        for point in range(len(x)):
            e = f = h = t0 = t1 = t2 = t3 = u0 = u3 = 0.0
            for first in range(0, units, UNITS):
                ge = gf = gh = g0 = g1 = g2 = g3 = s0 = s3 = 0.0
                for unit in range(first, min(first + UNITS, units)):
                    z = (
                        columns[0, unit] * x[point]
                        + columns[1, unit] * y[point]
                        + columns[2, unit]
                    )
                    if is_tanh:
                        square, product = _of_tangent(z, scale, gain)
                    else:
                        square, product = _of_error_function(z, scale, gain)
                    size = abs(product)
                    ge += products[0, unit] * square
                    gf += products[1, unit] * square
                    gh += products[2, unit] * square
                    g0 += products[3, unit] * product
                    g1 += products[4, unit] * product
                    g2 += products[5, unit] * product
                    g3 += products[6, unit] * product
                    s0 += products[7, unit] * size
                    s3 += products[8, unit] * size
                e, f, h, u0, u3 = e + ge, f + gf, h + gh, u0 + s0, u3 + s3
                t0, t1, t2, t3 = t0 + g0, t1 + g1, t2 + g2, t3 + g3
            result[0, point], result[1, point] = _of_moments(
                e, f, h, t0, t1, t2, t3, u0, u3, rounding, units
            )
            result[2, point], result[3, point] = e, f

    return loop
