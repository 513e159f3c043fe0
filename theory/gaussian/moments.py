r"""Means of the squares of an activation and of its slope over one Gaussian, with their derivatives in the variance."""

from functools import lru_cache

import sympy as sp

from theory.activations import Activation
from theory.core import Step, differentiated
from theory.core.algebra.factoring import as_product
from theory.core.formula.special import opened
from theory.gaussian.collected_terms import collected
from theory.gaussian.integrals import gaussian_mean, gaussian_mean_derivative
from theory.gaussian.kernel import kernel
from theory.gaussian.squared_slope import squared_slope, squared_slope_integral
from theory.gaussian.symbols import covariance, variance_x, variance_y
from theory.gaussian.symbols import variance as v

Jet = tuple[sp.Expr, sp.Expr, sp.Expr]
"""A function of the variance and its first two derivatives."""


@lru_cache(maxsize=64)
def second_moment(act: Activation) -> Jet:
    """Return ``E[phi(z)^2]`` and its first two derivatives, in ``theory.gaussian.symbols.variance``."""
    pair = kernel(act).expression
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


def under_the_integral(order: int) -> tuple[Step, ...]:
    """Steps that show that the integrand of each derivative and the derivative of the integrand have equal integrals.

    Their difference is a total derivative in z, since d/dv p = p''/2 for the density p.
    """
    if not order:
        return ()
    f = sp.Function("f", real=True)
    z = sp.Symbol("z", real=True)
    density = sp.exp(-(z**2) / (2 * v)) / sp.sqrt(v)
    heat = differentiated(
        "the density obeys the heat equation", sp.Derivative(density, z, 2) / 2, density, v
    )
    return (
        heat,
        Step(
            "f p'' - f'' p is an exact derivative",
            f(z) * sp.Derivative(density, z, 2) - sp.Derivative(f(z), z, 2) * density,
            sp.Derivative(f(z) * sp.Derivative(density, z) - sp.Derivative(f(z), z) * density, z),
            because="product rule; far out it vanishes, as the density decays faster than f grows; at kinks it is kept",
            uses=(heat,),
        ),
        differentiated(
            "the second derivative of the density is a Hermite polynomial times it",
            (z**2 / v - 1) / v * density,
            density,
            (z, 2),
            because="differentiation; used across kinks, where f'' is not a function, and for the radial eigenvalue",
            uses=(heat,),
        ),
    )


def by_arctangent(moment: sp.Expr) -> sp.Expr:
    """Return the same function with its digits at large variances: asin(v/(v+1)) is atan(v/sqrt(2v+1)) there."""
    moment = moment.replace(sp.asin, lambda x: sp.atan(x / sp.sqrt(1 - x**2)))
    return moment.replace(
        lambda x: x.is_Pow and x.exp.is_Rational and not x.exp.is_Integer,
        lambda x: sp.Pow(as_product(x.base), x.exp),
    )
