r"""Derivation of the three scalar equations from gradient descent on a linearised encoder and decoder.

Around the mean of two points, a smooth encoder and decoder are the matrices :math:`D_h` and :math:`D_y`; the mean
output is the third parameter. This module differentiates the gradient flow of the mean squared loss in these three
parameters, :math:`\tau\,\dot\theta = -\partial L/\partial\theta` (Eq. 6), for explicit matrices with two inputs, two
hidden units and three outputs. These sizes are general: the representations move in the plane of ``dh`` and its
velocity, the outputs move in the span of ``dy`` and :math:`v = y_2 - y_1`, and the third output represents everything
outside that span.

Deviation from the paper: differentiation gives :math:`\tfrac14 D_y^\top (dy - v)(x_2 - x_1)^\top` where the last
lines of Eq. (17) have :math:`\tfrac12`. Eq. (7) inherits the :math:`\tfrac12`: it holds with ``tau_h`` and ``tau_y``
equal to *twice* the time constants of Eq. (6). This package uses that normalisation everywhere.

One gradient drives encoder and decoder, so :math:`\tau_h \|dh\|^2/\|x_2 - x_1\|^2 - \tau_y \|dy\|^2/\|dh\|^2` is
conserved. On a plot of ``dy2/dh2`` against ``dh2``, a network that follows the theory moves along a straight line of
slope ``tau_h / (tau_y dx2)``.

``empirics.measure.two_point_state`` measures the three variables.
"""

from functools import cache

import sympy as sp

from theory.core import ClosedForm, Premise, Source, Status, Step, deferred, differentiated
from theory.core.formula.rounding import compensated, written_out
from theory.engine import Derived, Flow
from theory.two_point import symbols
from theory.two_point.symbols import dh2, dx2, dy2, target2, tau_h, tau_y, w

u = sp.Matrix(sp.symbols("u1 u2", real=True))
D_h = sp.Matrix(2, 2, sp.symbols("h1:3_1:3", real=True))
D_y = sp.Matrix(3, 2, sp.symbols("d1:4_1:3", real=True))
mean_output = sp.Matrix(sp.symbols("m1:4", real=True))
targets = [sp.Matrix(sp.symbols(f"y{i}_1:4", real=True)) for i in (1, 2)]

v = targets[1] - targets[0]
dh = D_h * u
dy = D_y * dh
error = dy - v
linearised_loss = (
    sum(
        (mean_output + sign * dy / 2 - y).dot(mean_output + sign * dy / 2 - y)
        for sign, y in zip((-1, 1), targets, strict=True)
    )
    / 4
)

gradient_h, gradient_y = D_y.T * error * u.T / 4, error * dh.T / 4


LOSS = Premise(
    "half the mean squared error of outputs mean_output -+ D_y D_h u/2, u = x2 - x1, (16)",
    linearised_loss,
)
_slope, _tau = sp.symbols("slope tau", real=True)
FLOW = Premise(
    "gradient flow, Eq. (6): a parameter changes at -1/tau times the slope of the loss; the time constants tau_h and "
    "tau_y of Eq. (7) are twice those",
    -_slope / _tau,
)


def velocity(gradient: sp.Matrix, tau: sp.Expr) -> sp.Matrix:
    """Return the velocities of parameters by gradient flow, not worked out.

    Args:
        gradient: the slopes of the loss in them.
        tau: their time constant in Eq. (6).
    """
    return gradient.applyfunc(lambda entry: sp.Subs(FLOW.expression, (_slope, _tau), (entry, tau)))


quantities = sp.Matrix([dh.dot(dh), dy.dot(dy), dy.dot(error), u.dot(u), v.dot(v)])
STATE = Premise(
    "dh2 = |dh|^2, dy2 = |dy|^2 and w = dy.(dy - v), v = y2 - y1; dx2 = |u|^2, target2 = |v|^2",
    quantities,
)

GRADIENTS = (
    differentiated(
        "dL/d(mean output) = mean output - mean target",
        mean_output - (targets[0] + targets[1]) / 2,
        LOSS,
        mean_output,
        because="differentiation of Eq. (16); the two halves of the difference cancel in the mean",
        uses=(symbols.LINEAR,),
    ),
    differentiated(
        "dL/dD_h = 1/4 D_y' (dy - v) u'",
        gradient_h,
        LOSS,
        D_h,
        because="differentiation of Eq. (16); the mean output drops out",
        uses=(symbols.LINEAR,),
    ),
    differentiated(
        "dL/dD_y = 1/4 (dy - v) dh'",
        gradient_y,
        LOSS,
        D_y,
        because="differentiation of Eq. (16); the mean output drops out",
        uses=(symbols.LINEAR,),
    ),
)
VELOCITIES = tuple(
    Step(
        f"velocity of {name}",
        -2 * gradient / tau,
        velocity(gradient, tau / 2),
        because="gradient flow",
        uses=(known, FLOW),
    )
    for name, gradient, tau, known in (
        ("D_h", gradient_h, tau_h, GRADIENTS[1]),
        ("D_y", gradient_y, tau_y, GRADIENTS[2]),
    )
)
velocities = [entry for step in VELOCITIES for entry in step.left]
MATRICES = Flow(dict(zip([*D_h, *D_y], velocities, strict=True)), symbols.t, uses=VELOCITIES)

# The general state with D_y'(dy - v) parallel to dh, up to rotations of input, representation and output: dh = (r, 0),
# v = (V, 0, 0), the column of the decoder along dh is p, and the column across dh is any vector orthogonal to dy - v.
r, V = sp.symbols("r V", positive=True)
p1, p2, n1, n2, s1, s2 = sp.symbols("p1 p2 n1 n2 s1 s2", real=True)
u_squared = u.dot(u)
without_rotation = {
    **dict(
        zip(
            D_h,
            [
                r * u[0] / u_squared - s1 * u[1],
                r * u[1] / u_squared + s1 * u[0],
                -s2 * u[1],
                s2 * u[0],
            ],
            strict=True,
        )
    ),
    **dict(zip(D_y, [p1, n1 * r * p2, p2, -n1 * (r * p1 - V), 0, n2], strict=True)),
    **dict(zip(targets[1], [targets[0][0] + V, targets[0][1], targets[0][2]], strict=True)),
}
PARALLEL = Premise(
    "the general state in which dh does not rotate, up to rotations of inputs, representations and outputs",
    sp.Matrix(list(without_rotation.values())),
)
AT_REST = Step(
    "there D_y'(dy - v) is parallel to dh, which is along the first axis",
    sp.Subs(
        sp.Matrix([*gradient_h[1, :], dh[1]]),
        tuple(without_rotation),
        tuple(without_rotation.values()),
    ),
    sp.zeros(3, 1),
    because="substitution; dL/dD_h is 1/4 D_y'(dy - v) u', whose second row vanishes",
    uses=(GRADIENTS[1], PARALLEL, symbols.NO_ROTATION),
)
RATES = {
    dh2: -dx2 / tau_h * w,
    dy2: -w * (dh2 / tau_y + dx2 / tau_h * dy2 / dh2),
    w: compensated(
        -(3 * w - dy2 + target2) * dh2 / (2 * tau_y) - dx2 / tau_h * (dy2 + w) * w / (2 * dh2)
    ),
}


@cache
def _rates() -> dict[sp.Symbol, Derived]:
    """Return the velocities of the state wherever dh does not rotate."""
    return MATRICES.observed(
        STATE,
        {**RATES, dx2: None, target2: None},
        on=without_rotation,
        uses=(AT_REST, PARALLEL, symbols.NO_ROTATION),
    )


def _rate_of(letter: sp.Symbol, meaning: str, equation: str) -> ClosedForm:
    arguments = (symbols.DH2, symbols.DY2, symbols.W, *symbols.RATES_AND_DATA)
    steps = deferred(lambda: _rates()[letter].steps)
    return Derived(f"velocity of {letter}", RATES[letter], steps=steps).form(
        f"two_point.{letter}_rate",
        meaning,
        (a for a in arguments if RATES[letter].has(a.symbol)),
        assumptions=(symbols.LINEAR, symbols.NO_ROTATION),
        sources=(Source("vanrossem2024", f"Eq. (7), {equation}"),),
    )


@cache
def dh2_rate() -> ClosedForm:
    """Return the velocity of the squared distance of the representations, representation^2/time. Source: Eq. (7)."""
    return _rate_of(dh2, "Velocity of the squared distance of the representations.", "first line")


@cache
def dy2_rate() -> ClosedForm:
    """Return the velocity of the squared distance of the predicted outputs, output^2/time. Source: Eq. (7)."""
    return _rate_of(
        dy2, "Velocity of the squared distance of the predicted outputs.", "second line"
    )


@cache
def w_rate() -> ClosedForm:
    """Return the velocity of the alignment, output^2/time. Source: Eq. (7)."""
    return _rate_of(
        w, "Velocity of the alignment of predicted and target difference.", "third line"
    )


@cache
def conserved_quantity() -> ClosedForm:
    """Return the difference of the squared strengths of the two layers, in the unit of time. Source: Eq. (23)."""
    expression = compensated(tau_h * dh2 / dx2 - tau_y * dy2 / dh2)
    coinciding = Step(
        "the conserved quantity is the encoder's strength where the predicted outputs coincide",
        sp.Subs(expression, dy2, 0),
        tau_h * dh2 / dx2,
        because="substitution; this fixes scale and sign, which the zero velocity does not",
        uses=(),
    )

    def steps() -> tuple[Step, ...]:
        constant = Flow({dh2: dh2_rate(), dy2: dy2_rate()}, symbols.t).moving(
            expression,
            claim="the velocity of the conserved quantity under Eq. (7) is zero",
            uses=(coinciding,),
        )
        return coinciding, constant

    return ClosedForm(
        name="two_point.conserved_quantity",
        meaning="Difference of encoder and decoder strength, which training leaves unchanged.",
        arguments=(symbols.DH2, symbols.DY2, *symbols.RATES_AND_DATA[:3]),
        expression=expression,
        steps=deferred(steps),
        sources=(Source("vanrossem2024", "Eq. (23)"),),
        status=Status.DERIVED,
    )


def dy2_on_orbit(level: sp.Expr) -> sp.Expr:
    """Return ``dy2`` as a function of ``dh2`` on the orbit on which the conserved quantity has the value ``level``."""
    conserved = written_out(conserved_quantity().expression)
    return (level - conserved.subs(dy2, 0)) / conserved.diff(dy2)
