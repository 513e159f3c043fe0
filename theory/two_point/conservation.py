r"""The conserved quantity of the two-point dynamics.

One gradient drives encoder and decoder, so :math:`\tau_h \|dh\|^2/\|x_2 - x_1\|^2 - \tau_y \|dy\|^2/\|dh\|^2` is
constant during training. On a plot of ``dy2/dh2`` against ``dh2``, a network that follows the theory moves along a
straight line of slope ``tau_h / (tau_y dx2)``.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from theory.core import ClosedForm, Source, Status, Step
from theory.core.formula.rounding import compensated, written_out
from theory.two_point.dynamics import dh2_rate, dy2_rate
from theory.two_point.symbols import DH2, DX2, DY2, TAU_H, TAU_Y, dh2, dx2, dy2, tau_h, tau_y


@cache
def conserved_quantity() -> ClosedForm:
    """Return the difference of the squared strengths of the two layers, in the unit of time.

    Source: van Rossem & Saxe, Eq. (23).
    """
    expression = compensated(tau_h * dh2 / dx2 - tau_y * dy2 / dh2)
    return ClosedForm(
        name="two_point.conserved_quantity",
        meaning="Difference of encoder and decoder strength, which training leaves unchanged.",
        arguments=(DH2, DY2, TAU_H, TAU_Y, DX2),
        expression=expression,
        steps=(
            Step(
                "the conserved quantity is the encoder's strength where the predicted outputs coincide",
                sp.Subs(expression, dy2, 0),
                tau_h * dh2 / dx2,
                because="substitution; this fixes scale and sign, which the zero velocity does not",
                uses=(),
            ),
            Step(
                "the velocity of the conserved quantity under Eq. (7) is zero",
                sp.Derivative(expression, dh2) * dh2_rate().expression
                + sp.Derivative(expression, dy2) * dy2_rate().expression,
                sp.S.Zero,
                because="chain rule along the flow",
                uses=(dh2_rate(), dy2_rate()),
            ),
        ),
        sources=(Source("vanrossem2024", "Eq. (23)"),),
        status=Status.DERIVED,
    )


def dy2_on_orbit(level: sp.Expr) -> sp.Expr:
    """Return ``dy2`` as a function of ``dh2`` on the orbit on which the conserved quantity has the value ``level``."""
    conserved = written_out(conserved_quantity().expression)
    return (level - conserved.subs(dy2, 0)) / conserved.diff(dy2)
