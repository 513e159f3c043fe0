r"""The sum of squares of :math:`y = A x^p + c` as a function of ``p`` alone, and how a curve bends with ``p``.

For a given exponent ``A`` and ``c`` enter linearly and are solved for exactly, so that the search is in one dimension
and can be global. With a free offset the basis is 1 and :math:`f = (x^p - 1)/p`, which stays sensible where ``p``
passes through zero (a logarithm there).

The *contrast* at ``p`` is the unit vector across the basis in which the curve moves when the exponent does. It sees
nothing of a curve with that exponent, whatever ``A`` and ``c``: if the true exponent is ``p``, the contrast of the data
has mean zero, exactly. At the least-squares exponent the contrast of the data is zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from bridge.arrays import Array

INDISTINCT = 1e-14  # least singular value of slopes of length one: rounding of a few dozen of them
STEEPEST = 12.0  # largest |p|: nothing that is called a scaling law is steeper
COARSE = np.linspace(-STEEPEST, STEEPEST, 385)
STEPS = np.concatenate([np.geomspace(1e-9, 1, 40), np.arange(1.1, 2 * STEEPEST, 0.1)])  # away from an exponent
SERIES = 0.05  # |z| below which (e^z - 1 - z)/z^2 is summed: ten terms leave 1e-20


@dataclass(frozen=True)
class Profile:
    """Weighted least squares at given exponents.

    Attributes:
        x: ``[point]``, positive.
        errors: ``[point]``, positive.
        offset: the value at which ``c`` is held, or None.
    """

    x: Array
    errors: Array
    offset: float | None

    @property
    def centre(self) -> float:
        """Geometric mean of ``x``, the unit in which powers are taken."""
        return float(np.exp(np.log(self.x).mean()))

    def scaled(self, y: Array) -> Array:
        """Data ``[..., point]`` without a held offset, in units of the errors."""
        return np.asarray((y - (self.offset or 0.0)) / self.errors)

    def directions(self, p: Array) -> tuple[Array, Array]:
        """Orthonormal basis ``[..., function, point]`` at exponents ``p [...]``, and the contrast ``[..., point]``."""
        logs, p = np.log(self.x / self.centre), p[..., None]
        if self.offset is not None:
            power = np.exp(p * logs) / self.errors
            basis, bent = [_unit(power)], logs * power
        else:
            curve = logs * _first(p * logs)  # f, with x in units of its centre
            basis = [_unit(np.broadcast_to(1 / self.errors, curve.shape))]
            basis.append(_unit(_across(curve / self.errors, basis)))
            bent = logs * (curve - logs * _second(p * logs)) / self.errors  # df/dp
        return np.stack(basis, axis=-2), _unit(_across(bent, basis))

    @cached_property
    def _coarse(self) -> Array:
        return self.directions(COARSE)[0]

    def __call__(self, p: Array, y: Array) -> Array:
        """Sum of squares ``[...]`` at exponents ``p [...]`` for data ``y [..., point]`` (or ``[point]``)."""
        return _left(self.directions(np.asarray(p, dtype=np.float64))[0], self.scaled(y))

    def contrast(self, p: float, y: Array) -> float:
        """Contrast at exponent ``p`` of data ``y [point]``, in units of the errors."""
        return float(self.scaled(y) @ self.directions(np.asarray(p))[1])

    def best(self, y: Array) -> float:
        """Exponent that minimises the sum of squares for ``y [point]``: there the contrast vanishes."""
        lowest = int(_left(self._coarse, self.scaled(y)).argmin())
        low, high = COARSE[max(lowest - 1, 0)], COARSE[min(lowest + 1, COARSE.size - 1)]
        if self.contrast(low, y) * self.contrast(high, y) < 0:
            return float(brentq(lambda p: self.contrast(p, y), low, high, xtol=1e-13))
        found = minimize_scalar(lambda p: float(self(p, y)), bounds=(low, high), method="bounded")
        return float(found.x)

    def coefficients(self, p: float, y: Array) -> tuple[float, float]:
        """Prefactor ``A`` and offset ``c`` at exponent ``p``."""
        power = np.exp(p * np.log(self.x / self.centre))
        columns = power[:, None] if self.offset is not None else np.stack([power, np.ones_like(power)], axis=1)
        solution, *_ = np.linalg.lstsq(columns / self.errors[:, None], self.scaled(y), rcond=None)
        constant = self.offset if self.offset is not None else float(solution[1])
        return float(solution[0] * self.centre**-p), constant

    def influence(self, p: float, y: Array) -> tuple[Array, Array]:
        """How exponent and offset move with each point of scaled data, ``[point]`` each; a held offset does not.

        Infinite where the data cannot tell exponent, prefactor and offset from each other.
        """
        amplitude, _ = self.coefficients(p, y)
        power = np.exp(p * np.log(self.x / self.centre))
        height = amplitude * self.centre**p
        columns = [height * power * np.log(self.x / self.centre), power]
        if self.offset is None:
            columns.append(np.ones_like(power))
        slopes = np.stack(columns, axis=1) / self.errors[:, None]
        size = np.linalg.norm(slopes, axis=0)
        left, values, right = np.linalg.svd(slopes / np.where(size > 0, size, 1.0), full_matrices=False)
        if not values[-1] > INDISTINCT * values[0]:
            infinite = np.full_like(power, np.inf)
            return infinite, infinite if self.offset is None else np.zeros_like(power)
        rows = (right.T / values) @ left.T / size[:, None]
        return rows[0], rows[2] if self.offset is None else np.zeros_like(power)

    def span(self, rises: Callable[[Array], Array], p: float) -> tuple[float, float]:
        """The exponents around ``p`` at which ``rises [...]`` stays below zero; infinite where it never leaves it.

        Args:
            rises: of exponents ``[...]``; negative at ``p``.
            p: where to begin.
        """
        ends = []
        for sign in (-1.0, 1.0):
            outer = p + sign * STEPS
            outer = outer[np.abs(outer) <= STEEPEST]
            above = np.flatnonzero(rises(outer) > 0) if outer.size else np.empty(0, int)
            if not above.size:
                ends.append(sign * np.inf)
                continue
            inner = float(outer[above[0] - 1]) if above[0] else p
            ends.append(float(brentq(lambda q: float(rises(np.array(q))), inner, float(outer[above[0]]))))
        return ends[0], ends[1]


def _left(basis: Array, y: Array) -> Array:
    """Sum of squares of what ``basis [..., function, point]`` leaves of scaled data ``y [..., point]``."""
    return np.asarray((_across(y, list(np.moveaxis(basis, -2, 0)), rounds=1) ** 2).sum(-1))


def _across(rows: Array, basis: list[Array], rounds: int = 2) -> Array:
    """The part of ``rows [..., point]`` across an orthonormal basis; twice, for orthogonality to rounding."""
    for _ in range(rounds):
        for function in basis:
            rows = rows - (rows * function).sum(-1, keepdims=True) * function
    return rows


def _unit(rows: Array) -> Array:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def _first(z: Array) -> Array:
    """``(e^z - 1)/z``."""
    safe = np.where(np.abs(z) < 1e-9, 1e-9, z)
    return np.asarray(np.expm1(safe) / safe)


def _second(z: Array) -> Array:
    """``(e^z - 1 - z)/z^2``."""
    small = np.abs(z) < SERIES
    safe, near = np.where(small, 1.0, z), np.where(small, z, 0.0)
    total = np.ones_like(near)
    for k in range(12, 2, -1):
        total = 1 + total * near / k
    return np.where(small, total / 2, (np.expm1(safe) - safe) / safe**2)
