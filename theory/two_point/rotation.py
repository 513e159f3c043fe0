r"""Scalar outputs without the no-rotation assumption.

For a scalar output the decoder is a single row. If this row is not parallel to ``dh``, ``dh`` rotates during training
and Eq. (7) does not apply. With :math:`\alpha = \sqrt{\tau_h}\,dh/\|x_2 - x_1\|` and
:math:`\beta = \sqrt{\tau_y}\,D_y^\top` the flow is :math:`\alpha' = \tfrac{k}{2} e \beta`, :math:`\beta' =
\tfrac{k}{2} e \alpha`, so that :math:`\alpha \pm \beta` keep their directions: :math:`|\alpha + \beta|^2` grows by the
factor ``z`` by which :math:`|\alpha - \beta|^2` shrinks, and ``z`` satisfies a Riccati equation with constant
coefficients.

The final distance is that of Eq. (10) with an additional term under the root, the squared area spanned by ``dh`` and
the decoder. Rotation therefore leaves the representations further apart.
"""

from functools import cache
from itertools import product

import sympy as sp

from theory.core import (
    Argument,
    Check,
    ClosedForm,
    Condition,
    Premise,
    Source,
    Status,
    Step,
    deferred,
)
from theory.core.formula.rounding import compensated
from theory.core.formula.special import phi1, quotient
from theory.core.proof.premises import with_lemmas
from theory.engine import Flow, Solution
from theory.two_point.dynamics import MATRICES, D_y, dh, dy, targets, u
from theory.two_point.dynamics import VELOCITIES as VELOCITIES_OF_MATRICES
from theory.two_point.symbols import (
    DH2_0,
    DX2,
    ESCAPES,
    LINEAR,
    TAU_H,
    TAU_Y,
    TIME,
    dh2,
    dh2_0,
    dx2,
    t,
    tau_h,
    tau_y,
)

dy_0, target = sp.Symbol("dy_0", real=True), sp.Symbol("target", real=True)
decoder2_0 = sp.Symbol("decoder2_0", positive=True)

ARGUMENTS = (
    DH2_0,
    Argument(
        dy_0, "initial difference of the two predicted outputs", unit="output", sample=(-0.3, 0.3)
    ),
    Argument(
        decoder2_0,
        "initial squared norm of the decoder's row",
        unit="output^2/representation^2",
        sample=(1, 2),
        latex=r"\|\mathrm{decoder}_{0}\|^{2}",
    ),
    TAU_H,
    TAU_Y,
    DX2,
    Argument(target, "difference of the two target outputs", unit="output", sample=(-1, 1)),
)
CAUCHY_SCHWARZ = Condition(
    dh2_0 * decoder2_0 - dy_0**2,
    "dy_0^2 <= dh2_0 * decoder2_0, by Cauchy and Schwarz: dy_0 is the decoder applied to dh",
)
SOURCE = Source("vanrossem2024", "Eq. (17) for a scalar output; not in the paper")
SCALAR = "the output is a scalar"

# Rates, 1/time: |alpha|^2 k^2/2, |beta|^2 k^2/2, and k/2 times the outputs, signed so that the target is positive.
k = sp.sqrt(dx2 / (tau_h * tau_y))
encoder, decoder = dh2_0 / (2 * tau_y), dx2 * decoder2_0 / (2 * tau_h)
side = sp.Piecewise((1, target >= 0), (-1, True))
pull = k * sp.Abs(target) / 2
upper, lower = (compensated((encoder + decoder + sign * k * dy_0) / 2) for sign in (1, -1))
plus, minus = ((1 + sign * side) / 2 * upper + (1 - sign * side) / 2 * lower for sign in (1, -1))
crossed = sp.sqrt(upper * lower)
omega = sp.sqrt(pull**2 + crossed**2)
# omega - pull, and the squared area of dh and the decoder times 4 k^2: neither as a difference.
margin_rate = quotient(crossed**2, omega + pull)
area = 4 * encoder * decoder / (dh2_0 * decoder2_0) * compensated(dh2_0 * decoder2_0 - dy_0**2)

# The factor z is a ratio of two sums of positive terms, both scaled by exp(-omega t).
decay = sp.exp(-2 * omega * t)
span = t * phi1(-2 * omega * t)
numerator = decay + span * (omega + pull + minus)
denominator = decay + span * (plus + margin_rate)
growth = numerator / denominator

# plus z - minus/z, whose only term of either sign is the first, and |a sqrt(z) + b/sqrt(z)|^2 from it.
learning = decay * (plus + minus) + span * (
    plus * (omega + pull) + minus * margin_rate + 2 * crossed**2
)
output_rate = (side * k * dy_0 * decay + 2 * pull * span * learning) / (numerator * denominator)
lead = compensated(encoder - decoder)
apart = lead * (1 + sp.sign(lead)) + quotient(area, 2 * crossed + sp.Abs(lead))
rotating_distance = tau_y * (
    output_rate**2 / (plus * growth + minus / growth + 2 * crossed) + apart
)
rotating_output = side * output_rate / k

# The final distance without the cancellation at a strong decoder.
rotating_final = tau_y * (
    lead * (1 + sp.sign(lead)) + quotient(4 * pull**2 + area, 2 * omega + sp.Abs(lead))
)

# Explicit matrices with one output, and the three scalar equations to which their flow reduces.
one_output = {
    **{D_y[i, j]: sp.S.Zero for i, j in product((1, 2), (0, 1))},
    **{y[i]: sp.S.Zero for y, i in product(targets, (1, 2))},
}
ONE_ROW = Step(
    "with one output the other rows of D_y stay zero",
    sp.Subs(
        sp.Matrix(2, 2, lambda i, j: MATRICES.rates[D_y[i + 1, j]]),
        tuple(one_output),
        tuple(one_output.values()),
    ),
    sp.zeros(2, 2),
    because="their velocities are proportional to the other outputs and targets",
    uses=(VELOCITIES_OF_MATRICES[1], SCALAR),
    aside="one output is the first row, on which nothing else depends",
)
# The three variables and their rates, in letters.
output, decoder2 = sp.symbols("dy decoder2", real=True)
SCALARS = Premise(
    "dh2 = |dh|^2, the difference dy of the outputs, and the decoder's |D_y|^2; dx2 = |u|^2, and that of the targets",
    sp.Matrix(
        [
            dh.dot(dh),
            dy[0],
            sum(entry**2 for entry in D_y),
            u.dot(u),
            targets[1][0] - targets[0][0],
        ]
    ),
)
VELOCITIES = {
    dh2: -dx2 / tau_h * output * (output - target),
    output: -(output - target) * (dh2 / tau_y + dx2 / tau_h * decoder2) / 2,
    decoder2: -output * (output - target) / tau_y,
}

# Data in which all roots are rational: k, one of the two growth rates, omega less the pull, what the root of their
# product has more than that, and the lead.
k_, plus_, margin, excess, lead_ = sp.symbols("k plus margin excess lead", positive=True)


def family(sign: int, stronger: int, *, is_aligned: bool = False) -> dict[sp.Symbol, sp.Expr]:
    """Return the general initial state for a target and a lead of the given signs, rational in five numbers.

    Args:
        sign: sign of the target, or 0 for identical targets.
        stronger: 1 where the encoder is stronger than the decoder, -1 where it is weaker, 0 where they are balanced.
        is_aligned: whether dh and the decoder already point the way that the target wants, so that nothing rotates.
    """
    crossed_ = margin + excess if sign else margin
    pull_ = excess * (2 * margin + excess) / (2 * margin) if sign else sp.S.Zero
    minus_ = crossed_**2 / plus_
    if is_aligned:
        pull_, minus_ = excess if sign else sp.S.Zero, sp.S.Zero
    toward = sign or 1
    return {
        dx2: k_**2 * tau_h * tau_y,
        target: toward * 2 * pull_ / k_,
        dy_0: toward * (plus_ - minus_) / k_,
        dh2_0: tau_y * (plus_ + minus_ + stronger * lead_),
        decoder2_0: (plus_ + minus_ - stronger * lead_) / (k_**2 * tau_y),
    }


RELATION = {1: "> 0", 0: "= 0", -1: "< 0"}
LEAD = {1: "stronger than", 0: "as strong as", -1: "weaker than"}


def _case(sign: int, stronger: int) -> str:
    return f"target {RELATION[sign]}, encoder {LEAD[stronger]} decoder"


FAMILIES = {
    _case(sign, stronger): family(sign, stronger) for stronger, sign in product((1, -1), (1, -1))
}
# Identities of continuous functions hold where these families end, limits in time need not.
ALL_FAMILIES = {
    f"{_case(sign, stronger)}{', aligned' * is_aligned}": family(
        sign, stronger, is_aligned=is_aligned
    )
    for stronger, sign, is_aligned in product(LEAD, RELATION, (False, True))
}


def _form(
    name: str,
    meaning: str,
    expression: sp.Expr,
    steps: tuple[Step | Check, ...],
    timed: bool = True,
    assumptions: tuple[str, ...] = (),
) -> ClosedForm:
    return ClosedForm(
        name=f"two_point.{name}",
        meaning=meaning,
        arguments=(TIME, *ARGUMENTS) if timed else ARGUMENTS,
        expression=expression,
        assumptions=(LINEAR, SCALAR, *assumptions),
        conditions=(CAUCHY_SCHWARZ,),
        steps=steps,
        sources=(SOURCE,),
        status=Status.DERIVED,
    )


@cache
def _solution() -> Solution:
    """Return the solution of the scalar equations, of which the decoder follows dh by a constant of motion."""
    velocities = MATRICES.observed(
        SCALARS, {**VELOCITIES, dx2: None, target: None}, on=one_output, uses=(SCALAR,)
    )
    strength = tau_h / (tau_y * dx2)
    flow = Flow(velocities, t).reduced(
        decoder2, decoder2 - strength * dh2, decoder2_0 - strength * dh2_0
    )
    return flow.solution(
        {dh2: rotating_distance, output: rotating_output},
        starts={dh2: dh2_0, output: dy_0},
        cases=FAMILIES,
    )


@cache
def rotating_dh2() -> ClosedForm:
    """Return the squared distance of the representations for a scalar output, with rotation, representation^2."""
    meaning = "Squared distance of the representations; dh may rotate."
    steps = deferred(lambda: with_lemmas((ONE_ROW, *_solution()[dh2].steps)))
    return _form("rotating_dh2", meaning, rotating_distance, steps)


def rotating_dy() -> ClosedForm:
    """Return the difference of the two predicted scalar outputs, with rotation, in the unit of the output."""
    meaning = "Difference of the predicted scalar outputs; dh may rotate."
    steps = deferred(lambda: with_lemmas((ONE_ROW, *_solution()[output].steps)))
    return _form("rotating_dy", meaning, rotating_output, steps)


def rotating_final_distance() -> ClosedForm:
    """Return the squared distance of the representations at the end of training, with rotation, representation^2."""
    limits = tuple(
        Step(
            f"the exact solution ends there, {case}",
            rotating_final,
            sp.Limit(rotating_distance, t, sp.oo),
            because="the rates plus and omega are positive; without a rate the distance decays like 1/t",
            where=where,
            uses=(rotating_dh2(), ESCAPES),
        )
        for case, where in ALL_FAMILIES.items()
    )
    meaning = "Squared distance of the representations at the end of training; dh may rotate."
    return _form(
        "rotating_final_distance",
        meaning,
        rotating_final,
        limits,
        timed=False,
        assumptions=(ESCAPES,),
    )
