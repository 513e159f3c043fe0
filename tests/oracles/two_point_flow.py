"""Numerical integration of the two-point dynamics, which shares only the definition of the loss with the package."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

RTOL, ATOL = 1e-13, 1e-20


@dataclass(frozen=True)
class Network:
    """A linear encoder and decoder between two points, with Eq. (6)'s time constants."""

    encoder: np.ndarray  # [hidden, inputs]
    decoder: np.ndarray  # [outputs, hidden]
    inputs: np.ndarray  # x2 - x1, [inputs]
    targets: np.ndarray  # y2 - y1, [outputs]
    tau_h: float
    tau_y: float

    def state(self, encoder: np.ndarray, decoder: np.ndarray) -> np.ndarray:
        dh = encoder @ self.inputs
        dy = decoder @ dh
        return np.array([dh @ dh, dy @ dy, dy @ (dy - self.targets)])

    def loss(self, encoder: np.ndarray, decoder: np.ndarray) -> float:
        """Half the mean squared error over the two points, whose mean outputs are right."""
        errors = [side * (decoder @ encoder @ self.inputs - self.targets) / 2 for side in (-1, 1)]
        return sum(float(error @ error) for error in errors) / 4

    def integrate(self, times: np.ndarray) -> np.ndarray:
        """Gradient flow of ``loss`` in all entries of both matrices, [3, time]."""
        shape, split = self.encoder.shape, self.encoder.size

        def velocity(_: float, flat: np.ndarray) -> np.ndarray:
            encoder, decoder = (
                flat[:split].reshape(shape),
                flat[split:].reshape(self.decoder.shape),
            )
            error = decoder @ encoder @ self.inputs - self.targets
            return np.concatenate(
                [
                    (-np.outer(decoder.T @ error, self.inputs) / (4 * self.tau_h)).ravel(),
                    (-np.outer(error, encoder @ self.inputs) / (4 * self.tau_y)).ravel(),
                ]
            )

        start = np.concatenate([self.encoder.ravel(), self.decoder.ravel()])
        found = solve_ivp(
            velocity, (0, times[-1]), start, "DOP853", t_eval=times, rtol=RTOL, atol=ATOL
        )
        assert found.success
        return np.array(
            [
                self.state(flat[:split].reshape(shape), flat[split:].reshape(self.decoder.shape))
                for flat in found.y.T
            ]
        ).T


def smooth_flow(times, dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2) -> np.ndarray:
    """Eq. (7) in variables without a singularity: the signed length of dh and the decoder along it, [3, time]."""
    target = np.sqrt(target2)
    length = np.sqrt(dh2_0)
    along = (dy2_0 - w_0) / target if target else np.sqrt(dy2_0)
    across = np.sqrt(max(dy2_0 - along**2, 0.0))

    def velocity(_: float, state: np.ndarray) -> list[float]:
        h, p, s = state
        e, f = h * p - target, h * s
        return [-dx2 / (2 * tau_h) * (p * e + s * f), -h * e / (2 * tau_y), -h * f / (2 * tau_y)]

    start = [length, along / length, across / length]
    found = solve_ivp(
        velocity, (0, times[-1]), start, "DOP853", t_eval=times, rtol=RTOL, atol=ATOL
    )
    assert found.success
    h, p, s = found.y
    dy2 = h**2 * (p**2 + s**2)
    return np.array([h**2, dy2, dy2 - h * p * target])
