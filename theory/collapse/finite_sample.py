r"""Expected NC1, estimated from n samples per class, of balanced isotropic Gaussian classes with means on a simplex.

:math:`N\Sigma_B/\sigma^2` is a noncentral Wishart matrix :math:`X X^\top`, *X* a Gaussian [D, C - 1] matrix whose mean
has orthogonal columns of squared length :math:`\delta = n \tfrac{C}{C-1} \rho^2/\sigma^2`. By symmetry the expected
trace of :math:`(X^\top X)^{-1}` is :math:`(C-1)\,\mathbb{E}\,Q^{-1}`, *Q* the squared length of the residual of one
column after projection on the others. This is a noncentral chi-square variable with :math:`k = D - C + 2` degrees of
freedom for any number of columns, and noncentrality :math:`\delta u`, where *u* is a function of the corresponding
variable for one column less:

.. math:: u_1 = 1, \quad Q_r \mid u_r \sim \chi'^2_k(\delta u_r), \quad
   u_{r+1} = \frac{Q_r}{Q_r + \chi^2_r}, \qquad \mathbb{E}\,\mathrm{NC1} = (N - C)(C - 1)\,\mathbb{E}\,Q_{C-1}^{-1} .

A noncentral chi-square is a central one with :math:`k + 2J` degrees, *J* Poisson; so this is a Markov chain on whole
numbers with alternating Poisson and Beta steps, which is summed to rounding accuracy. Where :math:`\delta` is so large
that the chain is long, the code uses the expansion of :math:`\mathbb{E}\,\mathrm{tr}\,W^{-1}`, :math:`W = X^\top X`,
about :math:`\mathbb{E}\,W = (\delta + D) I`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from theory.core.numbers.arguments import integer, nonnegative_number, positive_number

# Poisson numbers further from their mean than this many standard deviations have negligible weight in double precision,
_DEVIATIONS = 9.0
# and so do Gamma variables this far above their mean, beyond as many standard deviations.
_TAIL = 50.0
# The expansion is used beyond this Poisson mean.
_LARGEST_MEAN = 1e6
# Gauss-Legendre nodes in the angle whose squared cosine is u, in pieces that grow from zero.
_PIECES, _NODES, _GROWTH = 10, 30, 1.5
_STIRLING = 16  # above this, three terms of the series are exact to rounding


def finite_sample_nc1(
    samples: int, classes: int, dimension: int, radius2: float = 0.0, variance: float = 1.0
) -> float:
    """Return the expected NC1 that is estimated from ``samples`` samples of each class, dimensionless.

    The classes are isotropic Gaussians whose true means form a regular simplex; covariances are divided by N and NC1 is
    not divided by C. Without signal it is ``noise_floor``; for many samples it tends to ``simplex_nc1``.

    Args:
        samples: number n of samples of each class, at least 2.
        classes: number C of classes, at least 2.
        dimension: dimension D of the features.
        radius2: squared distance of the true means from their centroid, in feature^2; 0 (the default) for no signal.
        variance: variance of a feature within a class, in feature^2; 1 by default.

    Returns:
        The expectation; infinite where it does not exist (C - 2 <= D <= C). Relative error below 1e-9 up to a
        noncentrality of 2e6, and of the order 6 (C + 1)^2/(noncentrality + D)^2 beyond.

    Raises:
        TypeError, ValueError: for values out of range; for a signal in fewer than C - 1 dimensions, where no regular
            simplex fits.

    >>> round(finite_sample_nc1(samples=100, classes=10, dimension=64, radius2=5.0), 3)
    14.839
    """
    n, c, d = (
        integer("samples", samples, 2),
        integer("classes", classes, 2),
        integer("dimension", dimension, 1),
    )
    signal, noise = nonnegative_number("radius2", radius2), positive_number("variance", variance)
    if signal and d < c - 1:
        raise ValueError(f"dimension: got {d}, needs at least classes - 1 = {c - 1} for a simplex")
    if c - 2 <= d <= c:
        return math.inf
    within, columns = (n - 1) * c, c - 1
    if d < c:
        return within * d / (c - 2 - d)
    return within * inverse_trace(columns, d, n * c / columns * signal / noise)


def inverse_trace(columns: int, rows: int, noncentrality: float) -> float:
    """Return E tr (X'X)^-1 of a Gaussian matrix whose mean has orthogonal columns of equal length."""
    mean = noncentrality / 2
    if mean > _LARGEST_MEAN:
        middle = noncentrality + rows
        if math.isinf(middle):
            return 0.0  # below the range of float64
        second = ((2 * columns + 2) * noncentrality + (columns + 1) * rows) / middle / middle
        return columns / middle * (1 + second)
    freedom = rows - columns + 1
    if mean == 0:
        return columns / (freedom - 2)
    lowest, drop = _window(columns, freedom, mean)
    highest = mean + _DEVIATIONS * math.sqrt(mean) + 60
    numbers = np.arange(lowest, math.ceil(highest))
    # E[1/Q | J] on the last level, then on the ones before
    expectation = 1 / (freedom - 2 + 2 * numbers)
    if columns > 1:
        angles, weights = _nodes(math.asin(math.sqrt(drop)))
        poisson = _poisson(mean * np.cos(angles) ** 2, numbers)
        for level in range(columns - 1, 0, -1):
            expectation = _beta(freedom / 2 + numbers, level / 2, angles, weights) @ (
                poisson @ expectation
            )
    return float(columns * (_poisson(np.array([mean]), numbers) @ expectation)[0])


def _window(columns: int, freedom: int, mean: float) -> tuple[int, float]:
    """Return the smallest Poisson number and the largest 1 - u of weight; 1 - u is about Gamma(r/2)/(k/2 + J)."""
    tail = columns / 2 + _DEVIATIONS * math.sqrt(columns / 2) + _TAIL
    drop = min(1.0, tail / (freedom / 2 + mean / 2))
    lowest = mean * (1 - drop) - _DEVIATIONS * math.sqrt(mean) - 60
    if lowest >= mean / 2:
        return math.floor(lowest), drop
    return 0, min(1.0, tail / (freedom / 2))


def _nodes(widest: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a quadrature over angles 0 to ``widest``, denser near 0, where u = cos^2 is for large Poisson numbers."""
    edges = widest * np.linspace(0, 1, _PIECES + 1) ** _GROWTH
    x, w = np.polynomial.legendre.leggauss(_NODES)
    half = np.diff(edges) / 2
    return ((edges[:-1] + half)[:, None] + half[:, None] * x).ravel(), (half[:, None] * w).ravel()


def _poisson(means: NDArray[np.float64], numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return probabilities [means, numbers] from deviance and Stirling's series, accurate at large means."""
    from scipy.special import gammaln, xlogy

    j = numbers.astype(float)
    big = np.maximum(j, _STIRLING)
    series = 1 / (12 * big) - 1 / (360 * big**3) + 1 / (1260 * big**5)
    series += np.log(2 * np.pi * big) / 2  # log j! = j log j - j + series
    series = np.where(j < _STIRLING, gammaln(j + 1) - xlogy(j, j) + j, series)
    excess = (j - means[:, None]) / means[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        deviance = means[:, None] * ((1 + excess) * np.log1p(excess) - excess)
    return np.exp(-np.where(j == 0, means[:, None], deviance) - series)


def _beta(
    first: NDArray[np.floating],
    second: float,
    angles: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the Beta(first, second) weights of u = cos^2 at the angles, [first, angles]; analytic at both ends."""
    sine = np.sin(angles)
    log_cosine = np.log1p(-(sine**2)) / 2
    log_density = (2 * first[:, None] - 1) * log_cosine + (2 * second - 1) * np.log(sine)
    # The weights are normalised by their sum, because logarithms of Beta functions of large arguments lose digits.
    density = np.exp(log_density - log_density.max(axis=1, keepdims=True)) * weights
    return density / density.sum(axis=1, keepdims=True)
