r"""Expected NC1 of two isotropic Gaussian classes with different means, estimated from finitely many samples.

The squared distance of the two estimated means is a noncentral chi-square variable Q with D degrees of freedom and
noncentrality :math:`\delta = N\pi(1-\pi)\Delta^2`, so :math:`\mathbb{E}\,\mathrm{NC1} = (N-2)\,\mathbb{E}\,Q^{-1}`:

.. math:: (N - 2) \int_0^1 t^{D-3} e^{-\delta (1 - t^2)/2}\,dt ,

This is the noise floor :math:`(N-2)/(D-2)` if the two classes have the same mean, and it tends to
:math:`1/(\pi(1-\pi)\Delta^2)` for many samples.
"""

from __future__ import annotations

import sympy as sp

from theory.collapse.class_blind import INVERSE_CHI_SQUARE, WISHART, freedom, inverse_integrand, noncentrality, t
from theory.collapse.symbols import (
    A_SHARE,
    NC1,
    PRIOR,
    SEPARATION2,
    dimension,
    prior,
    samples,
    separation2,
)
from theory.core import Argument, ClosedForm, Condition, Source, Status, Step
from theory.core.formula.special import phi1

strength = samples * prior * (1 - prior) * separation2
expression = (samples - 2) * sp.Integral(t ** (dimension - 3) * sp.exp(-strength * (1 - t**2) / 2), (t, 0, 1))

GAUSSIAN, FIXED = "isotropic Gaussian classes", "class sizes are fixed at their shares of N"
difference, spread2, odds = sp.symbols("difference spread2 odds", positive=True)
more = sp.Symbol("more", integer=True, positive=True)
FIRST, SECOND = samples * prior, samples * (1 - prior)
share_of_second = SECOND / samples
centre = share_of_second * difference  # the first mean is at 0, the second at ``difference``
scatter = FIRST * centre**2 + SECOND * (difference - centre) ** 2


def two_class_finite_sample_nc1() -> ClosedForm:
    """Return the expected NC1 of two isotropic Gaussian classes from N samples, dimensionless.

    >>> form = two_class_finite_sample_nc1()
    >>> round(float(form(samples=60, dimension=10, prior=0.5, separation2=4)), 3)
    0.876
    """
    return ClosedForm(
        name="collapse.two_class_finite_sample_nc1",
        meaning="Expected NC1 of two isotropic Gaussian classes estimated from finitely many samples.",
        arguments=(
            Argument(samples, "number of samples of both classes together", sample=(20, 60), latex="N"),
            Argument(dimension, "dimension of the features", sample=(4, 20), latex="D"),
            PRIOR,
            SEPARATION2,
        ),
        expression=expression,
        conditions=(
            A_SHARE,
            Condition(sp.Gt(dimension, 2), "there are more than two dimensions; else it is infinite"),
            Condition(sp.Gt(samples, 2), "there are more samples than classes"),
        ),
        assumptions=(GAUSSIAN, FIXED),
        steps=(
            *INVERSE_CHI_SQUARE[:2],
            scatter_step := Step(
                "scatter of two means about their weighted centre",
                scatter,
                samples * prior * (1 - prior) * difference**2,
                because="N Sigma_B has this one nonzero eigenvalue",
                uses=(WISHART, FIXED),
            ),
            variance_step := Step(
                "variance of an estimated difference, times that weight",
                samples * prior * (1 - prior) * (spread2 / FIRST + spread2 / SECOND),
                spread2,
                because="so the eigenvalue over the variance is a chi-square variable with unit variances",
                uses=(scatter_step, GAUSSIAN),
            ),
            Step(
                "four dimensions, where the integral is elementary",
                sp.Subs(expression, (dimension, samples), (4, 3 + more)),
                (1 + more) * phi1(-strength.subs(samples, 3 + more) / 2) / 2,
                because="t dt is half the differential of t^2",
                where={prior: 1 / (1 + odds)},
                uses=(),
            ),
            Step(
                "N - 2 degrees of freedom within, times E 1/Q",
                expression,
                (samples - 2)
                * sp.Integral(
                    inverse_integrand.subs({freedom: dimension, noncentrality: scatter / difference**2 * separation2}),
                    (t, 0, 1),
                ),
                because="means and covariances of Gaussian samples are independent",
                where={prior: 1 / (1 + odds)},
                uses=(INVERSE_CHI_SQUARE[1], scatter_step, variance_step, NC1, GAUSSIAN),
            ),
        ),
        sources=(Source("cheong2025", "Section 1.2, definition of the metric"),),
        status=Status.DERIVED,
    )
