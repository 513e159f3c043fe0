r"""Appendix A.1, first half: the linearised loss and its gradient, Eqs. (15) to (18)."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Finding, Reading, Step
from theory.papers.vanrossem2024.explicit_matrices import TwoPoints
from theory.papers.vanrossem2024.paper import entry
from theory.two_point.dynamics import (
    D_h,
    D_y,
    dh,
    dy,
    error,
    gradient,
    linearised_loss,
    mean_output,
    targets,
    u,
    v,
)
from theory.two_point.symbols import t, tau_h, tau_mean, tau_y

mean_target = (targets[0] + targets[1]) / 2
offset = sp.Matrix(sp.symbols("o1:4", real=True))
signs = ((-1, targets[0]), (1, targets[1]))


def averaged(per_point: list[sp.Matrix]) -> sp.Matrix:
    """The average over the two points."""
    return (per_point[0] + per_point[1]) / 2


flow_h, flow_y = -gradient(D_h) / tau_h, -gradient(D_y) / tau_y
average_h = averaged([D_y.T * D_y * D_h * u * u.T / 2 + s * D_y.T * (mean_output - y) * u.T for s, y in signs])
average_y = averaged([dy * dh.T / 2 + s * (mean_output - y) * dh.T for s, y in signs])
printed_h = -1 / tau_h * sp.Rational(1, 2) * D_y.T * (D_y * D_h * u - v) * u.T
printed_y = -1 / tau_y * sp.Rational(1, 2) * (D_y * D_h * u - v) * (D_h * u).T
corrected_h, corrected_y = -D_y.T * error * u.T / (4 * tau_h), -error * dh.T / (4 * tau_y)

WITNESS = {
    "D_h": [[1, 0], [2, 1]],
    "D_y": [[1, -1], [0, 1], [2, 1]],
    "x_2 - x_1": [1, 2],
    "y_2 - y_1": [3, 1, -1],
    "tau_h": 2,
    "tau_y": 3,
}


def _oracle() -> Reading:
    """Both velocities at the witness, from central differences of the loss."""
    given = {key: np.array(value, dtype=float) for key, value in WITNESS.items()}
    problem = TwoPoints(np.array([[0, 0], given["x_2 - x_1"]]), np.array([[0, 0, 0], given["y_2 - y_1"]]))
    _, slope_h, slope_y = problem.gradient((np.zeros(3), given["D_h"], given["D_y"]))
    point = {
        tau_h: 2,
        tau_y: 3,
        **dict(
            zip(
                [*D_h, *D_y, *u, *targets[0], *targets[1]],
                [1, 0, 2, 1, 1, -1, 0, 1, 2, 1, 1, 2, 0, 0, 0, 3, 1, -1],
                strict=True,
            )
        ),
    }
    printed, corrected = (
        [float(x) for x in [*a.subs(point), *b.subs(point)]]
        for a, b in ((printed_h, printed_y), (corrected_h, corrected_y))
    )
    return Reading(printed, corrected, [*(-slope_h / 2).ravel(), *(-slope_y / 3).ravel()], tolerance=1e-12)


X, C = sp.Matrix(2, 2, sp.symbols("X1:3_1:3", real=True)), sp.Matrix(2, 2, sp.symbols("C1:3_1:3", real=True))
a, b = sp.Matrix(sp.symbols("a1 a2", real=True)), sp.Matrix(sp.symbols("b1 b2", real=True))
decaying = mean_target + offset * sp.exp(-t / tau_mean)

EQUATIONS = (
    entry(
        "(15)",
        "A.1",
        "The linearisation around the mean of the two points.",
        Finding.CONFIRMED,
        "Both lines for y are the same once h is linear; how good the approximation is: Eq. (5).",
        printed=r"h(x_i) = h\left(\tfrac{x_2+x_1}{2}\right) + \tfrac{1}{2} D_h (x_i - x_{\neg i}), \quad y(x_i) = "
        r"y\left(h\left(\tfrac{x_2+x_1}{2}\right)\right) + \tfrac{1}{2} D_y (h(x_i) - h(x_{\neg i}))",
        steps=(
            Step(
                "third line from the second",
                D_y * ((offset[:2, :] + dh / 2) - (offset[:2, :] - dh / 2)),
                D_y * D_h * u,
                because="h is linear",
            ),
        ),
    ),
    entry(
        "(16)",
        "A.1",
        "The mean squared loss in this approximation.",
        Finding.CONFIRMED,
        "Expansion for explicit matrices.",
        printed=r"L = \frac{1}{2} \langle \|\bar{y} + \tfrac{1}{2} D_y D_h (x_i - x_{\neg i}) - y_i\|^2 "
        r"\rangle_{\mathcal{D}}",
        steps=(
            Step(
                "the loss that everything is derived from",
                sum((x.dot(x) for x in (mean_output + D_y * (D_h * (s * u)) / 2 - y for s, y in signs)), sp.S.Zero) / 4,
                linearised_loss,
                because="expansion",
            ),
        ),
    ),
    entry(
        "(17)",
        "A.1",
        "The gradient flow of the mean output, the encoder and the decoder.",
        Finding.MISPRINT,
        "The lines for the mean output and the second lines for D_h and D_y are right; the last lines for D_h and D_y "
        "are twice too large. Central differences of the loss side with 1/4.",
        printed=r"\dot{D}_h = -\frac{1}{\tau_h} \frac{1}{2} D_y^\top (D_y D_h (x_2-x_1) - (y_2-y_1)) (x_2-x_1)^\top, "
        r"\quad \dot{D}_y = -\frac{1}{\tau_y} \frac{1}{2} (D_y D_h (x_2-x_1) - (y_2-y_1)) (D_h (x_2-x_1))^\top",
        corrected=r"\dot{D}_h = -\frac{1}{\tau_h} \frac{1}{4} D_y^\top (D_y D_h (x_2-x_1) - (y_2-y_1)) (x_2-x_1)^\top, "
        r"\quad \dot{D}_y = -\frac{1}{\tau_y} \frac{1}{4} (D_y D_h (x_2-x_1) - (y_2-y_1)) (D_h (x_2-x_1))^\top",
        steps=(
            Step("mean output", gradient(mean_output), mean_output - mean_target, because="differentiation"),
            Step("second line for D_h", flow_h, -average_h / (2 * tau_h), because="differentiation"),
            Step("second line for D_y", flow_y, -average_y / (2 * tau_y), because="differentiation"),
            Step("last line for D_h, 1/4", flow_h, corrected_h, because="the mean output drops out"),
            Step("last line for D_y, 1/4", flow_y, corrected_y, because="the mean output drops out"),
        ),
        printed_steps=(
            Step("last line for D_h, 1/2", flow_h, printed_h),
            Step("last line for D_y, 1/2", flow_y, printed_y),
        ),
        witness=WITNESS,
        oracle=_oracle,
        consequence="Eqs. (7) and (20) to (48) follow from the printed last lines, so their tau_h and tau_y are twice "
        "those of Eq. (6). Shapes, fits and the final distance do not change.",
    ),
    entry(
        "A.1 first identity",
        "A.1",
        "Derivative of a' X b.",
        Finding.CONFIRMED,
        "Explicit 2 x 2 matrices.",
        printed=r"\frac{\partial a^\top X b}{\partial X} = a b^\top",
        steps=(Step("a' X b", (a.T * X * b)[0].diff(X), a * b.T, because="differentiation"),),
    ),
    entry(
        "A.1 second identity",
        "A.1",
        "Derivative of a' X' C X a.",
        Finding.CONFIRMED,
        "Explicit 2 x 2 matrices.",
        printed=r"\frac{\partial a^\top X^\top C X a}{\partial X} = (C + C^\top) X a a^\top",
        steps=(
            Step("a' X' C X a", (a.T * X.T * C * X * a)[0].diff(X), (C + C.T) * X * a * a.T, because="differentiation"),
        ),
    ),
    entry(
        "(18)",
        "A.1",
        "The mean output decays exponentially to the mean target.",
        Finding.CONFIRMED,
        "It solves the first line of Eq. (17). Its y(0) is the mean output at time 0.",
        printed=r"\bar{y}(t) = \frac{y_2 + y_1}{2} + \left(y(0) - \frac{y_2 + y_1}{2}\right) e^{-t/\tau_{\bar{y}}}",
        steps=(
            Step("solves Eq. (17)", decaying.diff(t), -(decaying - mean_target) / tau_mean, because="differentiation"),
            Step("starts at y(0)", decaying.subs(t, 0), mean_target + offset, because="evaluation"),
        ),
    ),
)
