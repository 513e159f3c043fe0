r"""The rates at which the two-point dynamics leaves the plateau and relaxes to its final state.

These are the eigenvalues of ``fixed_points`` as functions of the initial state. With :math:`R =
\sqrt{A_\mathrm{high}^2 + 4 A_\mathrm{low}^2}`, the component of the predicted difference along the target difference
relaxes at the rate :math:`R/(2\tau_y)`. Nearly merged representations separate at the rate :math:`(A_\mathrm{high} +
R)/(2\tau_y)`; at the same rate the component of the predicted difference across the target difference finally decays.

*Large initial weights*, the lazy regime: weights larger by a factor :math:`\sqrt G` in each layer multiply ``dh2`` by
*G*, and ``dy2`` and ``w`` by :math:`G^2`. Eq. (7) for the new state, in time :math:`t/G`, is Eq. (7) for the old one
with ``target2`` divided by :math:`G^2`. So as *G* grows the system becomes that of identical outputs: no plateau, decay
at the rate :math:`|A_\mathrm{high}|/(2\tau_y)`, which itself grows like *G*. Deviation from the paper: with the change
of variables as printed in Eq. (42) the power of *G* in Eq. (43) is +2; the printed -2 belongs to the inverse change.
The limit also needs ``A_high`` to grow: where encoder and decoder are balanced, large weights are not lazy.
"""

from functools import cache

import sympy as sp

from theory.core import ClosedForm, Premise, Source, Status, applied
from theory.core.proof.premises import with_lemmas
from theory.two_point import symbols
from theory.two_point.final_distance import family, stationary_distance
from theory.two_point.fixed_points import A_high as A_HIGH
from theory.two_point.fixed_points import A_low as A_LOW
from theory.two_point.fixed_points import FixedPoint, R, fixed_points
from theory.two_point.symbols import (
    A_high,
    A_low_squared,
    dh2_0,
    dy2_0,
    target2,
    tau_y,
)

LAZY = "the initial weights are large, and |A_high| much larger than A_low"
G = sp.Symbol("G", positive=True)
larger = {dh2_0: G * dh2_0, dy2_0: G**2 * dy2_0}
smaller_target = {target2: target2 / G**2}
settling_rate = sp.Abs(A_high) / (2 * tau_y)

relaxation = (R / (2 * tau_y)).xreplace({A_HIGH: A_high, A_LOW: sp.sqrt(A_low_squared)})
# A_high + R is twice the final distance, whose expression does not cancel at negative A_high.
growth = stationary_distance / tau_y

LEVELS = Premise(
    "A_high = dh2_0 - tau_y/tau_h dx2 dy2_0/dh2_0, A_low^2 = tau_y/tau_h dx2 target2, Eq. (11)",
    sp.Matrix([A_high, sp.sqrt(A_low_squared)]),
)
rate = sp.Symbol("rate", positive=True)
DECAYS = Premise("a perturbation that decays like exp(-rate t) has the eigenvalue -rate", -rate)
GROWS = Premise("a perturbation that grows like exp(rate t) has the eigenvalue rate", rate)


def _form(
    name: str, meaning: str, expression: sp.Expr, point: FixedPoint, equation: str
) -> ClosedForm:
    eigenvalue = sp.Subs(point.eigenvalues[0], (A_HIGH, A_LOW), tuple(LEVELS.expression))
    claim = f"the rate is the first eigenvalue of the {point.name} state"
    motion = DECAYS if point.stable else GROWS
    (stated,) = (step for step in point.steps if step.mentions(point.eigenvalues[0]))
    return symbols.linear_form(
        name=f"two_point.{name}",
        meaning=meaning,
        arguments=(symbols.DH2_0, symbols.DY2_0, *symbols.RATES_AND_DATA),
        expression=expression,
        steps=with_lemmas(
            symbols.by_sign(
                f"{claim}, A_high",
                sp.Subs(motion.expression, rate, expression),
                eigenvalue,
                "A_high and A_low in terms of the initial state, Eq. (11)",
                family,
                (stated, LEVELS, motion),
            )
        ),
        sources=(Source("vanrossem2024", equation),),
        letters=symbols.LETTERS,
    )


@cache
def relaxation_rate() -> ClosedForm:
    """Return the rate at which the outputs relax to their targets, 1/time. Source: Eqs. (29) to (31)."""
    meaning = "Rate at which the difference of the outputs relaxes along the target difference."
    return _form("relaxation_rate", meaning, relaxation, fixed_points()[0], "Eqs. (29) to (31)")


@cache
def growth_rate() -> ClosedForm:
    """Return the rate at which nearly merged representations separate, 1/time. Source: Eq. (35)."""
    return _form(
        "growth_rate",
        "Rate at which nearly merged representations separate.",
        growth,
        fixed_points()[1],
        "Eq. (35)",
    )


def lazy_rate() -> ClosedForm:
    """Return the rate, in 1/time, at which outputs converge from large initial weights. Source: Eqs. (41) to (43)."""
    scales = applied(
        "the velocity of the error, relative to it, for larger weights is that for smaller targets",
        G * relaxation_rate().expression.subs(smaller_target),
        relaxation_rate(),
        larger,
        because="substitution; time counts in units of 1/G",
    )
    return ClosedForm(
        name="two_point.lazy_rate",
        meaning="Rate at which the outputs settle along their target difference from large initial weights.",
        arguments=(symbols.DH2_0, symbols.DY2_0, *symbols.RATES_AND_DATA[:3]),
        expression=settling_rate,
        assumptions=(LAZY, symbols.NO_ROTATION),
        steps=(
            scales,
            applied(
                "the relaxation rate without a target",
                settling_rate,
                relaxation_rate(),
                {target2: sp.S.Zero},
                because="target2/G^2 vanishes",
                uses=(scales, LAZY),
            ),
        ),
        sources=(Source("vanrossem2024", "Eqs. (41) to (43), corrected"),),
        status=Status.DERIVED,
        letters=symbols.LETTERS,
    )
