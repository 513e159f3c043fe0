r"""Kernels of activations with a kink at zero and no closed form, by quadrature in polar coordinates.

Two pre-activations of variances *v*, *w* and correlation :math:`\cos\alpha` are :math:`\sqrt v\, r \sin s` and
:math:`\sqrt w\, r \sin t`, where *s* and *t* are the angles of a standard normal point from the lines on which each is
zero. These lines cut the plane into four wedges, in which nothing has a kink: both are positive or both negative where
:math:`s + t = \pi - \alpha`, and the signs differ where :math:`s + t = \alpha`. So

.. math:: E[f(z) f(z')] = \frac{1}{2\pi} \int_0^\infty r e^{-r^2/2} \sum_{\pm} \left[
    \int_0^{\pi-\alpha} f(\pm\sqrt v\, r \sin s)\, f(\pm\sqrt w\, r \sin t)\, dt +
    \int_0^{\alpha} f(\mp\sqrt v\, r \sin s)\, f(\pm\sqrt w\, r \sin t)\, dt \right] dr .

Both integrals are by the double-exponential rule, whose nodes crowd at both ends of a wedge, however narrow it is. A
double integral over two Gaussians has a kink across the plane instead, and fails at nearly parallel inputs.

Source: Cho and Saul (2009), appendix, for the angle; Takahasi and Mori (1974) for the rule.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from closedform.checks.arrays import Array

Function = Callable[[Array], Array]
AGREEMENT = 1e-10  # of two sums, relative to that of the magnitudes; the error of the finer is about its square
COARSEST, HALVINGS = 8, 4  # nodes per unit of the transformed variables
ENDS = -3.4, 3.4  # of the transformed angle, which comes within 1e-20 of both ends of a wedge
# of the transformed radius: from 1e-10 to 41, beyond which the density underflows in any product
RADII = (-3.4, 1.6)
AT_ONCE = 2**20  # entries times nodes; bounds the memory


def by_angle(
    functions: Sequence[Function], integrals: Callable[..., tuple[Array, ...]]
) -> Callable[[Array, Array, Array], tuple[Array, ...]]:
    """Return a function of variances and covariances: a kernel per function, by ``integrals`` where this fails."""

    def kernels(v: Array, w: Array, c: Array) -> tuple[Array, ...]:
        shape = np.broadcast_shapes(v.shape, w.shape, c.shape)
        v, w, c = (np.broadcast_to(part, shape).ravel() for part in (v, w, c))
        roots = np.sqrt(v), np.sqrt(w)
        spread = roots[0] * roots[1]
        correlation = np.clip(np.divide(c, spread, out=np.zeros_like(c), where=spread > 0), -1, 1)
        angle = 2 * np.arctan2(np.sqrt(1 - correlation), np.sqrt(1 + correlation))
        results, is_open = [], np.zeros(c.shape, dtype=bool)
        for function in functions:
            values, is_settled = _settled(function, *roots, angle)
            results.append(values)
            is_open |= ~is_settled
        if is_open.any():
            for result, value in zip(
                results, integrals(v[is_open], w[is_open], c[is_open]), strict=True
            ):
                result[is_open] = value
        return tuple(result.reshape(shape) for result in results)

    return kernels


def _settled(
    function: Function, x: Array, y: Array, angle: Array
) -> tuple[Array, NDArray[np.bool_]]:
    """Return the kernel for standard deviations and angles ``[n]``, and whether two sums agree."""
    values, is_settled, unsettled = (
        np.zeros(angle.shape),
        np.zeros(angle.shape, dtype=bool),
        np.arange(angle.size),
    )
    before = np.full(angle.shape, np.nan)
    for halving in range(HALVINGS + 1):
        value, magnitude = _sums(
            function, x[unsettled], y[unsettled], angle[unsettled], COARSEST * 2**halving
        )
        agrees = np.abs(value - before) <= AGREEMENT * magnitude  # False for NaN
        values[unsettled[agrees]], is_settled[unsettled[agrees]] = value[agrees], True
        unsettled, before = unsettled[~agrees], value[~agrees]
        if not unsettled.size:
            break
    return values, is_settled


def _sums(
    function: Function, x: Array, y: Array, angle: Array, per_unit: int
) -> tuple[Array, Array]:
    """Return the sums ``[n]`` over all nodes, and those of the magnitudes."""
    share, rest, weight = _of_a_wedge(per_unit)
    radius, density = _radii(per_unit)
    value, magnitude = np.empty((2, angle.size))
    size = max(1, AT_ONCE // (share.size * radius.size))
    for first in range(0, angle.size, size):
        part = slice(first, first + size)
        deviations = [side[part, None, None] * radius for side in (x, y)]
        total, largest = np.zeros((2, angle[part].size))
        for width, sign in ((np.pi - angle[part], 1.0), (angle[part], -1.0)):
            projected = np.sin(width[:, None, None] * share[:, None]) * deviations[0]
            other = np.sin(width[:, None, None] * rest[:, None]) * deviations[1]
            for side in (1.0, -1.0):
                with np.errstate(all="ignore"):
                    terms = function(sign * side * projected) * function(side * other)
                sums = np.einsum("nar,a,r->n", terms, weight, density) * width
                total += sums
                largest += np.einsum("nar,a,r->n", np.abs(terms), weight, density) * width
        value[part], magnitude[part] = total / (2 * np.pi), largest / (2 * np.pi)
    return value, magnitude


def _of_a_wedge(per_unit: int) -> tuple[Array, Array, Array]:
    """Return the distances of the nodes from both ends of a wedge of width 1, and their weights."""
    t = np.arange(ENDS[0] * per_unit, ENDS[1] * per_unit + 1) / per_unit
    u = np.pi / 2 * np.sinh(t)
    share, rest = 1 / (1 + np.exp(-2 * u)), 1 / (1 + np.exp(2 * u))
    return share, rest, np.pi * np.cosh(t) * share * rest / per_unit


def _radii(per_unit: int) -> tuple[Array, Array]:
    """Return the radii of the nodes and their weights with ``r exp(-r^2/2)``."""
    t = np.arange(RADII[0] * per_unit, RADII[1] * per_unit + 1) / per_unit
    radius = np.exp(np.pi / 2 * np.sinh(t))
    return radius, np.pi / 2 * np.cosh(t) * radius**2 * np.exp(-(radius**2) / 2) / per_unit
