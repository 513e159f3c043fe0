r"""Layers whose kernels are textbook formulas: piecewise linear activations, and error functions.

For pre-activations with variances :math:`v, w`, covariance *c* and correlation :math:`r = c/\sqrt{vw}`,

.. math:: E[\varphi\varphi] = a^2 c + \tfrac{2}{\pi} b^2 \left( \sqrt{vw (1 - r^2)} + c \arcsin r \right), \qquad
    E[\varphi'\varphi'] = a^2 + \tfrac{2}{\pi} b^2 \arcsin r

for :math:`\varphi = a z + b |z|`, as ReLU and leaky ReLU are (Cho and Saul, 2009), and

.. math:: E[\varphi\varphi] = p^2 + \tfrac{2}{\pi} q^2 \arcsin r, \qquad
    E[\varphi'\varphi'] = \tfrac{2}{\pi} q^2 \frac{2 g^2}{s \sqrt{1 - r^2}}, \qquad r = 2 g^2 c / s,

with :math:`s = \sqrt{(1 + 2 g^2 v)(1 + 2 g^2 w)}`, for :math:`\varphi = p + q \operatorname{erf}(g z)` (Williams,
1997).
They are those of ``theory.gaussian.kernel``, without its derivation, for numpy here and for numba in ``kernel_loops``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp

from closedform.checks.arrays import Array
from theory.activations import Activation, z
from theory.activations.affine import affine_parts

EPS = 2.0**-52  # of the rounding of a correlation, by which no determinant is zero
_POSITIVE = sp.Symbol("positive", positive=True)


@dataclass(frozen=True)
class PiecewiseLinear:
    """The layer of ``a z + b |z|``, with the interface of ``kernel_layers.WideLayer``.

    Attributes:
        linear: the square of *a*, dimensionless.
        absolute: the square of *b*, dimensionless.
        slopes: whether the kernel of the slopes is wanted.
    """

    linear: float
    absolute: float
    slopes: bool
    is_integral = False

    def diagonal(self, v: Array, positive: bool = False) -> tuple[Array, ...]:
        """Return ``pair`` for equal inputs of variances ``[n]``; the slope at zero is the mean of both sides."""
        whole = self.linear + self.absolute
        slope = np.where(v == 0, self.linear, whole)
        return (whole * v, slope) if self.slopes else (whole * v,)

    def pair(self, v: Array, w: Array, c: Array) -> tuple[Array, ...]:
        """Return the kernels of features and slopes for variances ``[n, 1]`` and ``[1, m]``, covariances ``[n, m]``."""
        roots = np.sqrt(v), np.sqrt(w)
        ratio = _clipped(c * inverse(roots[0]), inverse(roots[1]))
        factor = 2 / np.pi * self.absolute
        slope = np.arcsin(ratio)
        slope *= factor
        slope += self.linear
        kernel = _one_less_square(ratio)
        np.sqrt(kernel, out=kernel)
        kernel *= factor * roots[0]
        kernel *= roots[1]
        kernel += c * slope
        return (kernel, slope) if self.slopes else (kernel,)


@dataclass(frozen=True)
class ErrorFunction:
    """The layer of ``p + q erf(g z)``, with the interface of ``kernel_layers.WideLayer``.

    Attributes:
        constant: the square of *p*, dimensionless.
        scale: the square of *q*, dimensionless.
        gain: twice the square of *g*, dimensionless.
        slopes: whether the kernel of the slopes is wanted.
    """

    constant: float
    scale: float
    gain: float
    slopes: bool
    is_integral = False

    def diagonal(self, v: Array, positive: bool = False) -> tuple[Array, ...]:
        """Return ``pair`` for equal inputs of variances ``[n]``; the arctangent keeps digits at large variances."""
        u = self.gain * v
        root = np.sqrt(u + 0.5)
        root *= np.sqrt(2)
        kernel = self.constant + 2 / np.pi * self.scale * np.arctan(u / root)
        return (kernel, 2 / np.pi * self.scale * self.gain / root) if self.slopes else (kernel,)

    def pair(self, v: Array, w: Array, c: Array) -> tuple[Array, ...]:
        """Return the kernels of features and slopes for variances ``[n, 1]`` and ``[1, m]``, covariances ``[n, m]``."""
        inverses = self.inverse(v), self.inverse(w)
        ratio = _clipped(c * (self.gain * inverses[0]), inverses[1])
        kernel = np.arcsin(ratio)
        kernel *= 2 / np.pi * self.scale
        kernel += self.constant
        if not self.slopes:
            return (kernel,)
        slope = _one_less_square(ratio)
        slope += EPS
        np.sqrt(slope, out=slope)
        np.divide(2 / np.pi * self.scale * self.gain * inverses[0], slope, out=slope)
        slope *= inverses[1]
        return kernel, slope

    def inverse(self, v: Array) -> Array:
        """Return the inverse root of ``1 + 2 g^2 v``."""
        return np.asarray(1 / np.sqrt(1 + self.gain * v))


def textbook_layer(act: Activation, slopes: bool) -> PiecewiseLinear | ErrorFunction | None:
    """Return the layer of an activation, or None for one of another kind.

    Args:
        act: activation of the layer.
        slopes: whether the kernel of the slopes is wanted.
    """
    if act.kinks in ((), (sp.S.Zero,)):
        right, left = (
            sp.expand(act.expression.subs(z, sign * _POSITIVE) / (sign * _POSITIVE))
            for sign in (1, -1)
        )
        if right.is_number and left.is_number:
            return PiecewiseLinear(
                float(((right + left) / 2) ** 2), float(((right - left) / 2) ** 2), slopes
            )
    parts = affine_parts(act, sp.erf)
    if parts is None:
        return None
    p, q, g = parts
    return ErrorFunction(float(p**2), float(q**2), float(2 * g**2), slopes)


def inverse(root: Array) -> Array:
    """Return the inverses of roots of variances, 0 for 0: such an input is correlated with none."""
    if root.all():
        return np.asarray(np.reciprocal(root))
    return np.divide(1, root, out=np.zeros_like(root), where=root > 0)


def _clipped(ratio: Array, factor: Array) -> Array:
    """Return products between -1 and 1, in the memory of the ratio; what is beyond is rounding."""
    ratio *= factor
    return np.clip(ratio, -1, 1, out=ratio)


def _one_less_square(ratio: Array) -> Array:
    """Return ``1 - ratio^2`` with the digits that it has near 1."""
    rest = 1 - ratio
    ratio += 1
    rest *= ratio
    return rest
