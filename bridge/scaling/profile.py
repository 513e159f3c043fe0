r"""The sum of squares of :math:`y = A x^p + c` as a function of ``p`` alone.

For a given exponent ``A`` and ``c`` enter linearly and are solved for exactly, so that the search is in one dimension
and can be global. With a free offset the basis is 1 and :math:`(x^p - 1)/p`, which stays sensible where ``p`` passes
through zero (a logarithm there).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from bridge.arrays import Array

STEEPEST = 12.0  # largest |p|: nothing that is called a scaling law is steeper
COARSE = np.linspace(-STEEPEST, STEEPEST, 385)
ZOOM = np.linspace(-1, 1, 17)  # every round divides the spacing by 8
ROUNDS = 8  # ends at a spacing of 4e-9


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

    def _basis(self, p: Array) -> Array:
        """Orthonormal weighted basis ``[..., function, point]`` at exponents ``p [...]``."""
        logs = np.log(self.x / self.centre)
        if self.offset is not None:
            first = np.exp(p[..., None] * logs) / self.errors
            return np.asarray(first / np.linalg.norm(first, axis=-1, keepdims=True))[..., None, :]
        safe = np.where(np.abs(p) < 1e-9, 1e-9, p)[..., None]
        first = np.broadcast_to(1 / self.errors, (*p.shape, self.x.size))
        first = first / np.linalg.norm(first, axis=-1, keepdims=True)
        power = np.expm1(safe * logs) / safe / self.errors
        for _ in range(2):  # once more than in exact arithmetic, for orthogonality to rounding
            power = power - (power * first).sum(-1, keepdims=True) * first
        return np.stack([first, power / np.linalg.norm(power, axis=-1, keepdims=True)], axis=-2)

    def __call__(self, p: Array, y: Array) -> Array:
        """Sum of squares ``[...]`` at exponents ``p [...]`` for data ``y [..., point]`` (or ``[point]``)."""
        return self._left(self._basis(np.asarray(p, dtype=np.float64)), y)

    def _left(self, basis: Array, y: Array) -> Array:
        """Sum of squares of what ``basis [..., function, point]`` leaves of ``y [..., point]``."""
        left = np.broadcast_to((y - (self.offset or 0.0)) / self.errors, (*basis.shape[:-2], self.x.size))
        for function in np.moveaxis(basis, -2, 0):
            left = left - (left * function).sum(-1, keepdims=True) * function
        return np.asarray((left**2).sum(-1))

    def best(self, y: Array) -> Array:
        """Exponents ``[set]`` that minimise the sum of squares, for data ``y [set, point]``."""
        basis, spacing = self._basis(COARSE), COARSE[1] - COARSE[0]
        centre = COARSE[[int(self._left(basis, row).argmin()) for row in y]]
        for _ in range(ROUNDS):
            grid = np.clip(centre[:, None] + spacing * ZOOM, -STEEPEST, STEEPEST)
            values = self(grid, y[:, None, :])
            centre = grid[np.arange(len(y)), values.argmin(axis=1)]
            spacing = spacing / 8
        return np.asarray(centre)

    def coefficients(self, p: float, y: Array) -> tuple[float, float]:
        """Prefactor ``A`` and offset ``c`` at exponent ``p``."""
        power = np.exp(p * np.log(self.x / self.centre))
        columns = power[:, None] if self.offset is not None else np.stack([power, np.ones_like(power)], axis=1)
        target = (y - (self.offset or 0.0)) / self.errors
        solution, *_ = np.linalg.lstsq(columns / self.errors[:, None], target, rcond=None)
        constant = self.offset if self.offset is not None else float(solution[1])
        return float(solution[0] * self.centre**-p), constant

    def interval(self, p: float, y: Array, rise: float) -> tuple[float, float]:
        """Exponents at which the sum of squares is ``rise`` above its minimum at ``p``; infinite where it never is."""
        limit = float(self(np.array(p), y)) + rise
        ends = []
        for sign in (-1.0, 1.0):
            outer = p + sign * np.concatenate([np.geomspace(1e-9, 1, 40), np.arange(1.1, 2 * STEEPEST, 0.1)])
            outer = outer[np.abs(outer) <= STEEPEST]
            above = np.flatnonzero(self(outer, y) > limit) if outer.size else np.empty(0, int)
            if not above.size:
                ends.append(sign * np.inf)
                continue
            inner = float(outer[above[0] - 1]) if above[0] else p
            ends.append(float(brentq(lambda q: float(self(np.array(q), y)) - limit, inner, float(outer[above[0]]))))
        return ends[0], ends[1]
