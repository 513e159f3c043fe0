r"""The time at which the two representations coincide and pass through each other.

If the outputs start on the wrong side of their targets and the decoder is the stronger layer, training first reverses
the encoder: ``dh`` shrinks to zero and then grows in the opposite direction. Eq. (7) divides by ``dh2`` and is singular
at that time; the variables of ``theory.two_point.solution`` are smooth there. The signed length of ``dh`` is
proportional to ``stretch``, so the crossing time is the zero of ``stretch``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from theory.core import ClosedForm, Condition, Source, Status
from theory.core.formula.arguments import in_domain
from theory.core.formula.rounding import log1p
from theory.core.numbers.backends import load
from theory.core.numbers.backends.compiler import compile_expression
from theory.two_point import solution as s
from theory.two_point.symbols import CAUCHY_SCHWARZ, INITIAL_STATE, LINEAR, NO_ROTATION, RATES_AND_DATA, both_signs, t

ARGUMENTS = (*INITIAL_STATE, *RATES_AND_DATA)
WRONG_SIDE = Condition(sp.Lt(s.escape_rate, 0), "the outputs start far enough on the wrong side of their targets")

time_of_zero = log1p(-2 * s.mu / s.escape_rate) / (2 * s.mu)


def crossing_time_form() -> ClosedForm:
    """Return the closed form of the time at which ``dh`` passes through zero."""
    return ClosedForm(
        name="two_point.crossing_time",
        meaning="Time at which the two representations coincide and pass through each other.",
        arguments=ARGUMENTS,
        expression=time_of_zero,
        assumptions=(LINEAR, NO_ROTATION),
        conditions=(CAUCHY_SCHWARZ, WRONG_SIDE),
        steps=both_signs(
            "the squared distance vanishes, delta",
            sp.Subs(s.representation_distance_at, t, time_of_zero),
            sp.S.Zero,
            "stretch is a sum of two exponentials",
            s.family,
            (s.representation_distance(),),
        ),
        sources=(Source("vanrossem2024", "Eq. (7); not in the paper"),),
        status=Status.DERIVED,
    )


@cache
def _rate_and_time() -> Callable[..., tuple[NDArray[np.float64], NDArray[np.float64]]]:
    symbols = [argument.symbol for argument in ARGUMENTS]
    return compile_expression(sp.Tuple(s.escape_rate, time_of_zero), symbols, load("numpy"))


def crossing_time(
    dh2_0: ArrayLike,
    dy2_0: ArrayLike,
    w_0: ArrayLike,
    tau_h: ArrayLike,
    tau_y: ArrayLike,
    dx2: ArrayLike,
    target2: ArrayLike,
) -> NDArray[np.float64]:
    """Return the time at which ``dh`` passes through zero, and ``inf`` where it never does.

    Args:
        dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2: initial state, time constants and data as for ``trajectory``;
            numbers or arrays of one broadcast shape [...].

    Returns:
        Array of shape [...], in the unit of ``tau_h``.

    Raises:
        TypeError, ValueError: under the same conditions as ``trajectory``.

    >>> round(float(crossing_time(0.69, 1.0, 1.7, 2.8, 1.4, 1.3, 0.78)), 4)
    6.1693
    """
    values = in_domain(ARGUMENTS, (dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2), (CAUCHY_SCHWARZ,))
    with np.errstate(all="ignore"):  # the logarithm is undefined where dh never vanishes
        rate, time = np.broadcast_arrays(*_rate_and_time()(*values))
    return np.where(rate < 0, time, np.inf)[()]
