r"""A Bayesian network that can be solved at any width: linear, one input, one training point, no noise.

Its metric is the mean square weight :math:`g = n^{-1} \sum_j w_j^2`. With the read-outs integrated out, the posterior
density of g is :math:`g^{n/2 - 1} e^{-ng/2}` times the likelihood :math:`g^{-1/2} e^{-Y/(2g)}`, :math:`Y = y_a^2 /
x_a^2`; its moments are ratios of Bessel functions. Those of the prior are ratios of Gamma functions. What Appendix E
expands in 1/n is checked against them.
"""

from __future__ import annotations

from collections.abc import Callable

import mpmath

WORK = mpmath.MPContext()
WORK.dps = 40
_WIDTHS = (200, 400, 800, 1600)


def posterior_moment(power: float, width: int, target: float) -> mpmath.mpf:
    """<g^power>; ``target`` is Y."""
    order = WORK.mpf(width - 1) / 2
    size = WORK.sqrt(width * WORK.mpf(target))
    ratio = WORK.besselk(order + power, size) / WORK.besselk(order, size)
    return (WORK.mpf(target) / width) ** (WORK.mpf(power) / 2) * ratio


def prior_moment(power: float, width: int) -> mpmath.mpf:
    """E[g^power]."""
    half = WORK.mpf(width) / 2
    return WORK.gamma(half + power) / WORK.gamma(half) / half ** WORK.mpf(power)


def first_order(value: Callable[..., mpmath.mpf]) -> float:
    """Coefficient of 1/n in a quantity that is 1 at infinite width, extrapolated through four widths."""
    points = [(WORK.mpf(1) / n, n * (value(n) - 1)) for n in _WIDTHS]
    total = WORK.mpf(0)
    for i, (at, height) in enumerate(points):
        weight = WORK.mpf(1)
        for j, (other, _) in enumerate(points):
            weight *= -other / (at - other) if i != j else 1
        total += weight * height
    return float(total)
