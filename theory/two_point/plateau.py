r"""The duration of the initial plateau: the time until the squared distance reaches a fraction of its final value.

From small initial weights, the distance of the representations stays almost constant for a long time and then changes
quickly. If the predicted difference lies along the target difference, as it always does for a scalar output, the time
at which the squared distance reaches the fraction *f* of its final value is given by the zero of a quadratic in
:math:`X = (e^{2\mu t} - 1)/(2\mu)`. As the initial weights vanish, this time grows as the logarithm of the weights,
:math:`t \to \frac{1}{2g} \ln\bigl(\frac{f}{1 - f} \frac{4 g^3}{\eta (g + \nu)^2}\bigr)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from theory.core import Argument, ClosedForm, Condition, Premise, Source, Status, Step
from theory.core.formula.rounding import compensated, log1p
from theory.core.numbers.arguments import in_domain
from theory.two_point import solution as s
from theory.two_point import symbols
from theory.two_point.final_distance import final_distance, stationary_distance
from theory.two_point.symbols import dh2_0, dx2, dy2_0, fraction, target2, tau_h, tau_y, w_0

ALONG = "the predicted difference lies along the target difference, as for a scalar output"
SMALL = "the initial weights are small"

dy_0 = sp.Symbol("dy_0", real=True)
FRACTION = Argument(
    fraction, "fraction of the final squared distance, below 1", sample=(0.4, 0.9), example=0.5
)
DY_0 = Argument(
    dy_0,
    "initial predicted difference, signed along the target difference",
    unit="output",
    sample=(-0.05, 0.1),
    example=0,
)
SMALL_DH2_0 = replace(symbols.DH2_0, sample=(0.01, 0.05))
ARGUMENTS = (FRACTION, SMALL_DH2_0, DY_0, *symbols.RATES_AND_DATA)
SOURCE = Source("vanrossem2024", "Eq. (7), Section 3.2; not in the paper")
escape_form = partial(ClosedForm, arguments=ARGUMENTS, sources=(SOURCE,), status=Status.DERIVED)


ALONG_TARGET = {w_0: dy_0**2 - dy_0 * sp.sqrt(target2), dy2_0: dy_0**2}
PREDICTION = Premise(
    "dy2_0 = dy_0^2 and w_0 = dy_0^2 - dy_0 |y2 - y1| for a prediction of signed length dy_0 along the target",
    sp.Matrix(list(ALONG_TARGET.values())),
)
end = sp.Symbol("end", positive=True)
PART = Premise("the plateau ends at a fraction of the final squared distance", fraction * end)


def along(expression: sp.Expr) -> sp.Expr:
    """Return the expression for a predicted difference that lies along the target difference."""
    return expression.xreplace({s.across_0: sp.S.Zero}).xreplace(ALONG_TARGET)


eta, rate = s.decoder_rate, along(s.escape_rate)
lambda_plus, mu = along(s.lambda_plus), along(s.mu)
final = 2 * tau_y * lambda_plus

# The quadratic in X, and its positive root in a form without cancellation for either sign of the linear coefficient.
quadratic = (1 - fraction) * eta * rate**2
linear = 2 * eta * rate - fraction * lambda_plus * (2 * mu + eta + along(s.encoder_rate * dy2_0))
constant = compensated(eta - fraction * lambda_plus)
root = sp.sqrt(linear**2 - 4 * quadratic * constant)
growth = (sp.Abs(linear) - linear) / (2 * quadratic) - 2 * constant / (sp.Abs(linear) + root)
time_to_fraction = log1p(2 * mu * growth) / (2 * mu)

# In the limit of vanishing weights delta vanishes, so that lambda_+ = lambda_- = mu = g.
small_quadratic = (1 - fraction) * eta * (s.g + along(s.cross_rate)) ** 2
small_weights_time = sp.log(4 * fraction * s.g**3 / small_quadratic) / (2 * s.g)
X, shrink = sp.symbols("X shrink", positive=True)
small_balance = small_quadratic * X**2 - 2 * fraction * s.g**2 * X

LATE = Premise(
    "X = (exp(2 mu t) - 1)/(2 mu), where mu = g for vanishing weights and the exponential outgrows the 1",
    sp.exp(2 * s.g * s.t) / (2 * s.g),
)

CONDITIONS = (
    Condition(
        sp.Gt(fraction * final, dh2_0),
        "dh2_0 is below that fraction of the final distance: it has not escaped yet",
    ),
    Condition(sp.Lt(fraction, 1), "fraction < 1: the final distance itself takes infinite time"),
)

# States and data in which every root except that of the quadratic is rational. lambda_+ = p^2 and lambda_- = m^2; the
# lengths a and b of encoder and decoder satisfy a^2 - b^2 = p^2 - m^2, which ``share`` parametrises rationally.
p, excess, k = sp.symbols("p excess k", positive=True)
share = sp.Symbol("share", real=True, nonzero=True)


def family(sign: int) -> dict[sp.Symbol, sp.Expr]:
    """Return the general initial state along the target difference with ``delta`` of the given sign."""
    plus, minus = (p + excess, p) if sign > 0 else (p, p + excess)
    encoder = (share * (plus + minus) - (minus - plus) / share) / 2
    decoder = (share * (plus + minus) + (minus - plus) / share) / 2
    return {
        dx2: k**2 * tau_h * tau_y,
        dh2_0: 2 * tau_y * encoder**2,
        dy_0: 2 * encoder * decoder / k,
        target2: 4 * plus**2 * minus**2 / k**2,
    }


@cache
def escape_time_form() -> ClosedForm:
    """Return the closed form of the time to a fraction of the final squared distance, with dy along y2 - y1."""
    nothing_across = symbols.by_sign(
        "nothing of the prediction lies across the target difference, delta",
        sp.Subs(s.across_0, tuple(ALONG_TARGET), tuple(ALONG_TARGET.values())),
        sp.S.Zero,
        "evaluation",
        family,
        (ALONG, PREDICTION),
    )
    at_X = linear + quadratic * (sp.exp(2 * mu * s.t) - 1) / mu
    larger_root = symbols.by_sign(
        "X is the larger root, delta",
        sp.Subs(at_X, s.t, time_to_fraction),
        root,
        "the constant coefficient is negative, so the roots have opposite signs, and time is positive",
        family,
        (),
    )
    reached = symbols.by_sign(
        "the squared distance is that fraction of the final one, delta",
        sp.Subs(
            s.representation_distance_at,
            (*ALONG_TARGET, s.t),
            (*ALONG_TARGET.values(), time_to_fraction),
        ),
        sp.Subs(PART.expression, end, sp.Subs(stationary_distance, dy2_0, ALONG_TARGET[dy2_0])),
        "X is a root of the quadratic",
        family,
        (
            *nothing_across,
            *larger_root,
            s.representation_distance(),
            final_distance(),
            PREDICTION,
            PART,
            ALONG,
        ),
    )
    return escape_form(
        name="two_point.escape_time",
        meaning="Time at which the squared distance of the representations reaches a fraction of its final value.",
        expression=time_to_fraction,
        assumptions=(ALONG,),
        conditions=CONDITIONS,
        steps=(*nothing_across, *larger_root, *reached),
    )


def small_weights_escape_time() -> ClosedForm:
    """Return the leading behaviour of the escape time as the initial weights vanish."""
    scaled = {dh2_0: shrink * dh2_0, dy_0: shrink * dy_0}
    square, first, zeroth = (
        coefficient.xreplace(scaled) for coefficient in (quadratic, linear, constant)
    )
    balance = Step(
        "the quadratic in X/shrink, times shrink, for weights that have shrunk to nothing",
        sp.Subs(square / shrink * X**2 + first * X + shrink * zeroth, shrink, 0),
        small_balance,
        because="continuous in shrink; delta vanishes with it",
        uses=(escape_time_form(), SMALL, ALONG),
    )
    return escape_form(
        name="two_point.small_weights_escape_time",
        meaning="Time to a fraction of the final squared distance, from vanishing initial weights.",
        expression=small_weights_time,
        assumptions=(SMALL, ALONG),
        conditions=(
            CONDITIONS[1],
            Condition(sp.Gt(target2, 0), "the targets differ: else nothing drives the escape"),
        ),
        steps=(
            balance,
            Step(
                "at late times exp(2 g t) = 2 g X, of which X is the root",
                sp.Subs(small_balance, X, sp.Subs(LATE.expression, s.t, small_weights_time)),
                sp.S.Zero,
                because="the root of the quadratic that is not zero",
                uses=(balance, LATE, ALONG, SMALL),
            ),
        ),
    )


@cache
def _compiled() -> tuple[Callable[..., Any], Callable[..., Any]]:
    scales = sp.Tuple(stationary_distance, s.mu, s.escape_rate)
    distance = s.representation_distance_at
    return (
        symbols.compiled(scales, *symbols.PARAMETERS),
        symbols.compiled(distance, symbols.TIME, *symbols.PARAMETERS),
    )


def escape_time(
    dh2_0: ArrayLike,
    dy2_0: ArrayLike,
    w_0: ArrayLike,
    tau_h: ArrayLike,
    tau_y: ArrayLike,
    dx2: ArrayLike,
    target2: ArrayLike,
    fraction: ArrayLike = 0.5,
) -> NDArray[np.float64]:
    """Return the time at which the squared representational distance reaches a fraction of its final value.

    The exact solution of Eq. (7) is inverted numerically. For a predicted difference along the target difference the
    inverse is the closed form ``two_point.escape_time``; ``two_point.small_weights_escape_time`` is its asymptote.

    Args:
        dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2: as for ``trajectory``, of one broadcast shape [...].
        fraction: between 0 and 1, dimensionless.

    Returns:
        Array [...], in the unit of ``tau_h``; ``inf`` for a state that converges to the saddle and never escapes.

    Raises:
        TypeError, ValueError: as ``trajectory``; ValueError if ``dh2_0`` is not below the fraction of the final one.
        ArithmeticError: if the time is not found to double precision.

    >>> round(float(escape_time(0.01, 0, 0, 1, 1, 1, 1)), 4)
    5.9764
    """
    from scipy.optimize import elementwise

    values = (dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2, fraction)
    *state, level = np.broadcast_arrays(
        *in_domain((*symbols.PARAMETERS, FRACTION), values, (symbols.CAUCHY_SCHWARZ,))
    )
    if not (level < 1).all():
        raise ValueError(
            f"fraction: got {level.max()}, needs numbers below 1; the final distance takes infinite time"
        )
    scales, distance = _compiled()
    with np.errstate(all="ignore"):
        final, mu, rate = np.broadcast_arrays(*scales(*state))
        if not (state[0] < level * final).all():
            index = np.unravel_index(np.argmin(level * final - state[0]), level.shape)
            raise ValueError(
                f"dh2_0: got {state[0][index]}, needs a number below the fraction of the final squared distance, "
                f"{(level * final)[index]}, for there to be an escape"
            )
        # from weights as small as double precision holds, a plateau lasts 1500/(2 mu)
        bracket = 2.0**12 / (2 * mu)
        root = elementwise.find_root(
            lambda time, level, final, *state: distance(time, *state) - level * final,
            (np.zeros_like(mu), bracket),
            args=(level, final, *state),
            tolerances={"xrtol": 4 * np.finfo(np.float64).eps, "xatol": 0, "fatol": 0, "frtol": 0},
            maxiter=500,
        )
    if not (root.success | (rate == 0)).all():
        raise ArithmeticError(
            "the escape time was not found to double precision; evaluate() the closed form instead"
        )
    return np.where(rate == 0, np.inf, root.x)[()]
