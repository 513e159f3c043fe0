r"""Numerical two-point trajectories from the complete solution of Eq. (7), for arrays of times and parameters."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from theory.core.arguments import in_domain, one_or_more
from theory.core.backends import load
from theory.core.backends.compiler import compile_expression
from theory.two_point import solution
from theory.two_point.symbols import CAUCHY_SCHWARZ, INITIAL_STATE, RATES_AND_DATA, TIME

PARAMETERS = (*INITIAL_STATE, *RATES_AND_DATA)


@cache
def _curves() -> Callable[..., tuple[NDArray[np.float64], ...]]:
    """Return the three curves of the solution, compiled together so that they share subexpressions."""
    curves = sp.Tuple(solution.representation_distance_at, solution.output_distance_at, solution.alignment_at)
    return compile_expression(curves, [argument.symbol for argument in (TIME, *PARAMETERS)], load("numpy"))


def trajectory(
    t: ArrayLike,
    dh2_0: ArrayLike,
    dy2_0: ArrayLike,
    w_0: ArrayLike,
    tau_h: ArrayLike,
    tau_y: ArrayLike,
    dx2: ArrayLike,
    target2: ArrayLike,
    *,
    validate: bool = True,
) -> NDArray[np.float64]:
    """Return the squared representational distance, squared output distance and alignment during training.

    Args:
        t: times since the initial state, [time] or a single one; any order.
        dh2_0: initial squared distance of the representations, representation^2, positive.
        dy2_0: initial squared distance of the predicted outputs, output^2, nonnegative.
        w_0: initial alignment ``|dy|^2 - dy.(y2 - y1)``, output^2.
        tau_h: time constant of the encoder, as in Eq. (7), in the unit of ``t``.
        tau_y: time constant of the decoder, as in Eq. (7), in the unit of ``t``.
        dx2: squared distance of the inputs, input^2, positive.
        target2: squared distance of the target outputs, output^2, nonnegative.
            All parameters are numbers or arrays of one broadcast shape [...].
        validate: False leaves out all checks of the arguments, for float64 arrays that are known to be good.

    Returns:
        Array [3, ..., time]: ``dh2``, ``dy2``, ``w``.

    Raises:
        TypeError: if an argument is not a real number or an array of them.
        ValueError: if an argument is empty, not finite or outside its domain, or the initial state violates
            ``(dy2_0 - w_0)^2 <= dy2_0 * target2`` (Cauchy and Schwarz).
        ArithmeticError: if a value exceeds the range of double precision.

    Source: van Rossem & Saxe (2024), Eq. (7); the solution is not in the paper (``theory.two_point.solution``).
    """
    given = (dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2)
    if validate:
        times = one_or_more("t", in_domain((TIME,), (t,))[0])
        parameters = in_domain(PARAMETERS, given, (CAUCHY_SCHWARZ,))
    else:
        times, parameters = np.atleast_1d(t), [np.asarray(value, dtype=np.float64) for value in given]
    with np.errstate(all="ignore"):  # values that are not finite raise an error below
        curves = _curves()(times, *(parameter[..., None] for parameter in parameters))
    shape = np.broadcast_shapes(*(parameter.shape for parameter in parameters))
    result = np.stack([np.broadcast_to(curve, (*shape, times.size)) for curve in curves])
    if not np.isfinite(result).all():
        raise ArithmeticError("the trajectory overflows double precision; the closed forms evaluate() at any precision")
    return result if np.ndim(t) else result[..., 0]
