r"""How far the direction of the mean can fade in a bottleneck whose code has to stay non-negative.

A code *z* of *k* dimensions whose entries are centred is held by :math:`A_p = s_p U z + m_p n 1^\top`, *U* with
orthonormal columns and *n* a unit vector outside them. It has no negative entries while :math:`m_p / s_p` is constant
and large enough, so that code and mean shrink and grow together. The smallest weights have the squared norm

.. math:: \|W\|^2 = k \Bigl(\tilde L + \frac{s'}{s}\Bigr)^2 + \frac{(m' + \tilde L m)^2}{1 + m^2} ,

since the bias carries a part of the mean. At rest that is :math:`\tilde L^2` times the cost of identity
:math:`k + m^2/(1 + m^2)`, with a singular value :math:`\tilde L m/\sqrt{1 + m^2}` beyond the first *k*. The mean thus
counts as almost one dimension for m above one, and is worth giving up; but its path from *M* down to :math:`m_0` and
back takes the effective depth

.. math:: \tilde L = 2 \sqrt{1 + m_0^2} \Bigl[ \sqrt{k+1} \operatorname{arsinh} \sqrt{\frac{(k+1)(M^2 - m_0^2)}
   {k + (k+1) m_0^2}} + \frac{\sqrt k}{m_0} \arctan \Bigl( \frac1{m_0} \sqrt{\frac{k (M^2 - m_0^2)}{k + (k+1) M^2}}
   \Bigr) \Bigr] ,

so that for large depths :math:`m_0 \approx \pi \sqrt k/\tilde L` whatever M is: the gap in the spectrum of the
weights moves from *k* + 1 to *k* only algebraically, and the cost of identity comes down to *k* like :math:`k (1 +
\pi^2/\tilde L^2)`. Below that the mean stays: for *k* = 3 and *M* from 3 to 5 it is 2.5 to 4.7 at a depth of 7, and
0.41 to 0.52 at 18. For large *M* several paths may have the same depth. Not in the paper.
"""

import sympy as sp

from theory.core import Argument, ClosedForm, Condition, Premise, Step
from theory.leaky_resnet.linear_modes import LAGRANGIAN, geodesic_form
from theory.leaky_resnet.symbols import along, depth, slope, value

dimension = sp.Symbol("dimension", positive=True, integer=True)
least_mean = sp.Symbol("least_mean", positive=True)
outer_mean = sp.Symbol("outer_mean", positive=True)
DIMENSION = Argument(dimension, "dimension of the code", sample=(1, 10), example=3, latex="k")
LEAST_MEAN = Argument(
    least_mean,
    "size of the mean in the middle, least of all",
    sample=(0.1, 1),
    example=0.2,
    latex="m_{0}",
)
OUTER_MEAN = Argument(
    outer_mean, "size of the mean at both ends", sample=(1, 5), example=2, latex="M"
)

grown = (outer_mean - least_mean) * (outer_mean + least_mean)
down_and_up = sp.sqrt(dimension + 1) * sp.asinh(
    sp.sqrt((dimension + 1) * grown / (dimension + (dimension + 1) * least_mean**2))
) + sp.sqrt(dimension) / least_mean * sp.atan(
    sp.sqrt(dimension * grown / (dimension + (dimension + 1) * outer_mean**2)) / least_mean
)
depth_expression = 2 * sp.sqrt(1 + least_mean**2) * down_and_up

# On the path code and mean shrink and grow together: s'/s = m'/m.
weights2 = dimension * (depth + slope / value) ** 2 + (slope + depth * value) ** 2 / (1 + value**2)
kinetic = (dimension / value**2 + 1 / (1 + value**2)) * slope**2
potential = depth**2 * value**2 / (1 + value**2)
integrated = depth * (2 * dimension * sp.log(value) + sp.log(1 + value**2))
lagrangian = kinetic + potential
speed = (
    depth
    * value
    * sp.sqrt(value**2 - least_mean**2)
    / (sp.sqrt(1 + least_mean**2) * sp.sqrt(dimension + (dimension + 1) * value**2))
)
pace, cost, total = sp.symbols("pace cost total", real=True)
PIECE = Premise(
    "pace, the effective depth that a piece of the mean takes once down and once up, is 2 depth over the speed: these "
    "squares are equal",
    sp.Matrix([pace**2, (2 * depth / slope) ** 2]),
)


def _smallest_weights(k: int) -> Step:
    """Check the squared weights for *k* code directions; code, mean and bias are orthogonal over the samples."""
    s = sp.Symbol("s", positive=True)
    # the last row is the constant
    features = sp.diag(s * sp.eye(k), value).col_join(sp.Matrix([[0] * k + [1]]))
    moved = sp.diag((s * slope / value + depth * s) * sp.eye(k), slope + depth * value)
    smallest = moved * (features.T * features).inv() * features.T
    return Step(
        f"squared weights for {k} code direction{'s' if k > 1 else ''}",
        (smallest.T * smallest).trace(),
        sp.Subs(weights2, dimension, k),
        because="smallest solution of W σ(A) = A' + depth A with s'/s = m'/m",
        uses=(LAGRANGIAN, TOGETHER),
    )


TOGETHER = "with bias; code and mean are in proportion, and the mean is orthogonal to the code's directions"
SYMMETRIC = "the path is symmetric, from M at p = 0 to M at p = 1"
WEIGHTS = tuple(_smallest_weights(k) for k in (1, 2, 3))
parts = Step(
    "kinetic and potential part",
    weights2,
    sp.Subs(
        dimension * depth**2 + cost + slope * total,
        (cost, total),
        (lagrangian, sp.Derivative(integrated, value)),
    ),
    because="the rest is a constant and a total derivative",
    uses=WEIGHTS,
)
conserved = along(lagrangian, uses=(parts,)).conserves(kinetic - potential)
kinetic_part = Step(
    "speed of the mean",
    sp.Subs(kinetic - potential, slope, speed),
    sp.Subs(kinetic - potential, (slope, value), (0, least_mean)),
    because="the kinetic part is what the potential exceeds that at the least mean by",
    uses=(conserved,),
)
begins = Step(
    "the path begins and ends at the least mean at depth zero",
    sp.Subs(depth_expression, outer_mean, least_mean),
    sp.S.Zero,
    because="substitution",
    uses=(),
)
positive = Step(
    "the effective depth is positive at k = 1 and means from 2 to 1",
    sp.Subs(depth_expression, (dimension, least_mean, outer_mean), (1, 1, 2)),
    sp.Abs(sp.Subs(depth_expression, (dimension, least_mean, outer_mean), (1, 1, 2))),
    because="the slope is nowhere zero, so that one point decides on its sign",
    uses=(),
)
STEPS = (
    *WEIGHTS,
    parts,
    conserved,
    kinetic_part,
    begins,
    positive,
    Step(
        "every further piece takes twice the effective depth over the speed, down and up",
        sp.Subs(pace**2, pace, sp.Derivative(depth_expression, outer_mean)),
        sp.Subs((2 * depth / slope) ** 2, slope, sp.Subs(speed, value, outer_mean)),
        because="the speed at the outer mean",
        where={outer_mean: sp.sqrt(least_mean**2 + sp.Symbol("excess", positive=True) ** 2)},
        uses=(kinetic_part, begins, positive, PIECE, SYMMETRIC),
    ),
)


def depth_of_mean() -> ClosedForm:
    """Return the effective depth at which the mean fades from one size to another and grows back, dimensionless."""
    return geodesic_form(
        name="leaky_resnet.depth_of_mean",
        meaning="Effective depth at which the mean of a non-negative code fades from a size M to m_0, and grows back.",
        arguments=(DIMENSION, LEAST_MEAN, OUTER_MEAN),
        expression=depth_expression,
        assumptions=(TOGETHER, SYMMETRIC),
        conditions=(
            Condition(sp.Ge(outer_mean, least_mean), "the mean is smallest in the middle"),
        ),
        steps=STEPS,
    )
