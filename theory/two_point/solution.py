r"""The complete solution of the two-point system, Eq. (7), for any initial state.

The paper states that the system cannot be solved in general; this module gives the solution. :math:`dh` grows or
shrinks along a fixed direction. Let :math:`a` be its signed and scaled length, and :math:`b` the action of the decoder
on that direction, a vector in output space. Then

.. math:: a' = \tfrac{k}{2} b \cdot (v - k a b), \quad b' = \tfrac{k}{2} a (v - k a b), \quad v = y_2 - y_1,
          \quad k = \|x_2 - x_1\| / \sqrt{\tau_h \tau_y},

which is a linear network of width one whose two layers learn at unequal rates. Since :math:`D = a^2 - |b|^2` is
conserved, :math:`z = (a, b)` satisfies the Bernoulli equation :math:`z' = M z - \tfrac{k^2}{4} |z|^2 z` with a constant
symmetric matrix :math:`M`. Its solution, :math:`z(t) = e^{Mt} z_0 / \sqrt{1 + \tfrac{k^2}{2} \int_0^t |e^{Ms} z_0|^2
ds}`, consists of exponentials and one square root.

This module writes the solution in *rates*, which all have the unit 1/time, and in a form that stays accurate for stiff,
lazy and degenerate states: it has no difference of nearly equal terms and no growing exponential.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from theory import engine
from theory.core import ClosedForm, Condition, Source, deferred
from theory.core.formula.rounding import compensated, log1p
from theory.core.formula.special import phi1, quotient
from theory.two_point import symbols
from theory.two_point.symbols import (
    A_high,
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
    w_0,
)

# The initial state: the fraction of the target difference that is predicted, the remaining fraction, and the squared
# component of the prediction across the target difference. The dot product of predicted and target difference is set to
# exactly 0 for identical targets, where rounding may leave another value.
dot_0 = sp.sign(target2) * (dy2_0 - w_0)
learned_0 = quotient(dot_0, target2)
unlearned_0 = quotient(sp.sign(target2) * compensated(target2 - dy2_0 + w_0), target2)
across_0 = compensated(dy2_0 - quotient(dot_0**2, target2))

# Rates, 1/time: k^2 a^2/2; k^2 |b|^2/2 for a prediction of size one; g b_par/a.
decoder_rate = dh2_0 / (2 * tau_y)
encoder_rate = dx2 / (2 * tau_h * dh2_0)
cross_rate = encoder_rate * dot_0

# On the plane of a and b_par, M has the eigenvalues +-mu; delta and g determine the angle of its eigenbasis, and
# lambda_+ lambda_- = g^2.
g = sp.sqrt(dx2 * target2 / (tau_h * tau_y)) / 2
delta = A_high / (4 * tau_y)
mu = sp.sqrt(delta**2 + g**2)
gap = quotient(g**2, mu + sp.Abs(delta))
# sympy would reorder a sum with |delta| so that it cancels; delta (1 + sign delta) is 2 max(delta, 0) to the last bit.
lambda_plus = delta * (1 + sp.sign(delta)) + gap
lambda_minus = -delta * (1 - sp.sign(delta)) + gap

# Functions of time, scaled by exp(-2 mu t): the decay, the decay of the part of b across the target, and the integrals
# of both.
decay = sp.exp(-2 * mu * t)
decay_across = sp.exp(-2 * lambda_plus * t)
span = t * phi1(-2 * mu * t)
slow = sp.exp(-(lambda_plus + gap) * t)
span_across = t * slow * phi1(-2 * sp.Abs(delta) * t)

escape_rate = compensated(lambda_plus + cross_rate)
stretch = decay + escape_rate * span
normaliser = (
    decay
    + (decoder_rate + encoder_rate * target2 * learned_0**2) * decay * span
    + decoder_rate * quotient(escape_rate**2, lambda_plus) * span**2
    + encoder_rate * across_0 * span_across
)

# The fraction of the target difference that is predicted, and the remaining fraction.
scaled = quotient(stretch, normaliser)
predicted = learned_0 * (decay + lambda_minus * span) + decoder_rate * span
learned = predicted * scaled
unlearned = quotient(unlearned_0 * decay + encoder_rate * across_0 * span_across, normaliser)
across = across_0 * decay_across * scaled**2

representation_distance_at = dh2_0 * stretch * scaled
output_distance_at = target2 * learned**2 + across
squared_error_at = target2 * unlearned**2 + across

# The alignment is across - target2 learned unlearned, whose two terms decay alike and finally almost cancel, so their
# common part is removed by hand. The smaller of across_0 and w_0 = across_0 - target2 learned_0 unlearned_0 enters
# directly, so that neither is computed as a difference. One of decay and decay_across is slow, the other is fast.
fast = slow * sp.exp(-2 * sp.Abs(delta) * t)
turning = escape_rate * span * (fast - gap * span_across)
from_across = across_0 * (decay * (decay_across - cross_rate * span_across) + turning)
from_across -= target2 * unlearned_0 * decay * predicted
mixed = unlearned_0 * span + learned_0 * span_across
from_w = w_0 * (decay * (decay_across - cross_rate * mixed) + turning)
from_w -= (
    target2
    * unlearned_0
    * (decoder_rate * decay * mixed + learned_0 * escape_rate * lambda_plus * span * span_across)
)
smaller = sp.sign(sp.Abs(w_0) - sp.Abs(across_0))
alignment_at = (
    quotient((1 + smaller) / 2 * from_across + (1 - smaller) / 2 * from_w, normaliser) * scaled
)

LETTERS = (
    (sp.Symbol("F"), stretch),
    (sp.Symbol("S"), normaliser),
    (sp.Symbol("P"), predicted),
    (sp.Symbol("E"), slow),
    (sp.Symbol("rho"), escape_rate),
    (sp.Symbol("lambda_+"), lambda_plus),
    (sp.Symbol("delta_+"), delta * (1 + sp.sign(delta))),
    (sp.Symbol("c"), cross_rate),
    (sp.Symbol("p_0"), learned_0),
    (sp.Symbol("r_0"), unlearned_0),
    (sp.Symbol("q_0"), across_0),
    (sp.Symbol("kappa"), gap),
    (sp.Symbol("mu"), mu),
    (sp.Symbol("g", positive=True) ** 2, g**2),
    (sp.Symbol("A_high"), A_high),
)

# Initial states and data in which every root is rational: lambda_+ = p^2 and lambda_- = m^2 in either order, the
# decoder rate, and the ratio of b_par to a.
p, m, excess, eta = sp.symbols("p m excess eta", positive=True)
ratio = sp.Symbol("ratio", real=True)


def family(sign: int, away: sp.Expr | None = None) -> dict[sp.Symbol, sp.Expr]:
    """Return the general initial state with ``delta`` of the given sign, rational in the rates of the solution.

    With ``away`` the escape rate is ``lambda_+ lambda_-`` to the power 1/2 times it, in the place of any ``ratio``.
    """
    plus, minus = {1: (m + excess, m), 0: (p, p), -1: (p, p + excess)}[sign]
    along = ratio if away is None else away - plus / minus
    encoder = dx2 / (4 * tau_h * tau_y * eta)
    distance = (eta - plus**2 + minus**2) / encoder
    return {
        dh2_0: 2 * tau_y * eta,
        dy2_0: distance,
        w_0: distance - plus * minus * along / encoder,
        target2: 4 * tau_h * tau_y * plus**2 * minus**2 / dx2,
    }


STARTS = {dh2: dh2_0, dy2: dy2_0, w: w_0}
SOLUTION = {dh2: representation_distance_at, dy2: output_distance_at, w: alignment_at}


@cache
def _solution() -> engine.Solution:
    """Return the solution of Eq. (7) with its proof, on rates in which the roots open."""
    from theory.two_point.dynamics import dh2_rate, dy2_rate, w_rate  # a trajectory needs none

    flow = engine.Flow({dh2: dh2_rate(), dy2: dy2_rate(), w: w_rate()}, t)
    cases = {"delta > 0": family(1), "delta < 0": family(-1)}
    return flow.solution(SOLUTION, starts=STARTS, cases=cases)


def _form(symbol: sp.Symbol, meaning: str) -> ClosedForm:
    steps = deferred(lambda: _solution()[symbol].steps)
    return engine.Derived(f"{symbol} along the flow", SOLUTION[symbol], steps=steps).form(
        f"two_point.{symbol}",
        meaning,
        (symbols.TIME, *symbols.PARAMETERS),
        assumptions=(symbols.LINEAR, symbols.NO_ROTATION),
        conditions=(symbols.CAUCHY_SCHWARZ,),
        sources=(Source("vanrossem2024", "Eq. (7); the solution is not in the paper"),),
        letters=LETTERS,
    )


@cache
def representation_distance() -> ClosedForm:
    """Return the squared distance of the representations at time t, representation^2."""
    meaning = "Squared distance of the two representations during training."
    return _form(dh2, meaning)


@cache
def output_distance() -> ClosedForm:
    """Return the squared distance of the predicted outputs at time t, output^2."""
    meaning = "Squared distance of the two predicted outputs during training."
    return _form(dy2, meaning)


@cache
def alignment() -> ClosedForm:
    """Return the alignment of predicted and target difference at time t, output^2."""
    meaning = "Alignment |dy|^2 - dy.(y2 - y1) of the predicted outputs during training."
    return _form(w, meaning)


WRONG_SIDE = Condition(
    sp.Lt(escape_rate, 0), "the outputs start far enough on the wrong side of their targets"
)
time_of_zero = log1p(-2 * mu / escape_rate) / (2 * mu)


@cache
def crossing_time() -> ClosedForm:
    """Return the time at which the two representations coincide and pass through each other, in the unit of ``tau_h``.

    If the outputs start on the wrong side of their targets and the decoder is the stronger layer, training first
    reverses the encoder: ``dh``, whose signed length is proportional to ``stretch``, shrinks to zero and then grows in
    the opposite direction. Eq. (7) divides by ``dh2`` and is singular at that time.

    >>> round(float(crossing_time()(0.69, 1.0, 1.7, 2.8, 1.4, 1.3, 0.78)), 4)
    6.1693
    """
    return symbols.linear_form(
        name="two_point.crossing_time",
        meaning="Time at which the two representations coincide and pass through each other.",
        arguments=symbols.PARAMETERS,
        expression=time_of_zero,
        conditions=(symbols.CAUCHY_SCHWARZ, WRONG_SIDE),
        steps=symbols.by_sign(
            "the squared distance vanishes, delta",
            sp.Subs(representation_distance_at, t, time_of_zero),
            sp.S.Zero,
            "stretch is a sum of two exponentials",
            family,
            (representation_distance(),),
        ),
        sources=(Source("vanrossem2024", "Eq. (7); not in the paper"),),
    )
