"""The interface of a dynamical law to a fit: curves for given time constants and initial states."""

from __future__ import annotations

from typing import Protocol

from bridge.fit.estimate import DIFFERENCE_STEP
from bridge.statistics.arrays import Array
from theory import two_point as theory


class Dynamics(Protocol):
    """A dynamical law with two time constants."""

    @property
    def name(self) -> str:
        """Name shown to users."""

    @property
    def step(self) -> float:
        """Relative step of finite differences."""

    def curves(self, elapsed: Array, tau: Array, initial: Array, dx2: float, target2: float) -> Array:
        """Return the curves ``[set, 3, time]`` for time constants ``[set, 2]`` and initial states ``[set, 3]``."""


class Effective:
    """Eq. (7), in closed form."""

    name = "effective"
    step = DIFFERENCE_STEP

    def curves(self, elapsed: Array, tau: Array, initial: Array, dx2: float, target2: float) -> Array:
        """Return the curves ``[set, 3, time]`` for time constants ``[set, 2]`` and initial states ``[set, 3]``."""
        dh2, dy2, w = initial.T
        found = theory.trajectory(elapsed, dh2, dy2, w, tau[:, 0], tau[:, 1], dx2, target2, validate=False)
        return found.swapaxes(0, 1)  # [3, set, time]


EFFECTIVE = Effective()
