r"""What the theory leaves of a curve that is not noise.

White noise is uncorrelated from one sample to the next, a smooth curve is not. So the mean product of neighbouring
residuals estimates the mean square of what is systematic in them, whatever the noise, and the same of the curve itself
estimates its variance without noise. Their ratio is the *unexplained share*: 1 - R² where there is no noise, and zero
for most data drawn from the theory plus noise, where R² says only how much noise there is. Neighbours are those next
to each other, which sees what is short, and all within a thirtieth of the trace, which sees through more noise.

Two things make neighbours alike though the theory holds, and are allowed for: chance, and the error of the parameters,
by which the noise of one curve moves all of them together.
"""

from __future__ import annotations

import numpy as np

from bridge.arrays import Array
from bridge.fit import Estimate

CHANCE = 4.0  # standard errors from which correlated neighbours are no chance: one white curve in 30,000
REACH = 30  # of the trace's length, that is taken as neighbourhood
MOVED = 3.0  # standard errors of the parameters, by which a curve may be off as a whole


def unexplained(estimate: Estimate, curves: Array, noise: Array) -> Array:
    """Share ``[curve]`` of each curve's variance, noise apart, that is left in its residuals; 0 where none is seen.

    Args:
        estimate: the fit.
        curves: ``[curve, time]``, as measured.
        noise: ``[curve]``, standard deviations, of white noise.
    """
    apart = curves - curves.mean(axis=1, keepdims=True)
    moved = MOVED**2 * _moved(estimate.jacobian, noise)
    shares = []
    for reach in {1, max(curves.shape[1] // REACH, 1)}:
        left, spread = _neighbours(estimate.residuals, reach), _neighbours(apart, reach)
        seen = (left > _chance(estimate.residuals, reach) + moved) & (spread > _chance(apart, reach))
        shares.append(np.where(seen, left / np.where(seen, spread, 1.0), 0.0))
    return np.asarray(np.max(shares, axis=0))


def _neighbours(rows: Array, reach: int) -> Array:
    """Mean product ``[curve]`` of all pairs of samples that are at most ``reach`` apart."""
    points = rows.shape[1]
    total = np.cumsum(rows, axis=1)
    after = total[:, np.minimum(np.arange(points) + reach, points - 1)] - total
    return np.asarray((rows * after).sum(axis=1) / _pairs(points, reach))


def _chance(rows: Array, reach: int) -> Array:
    """What that product may be by chance, were the rows white."""
    return np.asarray(CHANCE * (rows**2).mean(axis=1) / np.sqrt(_pairs(rows.shape[1], reach)))


def _pairs(points: int, reach: int) -> float:
    return reach * (points - (reach + 1) / 2)


def _moved(jacobian: Array, noise: Array) -> Array:
    """Mean square ``[curve]`` by which white noise moves each curve through the parameters."""
    if not noise.any():
        return np.zeros(len(noise))
    unit = np.sqrt(np.einsum("ctp,ctp->p", jacobian, jacobian))
    slopes = jacobian / np.where(unit > 0, unit, 1.0)
    products = np.einsum("ctp,ctq->cpq", slopes, slopes)
    inverse = np.linalg.pinv(products.sum(axis=0), hermitian=True)
    covariance = inverse @ np.einsum("c,cpq->pq", noise**2, products) @ inverse
    return np.asarray(np.einsum("cpq,pq->c", products, covariance) / jacobian.shape[1])
