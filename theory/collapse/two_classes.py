r"""Accuracy and usable information of two Gaussian classes as functions of their collapse floor.

Two equally frequent classes with the same covariance and a Mahalanobis distance :math:`\Delta` have the collapse floor
:math:`\varphi = 4/\Delta^2`. Their posterior *is* a linear decoder with a sigmoid. The best accuracy of such a decoder
is therefore :math:`\Phi(\Delta/2) = \Phi(\varphi^{-1/2})`, and its usable information equals the mutual information:

.. math:: I_{\mathcal V}(h \to y) = I(h; y) = 1 - \mathbb{E}_u \log_2\bigl(1 + e^{-u}\bigr) \text{ bits},
   \qquad u \sim N(\Delta^2/2, \Delta^2),

Where the classes overlap, this is a difference of nearly equal numbers. Taking both signs of the log odds ``u``
together and integrating by parts turns it into an integral of positive terms,
:math:`\frac{1}{4 \ln 2} \int_0^\infty u \operatorname{sech}^2(u/2)\, P(|U| > u)\, du`.

Accuracy and information depend on the floor, not on NC1 itself: NC1 may exceed its floor by any factor without a loss
for a linear decoder.
"""

from functools import cache, partial

import sympy as sp

from theory.collapse.linear_maps import two_class_floor
from theory.collapse.symbols import FLOOR, floor
from theory.core import ClosedForm, Premise, Source, Status, Step, applied, differentiated
from theory.core.formula.special import normal_cdf, normal_pdf

distance = sp.Symbol("distance", positive=True)
z, u = sp.symbols("z u", real=True)
threshold, of_both, of_right, of_wrong = sp.symbols(
    "threshold of_both of_right of_wrong", real=True
)
posterior = sp.Symbol("posterior", positive=True)

accuracy_expression = normal_cdf(1 / sp.sqrt(floor))

# The integration variable s is u in units of the distance, u = distance s.
s = sp.Symbol("s", nonnegative=True)
separation = 2 / sp.sqrt(floor)
information_expression = sp.Integral(
    s
    * sp.sech(separation * s / 2) ** 2
    * (normal_cdf(separation / 2 - s) + normal_cdf(-separation / 2 - s))
    / (floor * sp.log(2)),
    (s, 0, sp.oo),
)

# densities of the two classes at the mean of the first plus z
right, wrong = (normal_pdf(z), normal_pdf(z + distance))
AT_DISTANCE = {floor: 4 / distance**2}
CLASSES = "two equally frequent Gaussian classes of one covariance"
DENSITIES = Premise(
    "the densities of the classes at z beyond the first mean, along their difference", right
)

POSTERIOR = Step(
    "the posterior is a sigmoid of a linear function",
    right / (right + wrong),
    1 / (1 + sp.exp(-distance * (z + distance / 2))),
    because="the quadratic terms of equal covariances cancel; so a linear decoder with a sigmoid contains it",
    uses=(DENSITIES, CLASSES),
)

# The density of the log odds u of the true label, and the difference between the loss of a guess and the loss at u.
odds = sp.exp(-((u - distance**2 / 2) ** 2) / (2 * distance**2)) / (distance * sp.sqrt(2 * sp.pi))
gain = sp.log(2) - sp.log(1 + sp.exp(-u))
gain_of_the_wrong = gain - u
both_signs = gain - u / (1 + sp.exp(u))
slope = u * sp.sech(u / 2) ** 2 / 4
beyond = normal_cdf(distance / 2 - u / distance) + normal_cdf(-distance / 2 - u / distance)
GAIN = Premise("the gain of the odds u over a guess: log 2 less the loss log(1 + exp(-u))", gain)
hit = (normal_cdf(threshold) + normal_cdf(distance - threshold)) / 2
HIT = Premise(
    "a threshold on the line through the means is right on its own side of each class", hit
)
integrand = (beyond * slope).subs(u, distance * s) * distance
gained = sp.Integral(integrand, (s, 0, sp.oo)) / sp.log(2)
INFORMATION = Premise(
    "usable information in bits: the mean gain of the best decoder over a guess, over log 2",
    gained,
)

log_odds = Step(
    "u are log odds",
    sp.Subs(sp.log(posterior / (1 - posterior)), posterior, right / (right + wrong)),
    distance * (z + distance / 2),
    because="of two Gaussians",
    uses=(POSTERIOR,),
)
there = u / distance - distance / 2
at_odds = Step(
    "where they are u",
    sp.Subs(distance * (z + distance / 2), z, there),
    u,
    because="solved for z",
    uses=(log_odds,),
)
density = Step(
    "their density",
    sp.Subs(right, z, there) * sp.Derivative(there, u),
    odds,
    because="of the true label",
    uses=(at_odds, DENSITIES, CLASSES),
)
slopes = differentiated(
    "at -u the loss is larger by u",
    sp.diff(gain.subs(u, -u), u),
    gain_of_the_wrong,
    u,
    because="slopes",
    uses=(GAIN,),
)
at_zero = Step(
    "and at 0 it is the same",
    sp.Subs(gain_of_the_wrong, u, 0),
    sp.Subs(gain, u, 0),
    because="both are 0",
    uses=(GAIN,),
)
together = Step(
    "both signs of u together",
    odds * gain + odds.subs(u, -u) * gain_of_the_wrong,
    sp.Subs((odds + odds.subs(u, -u)) * of_both, of_both, both_signs),
    because="the density at -u is exp(-u) times that at u",
    uses=(density, slopes, at_zero, GAIN),
)
vanishes = Step(
    "what they gain vanishes at 0",
    sp.Subs(both_signs, u, 0),
    sp.S.Zero,
    because="evaluation",
    uses=(together,),
)
its_slope = differentiated("its slope", slope, both_signs, u, uses=(vanishes,))
beyond_odds = differentiated(
    "the probability beyond u falls by the densities",
    sp.Subs(-of_right - of_wrong, (of_right, of_wrong), (odds, odds.subs(u, -u))),
    beyond,
    u,
    uses=(density,),
)
in_units = Step(
    "what is gained at u = distance s",
    sp.Subs(beyond, u, distance * s) * sp.Subs(slope, u, distance * s) * distance,
    integrand,
    because="by parts: the probability beyond u times the slope",
    uses=(its_slope, beyond_odds),
)
of_two_classes = partial(
    ClosedForm, arguments=(FLOOR,), assumptions=(CLASSES,), status=Status.DERIVED
)


@cache
def two_class_accuracy() -> ClosedForm:
    """Return the best accuracy on two Gaussian classes, dimensionless, between 1/2 and 1.

    >>> round(float(two_class_accuracy()(floor=1)), 4)
    0.8413
    """
    even = Step(
        "the posterior is even there",
        sp.Subs(
            1 / (1 + sp.exp(-distance * (z + distance / 2))),
            z,
            sp.Subs(-threshold, threshold, distance / 2),
        ),
        sp.Rational(1, 2),
        because="so the better guess changes there, halfway between the means",
        uses=(POSTERIOR,),
    )
    halfway = differentiated(
        "a threshold halfway is stationary",
        sp.S.Zero,
        HIT,
        threshold,
        because="the densities cross there",
        at={threshold: distance / 2},
        uses=(CLASSES,),
    )
    return of_two_classes(
        name="collapse.two_class_accuracy",
        meaning="Best accuracy of any decoder on two Gaussian classes, from their collapse floor.",
        expression=accuracy_expression,
        steps=(
            POSTERIOR,
            even,
            halfway,
            applied(
                "accuracy at that threshold",
                accuracy_expression,
                HIT,
                {threshold: distance / 2},
                because="distance = 2/sqrt(floor)",
                where=AT_DISTANCE,
                uses=(even, halfway, two_class_floor()),
            ),
        ),
        sources=(Source("cheong2025", "Sections 1.2 and 1.3"),),
    )


@cache
def two_class_information() -> ClosedForm:
    """Return the information about two Gaussian classes that linear decoders can use, in bits.

    >>> round(float(two_class_information()(floor=1)), 4)
    0.4859
    """
    return of_two_classes(
        name="collapse.two_class_information",
        meaning="Information in bits on two Gaussian classes that linear decoders can use, from their collapse floor.",
        expression=information_expression,
        steps=(
            POSTERIOR,
            log_odds,
            at_odds,
            density,
            slopes,
            at_zero,
            together,
            vanishes,
            its_slope,
            beyond_odds,
            in_units,
            Step(
                "mean gain over a guess, which is the information, by parts",
                information_expression,
                gained,
                because="the probability beyond u vanishes at infinity; log2 2 = 1 bit; u = distance s",
                where=AT_DISTANCE,
                uses=(in_units, INFORMATION, two_class_floor()),
            ),
        ),
        sources=(Source("cheong2025", "Section 1.3, definition of the sufficiency term"),),
    )
