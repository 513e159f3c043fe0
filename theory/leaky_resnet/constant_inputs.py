r"""All geodesics of one linear neuron with bias on equal inputs, found as roots of a transcendental equation.

A neuron whose inputs are all equal has :math:`\|W\|^2 = (m' + \tilde L m)^2/(1 + m^2)`; with :math:`m = \sinh \theta` a
particle in the potential :math:`-\tfrac12 \tilde L^2 \tanh^2\theta`. All its paths obey :math:`m'' = \Omega^2 m`. They
are the hyperbolic sines of ``affine_scalar``, with a rate that here depends on the depth:

.. math:: \tilde L = \Omega \sqrt{1 + \frac{2 m_0 m_1}{1 + \cosh\Omega} - \Bigl(\frac{m_1 - m_0}{\sinh\Omega}\Bigr)^2}.

As an equation for :math:`\Omega` this may have several roots, which are several critical paths between the same ends.
Each has :math:`-\tfrac{2}{\tilde L} H = 1 - \Omega^2/\tilde L^2`. Not in the paper.
"""

import sympy as sp

from theory.core import ClosedForm, Condition, Premise, Step, phi1
from theory.core.formula.rounding import compensated
from theory.leaky_resnet import symbols
from theory.leaky_resnet.linear_modes import geodesic_form
from theory.leaky_resnet.symbols import (
    depth,
    end_mean,
    position,
    rate,
    slope,
    start_mean,
    value,
)

lagrangian = (slope + depth * value) ** 2 / (2 * depth * (1 + value**2))
decay = sp.exp(-rate)
# 2/(1 + cosh) and 1/sinh in exponentials that do not overflow.
inside = compensated(
    1
    + 4 * start_mean * end_mean * decay / (1 + decay) ** 2
    - ((end_mean - start_mean) * decay / (rate * phi1(-2 * rate))) ** 2
)
depth_expression = rate * sp.sqrt(inside)
written_out = rate * sp.sqrt(
    1
    + 4 * start_mean * end_mean * decay / (1 + decay) ** 2
    - (2 * (end_mean - start_mean) * decay / (1 - decay**2)) ** 2
)

# m = P exp(rate p) + Q exp(-rate p); the depth of such a path is rate sqrt(1 + 4 P Q), here rate h.
P = sp.Symbol("P", nonzero=True, real=True)
h, excess = sp.symbols("h excess", positive=True)
Q = (h**2 - 1) / (4 * P)
path = P * sp.exp(rate * position) + Q * sp.exp(-rate * position)
stretch = 1 + excess  # exp(rate)
ENDS = {rate: sp.log(stretch), start_mean: P + Q, end_mean: P * stretch + Q / stretch}

ASSUMPTIONS = ("one neuron, no activation, with bias", "all inputs are the same")
WEIGHTS = Premise(
    "the cost of a path is the integral of (m' + depth m)^2 / (2 depth (1 + m^2))", lagrangian
)

# all paths, with two constants, P and Q, of which h and P are made
cost = symbols.along(lagrangian, uses=(WEIGHTS, *ASSUMPTIONS))
(paths,) = cost.stationary({value: path}, {depth: rate * h})
ends = Step(
    "depth from the ends",
    written_out,
    rate * h,
    because="P and Q in terms of the ends",
    where=ENDS,
    uses=(paths,),
)
STEPS = (
    paths,
    cost.conserves(
        (rate**2 - (rate * h) ** 2) / (2 * rate * h),
        {value: path},
        {depth: rate * h},
        aside="the value of H that depth = rate h gives",
        uses=(paths,),
    ),
    ends,
    Step(
        "no difference of exponentials",
        depth_expression,
        written_out,
        because="phi1(x) = (exp(x) - 1)/x",
        uses=(ends,),
    ),
)


def depth_of_rate() -> ClosedForm:
    """Return the effective depth at which a path with given ends has a given rate, dimensionless."""
    return geodesic_form(
        name="leaky_resnet.depth_of_rate",
        meaning="Effective depth at which the geodesic of one neuron on equal inputs has a given exponential rate.",
        arguments=(symbols.RATE, symbols.START_MEAN, symbols.END_MEAN),
        expression=depth_expression,
        assumptions=ASSUMPTIONS,
        conditions=(
            Condition(
                sp.Gt(inside, 0), "the rate must belong to a path between these ends at some depth"
            ),
        ),
        steps=STEPS,
    )
