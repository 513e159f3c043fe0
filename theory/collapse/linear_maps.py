r"""The effect of linear layers on NC1.

A rotation, a shift or a common scale leaves NC1 unchanged; a general invertible map changes it, unless the features
have :math:`C - 1` dimensions. Over all linear maps that keep the rank of :math:`\Sigma_B`, NC1 has the lower bound

.. math:: \varphi = \sum_i \frac{1}{\gamma_i}, \qquad \gamma_i \text{ the nonzero eigenvalues of }
   \Sigma_W^{-1} \Sigma_B ,

attained by the projection on the discriminant directions :math:`\Sigma_W^{-1}(\mu_c - \bar\mu)` of Fisher: a map to
:math:`C-1` dimensions gives :math:`\sum_i 1/g_i`, the :math:`g_i` eigenvalues of a compression of
:math:`\Sigma_W^{-1/2}\Sigma_B\Sigma_W^{-1/2}`, which interlace: :math:`g_i \le \gamma_i`. (A map that drops directions
of the class means may go below, because it compares fewer classes.) For two classes
:math:`\varphi = 1/(\pi(1-\pi)\Delta^2)`, :math:`\Delta` the Mahalanobis distance. NC1 is at most
:math:`(\kappa+1)^2/(4\kappa)` times its floor, :math:`\kappa` the condition number of :math:`\Sigma_W`: for isotropic
noise linear layers cannot lower NC1.
"""

from functools import cache

import sympy as sp

from theory.collapse import symbols
from theory.collapse.symbols import (
    A_SHARE,
    CONDITION,
    NC1,
    PRIOR,
    SEPARATION2,
    condition,
    prior,
    separation2,
)
from theory.core import ClosedForm, Condition, Premise, Step, applied

floor_expression = 1 / (prior * (1 - prior) * separation2)
gain_expression = (condition + 1) ** 2 / (4 * condition)

# Symbols for a general covariance L L' of two features, a general difference of the means and a general direction.
l11, l22 = sp.symbols("l11 l22", positive=True)
l21, d1, d2, v1, v2 = sp.symbols("l21 d1 d2 v1 v2", real=True)
root = sp.Matrix([[l11, 0], [l21, l22]])
within, difference, direction = root * root.T, sp.Matrix([d1, d2]), sp.Matrix([v1, v2])
mahalanobis2 = (root.inv() * difference).dot(root.inv() * difference)
between = prior * (1 - prior) * difference * difference.T
turned, solved = root.T * direction, root.inv() * difference


ONE_COVARIANCE = "both classes have the same invertible covariance"
RANK = "the map keeps the rank of the between-class covariance"
nc1_along = (direction.T * within * direction)[0] / (direction.T * between * direction)[0]
DIRECTION = Premise(
    "NC1 of the feature v.h is v'Sigma_W v / v'Sigma_B v, Sigma_B = p (1 - p) d d'", nc1_along
)

floor_here = sp.Subs(floor_expression, separation2, mahalanobis2)
above_floor = (turned[0] * solved[1] - turned[1] * solved[0]) ** 2 / (
    mahalanobis2 * (direction.T * between * direction)[0]
)
remainder = Step(
    "Cauchy-Schwarz with its remainder",
    nc1_along,
    floor_here + above_floor,
    because="Lagrange's identity: no direction does better than Fisher's, where the square vanishes",
    uses=(DIRECTION,),
)
FISHER = Premise(
    "Fisher's direction Sigma_W^-1 d, and the squared Mahalanobis distance d' Sigma_W^-1 d",
    sp.Matrix([*(within.inv() * difference), mahalanobis2]),
)
RECIPROCAL = Step(
    "it is the reciprocal eigenvalue of Sigma_W^-1 Sigma_B",
    floor_here,
    1 / sp.Trace(sp.MatMul(sp.Inverse(within.as_immutable()), between.as_immutable())),
    because="a matrix of rank one",
    uses=(FISHER, DIRECTION, ONE_COVARIANCE, NC1),
)
FLOOR_STEPS = (
    remainder,
    RECIPROCAL,
    Step(
        "Fisher's direction attains it",
        floor_here,
        sp.Subs(nc1_along, (v1, v2), tuple(within.inv() * difference)),
        because="NC1 of the feature d' Sigma_W^-1 h",
        uses=(remainder, RECIPROCAL, DIRECTION, FISHER, ONE_COVARIANCE),
    ),
)

small, middle, excess, rest = sp.symbols("small middle excess rest", positive=True)
large = small + middle + excess
inside = small + middle
mean, inverse_mean = sp.symbols("mean inverse_mean", positive=True)
GAIN = Premise(
    "NC1 over its floor is E[lambda] E[1/lambda], over eigenvalues of Sigma_W with the squared parts of the difference "
    "for weights",
    mean * inverse_mean,
)
EXTREME = Premise(
    "condition number, E[lambda] and E[1/lambda] for equal weights on the smallest and the largest eigenvalue",
    sp.Matrix([large / small, (small + large) / 2, (1 / small + 1 / large) / 2]),
)


@cache
def two_class_floor() -> ClosedForm:
    """Return the smallest NC1 of two Gaussian classes over all linear maps, dimensionless.

    >>> float(two_class_floor()(prior=0.5, separation2=4))
    1.0
    """
    return symbols.nc1_form(
        name="collapse.two_class_floor",
        meaning="Smallest NC1 of two classes of one covariance over all linear maps.",
        arguments=(PRIOR, SEPARATION2),
        expression=floor_expression,
        conditions=(A_SHARE,),
        assumptions=(ONE_COVARIANCE,),
        steps=FLOOR_STEPS,
    )


@cache
def linear_gain_bound() -> ClosedForm:
    """Return the largest factor by which a linear map can lower NC1, dimensionless.

    >>> float(linear_gain_bound()(condition=9))
    2.7777777777777777
    """
    total = mean + small * large * inverse_mean
    chord = Step(
        "every eigenvalue lies under a chord",
        sp.Subs(total, (mean, inverse_mean), (inside, 1 / inside)),
        small + large - (large - inside) * (inside - small) / inside,
        because="so E[lambda] + m M E[1/lambda] <= m + M for any weights",
        uses=(),
    )
    bound = Step(
        "product from sum",
        GAIN.expression,
        (total**2 - (mean - small * large * inverse_mean) ** 2) / (4 * small * large),
        because="so 4 m M E[lambda] E[1/lambda] <= (m + M)^2: Kantorovich",
        uses=(chord, GAIN),
    )
    return symbols.nc1_form(
        name="collapse.linear_gain_bound",
        meaning="Largest factor between NC1 and its smallest value over all linear maps.",
        arguments=(CONDITION,),
        expression=gain_expression,
        conditions=(Condition(condition - 1, "a condition number is at least 1"),),
        assumptions=(RANK,),
        steps=(
            chord,
            bound,
            applied(
                "two classes whose difference has equal parts along the extreme directions attain it",
                sp.Subs(gain_expression, condition, EXTREME.expression[0]),
                GAIN,
                {mean: EXTREME.expression[1], inverse_mean: EXTREME.expression[2]},
                because="NC1 over its floor is E[lambda] E[1/lambda], weights the squared parts of the difference",
                uses=(bound, EXTREME, two_class_floor(), RANK),
            ),
        ),
    )
