r"""Confidence intervals of the mean of bounded numbers that hold at all times, whatever the distribution.

Whoever bets the share :math:`\lambda` of a fortune on numbers within known limits being larger than a mean :math:`m`
multiplies it by :math:`1 + \lambda (x - m)/(m - \mathrm{low}) \ge 0` with every number, and wins nothing on average if
the mean is at most :math:`m`. The fortune, averaged over all shares between 0 and 1,

.. math:: W(m) = \int_0^1 \prod_i \Big(1 - \lambda + \lambda\, \frac{x_i - \mathrm{low}}{m - \mathrm{low}}\Big)\,
    d\lambda,

is thus a nonnegative supermartingale that exceeds :math:`1/\mathrm{level}` at any time with at most the probability
*level* (Ville). It decreases with :math:`m`, and the means that it excludes lie below one number. The integrand is a
polynomial, which a Gauss-Legendre rule integrates exactly. The other end is that of the mirrored numbers.

Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal
Statistical Society B 86, 1 (2024); with the mixture over shares of Orabona and Jun (arXiv 2110.14099).
"""

import math
from functools import lru_cache

import numpy as np
from scipy import special

from bridge.statistics.arrays import Array

NODES = 64  # of the rule, which is exact for 127 numbers; more numbers have half as many nodes
# an end of the interval is searched in so many parts of the range, then of one of these, to a millionth
PARTS, ROUNDS = 32, 4


def bounded_interval(
    values: Array, limits: tuple[float, float], level: float
) -> tuple[float, float]:
    """Return the interval of the mean of ``values [repetition]`` within ``limits``, at a level for all counts at once.

    Args:
        values: the numbers, ``[repetition]``, at least one.
        limits: the lowest and the highest number that there can be, in the unit of the values.
        level: probability with which the interval misses the mean after any count of numbers.

    Returns:
        The lower and the upper end, in the unit of the values; each errs by at most a millionth of the range, outwards.

    Raises:
        ValueError: if a number lies outside of the limits.
    """
    low, high = limits
    if not (low <= values).all() or not (values <= high).all():
        raise ValueError(
            f"bounds: got numbers from {values.min():g} to {values.max():g}, needs them within {low:g} to {high:g}"
        )
    shares = (values - low) / (high - low)
    lower, upper = _lower_end(shares, level / 2), 1 - _lower_end(1 - shares, level / 2)
    return low + (high - low) * lower, low + (high - low) * upper


def _lower_end(shares: Array, level: float) -> float:
    """Return the number below which all means of ``shares [repetition]``, from 0 to 1, are excluded."""
    bets, weights = _rule(max(NODES, len(shares) // 2 + 1))
    numbers, counts = np.unique(shares, return_counts=True)
    low, high = 0.0, 1.0
    for _ in range(ROUNDS):
        means = np.linspace(low, high, PARTS + 1)[1:-1]
        gains = np.log1p(bets * (numbers[:, None] / means - 1)[..., None])
        fortunes = np.tensordot(counts, gains, axes=1)
        largest = fortunes.max(axis=1)
        fortune = largest + np.log(np.exp(fortunes - largest[:, None]) @ weights)
        excluded = int((fortune >= math.log(1 / level)).sum())  # it decreases with the mean
        low, high = (
            low + excluded * (high - low) / PARTS,
            low + (excluded + 1) * (high - low) / PARTS,
        )
    return low


@lru_cache(maxsize=16)
def _rule(count: int) -> tuple[Array, Array]:
    """Return nodes between 0 and 1, and the weights, of the rule of so many nodes."""
    nodes, weights = special.roots_legendre(count)
    return (1 + nodes) / 2, weights / 2
