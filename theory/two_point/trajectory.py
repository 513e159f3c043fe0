r"""Numerical two-point trajectories from the complete solution of Eq. (7), for arrays of times and parameters."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from closedform.checks import boolean
from theory.core.formula.arguments import in_domain, one_or_more
from theory.core.formula.special import phi1
from theory.core.numbers.backends import load
from theory.core.numbers.backends.array_program import ArrayProgram
from theory.core.numbers.backends.compiler import compile_expression
from theory.core.numbers.backends.many_points import checks
from theory.core.numbers.backends.number_parts import separated
from theory.core.numbers.backends.program_code import Test
from theory.two_point import solution
from theory.two_point.symbols import CAUCHY_SCHWARZ, INITIAL_STATE, RATES_AND_DATA, TIME

PARAMETERS = (*INITIAL_STATE, *RATES_AND_DATA)


_NUMBERS = {float, int, np.float64}


def _body(alignment: sp.Expr) -> Callable[..., tuple[NDArray[np.float64], ...]]:
    """Return the three curves of the solution, compiled together so that they share subexpressions."""
    curves = sp.Tuple(solution.representation_distance_at, solution.output_distance_at, alignment)
    symbols = [argument.symbol for argument in PARAMETERS]
    of_span = solution.learned_0 * solution.lambda_minus + solution.decoder_rate
    curves = curves.xreplace({solution.predicted: solution.learned_0 * solution.decay + of_span * solution.span})
    parts, rest = separated(curves, symbols)
    t = TIME.symbol
    spans = {f: sp.Symbol(f"span_{i}", real=True) for i, f in enumerate(sorted(rest.atoms(phi1), key=str))}
    rest = rest.xreplace({f: span / t for f, span in spans.items()})
    of_numbers = compile_expression(sp.Tuple(*parts.values()), symbols, load("numpy"))
    of_spans = compile_expression(sp.Tuple(*(t * f for f in spans)), [t, *parts], load("numpy"))
    of_times = compile_expression(rest, [t, *symbols, *parts, *spans.values()], load("numpy"))

    def body(t: Any, *given: Any) -> tuple[NDArray[np.float64], ...]:
        numbers = of_numbers(*given)
        return of_times(t, *given, *numbers, *of_spans(t, *numbers))

    return body


@cache
def _program() -> ArrayProgram:
    """Return the curves at an array of times for one or more sets of parameters, without checks."""
    return ArrayProgram([True] + [False] * len(PARAMETERS), _body(solution.alignment_at))


@cache
def _checked_program(sign: int) -> ArrayProgram:
    """Return the curves at times for parameters that are numbers, with checks; sign 1 if the smaller part is across."""
    symbols = [argument.symbol for argument in (TIME, *PARAMETERS)]
    tolerated = CAUCHY_SCHWARZ.gap + CAUCHY_SCHWARZ.slack * CAUCHY_SCHWARZ.scale  # equality is common: scalar outputs
    tests = checks((TIME, *PARAMETERS), [(compile_expression(tolerated, symbols, load("numpy")), False)])
    smaller = compile_expression(solution.smaller, symbols, load("numpy"))
    alignment = solution.alignment_at.xreplace({solution.smaller: sp.Integer(sign)})
    tests.append(Test(lambda *given: sign * smaller(*given), "0.0 <=", ""))
    return ArrayProgram([True] + [False] * len(PARAMETERS), _body(alignment), tests, is_finite=True)


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
    given = (dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2)
    if boolean("validate", validate):
        curves = _of_numbers(t, given)
        if curves is not None:
            return curves
        times = one_or_more("t", in_domain((TIME,), (t,))[0])
        parameters = in_domain(PARAMETERS, given, (CAUCHY_SCHWARZ,))
    else:
        times, parameters = np.atleast_1d(t), [np.asarray(value, dtype=np.float64) for value in given]
    columns = np.broadcast_arrays(*parameters)
    with np.errstate(all="ignore"):  # values that are not finite raise an error below
        found = _program().of_sets([times], [column.reshape(-1) for column in columns])
    if not np.isfinite(found).all():
        raise ArithmeticError("the trajectory overflows double precision; the closed forms evaluate() at any precision")
    result = found.reshape(3, *columns[0].shape, times.shape[-1])
    return result if np.ndim(t) else result[..., 0]


def _of_numbers(t: ArrayLike, parameters: tuple[Any, ...]) -> NDArray[np.float64] | None:
    """Return the curves [3, time], or None where the general way is needed, which also explains errors."""
    if not (type(t) is np.ndarray and t.dtype == np.float64 and t.ndim == 1 and t.size):
        return None
    if not _NUMBERS.issuperset(map(type, parameters)):
        return None
    with np.errstate(all="ignore"):
        for sign in (1, -1):
            curves = _checked_program(sign)([t], parameters)
            if curves is not None:
                return curves
    return None
