r"""Sections 4.1 and 4.2: the final distance and its two regimes, Eqs. (10) to (13)."""

from __future__ import annotations

import math

import sympy as sp

from theory.core import Finding, Step
from theory.papers.vanrossem2024.final_distance import high, low_squared, minus, plus
from theory.papers.vanrossem2024.paper import entry
from theory.two_point import symbols as s
from theory.two_point.final_distance import family, final_distance, stationary_distance
from theory.two_point.fixed_points import OPENED, A_high, A_low, fixed_points
from theory.two_point.symbols import dh2_0, dx2, dy2_0, target2, tau_h, tau_y

low = sp.sqrt(tau_y / tau_h) * sp.sqrt(dx2) * sp.sqrt(target2)
final = sp.Rational(1, 2) * high + sp.sqrt(sp.Rational(1, 4) * high**2 + low_squared)
gain, factor = sp.symbols("gain factor", positive=True)
learned, merged = fixed_points()


def final_number(
    encoder: float, decoder: float, *, ratio: float = 1.0, dx2: float = 1.0, target2: float = 1.0
) -> float:
    """Eq. (10) from dh2(0)/dx2, dy2(0)/dh2(0), tau_y/tau_h and the data."""
    half = (encoder - ratio * decoder) * dx2 / 2
    return half + math.sqrt(half**2 + ratio * dx2 * target2)


def _large_weights_forgotten() -> bool:
    """Both ratios 100: A_high = 0, and the final distance is A_low = 1. Ratios 100 and 1e4: near 0, A_high = -9900."""
    return abs(final_number(100, 100) - 1) < 1e-12 and final_number(100, 1e4) < 2e-4


def _small_but_not_small_enough() -> bool:
    """Both ratios at most 0.01, targets 1e-4 apart: the final distance is 90 times A_low."""
    return final_number(1e-2, 1e-3, target2=1e-8) > 80 * math.sqrt(1e-8)


def _shrinks_at_large_weights() -> bool:
    """Both ratios 100 and 99: the representations end fifty times closer than they began."""
    return final_number(100, 99) < 0.02 * 100


SCALED = {dh2_0: gain * dh2_0, dy2_0: gain**2 * dy2_0}  # both weights times sqrt(gain)

EQUATIONS = (
    entry(
        "(10)",
        "4.1",
        "The stable fixed point.",
        Finding.CONFIRMED,
        "Derived, and equal to the form computed here, which has no cancellation.",
        printed=plus,
        closed_form="two_point.final_distance",
        steps=(
            *final_distance().steps,
            *(
                Step(
                    f"the form here, A_high {'>' if sign > 0 else '<'} 0",
                    final,
                    stationary_distance,
                    because="rationalised",
                    where=family(sign),
                )
                for sign in (1, -1)
            ),
        ),
    ),
    entry(
        "4.1 only one",
        "4.1",
        "There is only one stable fixed point.",
        Finding.CONFIRMED,
        "Of the three candidates of Eq. (27) one is negative, one has a positive eigenvalue, one has two negative ones "
        "(identical targets: see 'A.3 unstable').",
        steps=(
            Step(
                "first eigenvalue at Eq. (10), a negative one",
                learned.eigenvalues[0].subs(OPENED),
                -sum(x**2 for x in sp.symbols("p m", positive=True)) / (2 * tau_y),
                because="the root opens",
            ),
            Step(
                "second eigenvalue at Eq. (10), a negative one",
                learned.eigenvalues[1].subs(OPENED),
                -(sp.Symbol("p", positive=True) ** 2) / tau_y,
                because="the root opens",
            ),
            Step(
                "an eigenvalue at dh2 = 0, a positive one",
                merged.eigenvalues[0].subs(OPENED),
                sp.Symbol("p", positive=True) ** 2 / tau_y,
                because="the root opens",
            ),
            Step(
                "the third candidate, negative",
                minus.subs(OPENED),
                -(sp.Symbol("m", positive=True) ** 2),
                because="the root opens",
            ),
        ),
    ),
    entry(
        "(11)",
        "4.1",
        "A_high and A_low.",
        Finding.DEFINITION,
        "The same as Eq. (28).",
        printed=sp.Tuple(
            sp.Eq(sp.Symbol("A_high", real=True), high, evaluate=False),
            sp.Eq(sp.Symbol("A_low", positive=True), low, evaluate=False),
        ),
        steps=(
            Step("A_high", high, s.A_high, because="expansion"),
            Step("A_low^2", low**2, s.A_low_squared, because="expansion"),
        ),
    ),
    entry(
        "(12)",
        "4.1",
        "For dh2(0)/dx2 and dy2(0)/dh2(0) much larger than 1 the final distance converges to A_high.",
        Finding.CONDITIONAL,
        "Limit of Eq. (10) for A_high > 0; two numbers where it is not.",
        condition="A_high is positive and much larger than A_low",
        printed=r"\frac{\|dh(0)\|^2}{\|x_2-x_1\|^2}, \frac{\|dy(0)\|^2}{\|dh(0)\|^2} \gg 1",
        steps=(
            Step(
                "ratio to A_high for large weights, A_high > 0",
                sp.Limit(plus.subs(A_high, gain * sp.Abs(A_high)) / (gain * sp.Abs(A_high)), gain, sp.oo),
                sp.S.One,
                because="limit",
            ),
            Step("A_high grows with the weights", high.subs(SCALED, simultaneous=True), gain * high, because="scaling"),
        ),
        counterexample=_large_weights_forgotten,
        consequence="A_high is a difference of two large numbers. Where it is negative the final distance is about "
        "A_low^2/|A_high|, small; where it cancels, A_low.",
    ),
    entry(
        "(13)",
        "4.1",
        "For dh2(0)/dx2 and dy2(0)/dh2(0) much smaller than 1 the final distance converges to A_low.",
        Finding.CONDITIONAL,
        "Limit of Eq. (10) at fixed data; a number with nearly identical targets.",
        condition="both are so small that |A_high| is much smaller than A_low",
        printed=r"\frac{\|dh(0)\|^2}{\|x_2-x_1\|^2}, \frac{\|dy(0)\|^2}{\|dh(0)\|^2} \ll 1",
        steps=(
            Step("limit at fixed data", sp.Limit(plus.subs(A_high, gain * A_high), gain, 0), A_low, because="limit"),
        ),
        counterexample=_small_but_not_small_enough,
        consequence="How small is small depends on the data: pairs with nearly equal targets are the last to become "
        "structured.",
    ),
    entry(
        "4.1 dependence",
        "4.1",
        "A_high depends on the inputs and the initialisation, A_low on inputs and outputs.",
        Finding.CONFIRMED,
        "Derivatives that vanish.",
        steps=(
            Step("A_high on the targets", high.diff(target2), sp.S.Zero, because="differentiation"),
            Step("A_low on the initial dh2", low.diff(dh2_0), sp.S.Zero, because="differentiation"),
            Step("A_low on the initial dy2", low.diff(dy2_0), sp.S.Zero, because="differentiation"),
        ),
    ),
    entry(
        "4.2 unknowns",
        "4.2",
        "The two effective learning rates are the only unknowns at small initial weights.",
        Finding.CONFIRMED,
        "Indeed A_low holds only their ratio, so one number extrapolates to all data.",
        steps=(
            Step(
                "A_low with both time constants changed by one factor",
                low.subs({tau_h: factor * tau_h, tau_y: factor * tau_y}, simultaneous=True),
                low,
                because="cancellation",
            ),
        ),
    ),
    entry(
        "4.2 and Figure 5",
        "4.2",
        "Final distances at other data, predicted from rates fitted at one choice of data.",
        Finding.OPEN,
        "A matter of measurement.",
    ),
    entry(
        "4.3 large weights",
        "4.3",
        "At large weights the representational structure at initialisation dominates and need not adjust.",
        Finding.CONDITIONAL,
        "Eq. (10) over its initial value, in the limit of large weights.",
        condition="(tau_y/tau_h) dy2(0)/dh2(0) is much smaller than dh2(0)/dx2",
        steps=(
            Step(
                "A_high for a weak decoder", sp.Limit(high.subs(dy2_0, gain * dy2_0), gain, 0), dh2_0, because="limit"
            ),
        ),
        counterexample=_shrinks_at_large_weights,
        consequence="At large weights the representation follows the encoder's share of the initial weights: a strong "
        "decoder pulls it together, whatever the data.",
    ),
    entry(
        "4.3 same outputs",
        "4.3",
        "Representations move closer when their outputs agree.",
        Finding.CONFIRMED,
        "With identical targets the velocity of dh2 is minus a square.",
        steps=(
            Step(
                "velocity of dh2 at identical targets",
                (-dx2 / tau_h * s.w).subs(s.w, s.dy2),
                -dx2 * s.dy2 / tau_h,
                because="w = dy2, Appendix A.4",
            ),
        ),
    ),
    entry(
        "4.3 different outputs",
        "4.3",
        "Representations of points with different targets must move apart to fit the data.",
        Finding.CONFIRMED,
        "The final distance is positive: with the negative root it multiplies to -A_low^2.",
        steps=(Step("product of the roots", plus * minus, -(A_low**2), because="difference of squares"),),
    ),
)
