r"""Means of the squares of an activation and of its slope over one Gaussian, with their derivatives in the variance."""

from functools import cache, lru_cache

import sympy as sp

from theory.activations import Activation
from theory.core import Step
from theory.core.algebra.factoring import as_product
from theory.core.formula.special import opened
from theory.core.proof import theorems
from theory.gaussian.collected_terms import collected
from theory.gaussian.integrals import gaussian_mean, gaussian_mean_derivative
from theory.gaussian.kernel_formula import kernel_formula
from theory.gaussian.squared_slope import squared_slope, squared_slope_integral
from theory.gaussian.symbols import covariance, variance_x, variance_y
from theory.gaussian.symbols import variance as v

Jet = tuple[sp.Expr, sp.Expr, sp.Expr]
"""A function of the variance and its first two derivatives."""


@lru_cache(maxsize=64)
def second_moment(act: Activation) -> Jet:
    """Return ``E[phi(z)^2]`` and its first two derivatives, in ``theory.gaussian.symbols.variance``."""
    pair = kernel_formula(act).expression
    if not pair.has(sp.Integral):
        equal = {variance_x: v, variance_y: v, covariance: v}
        return _with_derivatives(collected(pair.subs(equal, simultaneous=True)))
    square = Activation("square", act.expression**2, act.kinks)
    if not act.smooth:
        first, second, third = (
            gaussian_mean_derivative(square.expression, v, act.kinks, order) for order in range(3)
        )
        return first, second, third
    # d/dv E[f] = E[f'']/2
    return tuple(gaussian_mean(square.derivative(2 * order) / 2**order, v) for order in range(3))  # type: ignore[return-value]


@lru_cache(maxsize=256)
def squared_slope_jet(act: Activation) -> Jet:
    """Return ``E[phi'(z)^2]`` and its first two derivatives; ValueError for an activation with a jump."""
    slope = squared_slope(act).expression
    if slope.has(sp.Integral):
        return slope, squared_slope_integral(act, 1), squared_slope_integral(act, 2)
    return _with_derivatives(slope)


def _with_derivatives(moment: sp.Expr) -> Jet:
    """Return a moment and its derivatives, whose terms are collected, since they cancel at large variances."""
    slope = collected(sp.diff(opened(moment), v))
    return moment, slope, collected(sp.diff(slope, v))


m0, m1, m2 = sp.symbols("m0 m1 m2", positive=True)
"""Means of f, f z^2/v and f z^4/v^2."""
SLOPES = (m1 - m0) / (2 * v), (m2 - 6 * m1 + 3 * m0) / (4 * v**2)
"""The first two derivatives of the mean of f in the variance."""


@cache
def density_steps(order: int) -> tuple[Step, ...]:
    """Return steps from the density to the derivatives of every mean in the variance up to this order, at most 2.

    The rules are linear in the moments, and hold across kinks, since the function is not differentiated.

    Args:
        order: order of the last derivative.
    """
    z = sp.Symbol("z", real=True)
    density = sp.exp(-(z**2) / (2 * v)) / sp.sqrt(v)
    terms = [density * (z**2 / v) ** power for power in range(3)]
    names = "first derivative of a mean in v, by its moments", "second derivative, by its moments"
    return tuple(
        Step(
            name,
            sp.Derivative(density, (v, number)),
            sp.Subs(rule, (m0, m1, m2), terms),
            because="the derivative of the density, here for f at one point; the mean is a sum over points",
            uses=(theorems.UNDER_THE_MEAN,),
        )
        for number, (name, rule) in enumerate(zip(names[:order], SLOPES, strict=False), 1)
    )


def by_arctangent(moment: sp.Expr) -> sp.Expr:
    """Return the same function with its digits at large variances: asin(v/(v+1)) is atan(v/sqrt(2v+1)) there."""
    moment = moment.replace(sp.asin, lambda x: sp.atan(x / sp.sqrt(1 - x**2)))
    return moment.replace(
        lambda x: x.is_Pow and x.exp.is_Rational and not x.exp.is_Integer,
        lambda x: sp.Pow(as_product(x.base), x.exp),
    )
