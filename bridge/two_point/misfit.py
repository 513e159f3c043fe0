r"""The systematic part of the residuals of a fit, separated from white noise.

White noise is uncorrelated between samples, and a smooth curve is not. The mean product of neighbouring residuals
therefore estimates the mean square of their systematic part for any noise level, and the same product of the curve
itself estimates its variance without noise. Their ratio is the *unexplained share*. It is 1 - R² without noise, and
zero for most data drawn from the theory plus noise, for which R² only measures the noise. Two kinds of neighbours are
used: adjacent samples, which detect short deviations, and all samples within a thirtieth of the trace, which detect
deviations below a higher noise level.

Three effects correlate neighbours although the theory holds, and are taken into account: chance, the errors of the
parameters, through which the noise of one curve shifts all curves, and noise that is itself correlated, which is rough
(:mod:`bridge.fit.correlated_noise`).
"""

from __future__ import annotations

import numpy as np

from bridge.fit.estimate import Estimate
from bridge.statistics.arrays import Array

CHANCE = 4.0  # standard errors of a correlation of neighbours, which at most one white curve in 1,000 exceeds
REACH = 30  # ratio of the length of the trace to the size of a neighbourhood
MOVED = 3.0  # standard errors of the parameters by which a whole curve may be shifted


def unexplained(estimate: Estimate, curves: Array, noise: Array) -> Array:
    """Return the unexplained share of the variance of each curve, ``[curve]``; 0 where it is not significant.

    ``curves [curve, time]`` are measured, with white noise of the standard deviations ``noise [curve]``.
    """
    apart = curves - curves.mean(axis=1, keepdims=True)
    moved = MOVED**2 * _moved(estimate.jacobian, noise)
    shares = []
    for reach in {1, max(curves.shape[1] // REACH, 1)}:
        left, spread = _neighbours(estimate.residuals, reach), _neighbours(apart, reach)
        seen = (left > _chance(estimate.residuals, reach) + moved) & (spread > _chance(apart, reach))
        shares.append(np.where(seen, left / np.where(seen, spread, 1.0), 0.0))
    explained = estimate.noise is not None and estimate.noise.rough
    return np.where(explained, 0.0, np.max(shares, axis=0))


def _neighbours(rows: Array, reach: int) -> Array:
    """Return the mean product ``[curve]`` of all pairs of samples that are at most ``reach`` samples apart."""
    points = rows.shape[1]
    total = np.cumsum(rows, axis=1)
    after = total[:, np.minimum(np.arange(points) + reach, points - 1)] - total
    return np.asarray((rows * after).sum(axis=1) / _pairs(points, reach))


def _chance(rows: Array, reach: int) -> Array:
    """Return the largest mean product ``[curve]`` that is not significant for white rows."""
    return np.asarray(CHANCE * (rows**2).mean(axis=1) / np.sqrt(_pairs(rows.shape[1], reach)))


def _pairs(points: int, reach: int) -> float:
    return reach * (points - (reach + 1) / 2)


def _moved(jacobian: Array, noise: Array) -> Array:
    """Return the mean square ``[curve]`` by which white noise shifts each curve through the parameters."""
    if not noise.any():
        return np.zeros(len(noise))
    unit = np.sqrt(np.einsum("ctp,ctp->p", jacobian, jacobian))
    slopes = jacobian / np.where(unit > 0, unit, 1.0)
    products = np.einsum("ctp,ctq->cpq", slopes, slopes)
    inverse = np.linalg.pinv(products.sum(axis=0), hermitian=True)
    covariance = inverse @ np.einsum("c,cpq->pq", noise**2, products) @ inverse
    return np.asarray(np.einsum("cpq,pq->c", products, covariance) / jacobian.shape[1])
