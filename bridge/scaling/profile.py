r"""The profile of the least-squares fit of :math:`y = A x^p + c`: its sum of squares as a function of ``p`` alone.

For a given exponent, ``A`` and ``c`` enter linearly and have an exact solution, so that the search is one-dimensional
and can be global. With a free offset the basis functions are 1 and :math:`f = (x^p - 1)/p`, which is regular at ``p``
= 0, where it is a logarithm.

The *contrast* at ``p`` is the unit vector, orthogonal to the basis, along which the curve changes with the exponent. It
is orthogonal to every curve with that exponent, whatever ``A`` and ``c``. If the true exponent is ``p``, the component
of the data along the contrast therefore has mean zero, exactly. At the least-squares exponent this component is zero.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from bridge.statistics.arrays import Array

INDISTINCT = 1e-14  # smallest relative singular value of normalised derivatives above the rounding of a few dozen
STEEPEST = 12.0  # largest |p| of the search; scaling laws are not steeper
COARSE = np.linspace(-STEEPEST, STEEPEST, 385)
# distances from an exponent, near and far
STEPS = (np.geomspace(1e-9, 1, 40), np.arange(1.1, 2 * STEEPEST, 0.1))
SERIES = 0.05  # |z| below which (e^z - 1 - z)/z^2 is computed by ten terms of its series, with an error of 1e-20


@dataclass(frozen=True)
class FitProfile:
    """Weighted least squares at given exponents."""

    x: Array  # positive values, [point]
    errors: Array  # positive standard errors of ``y``, [point]
    offset: float | None  # fixed value of ``c``, or None if it is fitted

    @cached_property
    def centre(self) -> float:
        """Geometric mean of ``x``, the unit in which powers are computed."""
        return float(np.exp(np.log(self.x).mean()))

    @cached_property
    def _logs(self) -> Array:
        return np.asarray(np.log(self.x / self.centre))

    @cached_property
    def _constant(self) -> Array:
        return _unit(1 / self.errors)

    def scaled(self, y: Array) -> Array:
        """Return the data ``[..., point]`` without a fixed offset, in units of the errors."""
        return np.asarray((y - (self.offset or 0.0)) / self.errors)

    def contrasts(self, p: Array) -> Array:
        """Return the contrast ``[..., point]`` at exponents ``p [...]``."""
        logs, z = self._logs, p[..., None] * self._logs
        basis, curve = self._basis(z)
        bent = (
            logs * (curve if self.offset is not None else curve - logs * _phi2(z)) / self.errors
        )  # df/dp
        return _unit(_orthogonal_part(bent, basis))

    def _basis(self, z: Array) -> tuple[list[Array], Array]:
        """Return the basis, ``[..., point]`` or ``[point]``, and the curve ``[..., point]``, of p times logarithms."""
        if self.offset is not None:
            curve = np.exp(z)
            return [_unit(curve / self.errors)], curve
        curve = self._logs * _phi1(z)  # f, with x in units of its centre
        return [
            self._constant,
            _unit(_orthogonal_part(curve / self.errors, [self._constant])),
        ], curve

    def __call__(self, p: Array, y: Array) -> Array:
        """Return the sum of squares ``[...]`` at exponents ``p [...]`` for data ``y [..., point]`` or ``[point]``."""
        basis, _ = self._basis(np.asarray(p, dtype=np.float64)[..., None] * self._logs)
        return np.asarray((_orthogonal_part(self.scaled(y), basis, rounds=1) ** 2).sum(-1))

    def best(self, y: Array) -> float:
        """Return the exponent that minimises the sum of squares for ``y [point]``, where the contrast vanishes."""
        scaled, lowest = self.scaled(y), int(self(COARSE, y).argmin())
        low, high = COARSE[max(lowest - 1, 0)], COARSE[min(lowest + 1, COARSE.size - 1)]
        along = cache(lambda p: float(scaled @ self.contrasts(np.asarray(p))))  # the contrast
        if along(low) * along(high) < 0:
            return float(brentq(along, low, high, xtol=1e-13))
        minimum = minimize_scalar(
            lambda p: float(self(p, y)), bounds=(low, high), method="bounded"
        )
        return float(minimum.x)

    def coefficients(self, p: float, y: Array) -> tuple[float, float]:
        """Return the prefactor ``A`` and the offset ``c`` at exponent ``p`` for data ``y [point]``."""
        power = np.exp(p * np.log(self.x / self.centre))
        columns = (
            power[:, None]
            if self.offset is not None
            else np.stack([power, np.ones_like(power)], axis=1)
        )
        solution, *_ = np.linalg.lstsq(columns / self.errors[:, None], self.scaled(y), rcond=None)
        constant = self.offset if self.offset is not None else float(solution[1])
        return float(solution[0] * self.centre**-p), constant

    def influence(self, p: float, amplitude: float) -> tuple[Array, Array]:
        """Return the derivatives of exponent and offset by each scaled point ``[point]``; infinite if undetermined."""
        slopes = self.slopes(p, amplitude)
        size = np.sqrt(np.add.reduce(slopes * slopes))
        left, values, right = np.linalg.svd(
            slopes / np.where(size > 0, size, 1.0), full_matrices=False
        )
        if not values[-1] > INDISTINCT * values[0]:
            infinite = np.full_like(self.x, np.inf)
            return infinite, infinite if self.offset is None else np.zeros_like(self.x)
        rows = (right.T / values) @ left.T / size[:, None]
        return rows[0], rows[2] if self.offset is None else np.zeros_like(self.x)

    def slopes(self, p: float, amplitude: float) -> Array:
        """Return derivatives ``[point, parameter]`` of the scaled curve: exponent, prefactor, a free offset."""
        power = np.exp(p * self._logs)
        columns = [amplitude * self.centre**p * power * self._logs, power]
        if self.offset is None:
            columns.append(np.ones_like(power))
        return np.asarray(np.stack(columns, axis=1) / self.errors[:, None])

    def span(self, rises: Callable[[Array], Array], p: float) -> tuple[float, float]:
        """Return the ends of the interval around ``p`` on which ``rises`` is negative; infinite where it stays so."""
        ends = []
        for sign in (-1.0, 1.0):
            inner, end = p, sign * np.inf
            for steps in STEPS:
                outer = p + sign * steps
                outer = outer[np.abs(outer) <= STEEPEST]
                above = np.flatnonzero(rises(outer) > 0) if outer.size else np.empty(0, int)
                if above.size:
                    inner = float(outer[above[0] - 1]) if above[0] else inner
                    end = float(
                        brentq(lambda q: float(rises(np.array(q))), inner, float(outer[above[0]]))
                    )
                    break
                inner = float(outer[-1]) if outer.size else inner
            ends.append(end)
        return ends[0], ends[1]


_total = partial(np.add.reduce, axis=-1, keepdims=True)


def _orthogonal_part(rows: Array, basis: list[Array], rounds: int = 2) -> Array:
    """Return the part of ``rows [..., point]`` orthogonal to an orthonormal basis; a second round removes rounding."""
    for _ in range(rounds):
        for function in basis:
            rows = rows - _total(rows * function) * function
    return rows


def _unit(rows: Array) -> Array:
    return np.asarray(rows / np.sqrt(_total(rows * rows)))


def _phi1(z: Array) -> Array:
    """Return ``(e^z - 1)/z``."""
    safe = np.where(np.abs(z) < 1e-9, 1e-9, z)
    return np.asarray(np.expm1(safe) / safe)


def _phi2(z: Array) -> Array:
    """Return ``(e^z - 1 - z)/z^2``."""
    is_small = np.abs(z) < SERIES
    if not np.count_nonzero(is_small):
        return np.asarray((np.expm1(z) - z) / z**2)
    large, small = np.where(is_small, 1.0, z), np.where(is_small, z, 0.0)
    total = np.ones_like(small)
    for k in range(12, 2, -1):
        total = 1 + total * small / k
    return np.where(is_small, total / 2, (np.expm1(large) - large) / large**2)
