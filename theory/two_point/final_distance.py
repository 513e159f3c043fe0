r"""The distance of the two representations at the end of training.

Training converges to a state in which the outputs are correct and the conserved quantity has its initial value:

.. math:: \|dh(\infty)\|^2 = \tfrac12 A_\mathrm{high} + \sqrt{\tfrac14 A_\mathrm{high}^2 + A_\mathrm{low}^2}.

States that converge to the saddle, where the representations merge and the outputs stay wrong, are the exception: for
these the quantity ``escape_rate`` of ``solution`` is exactly 0.

``A_high`` depends on the initial weights and ``A_low`` only on the data: from small weights the outputs determine the
representation (rich regime), from large weights the random initialisation does (lazy regime). The code computes
:math:`\max(A, 0) + A_\mathrm{low}^2/s` with :math:`s = |A|/2 + \sqrt{A^2/4 + A_\mathrm{low}^2}`, the same number
without the cancellation at negative ``A_high``.
"""

from functools import cache

import sympy as sp

from theory.core import ClosedForm, Source
from theory.core.formula.special import quotient
from theory.two_point import identical_outputs, solution, symbols
from theory.two_point.dynamics import conserved_quantity, dy2_on_orbit, w_rate
from theory.two_point.symbols import (
    A_high,
    A_low_squared,
    dh2,
    dh2_0,
    dx2,
    dy2,
    dy2_0,
    t,
    target2,
    tau_h,
    tau_y,
    w,
)

half_width = sp.Abs(A_high) / 2 + sp.sqrt(A_high**2 / 4 + A_low_squared)
stationary_distance = A_high * (1 + sp.sign(A_high)) / 2 + quotient(A_low_squared, half_width)

# Initial states and data in which the root opens, A_high = +-(m^2 - p^2) and A_low = p m, one family for each sign.
p, excess, spare = sp.symbols("p excess spare", positive=True)
coupling = tau_y / tau_h * dx2
away = sp.Symbol("away", real=True, nonzero=True)  # from the states that converge to the saddle


def family(sign: int) -> dict[sp.Symbol, sp.Expr]:
    """Return all initial states and targets with ``A_high`` of one sign as rational functions of positive numbers."""
    gap = (p + excess) ** 2 - p**2
    encoder, decoder = (gap + spare, spare) if sign > 0 else (spare, gap + spare)
    return {
        dh2_0: encoder,
        dy2_0: encoder * decoder / coupling,
        target2: p**2 * (p + excess) ** 2 / coupling,
    }


@cache
def final_distance() -> ClosedForm:
    """Return the squared representational distance at the end of training, in representation^2. Source: Eq. (10).

    >>> round(float(final_distance()(0.02, 0.001, 440, 66, 1, 0.5)), 6)
    0.280183
    """
    level = conserved_quantity().expression.subs({dh2: dh2_0, dy2: dy2_0})
    resting_force = w_rate().expression.subs(w, 0).subs(dy2, dy2_on_orbit(level))
    moving, merging = solution.representation_distance(), identical_outputs.identical_outputs_dh2()
    return symbols.linear_form(
        name="two_point.final_distance",
        meaning="Squared distance of the two representations at the end of training.",
        arguments=(symbols.DH2_0, symbols.DY2_0, *symbols.RATES_AND_DATA),
        expression=stationary_distance,
        assumptions=(symbols.LINEAR, symbols.NO_ROTATION, symbols.ESCAPES),
        steps=(
            *symbols.by_sign(
                "w stays at zero there, A_high",
                resting_force.xreplace({dh2: stationary_distance}),
                sp.S.Zero,
                "w = 0 stops the representations; conservation gives dy2 in terms of dh2",
                family,
                (w_rate(), conserved_quantity()),
            ),
            *symbols.by_sign(
                "the exact solution ends there, A_high",
                stationary_distance,
                sp.Limit(moving.expression, t, sp.oo),
                "all rates of decay are positive; this tells the two roots of the quadratic apart",
                lambda sign: solution.family(sign, away),
                (moving, symbols.ESCAPES),
                signs=(1, 0, -1),
            ),
            *symbols.by_sign(
                "for identical targets the exact solution ends there as well, A_high",
                sp.Subs(stationary_distance, target2, 0),
                sp.Limit(merging.expression, t, sp.oo),
                "all rates of decay are positive, and without a rate the distance decays like 1/t",
                identical_outputs.family,
                (merging,),
                signs=(1, 0, -1),
            ),
        ),
        sources=(Source("vanrossem2024", "Eqs. (10), (11), (36)"),),
        letters=symbols.LETTERS,
    )
