r"""The noise floor of NC1: its expectation for features that are independent of the class.

Let all features come from one isotropic Gaussian, with class labels assigned at random and classes of any sizes. Then
:math:`N\Sigma_W` and :math:`N\Sigma_B` are independent Wishart matrices with :math:`N - C` and :math:`C - 1` degrees of
freedom, and for :math:`D > C`

.. math:: \mathbb{E}\,\mathrm{tr}(\Sigma_W \Sigma_B^+) = \frac{(N - C)(C - 1)}{D - C} .

It is finite, because estimated class means differ by chance, and it grows with the number of samples. A value of NC1 is
therefore meaningful only in comparison with this floor. For :math:`D < C - 2` the two degrees of freedom change roles.
For :math:`C - 2 \le D \le C` the expectation is infinite.

*Two classes with different means*, isotropic Gaussian: the squared distance of the estimated means is a noncentral
chi-square variable Q with D degrees of freedom and noncentrality :math:`\delta = N\pi(1-\pi)\Delta^2`, so
:math:`\mathbb{E}\,\mathrm{NC1} = (N-2)\,\mathbb{E}\,Q^{-1}`:

.. math:: (N - 2) \int_0^1 t^{D-3} e^{-\delta (1 - t^2)/2}\,dt ,

which is the noise floor without a difference and tends to :math:`1/(\pi(1-\pi)\Delta^2)` for many samples.

The covariances are divided by N, as in the thesis; NC1 is not divided by C.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import sympy as sp

from theory.collapse import symbols
from theory.collapse.symbols import classes, dimension, prior, samples, separation2
from theory.core import Argument, ClosedForm, Condition, Premise, Step, applied
from theory.core.formula.special import phi1
from theory.core.proof import theorems
from theory.core.proof.theorems import COCHRAN
from theory.gaussian.mean import Mean

s, t, freedom = sp.symbols("s t freedom", positive=True)
noncentrality = sp.Symbol("noncentrality", nonnegative=True)
m, x = sp.symbols("m x", real=True)

many_expression = (samples - classes) * (classes - 1) / (dimension - classes)
few_expression = (samples - classes) * dimension / (classes - 2 - dimension)

left_over = -s * m**2 / (1 + 2 * s)
time = (t**-2 - 1) / 2
inverse_integrand = t ** (freedom - 3) * sp.exp(-noncentrality * (1 - t**2) / 2)

BLIND = "features are isotropic Gaussian and independent of the labels"
SAMPLED = "every class has a sample"
rows, columns, within, inverse = sp.symbols("rows columns within inverse", positive=True)
WISHART = replace(theorems.WISHART, expression=rows - columns + 1)
DEGREES = Premise(
    "N Sigma_W and N Sigma_B are scatter within classes and that of class means: projections of ranks N - C and "
    "C - 1",
    sp.Matrix([samples - classes, classes - 1]),
)
PRODUCT = Premise(
    "the expected trace of a product of independent matrices, of which the first has a multiple of the identity for "
    "its mean and the second as many equal reciprocals on its diagonal as X has columns",
    within * columns * inverse,
)

EXPONENT = Step(
    "exponent of E exp(-s x^2), x Gaussian of mean m and variance 1",
    -s * x**2 - (x - m) ** 2 / 2 + (1 + 2 * s) * (x - m / (1 + 2 * s)) ** 2 / 2,
    left_over,
    because="completing the square: what is left in x is a Gaussian of variance 1/(1 + 2s)",
    uses=(),
)
DAMPED = Step(
    "E exp(-s x^2)",
    Mean(sp.exp(-s * (x + m) ** 2), x, 1),
    sp.exp(left_over) / sp.sqrt(1 + 2 * s),
    because="the integral of the Gaussian that is left, over that of variance 1",
    uses=(EXPONENT,),
)
INVERSE_CHI_SQUARE = (
    EXPONENT,
    DAMPED,
    Step(
        "E exp(-s Q) of a noncentral chi-square integrates over s to E 1/Q; a new variable",
        sp.Subs(DAMPED.right, (m, s), (sp.sqrt(noncentrality / freedom), time)) ** freedom
        * -sp.Derivative(time, t),
        inverse_integrand,
        because="as many factors as degrees of freedom, with equal shares of the noncentrality, on whose sum alone Q "
        "depends; then s = (1/t^2 - 1)/2, t from 0 to 1",
        uses=(DAMPED, theorems.TONELLI),
    ),
    Step(
        "without noncentrality",
        sp.Derivative(t ** (freedom - 2) / (freedom - 2), t),
        sp.Subs(inverse_integrand, noncentrality, 0),
        because="the antiderivative vanishes at 0 for freedom > 2",
    ),
    Step(
        "E 1/Q of a central chi-square",
        sp.Subs(t ** (freedom - 2) / (freedom - 2), t, 1),
        1 / (freedom - 2),
        because="the antiderivative at the upper end",
    ),
)


strength = samples * prior * (1 - prior) * separation2
expression = (samples - 2) * sp.Integral(
    t ** (dimension - 3) * sp.exp(-strength * (1 - t**2) / 2), (t, 0, 1)
)
GAUSSIAN, FIXED = "isotropic Gaussian classes", "class sizes are fixed at their shares of N"
difference, spread2, odds = sp.symbols("difference spread2 odds", positive=True)
more = sp.Symbol("more", integer=True, positive=True)
FIRST, SECOND = samples * prior, samples * (1 - prior)
share_of_second = SECOND / samples
centre = share_of_second * difference  # the first mean is at 0, the second at ``difference``
scatter = FIRST * centre**2 + SECOND * (difference - centre) ** 2
SCATTER = Premise(
    "N Sigma_B is the sum of the squares of the centred class means, each times its class size",
    scatter,
)

APART = Premise(
    "in units of the deviation of a feature within a class the class means are Delta apart",
    sp.sqrt(separation2),
)


def inverse_wishart_trace(
    claim: str, value: sp.Expr, column_count: sp.Expr, row_count: sp.Expr, because: str
) -> Step:
    """Return the step to E NC1 for a Gaussian matrix [rows, columns] between the classes, rows > columns + 1."""
    freedom_left = sp.Subs(WISHART.expression, (rows, columns), (row_count, column_count))
    reciprocal = sp.Subs(INVERSE_CHI_SQUARE[-1].right, freedom, freedom_left)
    return applied(
        claim,
        value,
        PRODUCT,
        {within: DEGREES.expression[0], columns: column_count, inverse: reciprocal},
        because,
        uses=(INVERSE_CHI_SQUARE[-1], WISHART, DEGREES, COCHRAN, symbols.NC1, BLIND, SAMPLED),
    )


def _form(
    name: str, meaning: str, expression: sp.Expr, condition: Condition, last: Step, *more: Argument
) -> ClosedForm:
    return symbols.nc1_form(
        name=f"collapse.{name}",
        meaning=meaning,
        arguments=(symbols.SAMPLES, *more),
        expression=expression,
        conditions=(
            symbols.TWO_CLASSES_OR_MORE,
            condition,
            Condition(sp.Gt(samples, classes), "there are more samples than classes"),
        ),
        assumptions=(BLIND, SAMPLED),
        steps=(*INVERSE_CHI_SQUARE, last),
    )


@cache
def noise_floor() -> ClosedForm:
    """Return the expected NC1 of class-independent features in more dimensions than classes, dimensionless.

    >>> round(float(noise_floor()(classes=10, samples=1000, dimension=512)), 3)
    17.749
    """
    return _form(
        "noise_floor",
        "Expected NC1 of features that know nothing of their class, more dimensions than classes.",
        many_expression,
        Condition(
            sp.Gt(dimension, classes),
            "the dimension exceeds the number of classes; else it is infinite",
        ),
        inverse_wishart_trace(
            "C - 1 degrees of freedom between classes in D dimensions",
            many_expression,
            classes - 1,
            dimension,
            "Sigma_W and Sigma_B are independent; (X'X)^-1 and (XX')^+ have one trace",
        ),
        symbols.CLASSES,
        symbols.DIMENSION,
    )


@cache
def noise_floor_few_dimensions() -> ClosedForm:
    """Return the expected NC1 of class-independent features in fewer dimensions than classes, dimensionless.

    >>> round(float(noise_floor_few_dimensions()(classes=30, samples=1000, dimension=5)), 3)
    210.87
    """
    return _form(
        "noise_floor_few_dimensions",
        "Expected NC1 of features that know nothing of their class, fewer dimensions than classes less two.",
        few_expression,
        Condition(
            sp.Lt(dimension, classes - 2),
            "the dimension is below classes - 2; else it is infinite",
        ),
        inverse_wishart_trace(
            "D dimensions, C - 1 degrees of freedom between classes",
            few_expression,
            dimension,
            classes - 1,
            "Sigma_B is invertible; it is a Wishart matrix of its own size",
        ),
        Argument(classes, "number of classes", sample=(20, 40), latex="C"),
        Argument(dimension, "dimension of the features", sample=(2, 15), latex="D"),
    )


def floor_at(samples: int, classes: int, dimensions: np.ndarray) -> np.ndarray:
    """Return the noise floor ``[...]`` at numbers of dimensions ``[...]``; infinite where the expectation is.

    >>> floor_at(1000, 10, np.array([5, 10, 512])).round(3).tolist()
    [1650.0, inf, 17.749]
    """
    floors = np.full(dimensions.shape, np.inf)
    for where, form in (
        (dimensions > classes, noise_floor),
        (dimensions < classes - 2, noise_floor_few_dimensions),
    ):
        if samples > classes and where.any():
            floors[where] = form()(samples=samples, classes=classes, dimension=dimensions[where])
    return floors


@cache
def two_class_finite_sample_nc1() -> ClosedForm:
    """Return the expected NC1 of two isotropic Gaussian classes from N samples, dimensionless.

    >>> form = two_class_finite_sample_nc1()
    >>> round(float(form(samples=60, dimension=10, prior=0.5, separation2=4)), 3)
    0.876
    """
    scatter_step = Step(
        "scatter of two means about their weighted centre",
        scatter,
        samples * prior * (1 - prior) * difference**2,
        because="N Sigma_B has this one nonzero eigenvalue",
        uses=(SCATTER, FIXED),
    )
    variance_step = Step(
        "variance of an estimated difference, times that weight",
        sp.Subs(scatter_step.right, difference, sp.sqrt(spread2 / FIRST + spread2 / SECOND)),
        spread2,
        because="so the eigenvalue over the variance is a chi-square variable with unit variances",
        uses=(scatter_step, GAUSSIAN),
    )
    at_distance = Step(
        "integrand of E 1/Q, D degrees of freedom and the noncentrality of that scatter",
        sp.Subs(
            inverse_integrand,
            (freedom, noncentrality),
            (dimension, sp.Subs(scatter_step.right, difference, APART.expression)),
        ),
        t ** (dimension - 3) * sp.exp(-strength * (1 - t**2) / 2),
        because="in units of the deviation within a class",
        uses=(INVERSE_CHI_SQUARE[2], scatter_step, variance_step, APART),
    )
    return symbols.nc1_form(
        name="collapse.two_class_finite_sample_nc1",
        meaning="Expected NC1 of two isotropic Gaussian classes estimated from finitely many samples.",
        arguments=(
            Argument(
                samples, "number of samples of both classes together", sample=(20, 60), latex="N"
            ),
            Argument(dimension, "dimension of the features", sample=(4, 20), latex="D"),
            symbols.PRIOR,
            symbols.SEPARATION2,
        ),
        expression=expression,
        conditions=(
            symbols.A_SHARE,
            Condition(
                sp.Gt(dimension, 2), "there are more than two dimensions; else it is infinite"
            ),
            Condition(sp.Gt(samples, 2), "there are more samples than classes"),
        ),
        assumptions=(GAUSSIAN, FIXED),
        steps=(
            *INVERSE_CHI_SQUARE[:3],
            scatter_step,
            variance_step,
            at_distance,
            Step(
                "four dimensions, where the integral is elementary",
                sp.Subs(expression, (dimension, samples), (4, 3 + more)),
                (1 + more) * phi1(-strength.subs(samples, 3 + more) / 2) / 2,
                because="t dt is half the differential of t^2",
                where={prior: 1 / (1 + odds)},
                uses=(),
            ),
            applied(
                "N - 2 degrees of freedom within, times E 1/Q",
                expression,
                PRODUCT,
                {
                    within: sp.Subs(DEGREES.expression[0], classes, 2),
                    columns: sp.S.One,
                    inverse: sp.Integral(at_distance.right, (t, 0, 1)),
                },
                because="means and covariances of Gaussian samples are independent",
                where={prior: 1 / (1 + odds)},
                uses=(at_distance, DEGREES, COCHRAN, symbols.NC1, GAUSSIAN),
            ),
        ),
    )
