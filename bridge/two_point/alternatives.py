r"""The altered dynamics of Appendix C.1 (Eq. 51): Eq. (7) with one change, which should fit worse.

==================  =================================================================================
``factor_two``      a factor 2 before the whole right-hand side of :math:`d\,dy2/dt`
``square``          :math:`w^2` instead of :math:`w` in :math:`d\,dh2/dt`, as printed
``factor_two_dh2``  :math:`2w` instead of :math:`w` there, as in the released code
``plus_sign``       the second term of :math:`dw/dt` with :math:`+` instead of :math:`-`
``missing_term``    :math:`d\,dy2/dt` without its second term, :math:`(dx2/\tau_h)\, dy2/dh2`
==================  =================================================================================

None of them has the conservation law that makes Eq. (7) solvable, so they are integrated numerically, by LSODA in
:math:`\log dh2`, where the division by a small ``dh2`` is harmless. Some of them diverge or collapse in finite time;
the state is then frozen at a large value, which the fit rejects by its sum of squares.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

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

    @property
    def fixed(self) -> Fixed:
        """The time constants that are known and not fitted."""

    def curves(self, elapsed: Array, tau: Array, initial: Array, dx2: Any, target2: Any) -> Array:
        """Return the curves ``[set, 3, time]`` for time constants ``[set, 2]`` and initial states ``[set, 3]``.

        The other arguments are those of all sets, or of each: ``[set, time]``, ``[set]`` and ``[set]``.
        """


Fixed = tuple[float | None, float | None]
"""Values of tau_h and tau_y, in the unit of the data's time, that are known; None for one that is fitted."""


@dataclass(frozen=True)
class Effective:
    """Eq. (7), in closed form."""

    fixed: Fixed = (None, None)
    name: str = "effective"
    step: float = DIFFERENCE_STEP

    def curves(self, elapsed: Array, tau: Array, initial: Array, dx2: Any, target2: Any) -> Array:
        """Return the curves ``[set, 3, time]`` for time constants ``[set, 2]`` and initial states ``[set, 3]``."""
        dh2, dy2, w = initial.T
        curves = theory.trajectory(
            elapsed, dh2, dy2, w, tau[:, 0], tau[:, 1], dx2, target2, validate=False
        )
        return curves.swapaxes(0, 1)  # [3, set, time]


EFFECTIVE = Effective()

ALTERNATIVES = ("factor_two", "square", "factor_two_dh2", "plus_sign", "missing_term")

RELATIVE, ABSOLUTE = 1e-9, 1e-12  # tolerances of the integrator
LOG_RANGE = 40.0  # |log dh2| beyond which the representation has diverged or collapsed
RUNAWAY = 1e3  # size, relative to the largest of initial outputs and target, at which the state is frozen


@dataclass(frozen=True)
class Altered:
    """One of the altered dynamics of Eq. (51)."""

    name: str
    fixed: Fixed = (None, None)
    # the error of the integrator is about 1e-9, so that of a derivative is about 3e-5
    step: float = 3e-5

    def curves(self, elapsed: Array, tau: Array, initial: Array, dx2: Any, target2: Any) -> Array:
        """Integrate ``[set, 3, time]`` for time constants ``[set, 2]`` and initial states ``[set, 3]``."""
        sets = len(tau)
        times = np.broadcast_to(elapsed, (sets, np.shape(elapsed)[-1]))
        constants = np.column_stack(
            [tau, np.broadcast_to(dx2, sets), np.broadcast_to(target2, sets)]
        ).tolist()
        return np.stack(
            [
                integrate(self.name, *given, *numbers)
                for *given, numbers in zip(times, initial, constants, strict=True)
            ]
        )


def integrate(
    kind: str,
    elapsed: Array,
    initial: Array,
    tau_h: float,
    tau_y: float,
    dx2: float,
    target2: float,
) -> Array:
    """Integrate one of the altered dynamics to curves ``[3, time]``, which are always finite."""
    # none of this is needed for the fit of the theory itself, whose first call waits for imports more than for itself
    from scipy.integrate import ODEintWarning, odeint

    largest = RUNAWAY * max(target2, float(np.abs(initial[1:]).max()), 1e-300)
    log0, dy2_0, w_0 = math.log(initial[0]), float(initial[1]), float(initial[2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ODEintWarning)  # a failed integration is truncated below
        solution = odeint(
            _right_hand_side(kind, dx2 / tau_h, 1 / tau_y, target2, largest),
            [log0, dy2_0, w_0],
            elapsed,
            rtol=RELATIVE,
            atol=ABSOLUTE * max(target2, 1e-6),
            tfirst=True,
            mxstep=5000,
        ).T
    solution = np.nan_to_num(solution, nan=largest, posinf=largest, neginf=-largest)
    solution[0] = np.exp(np.clip(solution[0], -LOG_RANGE, math.log(RUNAWAY) + abs(log0)))
    solution[1:] = np.clip(solution[1:], -largest, largest)
    return np.asarray(solution, dtype=np.float64)


def _right_hand_side(
    kind: str, h: float, y: float, target2: float, largest: float
) -> Callable[[float, Array], tuple[float, float, float]]:
    """Return the derivatives of (log dh2, dy2, w), in scalars for speed; ``h`` = dx2 / tau_h, ``y`` = 1 / tau_y."""
    power = 2 if kind == "square" else 1
    factor = 2.0 if kind == "factor_two" else 1.0
    first = 2.0 if kind == "factor_two_dh2" else 1.0
    term = 0.0 if kind == "missing_term" else 1.0
    sign = 1.0 if kind == "plus_sign" else -1.0

    def rates(_: float, state: Array) -> tuple[float, float, float]:
        log_dh2, dy2, w = state.tolist()
        if abs(log_dh2) > LOG_RANGE or not (abs(dy2) < largest and abs(w) < largest):
            return 0.0, 0.0, 0.0
        dh2 = math.exp(log_dh2)
        speed = h / dh2
        return (
            -first * speed * w**power,
            -factor * w * (y * dh2 + term * speed * dy2),
            -0.5 * y * (3 * w - dy2 + target2) * dh2 + sign * 0.5 * speed * (dy2 + w) * w,
        )

    return rates
