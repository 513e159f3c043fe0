r"""The limit of large initial weights, the lazy regime, in which the targets have little influence on the dynamics.

Weights larger by a factor :math:`\sqrt G` in each layer multiply ``dh2`` by *G*, and ``dy2`` and ``w`` by
:math:`G^2`. Eq. (7) for the new state, in time :math:`t/G`, is Eq. (7) for the old one with ``target2`` divided by
:math:`G^2`. So as *G* grows the system becomes that of identical outputs (``theory.two_point.identical_outputs``): no
plateau, decay at the rate
:math:`|A_\mathrm{high}|/(2\tau_y)`, which itself grows like *G*.

Deviation from the paper: with the change of variables as printed in Eq. (42) the power of *G* in Eq. (43) is +2; the
printed -2 belongs to the inverse change. The limit also needs ``A_high`` to grow: where encoder and decoder are
balanced, ``A_high`` = 0, large weights are not lazy.
"""

from __future__ import annotations

import sympy as sp

from theory.core import ClosedForm, Source, Status, Step
from theory.two_point.dynamics import dh2_rate, dy2_rate, w_rate
from theory.two_point.rates import relaxation_rate
from theory.two_point.symbols import (
    DH2_0,
    DX2,
    DY2_0,
    LETTERS,
    NO_ROTATION,
    TAU_H,
    TAU_Y,
    A_high,
    dh2,
    dh2_0,
    dy2,
    dy2_0,
    target2,
    tau_y,
    w,
)

LAZY = "the initial weights are large, and |A_high| much larger than A_low"

G = sp.Symbol("G", positive=True)
larger = {dh2: G * dh2, dy2: G**2 * dy2, w: G**2 * w, dh2_0: G * dh2_0, dy2_0: G**2 * dy2_0}
smaller_target = {target2: target2 / G**2}
settling_rate = sp.Abs(A_high) / (2 * tau_y)


def _scales(name: str, rate: ClosedForm, power: int) -> Step:
    scaled = {symbol: value for symbol, value in larger.items() if rate.expression.has(symbol)}
    return Step(
        f"the velocity of {name} for larger weights is that for smaller targets",
        sp.Subs(rate.expression, tuple(scaled), tuple(scaled.values())),
        G**power * rate.expression.subs(smaller_target),
        because="substitution; time counts in units of 1/G",
        uses=(rate,),
    )


def lazy_rate() -> ClosedForm:
    """Return the rate, in 1/time, at which outputs converge from large initial weights. Source: Eqs. (41) to (43)."""
    scales = (
        _scales("dh2", dh2_rate(), 2),
        _scales("dy2", dy2_rate(), 3),
        _scales("w", w_rate(), 3),
        _scales("the error, relative to it,", relaxation_rate(), 1),
    )
    return ClosedForm(
        name="two_point.lazy_rate",
        meaning="Rate at which the outputs settle along their target difference from large initial weights.",
        arguments=(DH2_0, DY2_0, TAU_H, TAU_Y, DX2),
        expression=settling_rate,
        assumptions=(LAZY, NO_ROTATION),
        steps=(
            *scales,
            Step(
                "the relaxation rate without a target",
                settling_rate,
                sp.Subs(relaxation_rate().expression, target2, 0),
                because="target2/G^2 vanishes",
                uses=(*scales, relaxation_rate(), LAZY),
            ),
        ),
        sources=(Source("vanrossem2024", "Eqs. (41) to (43), corrected"),),
        status=Status.DERIVED,
        letters=LETTERS,
    )
