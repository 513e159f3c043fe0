r"""Two inputs with the same target output, whose representations merge or keep a finite distance.

With :math:`y_1 = y_2` Eq. (7) has ``w = dy2`` and becomes a Bernoulli equation for ``dh2`` alone. Its solution
converges to :math:`\max(A_\mathrm{high}, 0)`, at the rate :math:`|A_\mathrm{high}|/\tau_y`.

Deviation from the paper: the exponents of Eqs. (39) and (40) lack the factor :math:`1/\tau_y`.
"""

from functools import cache

import sympy as sp

from theory.core import ClosedForm, Source, deferred
from theory.core.formula.special import phi1
from theory.engine import Derived, Flow, Solution
from theory.two_point import symbols
from theory.two_point.dynamics import dh2_rate, dy2_rate
from theory.two_point.symbols import A_high, dh2, dh2_0, dx2, dy2, dy2_0, t, tau_h, tau_y, w

ARGUMENTS = (symbols.TIME, symbols.DH2_0, symbols.DY2_0, *symbols.RATES_AND_DATA[:3])
SOURCE = Source("vanrossem2024", "Eqs. (37) to (40)")
SAME = "the two target outputs are the same, so w = dy2"

# Decay and logistic denominator, both scaled by exp(min(exponent, 0)) so that nothing grows.
exponent = A_high * t / tau_y
decay = sp.exp(-(sp.Abs(exponent) + exponent) / 2)
growth = sp.exp(-(sp.Abs(exponent) - exponent) / 2)
denominator = decay + dh2_0 * t / tau_y * phi1(-sp.Abs(exponent))
distance = dh2_0 * growth / denominator
output_distance = dy2_0 * decay * growth / denominator**2
SOLUTION = {dh2: distance, dy2: output_distance}

p, excess = sp.symbols("p excess", positive=True)


def family(sign: int) -> dict[sp.Symbol, sp.Expr]:
    """Return all initial states with ``A_high`` of one sign."""
    larger = p + excess if sign else p
    return {dh2_0: larger if sign > 0 else p, dy2_0: p * larger * tau_h / (tau_y * dx2)}


@cache
def _solution() -> Solution:
    velocities = {dh2: dh2_rate(), dy2: dy2_rate()}
    rates = {name: sp.Subs(rate.expression, w, dy2) for name, rate in velocities.items()}
    cases = {"A_high > 0": family(1), "A_high < 0": family(-1)}
    starts = {dh2: dh2_0, dy2: dy2_0}
    return Flow(rates, t, uses=(*velocities.values(), SAME)).solution(
        SOLUTION, starts=starts, cases=cases
    )


def identical_outputs_dh2() -> ClosedForm:
    """Return the squared representational distance at time t, in representation^2. Source: Eq. (39), corrected."""
    return _distance(dh2, "representations")


def identical_outputs_dy2() -> ClosedForm:
    """Return the squared distance of the predicted outputs at time t, in output^2. Source: Eq. (40), corrected."""
    return _distance(dy2, "predicted outputs")


def _distance(symbol: sp.Symbol, of: str) -> ClosedForm:
    steps = deferred(lambda: _solution()[symbol].steps)
    return Derived(f"{symbol} of identical outputs", SOLUTION[symbol], steps=steps).form(
        f"two_point.identical_outputs_{symbol}",
        f"Squared distance of the {of} of two points with the same target.",
        ARGUMENTS,
        assumptions=(SAME, symbols.NO_ROTATION),
        sources=(SOURCE,),
        letters=symbols.LETTERS,
    )
