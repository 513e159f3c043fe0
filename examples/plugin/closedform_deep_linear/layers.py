"""How fast a mode of a linear network with any number of layers of weights is learned: a family of closed forms."""

import sympy as sp

from closedform_deep_linear.modes import BALANCED, SOURCES, TARGET, TAU, s, tau, u
from theory.core import Argument, ClosedForm, Premise, Status, Step
from theory.core.facade.family import Family, Parameter, integer_from

STRENGTH = Argument(
    u, "strength of the mode, the product of the factors of all layers", sample=(0.01, 1)
)


def rate_of(layers):
    """Return the rate at which the strength of a mode changes, for a number of layers of weights."""
    factors = sp.symbols(f"a_1:{layers + 1}", positive=True)
    product = sp.prod(factors)
    loss = (s - product) ** 2 / 2
    slopes = sp.Add(*(sp.Derivative(product, a) * sp.Derivative(-loss, a) for a in factors))
    descent = Premise(
        "every factor follows minus the slope of half the squared error, over tau", slopes / tau
    )
    expression = layers * u ** (2 - sp.Rational(2, layers)) * (s - u) / tau
    balanced = Premise(
        "each of the equal factors is a root of their product u", sp.root(u, layers)
    )
    step = Step(
        "the product of balanced factors changes at this rate",
        sp.Subs(descent.expression, factors, (balanced.expression,) * layers),
        expression,
        uses=(descent, balanced, *BALANCED),
    )
    return ClosedForm(
        name=f"deep_linear.rate.layers_{layers}",
        meaning=f"Rate at which one mode of a linear network with {layers} layers of weights changes.",
        arguments=(STRENGTH, TARGET, TAU),
        expression=expression,
        assumptions=BALANCED,
        steps=(step,),
        sources=SOURCES,
        status=Status.DERIVED,
    )


rate = Family(
    "deep_linear.rate",
    "Rate at which one mode of a deep linear network changes.",
    (
        Parameter(
            "layers", "number of layers of weights, 1 to 9", integer_from(1, 9), prefix="layers_"
        ),
    ),
    rate_of,
    ("layers_2", "layers_5"),
)
