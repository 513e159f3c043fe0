r"""A linear network in which the law of equi-separation is exact up to a certain depth.

The features of a class are a signal block :math:`\mu_c + \varepsilon + B\xi` and a block :math:`\xi` that contains only
nuisance. All layers are equal; each subtracts a part of the nuisance and shrinks it:

.. math:: W = \begin{pmatrix} I & -(1-q) B \\ 0 & q I \end{pmatrix}, \qquad
   W^l = \begin{pmatrix} I & -(1-q^l) B \\ 0 & q^l I \end{pmatrix} .

The class means stay where they are, and NC1 falls to its floor (the smallest that linear maps reach) geometrically:

.. math:: \mathrm{NC1}_l = \varphi + (\mathrm{NC1}_0 - \varphi)\, q^{2l} .

With :math:`\varphi = 0` the law of equi-separation holds exactly, with ratio :math:`q^2`. Otherwise it holds until the
excess over the floor is as small as the floor, at depth :math:`\ln(\mathrm{NC1}_0/\varphi - 1) / (2 \ln(1/q))`.
"""

from functools import cache, partial

import sympy as sp

from theory.collapse.symbols import (
    DEPTH,
    FLOOR,
    INITIAL,
    NC1,
    SHRINK,
    depth,
    floor,
    initial,
    shrink,
)
from theory.core import ClosedForm, Condition, Premise, Source, Status, Step, applied
from theory.core.formula.rounding import compensated, log1p

expression = floor + (initial - floor) * shrink ** (2 * depth)
depth_expression = log1p(compensated(initial - 2 * floor) / floor) / (-2 * sp.log(shrink))

mixing, clean, nuisance, spread = sp.symbols("mixing clean nuisance spread", positive=True)
layer = sp.Matrix([[1, -(1 - shrink) * mixing], [0, shrink]])


def layers(count: sp.Expr) -> sp.Matrix:
    """Return the product of ``count`` layers for one signal and one nuisance feature."""
    return sp.Matrix([[1, -(1 - shrink**count) * mixing], [0, shrink**count]])


within = sp.Matrix(
    [[clean + mixing**2 * nuisance, mixing * nuisance], [mixing * nuisance, nuisance]]
)
seen, unseen = shrink**depth * mixing * nuisance, shrink ** (2 * depth) * mixing**2 * nuisance
after = sp.Matrix(
    [
        [clean + unseen, shrink**depth * seen],
        [shrink**depth * seen, shrink ** (2 * depth) * nuisance],
    ]
)
along, apart, entry = sp.symbols("along apart entry", positive=True)

SAME = "every layer is the same map"
INDEPENDENT = "signal and nuisance are independent within a class"
LAYER = Premise(
    "a layer subtracts a part of the nuisance and shrinks it, W = [[1, -(1 - q) B], [0, q]]", layer
)
FEATURES = Premise("features are the signal with B times the nuisance, and the nuisance", within)

POWERS = (
    Step("no layer", sp.Subs(layers(depth), depth, 0), sp.eye(2), because="shrink^0 = 1", uses=()),
    Step(
        "one layer more",
        sp.MatMul(layer, layers(depth)),
        layers(depth + 1),
        because="induction",
        uses=(LAYER, SAME),
    ),
)
between = sp.ImmutableMatrix([[spread, 0], [0, 0]])
MEANS = Step(
    "the covariance between classes stays",
    sp.MatMul(layers(depth), between, layers(depth).T),
    between,
    because="the class means have no nuisance",
    uses=(*POWERS, FEATURES),
)
REGRESSED = Step(
    "the floor is what is left when the nuisance is regressed out",
    sp.MatMul(sp.Matrix([[1, 0]]), sp.Inverse(within.as_immutable()), sp.Matrix([1, 0])),
    sp.Matrix([1 / clean]),
    because="an entry of the inverse is 1 over what is left along the signal",
    uses=(FEATURES, INDEPENDENT, NC1),
)
LEAST = Premise(
    "the floor is the NC1 of the best direction: 1 over the variance between classes and the entry of Sigma_W^-1 along "
    "the signal",
    1 / (apart * entry),
)
signal = sp.ImmutableMatrix([[1, 0], [0, 0]])
"""The projection on the signal."""
ALONG = Premise(
    "NC1 along the signal is the variance within classes along it over that between classes",
    along / apart,
)
AFTER = Step(
    "covariance within classes after the layers",
    sp.MatMul(layers(depth), within, layers(depth).T),
    after,
    because="W^l Sigma_W W^l'",
    uses=(*POWERS, FEATURES, INDEPENDENT),
)
BELOW_ONE = Condition(sp.Lt(shrink, 1), "a layer shrinks the nuisance")
SOURCES = (Source("cheong2025", "Section 3.2, law of equi-separation"),)
of_equal_layers = partial(
    ClosedForm, assumptions=(SAME, INDEPENDENT), sources=SOURCES, status=Status.DERIVED
)


@cache
def linear_depth_nc1() -> ClosedForm:
    """Return NC1 after a number of layers of the linear model, dimensionless.

    >>> round(float(linear_depth_nc1()(initial=10, floor=0.1, shrink=0.5, depth=4)), 3)
    0.139
    """
    return of_equal_layers(
        name="collapse.linear_depth_nc1",
        meaning="NC1 after a number of equal linear layers that remove a nuisance step by step.",
        arguments=(INITIAL, FLOOR, SHRINK, DEPTH),
        expression=expression,
        conditions=(BELOW_ONE, Condition(initial - floor, "NC1 is never below its floor")),
        steps=(
            *POWERS,
            MEANS,
            REGRESSED,
            AFTER,
            applied(
                "NC1 along the signal",
                sp.Subs(
                    expression,
                    (initial, floor),
                    (
                        sp.Subs(ALONG.expression, (along, apart), (within[0], spread)),
                        sp.Subs(
                            LEAST.expression,
                            (apart, entry),
                            (spread, sp.Trace(sp.MatMul(REGRESSED.right))),
                        ),
                    ),
                ),
                ALONG,
                {
                    along: sp.Trace(sp.MatMul(signal, AFTER.right)),
                    apart: sp.Trace(sp.MatMul(signal, MEANS.right)),
                },
                because="both covariances after the layers, along the signal",
                uses=(REGRESSED, LEAST, MEANS, AFTER, FEATURES, NC1),
            ),
        ),
    )


rate, excess = sp.symbols("rate excess", positive=True)
TWICE = Premise("NC1 whose excess over the floor equals the floor", 2 * floor)


@cache
def equiseparation_depth() -> ClosedForm:
    """Return the depth, in layers, at which the excess over the floor equals the floor.

    >>> round(float(equiseparation_depth()(initial=10, floor=0.1, shrink=0.5)), 3)
    3.315
    """
    return of_equal_layers(
        name="collapse.equiseparation_depth",
        meaning="Depth down to which the linear model follows the law of equi-separation.",
        arguments=(INITIAL, FLOOR, SHRINK),
        expression=depth_expression,
        conditions=(
            BELOW_ONE,
            Condition(initial - 2 * floor, "NC1 starts at twice its floor or more"),
        ),
        steps=(
            applied(
                "there NC1 is twice its floor",
                TWICE.expression,
                linear_depth_nc1(),
                {depth: depth_expression},
                because="the excess equals the floor",
                uses=(TWICE,),
                where={shrink: sp.exp(-rate), initial: floor * (1 + sp.exp(excess))},
            ),
        ),
    )
