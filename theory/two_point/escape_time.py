"""The time at which the distance reaches a fraction of its final value, computed numerically for any initial state."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import elementwise

from theory.core.formula.arguments import in_domain
from theory.core.numbers.backends import load
from theory.core.numbers.backends.compiler import compile_expression
from theory.two_point import solution as s
from theory.two_point.final_distance import stationary_distance
from theory.two_point.plateau import FRACTION
from theory.two_point.symbols import CAUCHY_SCHWARZ, INITIAL_STATE, RATES_AND_DATA, t

ARGUMENTS = (*INITIAL_STATE, *RATES_AND_DATA)
# Doublings of the first bracket 1/(2 mu): from weights as small as double precision holds, a plateau lasts 1500/(2 mu).
_DOUBLINGS = 12


@cache
def _compiled() -> tuple[Callable[..., NDArray[np.float64]], Callable[..., NDArray[np.float64]]]:
    symbols = [argument.symbol for argument in ARGUMENTS]
    scales = compile_expression(sp.Tuple(stationary_distance, s.mu, s.escape_rate), symbols, load("numpy"))
    return scales, compile_expression(s.representation_distance_at, [t, *symbols], load("numpy"))


def escape_time(
    dh2_0: ArrayLike,
    dy2_0: ArrayLike,
    w_0: ArrayLike,
    tau_h: ArrayLike,
    tau_y: ArrayLike,
    dx2: ArrayLike,
    target2: ArrayLike,
    fraction: ArrayLike = 0.5,
) -> NDArray[np.float64]:
    """Return the time at which the squared representational distance reaches a fraction of its final value.

    The exact solution of Eq. (7) is inverted numerically. For a predicted difference along the target difference the
    inverse is the closed form ``two_point.escape_time``; ``two_point.small_weights_escape_time`` is its asymptote.

    Args:
        dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2: as for ``trajectory``; numbers or arrays of one broadcast shape
        [...]. fraction: between 0 and 1, dimensionless.

    Returns:
        Array [...], in the unit of ``tau_h``; ``inf`` for a state that converges to the saddle and never escapes.

    Raises:
        TypeError: if an argument is not a real number or an array of them.
        ValueError: if an argument is outside its domain, the initial state violates the Cauchy-Schwarz inequality, or
            ``dh2_0`` is not below that fraction of the final distance.

    >>> round(float(escape_time(0.01, 0, 0, 1, 1, 1, 1)), 4)
    5.9764
    """
    given = in_domain(
        (*ARGUMENTS, FRACTION), (dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2, fraction), (CAUCHY_SCHWARZ,)
    )
    *state, level = np.broadcast_arrays(*given)
    if not (level < 1).all():
        raise ValueError(f"fraction: got {level.max()}, needs numbers below 1; the final distance takes infinite time")
    scales, distance = _compiled()
    with np.errstate(all="ignore"):
        final, mu, rate = np.broadcast_arrays(*scales(*state))
        if not (state[0] < level * final).all():
            index = np.unravel_index(np.argmin(level * final - state[0]), level.shape)
            raise ValueError(
                f"dh2_0: got {state[0][index]}, needs a number below the fraction of the final squared distance, "
                f"{(level * final)[index]}, for there to be an escape"
            )
        bracket = np.ldexp(1.0, _DOUBLINGS) / (2 * mu)
        found = elementwise.find_root(
            lambda time, level, final, *state: distance(time, *state) - level * final,
            (np.zeros_like(mu), bracket),
            args=(level, final, *state),
            tolerances={"xrtol": 4 * np.finfo(np.float64).eps, "xatol": 0, "fatol": 0, "frtol": 0},
            maxiter=500,
        )
    if not (found.success | (rate == 0)).all():
        raise ArithmeticError("the escape time was not found to double precision; evaluate() the closed form instead")
    return np.where(rate == 0, np.inf, found.x)[()]
