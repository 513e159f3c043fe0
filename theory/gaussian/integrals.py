r"""Gaussian expectations that have no closed form, as integrals over standard normal variables.

Each integral is split at the kinks of its integrand, so that the quadrature has smooth pieces only. The number of nodes
is adaptive: numpy refines until a relative accuracy of 1e-10 is certain, mpmath until the requested digits agree.
"""

import itertools
from collections.abc import Sequence
from itertools import product

import sympy as sp

from theory.activations import z
from theory.activations.kinks import branch
from theory.core import Premise, Step, normal_pdf
from theory.core.formula.special import correlation
from theory.gaussian.symbols import MEAN

xi, eta = sp.symbols("xi eta", real=True)


def gaussian_mean(function: sp.Expr, variance: sp.Expr) -> sp.Expr:
    """Return ``E[f(z)]`` for centred Gaussian ``z``, with ``function`` in ``theory.activations.z``."""
    integrand = function.xreplace({z: sp.sqrt(variance) * xi}) * normal_pdf(xi)
    return sp.Integral(integrand, (xi, -sp.oo, sp.oo))


def gaussian_mean_derivative(
    function: sp.Expr, variance: sp.Expr, kinks: Sequence[sp.Expr], order: int
) -> sp.Expr:
    """Return the derivative of this order of ``E[f(z)]`` in the variance; ``f`` need not be smooth.

    The density is differentiated instead of f: ``E[f(z) He_2k(z/sqrt v)] / (2 v)^k``. Where f is a polynomial of low
    degree, as most slopes are, the integral is integrated by parts until only boundary terms remain. It is often 0
    there, and no quadrature computes a zero to a relative accuracy.
    """
    hermite = sp.expand(sp.hermite(2 * order, xi / sp.sqrt(2)) / 2**order)
    density = sp.exp(-(z**2) / (2 * variance)) / sp.sqrt(2 * sp.pi * variance)
    total = sp.S.Zero
    for limits in _pieces(kinks):
        part = branch(function, z, limits)
        if part == 0:
            continue
        if part.is_polynomial(z) and order and sp.diff(part, z, 2 * order) == 0:
            for at, sign in zip(limits, (-1, 1), strict=True):
                for j in range(2 * order if at.is_finite else 0):
                    product = sp.diff(part, z, j) * sp.diff(density, z, 2 * order - 1 - j)
                    total += sign * (-1) ** j * product.subs(z, at) / 2**order
        else:
            deviation = sp.sqrt(variance)
            integrand = (
                part.xreplace({z: deviation * xi})
                * hermite
                / (2 * variance) ** order
                * normal_pdf(xi)
            )
            total += sp.Integral(integrand, (xi, *(end / deviation for end in limits)))
    return total


def gaussian_pair_mean(
    one: sp.Expr,
    other: sp.Expr,
    variances: tuple[sp.Expr, sp.Expr],
    covariance: sp.Expr,
    kinks: tuple[Sequence[sp.Expr], Sequence[sp.Expr]] = ((), ()),
) -> sp.Expr:
    """Return ``E[f(z) g(z')]`` as a double integral in which the second Gaussian is conditioned on the first."""
    first, second = _pair(variances, covariance)
    integrand = (
        one.xreplace({z: first}) * other.xreplace({z: second}) * normal_pdf(xi) * normal_pdf(eta)
    )
    outer = _pieces([kink / first.coeff(xi) for kink in kinks[0]])
    along, across = (second.coeff(symbol) for symbol in (xi, eta))
    inner = _pieces([(kink - along * xi) / across for kink in kinks[1]])
    return sp.Add(
        *(
            sp.Integral(integrand, (eta, *inner_limits), (xi, *outer_limits))
            for outer_limits, inner_limits in product(outer, inner)
        )
    )


def definition(
    expression: sp.Expr,
    one: sp.Expr,
    other: sp.Expr,
    variances: tuple[sp.Expr, sp.Expr],
    covariance: sp.Expr,
) -> Step:
    """Step that shows that ``expression``, a double integral, is an expectation over two Gaussians."""
    first, second = _pair(variances, covariance)
    density = sp.exp(-(xi**2 + eta**2) / 2) / (2 * sp.pi)
    integrand = one.subs(z, first) * other.subs(z, second) * density
    written_out = expression.replace(
        sp.Integral, lambda _, *limits: sp.Integral(integrand, *limits)
    )
    mean = Premise("z and z' are combinations of two independent standard Gaussians", written_out)
    return Step(
        "E[f(z) g(z')] over standard Gaussians", expression, written_out, uses=(MEAN, mean)
    )


def _pair(variances: tuple[sp.Expr, sp.Expr], covariance: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    # The form in terms of the correlation stays within -1 and 1 in floating point, even for two equal inputs.
    rho = correlation(covariance, *variances)
    first, second = map(sp.sqrt, variances)
    return first * xi, second * rho * xi + second * sp.sqrt(1 - rho**2) * eta


def _pieces(points: Sequence[sp.Expr]) -> list[tuple[sp.Expr, sp.Expr]]:
    breakpoints = [-sp.oo, *points, sp.oo]
    return list(itertools.pairwise(breakpoints))
