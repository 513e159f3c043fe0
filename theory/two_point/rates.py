r"""The rates at which the two-point dynamics leaves the plateau and relaxes to its final state.

These are the eigenvalues of ``fixed_points`` as functions of the initial state. With :math:`R =
\sqrt{A_\mathrm{high}^2 + 4 A_\mathrm{low}^2}`, the component of the predicted difference along the target difference
relaxes at the rate :math:`R/(2\tau_y)`. Nearly merged representations separate at the rate :math:`(A_\mathrm{high} +
R)/(2\tau_y)`; at the same rate the component of the predicted difference across the target difference finally decays.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from theory.core import ClosedForm, Source, Status
from theory.two_point.final_distance import family, stationary_distance
from theory.two_point.fixed_points import A_high as A_HIGH
from theory.two_point.fixed_points import A_low as A_LOW
from theory.two_point.fixed_points import FixedPoint, R, fixed_points
from theory.two_point.symbols import (
    DH2_0,
    DX2,
    DY2_0,
    LETTERS,
    LINEAR,
    NO_ROTATION,
    TARGET2,
    TAU_H,
    TAU_Y,
    A_high,
    A_low_squared,
    both_signs,
    tau_y,
)

relaxation = (R / (2 * tau_y)).xreplace({A_HIGH: A_high, A_LOW: sp.sqrt(A_low_squared)})
# A_high + R is twice the final distance, whose expression does not cancel at negative A_high.
growth = stationary_distance / tau_y


def _form(name: str, meaning: str, expression: sp.Expr, point: FixedPoint, equation: str) -> ClosedForm:
    eigenvalue = sp.Subs(point.eigenvalues[0], (A_HIGH, A_LOW), (A_high, sp.sqrt(A_low_squared)))
    claim = f"the rate is the first eigenvalue of the {point.name} state{', with the sign of a decay' * point.stable}"
    return ClosedForm(
        name=f"two_point.{name}",
        meaning=meaning,
        arguments=(DH2_0, DY2_0, TAU_H, TAU_Y, DX2, TARGET2),
        expression=expression,
        assumptions=(LINEAR, NO_ROTATION),
        steps=(
            *point.steps,
            *both_signs(
                f"{claim}, A_high",
                expression,
                -eigenvalue if point.stable else eigenvalue,
                "A_high and A_low in terms of the initial state, Eq. (11)",
                family,
                point.steps,
            ),
        ),
        sources=(Source("vanrossem2024", equation),),
        status=Status.DERIVED,
        letters=LETTERS,
    )


@cache
def relaxation_rate() -> ClosedForm:
    """Return the rate at which the outputs relax to their targets, 1/time.

    Source: van Rossem & Saxe, Eqs. (29) to (31).
    """
    meaning = "Rate at which the difference of the outputs relaxes along the target difference."
    return _form("relaxation_rate", meaning, relaxation, fixed_points()[0], "Eqs. (29) to (31)")


@cache
def growth_rate() -> ClosedForm:
    """Return the rate at which nearly merged representations separate, 1/time. Source: van Rossem & Saxe, Eq. (35)."""
    return _form(
        "growth_rate", "Rate at which nearly merged representations separate.", growth, fixed_points()[1], "Eq. (35)"
    )
