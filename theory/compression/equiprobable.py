r"""Thresholds at which the two labels are equiprobable. Source: Paccolat et al. (2021), footnotes 2 and 4."""

from typing import Any

import sympy as sp

from theory.core import (
    Argument,
    ClosedForm,
    Premise,
    Source,
    Status,
    Step,
    applied,
    differentiated,
)
from theory.core.formula.special import normal_cdf
from theory.core.numbers.arguments import integer

x_min = sp.Symbol("x_min", negative=True)
# Each branch uses the smaller number: 2 Phi(x_min) left of the quartile, 1 - 2 Phi(x_min) right of it.
x_max_expression = sp.sqrt(2) * sp.Piecewise(
    (sp.erfinv(2 * normal_cdf(x_min)), x_min < -sp.Rational(2, 3)),
    (sp.erfcinv(-sp.erf(x_min / sp.sqrt(2))), True),
)
abscissa = sp.Symbol("x", real=True)
radius = sp.Symbol("r", positive=True)
HALF = sp.Rational(1, 2)
DATA = Premise("every informative direction of the data is a unit Gaussian", normal_cdf(abscissa))

STRIPE = Premise(
    "the probability of a stripe is the difference of the distribution function at its boundaries",
    normal_cdf(abscissa) - normal_cdf(x_min),
)


def equiprobable_stripe(x_min: Any = None) -> ClosedForm:
    """Return the right boundary of a stripe that has probability one half, dimensionless.

    Args:
        x_min: left boundary, negative, dimensionless; by default it is an argument of the closed form.

    Raises:
        ValueError: if ``x_min`` is not negative, because no stripe to the right of 0 contains half of the data.

    Source: footnote 2, with its misprint corrected.

    >>> round(float(equiprobable_stripe()(x_min=-0.3)), 4)
    1.1855
    """
    low = globals()["x_min"]
    form = ClosedForm(
        name="compression.equiprobable_stripe",
        meaning="Right boundary of the stripe, from x_min on, that holds half of the Gaussian data.",
        arguments=(
            Argument(low, "left boundary of the stripe", sample=(-2, -0.1), latex=r"x_{\min}"),
        ),
        expression=x_max_expression,
        status=Status.DERIVED,
        steps=(
            applied(
                "probability of the stripe",
                HALF,
                STRIPE,
                {abscissa: x_max_expression},
                because="the distribution function of a unit Gaussian is erfc(-x/sqrt(2))/2",
                uses=(DATA,),
            ),
        ),
        sources=(Source("paccolat2021", "footnote 2"),),
    )
    return form if x_min is None else form.specialise({low: x_min})


def equiprobable_radius(d_parallel: int) -> ClosedForm:
    """Return the radius that contains half of the data in ``d_parallel`` informative directions, dimensionless.

    Args:
        d_parallel: 1 or 2. For more directions the equation is transcendental; ``Shells.equiprobable`` solves it.

    Raises:
        ValueError: if there is no closed form for that number of directions.

    Source: footnote 4.

    >>> round(float(equiprobable_radius(2)()), 4)
    1.1774
    """
    count = integer("d_parallel", d_parallel, 1)
    names = {1: "interval", 2: "cylinder"}
    solutions = {1: sp.sqrt(2) * sp.erfinv(HALF), 2: sp.sqrt(2 * sp.log(2))}
    if count not in solutions:
        raise ValueError(
            f"d_parallel: got {count}; only 1 and 2 have a closed form, use Shells.equiprobable({count})"
        )
    inside = {1: sp.erf(radius / sp.sqrt(2)), 2: 1 - sp.exp(-(radius**2) / 2)}[count]
    surface = {1: 2, 2: 2 * sp.pi * radius}[count]
    density = differentiated(
        "density of the radius",
        surface * sp.exp(-(radius**2) / 2) / (2 * sp.pi) ** sp.Rational(count, 2),
        inside,
        radius,
        because="surface of the sphere times the density; nothing is inside radius 0",
        uses=(DATA,),
    )
    positive = Step(
        "it is positive",
        sp.Subs(sp.sign(abscissa), abscissa, solutions[count]),
        sp.S.One,
        because="a radius",
        uses=(),
        aside="the other root is no radius",
    )
    return ClosedForm(
        name=f"compression.equiprobable_radius.{names[count]}",
        meaning=f"Radius that holds half of the Gaussian data in {count} informative directions.",
        arguments=(),
        expression=solutions[count],
        status=Status.DERIVED,
        steps=(
            density,
            positive,
            Step(
                "probability inside",
                sp.Subs(inside, radius, solutions[count]),
                HALF,
                because="substitution",
                uses=(density,),
            ),
        ),
        sources=(Source("paccolat2021", "footnote 4"),),
    )
