r"""Training loss of two points, from the state and the mean output.

Half the mean squared error over the two points separates into the error of the mean output, which decays exponentially with
its own time constant, and that of the difference, :math:`\tfrac18 \|dy - (y_2 - y_1)\|^2`.
"""

from __future__ import annotations

import sympy as sp

from theory.core import Argument, ClosedForm, Source, Status, Step
from theory.two_point.dynamics import dy, error, linearised_loss, mean_output, targets, v
from theory.two_point.symbols import DY2, TARGET2, TIME, W, dy2, mean2_0, t, target2, tau_mean, w

MEAN2_0 = Argument(mean2_0, "initial squared distance of the mean output from the mean target", unit="output^2", sample=(0, 1))
TAU_MEAN = Argument(tau_mean, "time constant of the mean output", unit="time", sample=(0.5, 3))

squared_error = mean2_0 * sp.exp(-2 * t / tau_mean) / 2 + (w + (target2 - dy2) / 2) / 4

offset = sp.Matrix(sp.symbols("o1:4", real=True))
mean_over_time = sp.Matrix([sp.Function(f"m{i}")(t) for i in (1, 2, 3)])


def loss_at_state() -> ClosedForm:
    """Half the mean squared error, output^2. Source: van Rossem & Saxe, Eq. (9)."""
    decaying = {m: (a + b) / 2 + o * sp.exp(-t / tau_mean) for m, a, b, o in zip(mean_output, *targets, offset, strict=True)}
    return ClosedForm(
        name="two_point.loss",
        meaning="Half the mean squared error over the two points.",
        arguments=(TIME, DY2, W, TAU_MEAN, TARGET2, MEAN2_0),
        expression=squared_error,
        assumptions=("encoder and decoder are linear between the two points",),
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
        sources=(Source("vanrossem2024", "Eqs. (9), (22)", "arXiv v2"),),
        status=Status.DERIVED,
    )
