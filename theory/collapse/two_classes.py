r"""Two Gaussian classes: what the collapse floor says about accuracy and usable information.

Two equally frequent classes of one covariance, a Mahalanobis distance :math:`\Delta` apart, have the collapse floor
:math:`\varphi = 4/\Delta^2`. A linear decoder with a sigmoid *is* their posterior, so its best accuracy is
:math:`\Phi(\Delta/2) = \Phi(\varphi^{-1/2})`, and what it can use is all there is:

.. math:: I_{\mathcal V}(h \to y) = I(h; y) = 1 - \mathbb{E}_z \log_2\bigl(1 + e^{-\Delta^2/2 - \Delta z}\bigr)
   \text{ bits}, \qquad z \sim N(0, 1) .

Both depend on the floor, not on NC1 itself: NC1 may exceed its floor by any factor while a linear decoder loses
nothing.
"""

from __future__ import annotations

import sympy as sp

from theory.collapse.symbols import FLOOR, floor
from theory.core import ClosedForm, Source, Status, Step
from theory.core.special import normal_cdf, normal_pdf

distance = sp.Symbol("distance", positive=True)
z = sp.Symbol("z", real=True)
threshold = sp.Symbol("threshold", real=True)

accuracy_expression = normal_cdf(1 / sp.sqrt(floor))
separation = 2 / sp.sqrt(floor)
information_expression = 1 - sp.Integral(
    normal_pdf(z) * sp.log(1 + sp.exp(-separation * (z + separation / 2))), (z, -sp.oo, sp.oo)
) / sp.log(2)

right, wrong = normal_pdf(z), normal_pdf(z + distance)  # densities of the two classes at the first one's mean plus z
AT_DISTANCE = {floor: 4 / distance**2}
ASSUMPTIONS = ("two equally frequent Gaussian classes of one covariance",)

POSTERIOR = Step(
    "the posterior is a sigmoid of a linear function",
    right / (right + wrong),
    1 / (1 + sp.exp(-distance * (z + distance / 2))),
    because="the quadratic terms of equal covariances cancel; so a linear decoder with a sigmoid contains it",
)


def two_class_accuracy() -> ClosedForm:
    """Best accuracy on two Gaussian classes, a probability."""
    hit = (normal_cdf(threshold) + normal_cdf(distance - threshold)) / 2
    return ClosedForm(
        name="collapse.two_class_accuracy",
        meaning="Best accuracy of any decoder on two Gaussian classes, from their collapse floor.",
        arguments=(FLOOR,),
        expression=accuracy_expression,
        assumptions=ASSUMPTIONS,
        steps=(
            POSTERIOR,
            Step(
                "a threshold halfway is stationary",
                sp.Subs(sp.Derivative(hit, threshold), threshold, distance / 2),
                sp.S.Zero,
                because="the densities cross there",
            ),
            Step(
                "accuracy at that threshold",
                accuracy_expression,
                sp.Subs(hit, threshold, distance / 2),
                because="distance = 2/sqrt(floor)",
                where=AT_DISTANCE,
            ),
        ),
        sources=(Source("cheong2025", "Sections 1.2 and 1.3"),),
        status=Status.DERIVED,
    )


def two_class_information() -> ClosedForm:
    """Usable information of linear decoders about two Gaussian classes, bits."""
    return ClosedForm(
        name="collapse.two_class_information",
        meaning="Information in bits on two Gaussian classes that linear decoders can use, from their collapse floor.",
        arguments=(FLOOR,),
        expression=information_expression,
        assumptions=ASSUMPTIONS,
        steps=(
            POSTERIOR,
            Step(
                "entropy of the labels less cross-entropy of the posterior",
                information_expression,
                1 - sp.Integral(right * sp.log(1 + wrong / right), (z, -sp.oo, sp.oo)) / sp.log(2),
                because="both classes contribute alike, by reflection; log2 2 = 1 bit",
                where=AT_DISTANCE,
            ),
        ),
        sources=(Source("cheong2025", "Section 1.3, definition of the sufficiency term"),),
        status=Status.DERIVED,
    )
