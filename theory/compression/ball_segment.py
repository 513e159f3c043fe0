r"""Probability of the part of a ball beyond a plane, for standard Gaussian points in *n* dimensions.

The ball has the radius *R* and its centre at the origin, and the plane is at :math:`t = \zeta`. The distance from the
axis along *t* has a :math:`\chi_{n-1}` distribution, so with the lower incomplete gamma function P the probability is
:math:`\int_\zeta^R \varrho(t)\,\mathrm{P}(\tfrac{n-1}2, \tfrac{R^2-t^2}2)\,dt`.
The series of P has positive terms, and the integral of each is an incomplete beta function:

.. math:: \sum_{j \ge 0} \frac{e^{-s}\, s^{\,n/2 + j}}{\Gamma(n/2 + j + 1)}\, P\bigl(B_j > \zeta/R\bigr),
          \qquad s = R^2/2,

with :math:`B_j` symmetric on :math:`(-1, 1)` and :math:`B_j^2` distributed as
:math:`\mathrm{Beta}(\tfrac12, \tfrac{n+1}2 + j)`. Nothing cancels, so small probabilities keep their digits.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from theory.compression.labels import Array


def ball_segment(directions: int, radius: float, zeta: Array) -> Array:
    """Return the probability of the part of the ball beyond planes.

    Args:
        directions: dimension *n* of the ball, at least 2.
        radius: radius of the ball, positive.
        zeta: position of the planes, ``[...]``.

    Returns:
        The probabilities, ``[...]``, float64.
    """
    half, s = directions / 2, radius**2 / 2
    count = int(max(0.0, s - half) + 12 * math.sqrt(s + half) + 60)  # the Poisson weights further out are negligible
    j = np.arange(count)
    first = math.exp(half * math.log(s) - s - math.lgamma(half + 1))
    weights = first * np.cumprod(np.append(1.0, s / (half + j[1:])))
    share = np.minimum((zeta / radius) ** 2, 1.0)[..., None]
    rest = special.betaincc(0.5, half + j + 0.5, share)
    return np.asarray(np.where(zeta[..., None] > 0, rest, 2 - rest) @ weights / 2)
