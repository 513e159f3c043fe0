r"""Numerical two-point trajectories from the complete solution of Eq. (7), for arrays of times and parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from closedform.checks import boolean
from theory.core.numbers.arguments import in_domain, one_or_more
from theory.two_point import solution
from theory.two_point.symbols import CAUCHY_SCHWARZ, PARAMETERS, TIME, compiled

_AT_ONCE = 2**15  # values of each curve, whose temporary arrays stay in the cache


@cache
def _smaller() -> Callable[..., Any]:
    """Return the number whose sign decides between the cases of the alignment, as a function of the parameters."""
    return compiled(solution.smaller, *PARAMETERS)


@cache
def _body(sign: int) -> Callable[..., tuple[Any, ...]]:
    """Return the three curves, which share subexpressions, as a function of times and parameters of one case."""
    alignment = solution.alignment_at.xreplace({solution.smaller: sp.Integer(sign)})
    curves = sp.Tuple(solution.representation_distance_at, solution.output_distance_at, alignment)
    of_span = solution.learned_0 * solution.lambda_minus + solution.decoder_rate
    curves = curves.xreplace(
        {solution.predicted: solution.learned_0 * solution.decay + of_span * solution.span}
    )
    return compiled(curves, TIME, *PARAMETERS)


def _curves(
    times: NDArray[np.float64], parameters: Sequence[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Return the curves [3, set, time] at times [time] or [set, time], for parameters [set]."""
    size = times.shape[-1]
    out = np.empty((3, parameters[0].size, size))
    is_other_case = np.broadcast_to(_smaller()(*parameters) < 0, parameters[0].shape)
    together = max(1, _AT_ONCE // size)
    for sign, of_case in (
        (1, np.flatnonzero(~is_other_case)),
        (-1, np.flatnonzero(is_other_case)),
    ):
        for start in range(0, of_case.size, together):
            sets = of_case[start : start + together]
            at = times[sets] if times.ndim > 1 else times[None]
            columns = [parameter[sets, None] for parameter in parameters]
            for begin in range(0, size, _AT_ONCE):
                part = slice(begin, begin + _AT_ONCE)
                for curve, value in zip(out, _body(sign)(at[:, part], *columns), strict=True):
                    curve[sets, part] = value
    return out


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
        validate: False leaves out all checks of the arguments, for float64 arrays that are known to be good; parameters
            that are arrays [set] may then have times of their own, [set, time].

    Returns:
        Array [3, ..., time]: ``dh2``, ``dy2``, ``w``.

    Raises:
        TypeError: if an argument is not a real number or an array of them.
        ValueError: if an argument is empty, not finite or outside its domain, or the initial state violates
            ``(dy2_0 - w_0)^2 <= dy2_0 * target2`` (Cauchy and Schwarz).
        ArithmeticError: if a value exceeds the range of double precision.

    Source: van Rossem & Saxe (2024), Eq. (7); the solution is not in the paper (``theory.two_point.solution``).

    >>> trajectory([0, 5, 10], 0.01, 0.01, 0, 1, 1, 1, 1)[0].round(4).tolist()
    [0.01, 0.0992, 0.5019]
    """
    values = (dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2)
    if boolean("validate", validate):
        times = one_or_more("t", in_domain((TIME,), (t,))[0])
        parameters = in_domain(PARAMETERS, values, (CAUCHY_SCHWARZ,))
    else:
        times, parameters = (
            np.atleast_1d(t),
            [np.asarray(value, dtype=np.float64) for value in values],
        )
    columns = np.broadcast_arrays(*parameters)
    with np.errstate(all="ignore"):  # values that are not finite raise an error below
        curves = _curves(times, [column.reshape(-1) for column in columns])
    if not np.isfinite(curves).all():
        raise ArithmeticError(
            "the trajectory overflows double precision; the closed forms evaluate() at any precision"
        )
    result = curves.reshape(3, *columns[0].shape, times.shape[-1])
    return result if np.ndim(t) else result[..., 0]
