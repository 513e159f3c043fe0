"""The forms of this package at nearly parallel inputs, where no digits may be lost without a word.

The correlation of two such pre-activations rounds to 1 or -1, and half of the digits of its sine and of its angle are
lost, or terms cancel.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.activations import Activation
from theory.activations.naming import cached
from theory.core import Check, ClosedForm, Step, correlation, deferred, differentiated
from theory.core.formula.cancelling import of_near_inputs
from theory.core.formula.rounding import compensated, nonnegative
from theory.gaussian.kernel_formula import kernel_formula, slope_kernel_formula
from theory.gaussian.symbols import covariance, variance_x, variance_y


@cached(256)
def kernel(act: Activation) -> ClosedForm:
    """Return ``E[phi(z) phi(z')]`` in variance_x, variance_y, covariance; dimensionless.

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Returns:
        The closed form, of ``variance_x``, ``variance_y`` and ``covariance``.

    >>> from theory.activations import RELU
    >>> round(float(kernel(RELU)(variance_x=1, variance_y=1, covariance=0.5)), 4)
    0.3045
    """
    return of_near_pair(kernel_formula(act))


@cached(256)
def slope_kernel(act: Activation) -> ClosedForm:
    """Return ``E[phi'(z) phi'(z')]`` in variance_x, variance_y, covariance; dimensionless.

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Returns:
        The closed form, of ``variance_x``, ``variance_y`` and ``covariance``.

    Raises:
        ValueError: if the activation has a jump, because its slope is then not square-integrable.

    >>> from theory.activations import RELU
    >>> round(float(slope_kernel(RELU)(variance_x=1, variance_y=1, covariance=0)), 4)
    0.25
    """
    return of_near_pair(slope_kernel_formula(act))


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
        before = sp.Subs(form.expression, covariance, 0)
        starts = tuple(
            Step(
                f"{name} at covariance = 0",
                sp.Subs(side, covariance, 0),
                before,
                "orthogonal",
                uses=uses,
            )
            for name, side in _sides(expression, claim)
        )
        slope = sp.Derivative(form.expression, covariance)
        because = "the angle of a sine and a cosine for an arcsine"
        last = differentiated(
            f"{claim}: the slope in covariance",
            slope,
            expression,
            covariance,
            because,
            uses=(*starts, *uses),
        )
        return (*form.steps, *starts, last)

    return replace(form, expression=expression, steps=deferred(steps))


def _sides(kernel: sp.Expr, claim: str) -> tuple[tuple[str, sp.Expr], ...]:
    """Return the formulas of negative and of other covariances with names, one where they are the same."""
    if not isinstance(kernel, sp.Piecewise):
        return ((claim, kernel),)
    (opposite, _), (along, _) = kernel.args
    return (("nearly opposite inputs", opposite), (claim, along))


def _watched(kernel: sp.Expr) -> sp.Expr:
    """Return the kernel with compensated differences, watched where its terms cancel."""
    kernel = kernel.replace(
        lambda x: x.is_Add and x.is_polynomial(covariance) and x.has(covariance), compensated
    )
    for rho in kernel.atoms(correlation):
        c, v, w = rho.args
        square, arcsine = 1 - rho**2, sp.asin(rho)
        if v.is_Symbol and not kernel.has(square):
            kernel = _of_angle(kernel, arcsine)
        elif not v.is_Symbol and kernel.has(square):
            positive = compensated(1 - c**2 / (v * w))
            kernel = kernel.xreplace({square: positive})
            if kernel.coeff(arcsine).is_number:
                kernel = kernel.xreplace({arcsine: sp.atan2(rho, sp.sqrt(positive))})
    return of_near_inputs(kernel)


determinant = nonnegative(variance_x * variance_y - covariance**2)
"""Determinant of the covariances of two pre-activations, by Cauchy and Schwarz not negative."""


def _of_angle(kernel: sp.Expr, arcsine: sp.Expr) -> sp.Expr:
    """Return a sum of the arcsine and a constant by the angle of whose sine the determinant is the square.

    Args:
        kernel: the sum.
        arcsine: of the correlation.
    """
    factor = kernel.coeff(arcsine)
    from_opposite = kernel - factor * arcsine - factor * sp.pi / 2
    sine = sp.sqrt(determinant)
    by_arctangent = kernel.xreplace({arcsine: sp.atan2(covariance, sine)})
    if not from_opposite.is_nonnegative:
        return by_arctangent
    # the angle between one pre-activation and the opposite of the other
    angle = sp.atan2(sine, -covariance)
    return sp.Piecewise((from_opposite + factor * angle, covariance < 0), (by_arctangent, True))
