r"""Geodesics of one linear neuron with bias, which are geodesics of the hyperbolic plane.

A neuron on varied inputs is :math:`A = s \xi + m 1` for a fixed direction :math:`\xi`. With weight :math:`v = s'/s +
\tilde L` and bias :math:`b = m' - m s'/s` the squared weights are :math:`(s'^2 + (m' s - m s')^2/s^2) / s^2` and a
total derivative. In :math:`\eta = 1/s`, :math:`\mu = m/s` that is :math:`(\eta'^2 + \mu'^2)/\eta^2`: the Poincaré
half-plane. So with *d* the hyperbolic distance of the ends, whatever the depth,

.. math:: A_p = \frac{\sinh((1-p) d)\, A_0 + \sinh(p d)\, A_1}{\sinh d}, \qquad
   d = 2 \operatorname{arsinh} \tfrac12 \sqrt{\frac{(s_1 - s_0)^2 + (m_1 s_0 - m_0 s_1)^2}{s_0 s_1}},

:math:`-\tfrac{2}{\tilde L} H = 1 - d^2/\tilde L^2`, and the integrated squared weights are :math:`\tilde L^2 + 2
\tilde L \log(s_1/s_0) + d^2`. Not in the paper.
"""

import sympy as sp

from theory.core import Argument, ClosedForm, Premise, Step, applied, phi1
from theory.engine import Flow, Lagrangian
from theory.leaky_resnet import symbols
from theory.leaky_resnet.linear_modes import SOURCES, geodesic_form
from theory.leaky_resnet.symbols import end, end_mean, position, rate, start, start_mean

NEURON, DIFFERENT = "one neuron, no activation, with bias", "the inputs are not all the same"
OF_RATE = "the rate is leaky_resnet.affine_distance, or for equal inputs solves leaky_resnet.depth_of_rate"
chord2 = ((end - start) ** 2 + (end_mean * start - start_mean * end) ** 2) / (start * end)
distance_expression = 2 * sp.asinh(sp.sqrt(chord2) / 2)

first, last = sp.symbols("first last", real=True)
FIRST = Argument(
    first,
    "entry of the representation at p = 0",
    unit="representation",
    sample=(-2, 2),
    latex="a_{0}",
)
LAST = Argument(
    last,
    "entry of the representation at p = 1",
    unit="representation",
    sample=(-2, 2),
    latex="a_{1}",
)


def _sinh_ratio(part: sp.Expr, whole: sp.Expr, share: sp.Expr) -> sp.Expr:
    """Return sinh(part)/sinh(whole) for part = share * whole, without overflow at large or 0/0 at small ``whole``."""
    return share * sp.exp(part - whole) * phi1(-2 * part) / phi1(-2 * whole)


path_expression = first * _sinh_ratio(
    (1 - position) * rate, rate, 1 - position
) + last * _sinh_ratio(position * rate, rate, position)

# A geodesic that leaves (s0, m0) with weight depth + rate*c and bias rate*b, c^2 + b^2 = 1: s'' = rate^2 s, and so m.
turn, excess = sp.Symbol("turn", real=True), sp.Symbol("excess", positive=True)
stretch = 1 + excess  # exp(rate/2)
_cos, _sin = (1 - turn**2) / (1 + turn**2), 2 * turn / (1 + turn**2)
_grown, _shrunk = sp.exp(rate * position), sp.exp(-rate * position)
_cosh, _sinh = (_grown + _shrunk) / 2, (_grown - _shrunk) / 2
FROM_START = (
    start * (_cosh + _cos * _sinh),
    start_mean * _cosh + (start_mean * _cos + _sin) * _sinh,
)

s, m, s1, m1 = sp.symbols("s m s' m'", real=True)
lagrangian = (s1 / s) ** 2 + (m1 - m * s1 / s) ** 2


WEIGHTS = Premise(
    "the cost of a path of s xi + m is the squared hyperbolic speed and a total derivative",
    lagrangian,
)
# A velocity of size ``rate`` in any direction, and an acceleration of rate^2 times the path.
moving = {s1: rate * s * _cos, m1: rate * (m * _cos + _sin)}
chord = sp.sqrt((end - start) ** 2 + (end_mean * start - start_mean * end) ** 2) / (
    sp.sqrt(start) * sp.sqrt(end)
)
SPEED = (
    applied(
        "the Lagrangian is rate^2",
        rate**2,
        WEIGHTS,
        moving,
        because="a weight of depth + rate cos and a bias of rate sin, in any direction",
        uses=(NEURON,),
    ),
    *Lagrangian(lagrangian, {s: s1, m: m1}, position, uses=(WEIGHTS, NEURON)).stationary(
        {s: (moving[s1], rate**2 * s), m: (moving[m1], rate**2 * m)}
    ),
)
AT_START = sp.Tuple(start, start_mean)
FROM_ANYWHERE = Step(
    "the path from any start in any direction",
    sp.Matrix(
        [
            sp.Subs(sp.Derivative(curve, (position, order)), position, at)
            for order, at in ((2, position), (1, 0))
            for curve in FROM_START
        ]
    ),
    sp.Matrix(
        [
            *(sp.Subs(rate**2 * x, x, curve) for x, curve in zip((s, m), FROM_START, strict=True)),
            *(sp.Subs(moving[x], (s, m), AT_START) for x in (s1, m1)),
        ]
    ),
    because="it solves the equations of motion and leaves the start at the rate; it begins there, as cosh 0 = 1",
    uses=SPEED,
)
CHORD = Premise("the chord of a hyperbolic distance d is 2 sinh(d/2)", 2 * sp.sinh(rate / 2))
ENDS = Step(
    "ends at distance d",
    sp.Subs(chord, (end, end_mean), [sp.Subs(curve, position, 1) for curve in FROM_START]),
    CHORD.expression,
    because="path of rate d = 2 log(stretch) from any start in any direction",
    where={rate: 2 * sp.log(stretch)},
    uses=(FROM_ANYWHERE, CHORD, DIFFERENT),
)


def affine_distance() -> ClosedForm:
    """Return the hyperbolic distance between the ends, which is the rate of the geodesic, dimensionless."""
    return geodesic_form(
        name="leaky_resnet.affine_distance",
        meaning="Rate of the geodesic of one linear neuron with bias: hyperbolic distance of its ends.",
        arguments=(symbols.START, symbols.START_MEAN, symbols.END, symbols.END_MEAN),
        expression=distance_expression,
        assumptions=(NEURON, DIFFERENT),
        steps=(
            *SPEED,
            FROM_ANYWHERE,
            ENDS,
            applied(
                "2 sinh(d/2) is the chord",
                chord,
                CHORD,
                {rate: distance_expression},
                because="distance in the half-plane; the positive root",
                uses=(ENDS,),
            ),
        ),
    )


def affine_path() -> ClosedForm:
    """Return an entry of the representation along the geodesic, in units of the representation."""
    xi, x, x1 = sp.symbols("xi x x'", real=True)
    entry = Step(
        "an entry x = s xi + m of the representation is accelerated as both are",
        sp.Subs(s * xi + m, (s, m), (rate**2 * s, rate**2 * m)),
        sp.Subs(rate**2 * x, x, s * xi + m),
        because="linear in both",
        uses=SPEED[1:],
    )
    geodesic = Flow({x: x1, x1: rate**2 * x}, position, uses=(entry, OF_RATE)).solution(
        {x: path_expression, x1: sp.diff(path_expression, position)},
        starts={x: first},
        ends={x: last},
        end=1,
    )
    return geodesic[x].form(
        "leaky_resnet.affine_path",
        "An entry of the representation along a geodesic of one linear neuron with bias.",
        (FIRST, LAST, symbols.RATE, symbols.POSITION),
        assumptions=(NEURON, OF_RATE),
        sources=SOURCES,
    )
