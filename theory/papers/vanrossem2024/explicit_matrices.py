r"""Two points and explicit matrices, in plain numbers: what the ledger holds the printed formulas against.

The loss of Eq. (16) is written out, differentiated by central differences and followed downhill by an integrator.
Nothing here knows a formula of ``theory.two_point``, so agreement with one is evidence. The loss is quadratic in each
entry alone, so central differences have no truncation error, whatever their step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]
Weights = tuple[Array, Array, Array]
"""Mean output [output], encoder [hidden, input], decoder [output, hidden]."""

# Near 1 rounding is smallest, and the loss is exactly quadratic in each entry: any step will do.
_STEP = 0.5
# Integrator, relative and absolute: four digits finer than the 1e-6 at which trajectories are compared.
_RTOL, _ATOL = 1e-10, 1e-13


@dataclass(frozen=True)
class TwoPoints:
    """Inputs and target outputs, arrays [2, input] and [2, output]."""

    inputs: Array
    targets: Array

    @property
    def u(self) -> Array:
        return self.inputs[1] - self.inputs[0]

    @property
    def v(self) -> Array:
        return self.targets[1] - self.targets[0]

    @property
    def dx2(self) -> float:
        return float(self.u @ self.u)

    @property
    def target2(self) -> float:
        return float(self.v @ self.v)

    def loss(self, weights: Weights) -> float:
        """Half the mean squared error of the linearised network, Eq. (16)."""
        mean, encoder, decoder = weights
        away = decoder @ (encoder @ self.u) / 2
        residuals = (mean - away - self.targets[0], mean + away - self.targets[1])
        return 0.5 * float(np.mean([residual @ residual for residual in residuals]))

    def gradient(self, weights: Weights) -> Weights:
        """Gradient of the loss by central differences."""
        found = []
        for index, block in enumerate(weights):
            slope = np.empty_like(block)
            for entry in np.ndindex(block.shape):
                values = []
                for sign in (1, -1):
                    moved = block.copy()
                    moved[entry] += sign * _STEP
                    values.append(self.loss((*weights[:index], moved, *weights[index + 1 :])))
                slope[entry] = (values[0] - values[1]) / (2 * _STEP)
            found.append(slope)
        return tuple(found)

    def flow(self, weights: Weights, taus: Sequence[float], times: Sequence[float]) -> list[Weights]:
        """Gradient flow of Eq. (6): each block at the rate -1/tau of its gradient; the weights at each of ``times``."""
        shapes = [block.shape for block in weights]
        cuts = np.cumsum([block.size for block in weights])[:-1]

        def unpacked(flat: Array) -> Weights:
            return tuple(part.reshape(shape) for part, shape in zip(np.split(flat, cuts), shapes, strict=True))

        def velocity(_: float, flat: Array) -> Array:
            slopes = self.gradient(unpacked(flat))
            return np.concatenate([-slope.ravel() / tau for slope, tau in zip(slopes, taus, strict=True)])

        start = np.concatenate([block.ravel() for block in weights])
        grid = np.asarray(times, dtype=float)
        run = solve_ivp(velocity, (0.0, grid[-1]), start, method="DOP853", t_eval=grid, rtol=_RTOL, atol=_ATOL)
        if not run.success:
            raise RuntimeError(f"the flow of explicit matrices was not integrated: {run.message}")
        return [unpacked(column) for column in run.y.T]

    def state(self, weights: Weights) -> Array:
        """(dh2, dy2, w) of Eq. (8)."""
        _, encoder, decoder = weights
        dh = encoder @ self.u
        dy = decoder @ dh
        return np.array([dh @ dh, dy @ dy, dy @ dy - dy @ self.v])
