"""The forms of this package at nearly parallel inputs, where no digits may be lost without a word.

The correlation of two such pre-activations rounds to 1 or -1, and half of the digits of its sine and of its angle are
lost, or terms cancel.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.core import Check, ClosedForm, Step, correlation, deferred, differentiated
from theory.core.formula.cancelling import of_near_inputs
from theory.core.formula.rounding import compensated, watched
from theory.gaussian.symbols import covariance


def of_near_pair(form: ClosedForm) -> ClosedForm:
    """Return a form of two pre-activations that is watched where these are nearly parallel.

    Args:
        form: the form, of ``variance_x``, ``variance_y`` and ``covariance``; one with an integral stays as it is.

    Returns:
        The same function. Where its digits are lost, numpy computes it by balls, and torch warns.
    """
    expression = _watched(form.expression)
    if form.expression.has(sp.Integral) or expression == form.expression:
        return form

    def steps() -> tuple[Step | Check, ...]:
        proved = (step for step in form.steps if isinstance(step, Step))
        uses = tuple(step for step in proved if step.mentions(form.expression))
        claim = "nearly parallel inputs"
        if not expression.has(sp.atan2):
            same = "the determinant of the covariances for the sine"
            return (*form.steps, Step(claim, expression, form.expression, same, uses=uses))
        at_zero, before = (sp.Subs(side, covariance, 0) for side in (expression, form.expression))
        start = Step(
            f"{claim} at covariance = 0", at_zero, before, because="orthogonal", uses=uses
        )
        slope = sp.Derivative(form.expression, covariance)
        because = "the angle of a sine and a cosine for an arcsine"
        last = differentiated(
            f"{claim}: the slope in covariance", slope, expression, covariance, because, uses=uses
        )
        return (*form.steps, start, last)

    return replace(form, expression=expression, steps=deferred(steps))


def _watched(kernel: sp.Expr) -> sp.Expr:
    """Return the kernel with differences that are compensated, or watched where rounding may give them any sign."""
    kernel = kernel.replace(
        lambda x: x.is_Add and x.is_polynomial(covariance) and x.has(covariance), compensated
    )
    for rho in kernel.atoms(correlation):
        c, v, w = rho.args
        square, arcsine = 1 - rho**2, sp.asin(rho)
        if v.is_Symbol and not kernel.has(square):
            kernel = kernel.xreplace({arcsine: sp.atan2(rho, sp.sqrt(watched(square)))})
        elif not v.is_Symbol and kernel.has(square):
            positive = compensated(1 - c**2 / (v * w))
            kernel = kernel.xreplace({square: positive})
            if kernel.coeff(arcsine).is_number:
                kernel = kernel.xreplace({arcsine: sp.atan2(rho, sp.sqrt(positive))})
    return of_near_inputs(kernel)
