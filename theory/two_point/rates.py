r"""How fast the two-point dynamics leaves the plateau, and how fast it settles.

The eigenvalues of ``fixed_points`` as functions of the initial state. With :math:`R = \sqrt{A_\mathrm{high}^2 + 4
A_\mathrm{low}^2}` the predicted difference settles along the target difference at :math:`R/(2\tau_y)`. At
:math:`(A_\mathrm{high} + R)/(2\tau_y)` nearly merged representations part, and in the end what is predicted across
the target difference fades.
"""

from __future__ import annotations

import sympy as sp

from theory.core import ClosedForm, Status, Step
from theory.two_point.final_distance import family
from theory.two_point.fixed_points import A_high as A_HIGH
from theory.two_point.fixed_points import A_low as A_LOW
from theory.two_point.fixed_points import R, fixed_points, slope
from theory.two_point.paper import paper
from theory.two_point.symbols import (
    DH2_0,
    DX2,
    DY2_0,
    LETTERS,
    TARGET2,
    TAU_H,
    TAU_Y,
    A_high,
    A_low_squared,
    dx2,
    tau_h,
    tau_y,
)

EXPLICIT = {A_HIGH: A_high, A_LOW: sp.sqrt(A_low_squared)}

relaxation = (R / (2 * tau_y)).xreplace(EXPLICIT)
growth = ((A_HIGH + R) / (2 * tau_y)).xreplace(EXPLICIT)


def _form(name: str, meaning: str, expression: sp.Expr, jacobian: sp.Matrix, sign: int, equation: str) -> ClosedForm:
    direction = sp.Matrix([1, -sign * expression * tau_h / dx2])
    return ClosedForm(
        name=f"two_point.{name}",
        meaning=meaning,
        arguments=(DH2_0, DY2_0, TAU_H, TAU_Y, DX2, TARGET2),
        expression=expression,
        assumptions=("encoder and decoder are linear between the two points", "dh does not rotate (Eq. 19)"),
        steps=tuple(
            Step(
                f"the Jacobian stretches its eigenvector at that rate, A_high {'>' if side > 0 else '<'} 0",
                sign * jacobian.xreplace(EXPLICIT) * direction,
                expression * direction,
                because="the first line of Eq. (7) ties w to the velocity of dh2",
                where=family(side),
            )
            for side in (+1, -1)
        ),
        sources=(paper(equation),),
        status=Status.DERIVED,
        letters=LETTERS,
    )


def relaxation_rate() -> ClosedForm:
    """Rate at which the outputs settle on their targets, 1/time. Source: van Rossem & Saxe, Eqs. (29) to (31)."""
    learned, _ = fixed_points()
    return _form(
        "relaxation_rate",
        "Rate at which the outputs settle along their target difference.",
        relaxation,
        learned.jacobian,
        -1,
        "Eqs. (29) to (31)",
    )


def growth_rate() -> ClosedForm:
    """Rate at which nearly merged representations part, 1/time. Source: van Rossem & Saxe, Eq. (35)."""
    _, merged = fixed_points()
    jacobian = merged.jacobian.subs(slope, merged.eigenvectors[0][1])
    return _form("growth_rate", "Rate at which nearly merged representations part.", growth, jacobian, +1, "Eq. (35)")
