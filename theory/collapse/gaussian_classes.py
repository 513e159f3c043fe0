r"""NC1 of isotropic Gaussian classes whose means form a regular simplex.

The means are :math:`\rho` away from their centroid and equally far from each other; within a class every feature has
variance :math:`\sigma^2`. Then :math:`\Sigma_B = \tfrac{C}{C-1} \rho^2 (\mathrm{diag}\,\pi - \pi\pi^\top)` in the
coordinates of the vertices, and

.. math:: \mathrm{tr}(\Sigma_W \Sigma_B^+) = (C-1)^2 \frac{\sigma^2}{\rho^2} \cdot \frac{1}{C^2} \sum_c
   \frac{1}{\pi_c} .

The last factor, ``imbalance``, is the mean of the priors divided by their harmonic mean: 1 for a balanced set and more
otherwise, so class imbalance alone raises NC1 at unchanged geometry. NC1 depends on the variance in the span of the
means, not on the dimension.

NC1 is not divided by C. ``empirics.measure.neural_collapse`` measures it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from itertools import chain

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike

from closedform.checks import sequence
from theory.collapse import symbols
from theory.collapse.symbols import classes, imbalance, radius2, variance
from theory.core import ClosedForm, Condition, Premise, Step, applied, deferred
from theory.core.numbers.arguments import positive_array, real_array
from theory.core.numbers.exact import exact

ISOTROPIC = "covariance within classes proportional to the identity in the span of the means"

balanced_expression = (classes - 1) ** 2 * variance / radius2
expression = balanced_expression * imbalance

# Tolerance on the sum of the priors, which must be one.
_SUM = 1e-9
MOST = 10_000  # largest number of classes with exact priors

angle = sp.Symbol("cos_angle", real=True)  # cosine of the angle between two centred means
cosine = -1 / (classes - 1)
SIMPLEX = Premise(
    "the class means are the corners of a regular simplex: sqrt(radius2) from their centroid and at equal angles, so "
    "that their sum times one of them is radius2 (1 + (C - 1) cos)",
    1 + (classes - 1) * angle,
)
# The Gram matrix of the centred means divided by C, whose nonzero eigenvalues are those of Sigma_B, on vectors with one
# entry for a class and another for each of the others. Such vectors span the space of all.
GRAM = Premise(
    "the Gram matrix of the centred means over C has radius2/C on its diagonal and the cosine times it off it, here on "
    "vectors with equal entries for all classes but one",
    radius2
    / classes
    * sp.Matrix([[1, (classes - 1) * angle], [angle, 1 + (classes - 2) * angle]]),
)
rank, eigenvalue = sp.symbols("rank eigenvalue", positive=True)
one_class = sp.Symbol("one_class", integer=True, positive=True)
COUNT = Premise("the trace is the rank times the eigenvalue", rank * eigenvalue)
EQUAL = Premise(
    "tr(Sigma_W Sigma_B^+) where Sigma_W is the variance times the identity and Sigma_B has equal eigenvalues, as many "
    "as its rank",
    variance * rank / eigenvalue,
)


def _explicit(count: int, balanced: bool) -> tuple[Step, ...]:
    """Steps with the explicit between-class covariance for ``count`` classes with arbitrary priors."""
    weights = sp.symbols(f"q1:{count + 1}", positive=True)
    priors = [sp.Rational(1, count) if balanced else weight / sum(weights) for weight in weights]
    side2 = radius2 * count / (count - 1)
    column = sp.Matrix(priors)
    # in the coordinates of the corners
    between = side2 * (sp.diag(*priors) - column * column.T)
    centring = sp.eye(count) - sp.ones(count, count) / count
    inverse = centring * sp.diag(*(1 / p for p in priors)) * centring / side2
    which = f"{count} classes, {'balanced' if balanced else 'any priors'}"
    if balanced:
        left = sp.Subs(balanced_expression, classes, count)
    else:
        ratio = sum(1 / p for p in priors) / count**2
        left = sp.Subs(expression, (classes, imbalance), (count, ratio))
    keeps = Step(
        f"{which}: without the mean Sigma_B is what it is",
        sp.MatMul(centring, between),
        between,
        because="and so is the pseudo-inverse, by its form",
        uses=(SIMPLEX,),
    )
    projects = Step(
        f"{which}: Sigma_B times its pseudo-inverse takes the mean away",
        sp.MatMul(between, inverse),
        centring,
        because="a symmetric product, as Moore and Penrose require",
        uses=(keeps,),
    )
    trace = Step(
        which,
        left,
        sp.Trace(sp.MatMul(variance * sp.eye(count), inverse)),
        because="tr(Sigma_W Sigma_B^+)",
        uses=(projects, symbols.NC1, ISOTROPIC),
    )
    return keeps, projects, trace


CENTRED = applied(
    "centred means of equal priors sum to zero",
    sp.S.Zero,
    SIMPLEX,
    {angle: cosine},
    because="fixes the angle",
)
OF_CENTRED = {rank: classes - 1, eigenvalue: radius2 / (classes - 1)}
differences = Step(
    "the Gram matrix has eigenvalue radius2/(C - 1) on the difference of a mean and the others",
    sp.Subs(sp.MatMul(GRAM.expression, sp.Matrix([1, -1 / (classes - 1)])), angle, cosine),
    radius2 / (classes - 1) * sp.Matrix([1, -1 / (classes - 1)]),
    because="equal entries on the diagonal, equal entries off it",
    uses=(CENTRED, GRAM),
)
total = Step(
    "and none on their sum",
    sp.Subs(sp.MatMul(GRAM.expression, sp.ones(2, 1)), angle, cosine),
    sp.zeros(2, 1),
    because="so differences of means are left",
    uses=(CENTRED, GRAM),
)
number = applied(
    "C - 1 of them",
    sp.Sum(GRAM.expression[0], (one_class, 1, classes)),
    COUNT,
    OF_CENTRED,
    because="the trace is the sum of the eigenvalues",
    uses=(differences, total, GRAM),
)
SMALL = (*_explicit(2, balanced=True), *_explicit(3, balanced=True))
BALANCED = (
    CENTRED,
    differences,
    total,
    number,
    *SMALL,
    applied(
        "C - 1 equal eigenvalues",
        balanced_expression,
        EQUAL,
        OF_CENTRED,
        because="trace of the pseudo-inverse",
        uses=(differences, number, SMALL[2], SMALL[5], symbols.NC1, ISOTROPIC),
    ),
)


def balanced_simplex_nc1() -> ClosedForm:
    """Return NC1 of balanced isotropic Gaussian classes with means on a simplex, dimensionless."""
    return symbols.nc1_form(
        name="collapse.simplex_nc1",
        meaning="NC1 of isotropic Gaussian classes of equal priors whose means form a regular simplex.",
        arguments=(symbols.CLASSES, symbols.VARIANCE, symbols.RADIUS2),
        expression=balanced_expression,
        conditions=(symbols.TWO_CLASSES_OR_MORE,),
        assumptions=(ISOTROPIC,),
        steps=BALANCED,
    )


def _any_priors_steps() -> tuple[Step, ...]:
    few = tuple(_explicit(count, balanced=False) for count in (2, 3, 4))
    return (
        *chain.from_iterable(few),
        Step(
            "equal priors",
            sp.Subs(expression, imbalance, 1),
            balanced_expression,
            because="any number of classes",
            uses=(balanced_simplex_nc1(), *(steps[-1] for steps in few)),
        ),
    )


def any_priors_simplex_nc1() -> ClosedForm:
    """Return NC1 for any priors, in terms of the ratio of their mean to their harmonic mean; dimensionless."""
    return symbols.nc1_form(
        name="collapse.simplex_nc1_any_priors",
        meaning="NC1 of isotropic Gaussian classes of any priors whose means form a regular simplex.",
        arguments=(symbols.CLASSES, symbols.VARIANCE, symbols.RADIUS2, symbols.IMBALANCE),
        expression=expression,
        conditions=(
            symbols.TWO_CLASSES_OR_MORE,
            Condition(imbalance - 1, "a mean is never below the harmonic mean"),
        ),
        assumptions=(ISOTROPIC,),
        steps=deferred(_any_priors_steps),
    )


def simplex_nc1(priors: Sequence[object] | None = None) -> ClosedForm:
    """Return NC1 of isotropic Gaussian classes with means on a simplex, dimensionless.

    Args:
        priors: prior probabilities of the classes, as numbers or strings such as "1/3". By default the classes are
            equally frequent and their number is an argument of the closed form. At most 10,000.

    Raises:
        TypeError, ValueError: if ``priors`` are not two to 10,000 positive numbers that sum to one.

    >>> float(simplex_nc1()(classes=10, variance=1, radius2=4))
    20.25
    """
    if priors is None:
        return balanced_simplex_nc1()
    given = list(itertools.islice(sequence("priors", priors), MOST + 1))
    if len(given) > MOST:
        raise ValueError(
            f"priors: got more than {MOST:,} numbers; the closed form collapse.simplex_nc1_any_priors takes any "
            "number of classes, with theory.collapse.imbalance_of(priors)"
        )
    shares = [exact("priors", p) for p in given]
    if len(shares) < 2 or any(p <= 0 for p in shares) or abs(sum(shares) - 1) > _SUM:
        raise ValueError(f"priors: got {given}, needs at least two positive numbers that sum to 1")
    total, count = sp.Add(*shares), len(shares)
    ratio = sp.Add(*(total / p for p in shares)) / count**2
    return any_priors_simplex_nc1().specialise({classes: count, imbalance: ratio})


def imbalance_of(priors: ArrayLike) -> float:
    """Return the mean of the priors divided by their harmonic mean, which is 1 for balanced classes; dimensionless.

    Args:
        priors: shares or sizes of the classes, positive, ``[classes]``.

    Raises:
        TypeError, ValueError: for another shape, or a number that is not positive and finite.

    >>> imbalance_of([0.5, 0.25, 0.25])
    1.1111111111111112
    """
    shares = positive_array("priors", real_array("priors", priors, dimensions=1))
    return float(np.mean(shares) * np.mean(1 / shares))
