r"""Noise that is correlated in time: its covariance, from the residuals of a fit at any times.

Each curve is white noise plus a process whose correlation decays with the time :math:`\Delta` between two samples,

.. math:: s^2 \big( f\, e^{-\Delta / \theta} + (1 - f)\, \delta_{ij} \big),

so that sampling may be uneven. Residuals are less correlated than noise, because the parameters were fitted to the same
data. The restricted likelihood (Patterson and Thompson, Biometrika 58, 1971) of scale, share :math:`f` and correlation
time :math:`\theta` allows for this, and is maximised on a grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bridge.fit.search import Array

MOST = 100  # number of samples above which neighbours are averaged, since slow noise moves the parameters most
TIMES = 16  # number of correlation times in the grid
# of the correlated part in the variance
SHARES = np.array([0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 0.995, 1.0])
SIGNIFICANT = 3.0  # standard errors at which an autocorrelation is significant, which one white curve in 400 exceeds
ROUNDS = 3  # alternations between scales and parameters, and between curves, which depend little on one another
SMALLEST = 1e-12  # variance relative to the mean square of the residuals
# growth of the structure function from one sample to two: 1 for white noise, 4 for smooth errors
ROUGH = (1.3, 2.3)
BENT = 1.2  # largest growth from two samples to four, relative to that
LONGEST = 5.0  # half the length of a block in correlation times, above which blocks are hardly correlated
INDISTINCT = 1e-7  # relative length of a direction of the parameters that changes no curve


class Noise(NamedTuple):
    """The noise of several curves, averaged over blocks of neighbouring samples."""

    block: NDArray[np.int_]  # first samples of the blocks, [block]
    # symmetric roots of the covariances of the blocks' means, [block, block] for each curve
    roots: Sequence[Array]
    sizes: Array  # standard deviations in units of these, [curve]
    shared: Array  # correlation between curves, [curve, curve]
    correlation_time: Array  # factor by which correlation increases the variance of a curve's mean, at least 1, [curve]
    # whether residuals are rough, as noise is; errors of a theory are smooth, [curve]
    rough: NDArray[np.bool_]

    def covariance(self, slopes: Array) -> Array:
        """Return the covariance ``[row, row]`` of the sums of the noise times ``slopes [row, curve, time]``."""
        sums = np.add.reduceat(slopes, self.block, axis=-1)
        parts = np.stack(
            [own @ root for own, root in zip(sums.swapaxes(0, 1), self.roots, strict=True)]
        )
        parts *= self.sizes[:, None, None]
        return np.asarray(np.einsum("cd,crk,dsk->rs", self.shared, parts, parts))


def neighbours(residuals: Array) -> Array:
    """Return the correlation of neighbouring residuals, ``[..., time]``; 0 for a curve without residuals."""
    apart = residuals - residuals.mean(axis=-1, keepdims=True)
    power = (apart**2).sum(axis=-1)
    return np.asarray(
        (apart[..., 1:] * apart[..., :-1]).sum(axis=-1) / np.where(power > 0, power, 1.0)
    )


def are_correlated(residuals: Array) -> NDArray[np.bool_]:
    """Return which ``residuals [..., time]`` have correlated neighbours, whatever their sizes along the curve."""
    apart = residuals - residuals.mean(axis=-1, keepdims=True)
    products = apart[..., 1:] * apart[..., :-1]
    return np.asarray(products.sum(axis=-1) > SIGNIFICANT * np.sqrt((products**2).sum(axis=-1)))


def estimates(times: Array, residuals: Array, slopes: Array) -> list[Noise | None]:
    """Estimate the noise of ``residuals [fit, curve, time]``; None if neighbours are not significantly correlated."""
    correlated = are_correlated(residuals)
    noises: list[Noise | None] = [None] * len(residuals)
    chosen_fits = np.flatnonzero(correlated.any(axis=1))
    if not chosen_fits.size:
        return noises
    residuals, correlated, grid = (
        residuals[chosen_fits],
        correlated[chosen_fits],
        _grid_at(times.astype(np.float64).tobytes()),
    )
    means = np.add.reduceat(residuals, grid.block, axis=2) / grid.count
    unit = np.sqrt((means**2).mean(axis=2))
    unit = np.where(unit > 0, unit, 1.0)
    along = _orthonormal(
        np.add.reduceat(slopes[chosen_fits], grid.block, axis=2) / grid.count[:, None]
    )
    white = grid.filter.whitened(
        np.concatenate([(means / unit[..., None])[..., None], along], axis=3)
    )
    products = np.einsum("bfcpg,bfcqg->cpqfg", white, white)
    chosen, variances = _restricted(products, grid.filter.volume, len(grid.block), correlated.T)
    sizes = unit * np.sqrt(variances.T)
    for fit, (index, kinds, own) in enumerate(zip(chosen_fits, chosen.T, correlated, strict=True)):
        factors, roots = zip(*map(grid.decomposed, kinds), strict=True)
        innovations = np.stack([white[:, fit, curve, 0, kind] for curve, kind in enumerate(kinds)])
        length = np.sqrt((innovations**2).sum(axis=1))
        innovations /= np.where(length > 0, length, 1.0)[:, None]
        shared = innovations @ innovations.T
        np.fill_diagonal(shared, 1.0)
        lasting = np.where(own, np.clip(factors, 1.0, times.size), 1.0)
        noises[index] = Noise(
            grid.block, roots, sizes[fit], shared, lasting, ~own | are_rough(residuals[fit])
        )
    return noises


class _Grid:
    """The kinds of noise that are compared at some ``times``, and what follows from the times alone."""

    def __init__(self, times: Array) -> None:
        self.block = np.arange(0, times.size, -(-times.size // MOST))
        self.count = np.diff(np.append(self.block, times.size))
        self._t = t = np.add.reduceat(times, self.block) / self.count
        theta = np.geomspace(np.median(np.diff(t)) / 2, t[-1] - t[0], TIMES)
        kinds = np.concatenate(
            [[[1.0, 0.0]], np.stack(np.meshgrid(theta, SHARES), -1).reshape(-1, 2)]
        )
        self._kinds, (self._gain, self._own) = (
            kinds,
            _of_means(np.gradient(t) / self.count.max(), self.count, kinds),
        )
        self.filter = _Filter(np.diff(t), kinds, self._gain, self._own)
        self._decomposed: dict[int, tuple[float, Array]] = {}

    def decomposed(self, chosen: int) -> tuple[float, Array]:
        """Return the factor of the variance of a mean, and the symmetric root of the covariance."""
        if chosen not in self._decomposed:
            (time, share), gain, t = self._kinds[chosen], self._gain[chosen], self._t
            decay = share * np.exp(-np.abs(t[:, None] - t) / time)
            covariance = gain[:, None] * decay * gain + self._own[chosen, :, None] * np.eye(t.size)
            values, vectors = np.linalg.eigh(covariance)
            root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
            self._decomposed[chosen] = covariance.mean(axis=(0, 1)) * self.count.sum(), root
        return self._decomposed[chosen]


@lru_cache(maxsize=16)
def _grid_at(times: bytes) -> _Grid:
    """Return the grid at times that traces of a sweep share."""
    return _Grid(np.frombuffer(times))


def are_rough(residuals: Array) -> NDArray[np.bool_]:
    """Return which ``residuals [curve, time]`` are rough: their mean square differences grow in proportion to time."""
    single, two, four = (
        ((residuals[:, lag:] - residuals[:, :-lag]) ** 2).mean(axis=1) for lag in (1, 2, 4)
    )
    return np.asarray(
        (ROUGH[0] * single < two) & (two < ROUGH[1] * single) & (four * single < BENT * two**2)
    )


def _orthonormal(slopes: Array) -> Array:
    """Return an orthonormal basis of how the parameters move the curves, ``[fit, ...]``; zeros where that is less."""
    flat = slopes.reshape(len(slopes), -1, slopes.shape[-1])
    length = np.sqrt((flat**2).sum(axis=1, keepdims=True))
    basis, values, _ = np.linalg.svd(flat / np.where(length > 0, length, 1.0), full_matrices=False)
    return np.where((values > INDISTINCT * values[:, :1])[:, None], basis, 0.0).reshape(
        slopes.shape
    )


def _of_means(spacing: Array, count: Array, grid: Array) -> tuple[Array, Array]:
    """Return gain and added variance ``[grid, block]`` of correlated noise by averaging ``count`` samples per block.

    The mean of a block with this ``spacing`` is a gain times the noise at its centre, plus independent noise, whose
    variance is negative where averaging smooths more than it scales. ``grid [grid, 2]`` has times and shares.
    """
    time, share = grid.T[:, :, None]
    half = np.minimum(spacing / (2 * time), LONGEST / count)
    ratio, last = np.exp(-2 * half), -np.expm1(-2 * half)
    variance = (1 + ratio) / (count * last) + 2 * ratio * np.expm1(-2 * half * count) / (
        count * last
    ) ** 2
    gain = np.sinh(count * half) / (count * np.sinh(half))
    return gain, share * (variance - gain**2) + (1 - share) / count


class _Filter:
    """A Kalman filter for each point of the grid: it makes innovations, which are independent, of correlated noise."""

    def __init__(self, spacing: Array, grid: Array, gain: Array, own: Array) -> None:
        time, share = grid.T
        rho = np.exp(-np.append(spacing, np.inf)[:, None] / time)  # nothing follows the last block
        total, kept, variance = np.empty(rho.shape), np.empty(rho.shape), share
        for index, (seen, white) in enumerate(zip(gain.T, own.T, strict=True)):
            total[index] = np.maximum(seen**2 * variance + white, SMALLEST)
            kept[index] = variance * seen / total[index]
            variance = rho[index] ** 2 * variance * white / total[index] + share * (
                1 - rho[index] ** 2
            )
        self.volume = np.log(total).sum(axis=0)  # logarithms of the determinants, [grid]
        self._deviation = np.sqrt(total)
        self._gain, self._kept, self._rho = gain.T, kept, rho

    def whitened(self, columns: Array) -> Array:
        """Return ``columns [..., block, column]`` whitened, ``[block, ..., column, grid]``: the grid is long."""
        rows = np.moveaxis(columns, -2, 0)[..., None]
        white = np.empty((*rows.shape[:-1], self._rho.shape[1]))
        mean, change = np.zeros(white.shape[1:]), np.empty(white.shape[1:])
        steps = zip(rows, white, self._gain, self._kept, self._rho, self._deviation, strict=True)
        for row, innovation, seen, kept, rho, deviation in steps:
            np.subtract(row, np.multiply(seen, mean, out=change), out=innovation)
            mean += np.multiply(kept, innovation, out=change)
            mean *= rho
            innovation /= deviation
        return white


def _restricted(
    products: Array, volume: Array, points: int, correlated: NDArray[np.bool_]
) -> tuple[Array, Array]:
    """Return the likeliest point of the grid and its variance, ``[curve, fit]``; those not ``correlated`` are white.

    ``products [curve, column, column, fit, grid]`` are of the whitened columns, residuals first; ``volume [grid]`` has
    the logarithms of the determinants.
    """
    curves, fits = range(len(products)), np.arange(products.shape[3])
    chosen = np.zeros((len(products), fits.size), dtype=int)
    variances = np.maximum(products[:, 0, 0, :, 0] / points, SMALLEST)
    for _ in range(ROUNDS):
        for curve, own in enumerate(products):
            rest = (products[c][..., fits, chosen[c]] / variances[c] for c in curves if c != curve)
            others = sum(rest, np.zeros(own.shape[:3]))[..., None]
            variance = np.repeat(variances[curve][:, None], volume.size, axis=1)
            for _ in range(ROUNDS):
                step, inverse, determined = _solved(others + own / variance)
                used = np.einsum("pqfg,qpfg->fg", inverse, own[1:, 1:]) / variance
                squares = np.einsum("pfg,pqfg,qfg->fg", step, own, step)
                variance = np.maximum(squares / np.maximum(points - used, 1.0), SMALLEST)
            remainder = (
                np.einsum("pfg,pqf,qfg->fg", step, others[..., 0], step) + squares / variance
            )
            likelihood = -(points * np.log(variance) + volume + determined + remainder) / 2
            likelihood[~correlated[curve], 1:] = -np.inf
            chosen[curve] = likelihood.argmax(axis=1)
            variances[curve] = variance[fits, chosen[curve]]
    return chosen, variances


def _solved(products: Array) -> tuple[Array, Array, Array]:
    """Return what makes the first column orthogonal to the others by adding these, and inverse and log determinant.

    ``products [column, column, ...]`` are positive definite, but for columns of zeros, which are left out.
    """
    rows, determinant = products[1:].copy(), np.ones(products.shape[2:])
    for pivot, row in enumerate(rows, start=1):
        size = np.where(row[pivot] > 0, row[pivot], 1.0)
        determinant *= size
        row[pivot] = 1.0
        row /= size
        for index, other in enumerate(rows, start=1):
            if index == pivot:
                continue
            factor = other[pivot].copy()
            other[pivot] = 0.0
            other -= factor * row
    return (
        np.concatenate([np.ones((1, *determinant.shape)), -rows[:, 0]]),
        rows[:, 1:],
        np.log(determinant),
    )
