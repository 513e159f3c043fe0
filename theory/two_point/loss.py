r"""Training loss of two points as a function of the state and of the mean output.

Half the mean squared error over the two points is the sum of two terms: the error of the mean output, which decays
exponentially with its own time constant, and the error of the difference of the outputs,
:math:`\tfrac18 \|dy - (y_2 - y_1)\|^2`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from theory.core import Argument, ClosedForm, Premise, Source, Status, Step
from theory.core.formula.rounding import compensated
from theory.core.numbers.arguments import in_domain, one_or_more
from theory.two_point import solution, symbols
from theory.two_point.dynamics import (
    FLOW,
    GRADIENTS,
    LOSS,
    STATE,
    dy,
    error,
    linearised_loss,
    mean_output,
    targets,
    v,
    velocity,
)
from theory.two_point.symbols import dy2, mean2_0, t, target2, tau_mean, w

MEAN2_0 = Argument(
    mean2_0,
    "initial squared distance of the mean output from the mean target",
    unit="output^2",
    sample=(0, 1),
    example=0.5,
    latex=r"\|\bar{y}_{0} - \bar{y}^{*}\|^{2}",
)
TAU_MEAN = Argument(
    tau_mean,
    "time constant of the mean output",
    unit="time",
    sample=(0.5, 3),
    example=1,
    latex=r"\tau_{\bar{y}}",
)
PARAMETERS = (*symbols.PARAMETERS, TAU_MEAN, MEAN2_0)

mean_error = mean2_0 * sp.exp(-2 * t / tau_mean) / 2
squared_error = mean_error + compensated(w + (target2 - dy2) / 2) / 4
# Along the exact solution both terms of the squared error are known separately. The state (dy2, w) gives only their
# difference, in which they cancel.
loss_along_solution = mean_error + solution.squared_error_at / 8

offset = sp.Matrix(sp.symbols("o1:4", real=True))
MEAN_ERROR = Premise(
    "mean2_0 is the squared distance of the initial mean output from the mean target",
    offset.dot(offset),
)


def loss_at_state() -> ClosedForm:
    """Return the closed form of half the mean squared error, output^2. Source: van Rossem & Saxe, Eq. (9)."""
    decaying = {
        m: (a + b) / 2 + o * sp.exp(-t / tau_mean)
        for m, a, b, o in zip(mean_output, *targets, offset, strict=True)
    }
    state = {
        dy2: dy.dot(dy),
        w: dy.dot(error),
        target2: v.dot(v),
        mean2_0: MEAN_ERROR.expression,
    }
    letters, curves = tuple(decaying), tuple(decaying.values())
    decays = Step(
        "the mean output decays exponentially to the mean target",
        sp.Matrix([sp.Derivative(curve, t) for curve in curves]),
        velocity(GRADIENTS[0].left.applyfunc(lambda m: sp.Subs(m, letters, curves)), tau_mean),
        because="gradient flow of the mean output, Eq. (18)",
        uses=(FLOW, GRADIENTS[0]),
    )
    return ClosedForm(
        name="two_point.loss",
        meaning="Half the mean squared error over the two points.",
        arguments=(symbols.TIME, symbols.DY2, symbols.W, TAU_MEAN, symbols.TARGET2, MEAN2_0),
        expression=squared_error,
        assumptions=(symbols.LINEAR,),
        conditions=(symbols.cauchy_schwarz(dy2, w),),
        steps=(
            GRADIENTS[0],
            decays,
            *symbols.by_sign(
                "Eq. (9) along the exact solution, delta",
                loss_along_solution,
                sp.Subs(
                    squared_error, (dy2, w), (solution.output_distance_at, solution.alignment_at)
                ),
                "|dy - v|^2 = |v|^2 (1 - learned)^2 + across",
                solution.family,
                (solution.output_distance(), solution.alignment()),
            ),
            Step(
                "Eq. (9) is the loss of explicit matrices",
                sp.Subs(squared_error, tuple(state), tuple(state.values())),
                sp.Subs(linearised_loss, tuple(decaying), tuple(decaying.values())),
                because="expansion of the squares",
                uses=(decays, LOSS, STATE, MEAN_ERROR),
            ),
        ),
        sources=(Source("vanrossem2024", "Eqs. (9), (22)"),),
        status=Status.DERIVED,
    )


@cache
def _compiled() -> Callable[..., NDArray[np.float64]]:
    return symbols.compiled(loss_along_solution, symbols.TIME, *PARAMETERS)


def loss(
    t: ArrayLike,
    dh2_0: ArrayLike,
    dy2_0: ArrayLike,
    w_0: ArrayLike,
    tau_h: ArrayLike,
    tau_y: ArrayLike,
    dx2: ArrayLike,
    target2: ArrayLike,
    tau_mean: ArrayLike,
    mean2_0: ArrayLike,
) -> NDArray[np.float64]:
    """Return the training loss along the exact trajectory: half the mean squared error over the two points.

    Args:
        t: times since the initial state, a number or an array of shape [time].
        dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2: initial state, time constants and data as for ``trajectory``;
            numbers or arrays of one broadcast shape [...].
        tau_mean: positive time constant of the mean output, in the unit of ``t``.
        mean2_0: nonnegative initial squared distance of the mean output from the mean target, output^2.

    Returns:
        Array of shape [..., time], output^2; without the last axis for a single time.

    Raises:
        TypeError, ValueError, ArithmeticError: under the same conditions as ``trajectory``.

    Source: van Rossem & Saxe (2024), Eq. (9).

    >>> loss([0, 5, 10], 0.01, 0.01, 0, 1, 1, 1, 1, tau_mean=1, mean2_0=0.5).round(4).tolist()
    [0.3738, 0.0987, 0.0165]
    """
    times = one_or_more("t", in_domain((symbols.TIME,), (t,))[0])
    values = (dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2, tau_mean, mean2_0)
    parameters = in_domain(PARAMETERS, values, (symbols.CAUCHY_SCHWARZ,))
    with np.errstate(all="ignore"):  # values that are not finite raise an error below
        result = _compiled()(times, *(parameter[..., None] for parameter in parameters))
    if not np.isfinite(result).all():
        raise ArithmeticError("the loss overflows double precision")
    return result if np.ndim(t) else result[..., 0]
