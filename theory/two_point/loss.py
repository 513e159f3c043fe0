r"""Training loss of two points, from the state and the mean output.

Half the mean squared error over the two points separates into the error of the mean output, which decays
exponentially with its own time constant, and that of the difference, :math:`\tfrac18 \|dy - (y_2 - y_1)\|^2`.
"""

from __future__ import annotations

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from theory.core import Argument, ClosedForm, Source, Status, Step
from theory.core.arguments import in_domain, one_or_more
from theory.two_point.dynamics import dy, error, linearised_loss, mean_output, targets, v
from theory.two_point.symbols import DY2, TARGET2, TIME, W, cauchy_schwarz, dy2, mean2_0, t, target2, tau_mean, w
from theory.two_point.trajectory import trajectory

MEAN2_0 = Argument(
    mean2_0,
    "initial squared distance of the mean output from the mean target",
    unit="output^2",
    sample=(0, 1),
    latex=r"\|\bar{y}_{0} - \bar{y}^{*}\|^{2}",
)
TAU_MEAN = Argument(tau_mean, "time constant of the mean output", unit="time", sample=(0.5, 3), latex=r"\tau_{\bar{y}}")

squared_error = mean2_0 * sp.exp(-2 * t / tau_mean) / 2 + (w + (target2 - dy2) / 2) / 4

offset = sp.Matrix(sp.symbols("o1:4", real=True))


def loss_at_state() -> ClosedForm:
    """Half the mean squared error, output^2. Source: van Rossem & Saxe, Eq. (9)."""
    decaying = {
        m: (a + b) / 2 + o * sp.exp(-t / tau_mean) for m, a, b, o in zip(mean_output, *targets, offset, strict=True)
    }
    return ClosedForm(
        name="two_point.loss",
        meaning="Half the mean squared error over the two points.",
        arguments=(TIME, DY2, W, TAU_MEAN, TARGET2, MEAN2_0),
        expression=squared_error,
        assumptions=("encoder and decoder are linear between the two points",),
        conditions=(cauchy_schwarz(dy2, w),),
        steps=(
            Step(
                "the mean output decays exponentially to the mean target",
                (-linearised_loss.diff(mean_output) / tau_mean).xreplace(decaying),
                mean_output.xreplace(decaying).diff(t),
                because="gradient flow of the mean output, Eq. (18)",
            ),
            Step(
                "Eq. (9) is the loss of explicit matrices",
                squared_error,
                linearised_loss.xreplace(decaying),
                because="expansion of the squares",
                where={dy2: dy.dot(dy), w: dy.dot(error), target2: v.dot(v), mean2_0: offset.dot(offset)},
            ),
        ),
        sources=(Source("vanrossem2024", "Eqs. (9), (22)"),),
        status=Status.DERIVED,
    )


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
    """Training loss along the exact trajectory: half the mean squared error over the two points.

    Args:
        t: times since the initial state, [time] or a single one. dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2: as
        for ``trajectory``; numbers or arrays of one broadcast shape [...]. tau_mean: time constant of the mean
        output, positive, in the unit of ``t``. mean2_0: initial squared distance of the mean output from the mean
        target, output^2, nonnegative.

    Returns:
        Array [..., time], output^2.

    Raises:
        TypeError, ValueError: as ``trajectory``.

    Source: van Rossem & Saxe (2024), Eq. (9).
    """
    times = one_or_more("t", in_domain((TIME,), (t,))[0])
    rate, mean, target = (x[..., None] for x in in_domain((TAU_MEAN, MEAN2_0, TARGET2), (tau_mean, mean2_0, target2)))
    _, dy2_at, w_at = trajectory(times, dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2)
    result = loss_at_state().function("numpy", validate=False)(
        t=times, dy2=dy2_at, w=w_at, tau_mean=rate, target2=target, mean2_0=mean
    )
    return result if np.ndim(t) else result[..., 0]
