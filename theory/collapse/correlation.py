r"""Pearson's r over three layers, and its null distributions.

With three layers *r* depends on one number, the division of the total decrease of :math:`\log \mathrm{NC1}` between the
two steps. If the decrease in the two steps is *a* and *b*,

.. math:: |r| = \frac{\sqrt 3}{2} \frac{a + b}{\sqrt{a^2 + ab + b^2}} ,

so every decreasing profile has :math:`|r| \ge \sqrt3/2 = 0.866`. There are two null models:

*No trend* (three independent Gaussian values): the profile's direction is uniform on a circle,
:math:`P(|R| \ge |r|) = 1 - \tfrac{2}{\pi} \arcsin |r|`. *Decreasing, with random steps* (a/(a+b) uniform, as for two
independent exponential steps): :math:`P(|R| \ge |r|) = \sqrt{3}\,\sqrt{1/r^2 - 1}`. At :math:`|r| = 0.99` they are 0.09
and 0.25.
"""

from __future__ import annotations

import sympy as sp

from theory.collapse.symbols import CORRELATION, correlation
from theory.core import Argument, ClosedForm, Condition, Premise, Source, Status, Step

first, second = sp.symbols("first second", positive=True)
FIRST = Argument(first, "fall of log NC1 from the first layer to the second", sample=(0.1, 3), example=1)
SECOND = Argument(second, "fall of log NC1 from the second layer to the third", sample=(0.1, 3), example=0.5)

magnitude = sp.sqrt(3) / 2 * (first + second) / sp.sqrt(first**2 + first * second + second**2)
chance = 1 - 2 / sp.pi * sp.asin(correlation)
monotone_chance = sp.sqrt(3) * sp.sqrt(1 / correlation**2 - 1)

layer = sp.Matrix([-1, 0, 1])
profile = sp.Matrix([0, -first, -first - second])
centred = profile - sp.ones(3, 1) * sum(profile) / 3
share = sp.Symbol("share", positive=True)
angle = sp.Symbol("angle", positive=True)
total = sp.Symbol("total", positive=True)
pearson = sp.Abs(layer.dot(centred)) / sp.sqrt(layer.dot(layer) * centred.dot(centred))
PEARSON = Premise("|r|, Pearson's, of the layers and their log NC1", pearson)
THREE = "three layers"
FALLS, SHARED = "NC1 falls twice", "the first step's share of the fall is uniform on [0, 1]"
NOISE = "their values of log NC1 are independent Gaussians of one mean and variance"
AT_MOST_ONE = Condition(1 - correlation, "a correlation is at most 1")


def three_layer_correlation() -> ClosedForm:
    """Return |r| between layer index and log NC1 for three layers of decreasing NC1, dimensionless.

    >>> round(float(three_layer_correlation()(first=1, second=0.5)), 4)
    0.982
    """
    return ClosedForm(
        name="collapse.three_layer_correlation",
        meaning="Magnitude of the correlation of log NC1 with depth, for three layers of falling NC1.",
        arguments=(FIRST, SECOND),
        expression=magnitude,
        steps=(
            Step(
                "definition of the correlation",
                magnitude,
                pearson,
                because="layers 1, 2, 3, centred",
                uses=(PEARSON,),
            ),
        ),
        sources=(Source("cheong2025", "Section 3.2, Figure 3.4"),),
        status=Status.DERIVED,
    )


def correlation_chance() -> ClosedForm:
    """Return the probability of at least this |r| over three layers without trend.

    >>> round(float(correlation_chance()(correlation=0.95)), 4)
    0.2022
    """
    # The plane of centred profiles has two axes, linear trend and curvature.
    trend, bend = sp.Matrix([-1, 0, 1]) / sp.sqrt(2), sp.Matrix([1, -2, 1]) / sp.sqrt(6)
    direction = sp.cos(angle) * trend + sp.sin(angle) * bend
    return ClosedForm(
        name="collapse.correlation_chance",
        meaning="Probability that three independent Gaussian values correlate with depth at least so strongly.",
        arguments=(CORRELATION,),
        expression=chance,
        conditions=(AT_MOST_ONE,),
        assumptions=(THREE, NOISE),
        steps=(
            direction_step := Step(
                "r is the cosine of the angle between profile and trend",
                sp.MatMul(layer.T / sp.sqrt(2), direction),
                sp.Matrix([sp.cos(angle)]),
                because="the profile's direction, uniform on a circle because the noise is isotropic",
                uses=(PEARSON, THREE, NOISE),
            ),
            Step(
                "four arcs of density 1/(2 pi)",
                sp.Derivative(chance, correlation),
                4 / (2 * sp.pi) * sp.Derivative(sp.acos(correlation), correlation),
                because="|cos| is at least |r| on four arcs from 0 to arccos |r|",
                uses=(direction_step, NOISE),
            ),
            Step("certain at zero", sp.Limit(chance, correlation, 0), sp.S.One, because="fixes the constant", uses=()),
        ),
        sources=(Source("cheong2025", "Section 3.2, Figure 3.4"),),
        status=Status.DERIVED,
    )


def monotone_correlation_chance() -> ClosedForm:
    """Return the probability of at least this |r| over three layers whose NC1 decreases in two random steps.

    >>> round(float(monotone_correlation_chance()(correlation=0.95)), 4)
    0.5693
    """
    at_share = magnitude.subs({first: share * total, second: (1 - share) * total})
    upper = (1 + monotone_chance) / 2
    return ClosedForm(
        name="collapse.monotone_correlation_chance",
        meaning="Probability of at least so strong a correlation if NC1 merely falls, its two steps shared at random.",
        arguments=(CORRELATION,),
        expression=monotone_chance,
        conditions=(
            AT_MOST_ONE,
            Condition(correlation - sp.sqrt(3) / 2, "a falling profile of three layers has |r| >= sqrt(3)/2"),
        ),
        assumptions=(THREE, FALLS, SHARED),
        steps=(
            by_share := Step(
                "|r| as a function of the share",
                at_share**2,
                sp.Rational(3, 4) / (1 - share + share**2),
                because="largest at one half, and symmetric about it",
                uses=(three_layer_correlation(), THREE, FALLS),
            ),
            Step(
                "it is |r| at the upper end of an interval of that length about one half",
                sp.Subs(at_share**2, share, upper),
                correlation**2,
                because="a uniform share falls in the interval with a probability of its length",
                uses=(by_share, SHARED),
            ),
            Step(
                "the length is positive",
                sp.Subs(monotone_chance, correlation, sp.sqrt(3) / 2),
                sp.S.One,
                because="at the least |r| the interval is all of [0, 1]",
                uses=(),
            ),
        ),
        sources=(Source("cheong2025", "Section 3.2, Figure 3.4"),),
        status=Status.DERIVED,
    )
