r"""Two points and explicit matrices, in plain numbers, against which the ledger checks the printed formulas.

The loss of Eq. (16) is written out, differentiated by central differences and followed downhill by an integrator.
Nothing here knows a formula of ``theory.two_point``, so agreement with one is evidence. The loss is quadratic in each
entry alone, so central differences have no truncation error, whatever their step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from closedform.checks.arrays import Array
from theory.core.numbers.differences import slopes

Weights = tuple[Array, ...]
"""Mean output [output], encoder [hidden, input], decoder [output, hidden]."""

STEP = 1e-4
"""Of central differences in time, whose relative error is then 1e-7."""
# Near 1 rounding is smallest, and the loss is exactly quadratic in each entry: any step will do.
_STEP = 0.5
# Integrator, relative and absolute: four digits finer than the 1e-6 at which trajectories are compared.
_RTOL, _ATOL = 1e-10, 1e-13


@dataclass(frozen=True)
class TwoPoints:
    """Inputs and target outputs, arrays [2, input] and [2, output]."""

    inputs: Array
    targets: Array

    @cached_property
    def u(self) -> Array:
        """Difference of the inputs, [input]."""
        return self.inputs[1] - self.inputs[0]

    @property
    def v(self) -> Array:
        """Difference of the targets, [output]."""
        return self.targets[1] - self.targets[0]

    @property
    def dx2(self) -> float:
        """Squared distance of the inputs."""
        return float(self.u @ self.u)

    @property
    def target2(self) -> float:
        """Squared distance of the targets."""
        return float(self.v @ self.v)

    def loss(self, weights: Weights) -> float:
        """Half the mean squared error of the linearised network, Eq. (16)."""
        mean, encoder, decoder = weights
        away = decoder @ (encoder @ self.u) / 2
        residuals = (mean - away - self.targets[0], mean + away - self.targets[1])
        return 0.25 * float(sum(residual @ residual for residual in residuals))

    def gradient(self, weights: Weights) -> Weights:
        """Gradient of the loss by central differences."""

        def loss(block: Array, index: int) -> float:
            return self.loss((*weights[:index], block, *weights[index + 1 :]))

        return tuple(
            slopes(partial(loss, index=index), block, _STEP) for index, block in enumerate(weights)
        )

    def flow(self, weights: Weights, taus: Sequence[float], times: ArrayLike) -> list[Weights]:
        """Gradient flow of Eq. (6): each block at the rate -1/tau of its gradient; the weights at each of ``times``."""
        shapes = [block.shape for block in weights]
        cuts = np.cumsum([block.size for block in weights])[:-1]

        def unpacked(flat: Array) -> Weights:
            return tuple(
                part.reshape(shape)
                for part, shape in zip(np.split(flat, cuts), shapes, strict=True)
            )

        def velocity(_: float, flat: Array) -> Array:
            gradient = self.gradient(unpacked(flat))
            return np.concatenate(
                [-slope.ravel() / tau for slope, tau in zip(gradient, taus, strict=True)]
            )

        start = np.concatenate([block.ravel() for block in weights])
        grid = np.asarray(times, dtype=float)
        run = solve_ivp(
            velocity, (0.0, grid[-1]), start, method="DOP853", t_eval=grid, rtol=_RTOL, atol=_ATOL
        )
        if not run.success:
            raise RuntimeError(f"the flow of explicit matrices was not integrated: {run.message}")
        return [unpacked(column) for column in run.y.T]

    def beside(self, weights: Weights, taus: Sequence[float]) -> tuple[Weights, Weights]:
        """The weights a time of ``STEP`` ahead of a moment of the flow, and behind it."""
        changes = [
            STEP * slope / tau for slope, tau in zip(self.gradient(weights), taus, strict=True)
        ]
        ahead = tuple(block - change for block, change in zip(weights, changes, strict=True))
        behind = tuple(block + change for block, change in zip(weights, changes, strict=True))
        return ahead, behind

    def state(self, weights: Weights) -> Array:
        """(dh2, dy2, w) of Eq. (8)."""
        _, encoder, decoder = weights
        dh = encoder @ self.u
        dy = decoder @ dh
        return np.array([dh @ dh, dy @ dy, dy @ dy - dy @ self.v])


def random_weights(
    seed: int, outputs: int = 3, hidden: int = 2, inputs: int = 2
) -> tuple[TwoPoints, Weights]:
    """Data and weights of order one, anything goes: dh will turn."""
    draw = np.random.default_rng(seed)
    problem = TwoPoints(draw.normal(size=(2, inputs)), draw.normal(size=(2, outputs)))
    return problem, (
        draw.normal(size=outputs),
        draw.normal(size=(hidden, inputs)),
        draw.normal(size=(outputs, hidden)),
    )


def unrotated_weights(seed: int) -> tuple[TwoPoints, Weights]:
    """Data and weights of order one for which dh keeps its direction, since the decoder across it is orthogonal."""
    problem, (mean, encoder, decoder) = random_weights(seed)
    dh = encoder @ problem.u
    along = dh / np.linalg.norm(dh)
    across = np.array([-along[1], along[0]])
    spare = np.cross(decoder @ along, problem.v)
    return problem, (mean, encoder, np.outer(decoder @ along, along) + np.outer(spare, across))


def oblique_weights(encoder: float, decoder: float, angle: float) -> tuple[TwoPoints, Weights]:
    """One hidden unit, and two outputs: a decoder of this length at an angle to the difference of the targets, 1."""
    problem = TwoPoints(np.array([[0.0], [1.0]]), np.array([[0.0, 0.0], [1.0, 0.0]]))
    direction = np.array([[np.cos(angle)], [np.sin(angle)]])
    return problem, (np.array([0.5, 0.0]), np.array([[encoder]]), decoder * direction)


def scalar_weights(
    encoder: float, decoder: float, distance: float, target: float
) -> tuple[TwoPoints, Weights]:
    """One input, hidden unit and output: dh cannot turn, and may pass through zero. The mean output starts right."""
    problem = TwoPoints(np.array([[0.0], [distance]]), np.array([[0.0], [target]]))
    return problem, (np.array([target / 2]), np.array([[encoder]]), np.array([[decoder]]))
