r"""Generalisation error of deep linear networks that have seen one point without noise, against their width.

Weights have unit variance; the output is :math:`\theta \cdot x`. Given the layers above the first, the prior of
:math:`\theta` is :math:`\mathcal N(0, s I)`, and s is a product of :math:`\chi^2_n / n`, one for each hidden layer. The
component of :math:`\theta` along the training input is known, those orthogonal to it keep their prior. For a linear
teacher and inputs of equal variance in all directions, the mean squared error over posterior and inputs is therefore a
constant plus a multiple of the posterior mean of s, whose density is that of the prior times :math:`s^{-1/2} e^{-Y / (2
s)}`, :math:`Y = y_a^2 / \|x_a\|^2`.
"""

from __future__ import annotations

import itertools
from functools import cache

import mpmath
import numpy as np
import sympy as sp

from theory.core import Check
from theory.papers.zavatoneveth2023.appendix_letters import norm_a, y_a
from theory.papers.zavatoneveth2023.linear_posterior import first_order, posterior_moment

NORMS = (0.7, 1.6)
RATIOS = (0.3, 0.8, 0.97, 1.03, 1.25, 3.0)  # of the squared target to the squared input
NODES, SPREAD = 90, 10.0  # points of a quadrature over a logarithm, which reaches as many standard deviations
WIDTHS = range(1, 13)


@cache
def two_layers(width: int, ratio: float) -> float:
    """Posterior mean of s for two hidden layers, by quadrature over the logarithms of both factors."""
    points, weights = np.polynomial.legendre.leggauss(NODES)
    u = SPREAD * np.sqrt(2 / width) * points
    log_prior = width / 2 * (u - np.exp(u))  # of the logarithm of a chi square over its number
    s = np.exp(u[:, None] + u)
    log_weight = log_prior[:, None] + log_prior - np.log(s) / 2 - ratio / (2 * s)
    density = np.exp(log_weight - log_weight.max()) * weights[:, None] * weights
    return float((density * s).sum() / density.sum())


def one_layer(width: int, ratio: float) -> mpmath.mpf:
    """Posterior mean of s for one hidden layer, by Bessel functions."""
    return posterior_moment(1, width, ratio)


def coefficients(ratio: float) -> list[float]:
    """Coefficient of 1/width in the error, in units of its limit, for one and for two hidden layers."""
    return [first_order(lambda width: one_layer(width, ratio)), first_order(lambda width: two_layers(width, ratio))]


def is_when_width_helps(relation: sp.Rel) -> tuple[Check, ...]:
    """The error of wide networks falls with the width where the relation holds, and rises where it does not."""
    cases = [(ratio, norm, bool(relation.subs({y_a: np.sqrt(ratio) * norm, norm_a: norm})))
             for ratio, norm in itertools.product(RATIOS, NORMS)]  # fmt: skip

    def falls_where_it_holds() -> bool:
        return all((one > 0) is helps for ratio, _, helps in cases for one in coefficients(ratio))

    def falls_at_every_width() -> bool:
        errors = [[one_layer(width, ratio) for width in WIDTHS] for ratio, _, helps in cases if helps]
        return all(wide < narrow for row in errors for narrow, wide in itertools.pairwise(row))

    return (
        Check("wide networks", falls_where_it_holds, "one and two hidden layers, to first order in 1/width"),
        Check("every width", falls_at_every_width, "one hidden layer of 1 to 12 units, Bessel functions"),
    )
