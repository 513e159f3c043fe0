r"""Bayesian networks that can be solved at any width: linear, one training point, no noise.

With one input the metric is the mean square weight :math:`g = n^{-1} \sum_j w_j^2`. With the read-outs integrated out,
its posterior density is :math:`g^{n/2 - 1} e^{-ng/2}` times the likelihood :math:`g^{-1/2} e^{-Y/(2g)}`, :math:`Y =
y_a^2 / x_a^2`; its moments are ratios of Bessel functions, those of the prior of Gamma functions.

Of a deeper network with output :math:`\theta \cdot x`, the prior of :math:`\theta` given the layers above the first is
:math:`\mathcal N(0, s I)`, and s is a product of :math:`\chi^2_n / n`, one for each hidden layer. The component of
:math:`\theta` along the training input is known, those orthogonal to it keep their prior. For a linear teacher and
inputs of equal variance in all directions, the mean squared error over posterior and inputs is therefore a constant
plus a multiple of the posterior mean of s, whose density is that of the prior times the same likelihood.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import mpmath
import numpy as np

from theory.core import for_all
from theory.papers.zavatoneveth2023.index_notation import value

WORK = mpmath.MPContext()
WORK.dps = 40
EXTRAPOLATED = (200, 400, 800, 1600)
RATIOS = (0.3, 0.8, 0.97, 1.03, 1.25, 3.0)  # of the squared target to the squared input
NODES, SPREAD = 90, 10.0  # points of a quadrature over a logarithm, which reaches as many standard deviations


def posterior_moment(power: float, width: int, target: float) -> Any:
    """<g^power>; ``target`` is Y."""
    order = WORK.mpf(width - 1) / 2
    size = WORK.sqrt(width * WORK.mpf(target))
    ratio = WORK.besselk(order + power, size) / WORK.besselk(order, size)
    return (WORK.mpf(target) / width) ** (WORK.mpf(power) / 2) * ratio


def prior_moment(power: float, width: int) -> Any:
    """E[g^power]."""
    half = WORK.mpf(width) / 2
    return WORK.gamma(half + power) / WORK.gamma(half) / half ** WORK.mpf(power)


def first_order(quantity: Callable[[int], Any], limit: Any, widths: tuple[int, ...] = EXTRAPOLATED) -> Any:
    """Coefficient of 1/n in a quantity with this limit, extrapolated through four widths."""
    total = 0.0
    for width in widths:
        weight = np.prod([(1 / other) / (1 / other - 1 / width) for other in widths if other != width])
        total = total + weight * width * (quantity(width) - limit)
    return total


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


@cache
def _slopes(ratio: float) -> tuple[float, float]:
    """Coefficient of 1/width in the error, in units of its limit, for one and for two hidden layers."""
    one = first_order(lambda width: posterior_moment(1, width, ratio), 1)
    return float(one), float(first_order(lambda width: two_layers(width, ratio), 1))


def says_when_width_helps(relation: Any) -> bool:
    """Whether the error falls with the width where the relation holds, and rises in wide networks where it does not."""
    cases = [
        (ratio, bool(value(relation, {"y_a": np.sqrt(ratio) * norm, "norm(X_a)": norm})))
        for ratio, norm in itertools.product(RATIOS, (0.7, 1.6))
    ]
    helped = {ratio for ratio, helps in cases if helps}
    errors = [[posterior_moment(1, width, ratio) for width in range(1, 13)] for ratio in helped]
    falls = all(wide < narrow for row in errors for narrow, wide in itertools.pairwise(row))
    return falls and for_all(cases, lambda case: all((slope > 0) is case[1] for slope in _slopes(case[0])))
