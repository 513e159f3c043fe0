r"""Integrals against a Gaussian density, read as Gaussian means, whose rules decide them.

.. math:: \int f(u)\, e^{c + b \cdot u - u \cdot H u / 2}\, du
    = \sqrt{\det 2\pi\Sigma}\; e^{c + b \cdot \Sigma b / 2}\, E[f(z + \Sigma b)],
    \qquad z \sim N(0, \Sigma), \quad \Sigma = H^{-1} .
"""

from __future__ import annotations

import sympy as sp

from theory.core.formula.special import opened
from theory.core.formula.subexpressions import rebuilt
from theory.gaussian.mean import Mean

WHOLE_LINE = (-sp.oo, sp.oo)


def with_means(expression: sp.Expr) -> sp.Expr:
    """Return an expression with its integrals against a Gaussian density as means; others stay as they are.

    As in a mean, an undefined function is taken to be so smooth, and to grow so slowly, that it can be integrated by
    parts.

    Args:
        expression: a sympy expression.

    >>> u, K = sp.Symbol("u", real=True), sp.Symbol("K", positive=True)
    >>> mean = with_means(sp.Integral(sp.sin(u) ** 2 * sp.exp(-(u**2) / 2 / K), (u, -sp.oo, sp.oo)))
    >>> mean.has(sp.Integral), sp.simplify(mean.doit())
    (False, sqrt(2)*sqrt(pi)*sqrt(K)*(exp(2*K) - 1)*exp(-2*K)/2)
    """
    return rebuilt(expression, lambda node: _read(node) if isinstance(node, sp.Integral) else node)


def _read(integral: sp.Integral) -> sp.Expr:
    """Return an integral as a sum of means if every term of it has a Gaussian density, else as it is."""
    if any(tuple(limits) != WHOLE_LINE for _, *limits in integral.limits):
        return integral
    terms = sp.Add.make_args(sp.expand_mul(opened(integral.function)))
    means = [_mean_of(term, integral.variables) for term in terms]
    return integral if None in means else sp.Add(*means)


def _mean_of(term: sp.Expr, letters: list[sp.Symbol]) -> sp.Expr | None:
    """Return the integral of a product over the letters as a mean; None if it has no Gaussian density as a factor."""
    exponentials = [factor for factor in sp.Mul.make_args(term) if isinstance(factor, sp.exp)]
    exponent = sp.expand(sp.Add(*(factor.exp for factor in exponentials)))
    if not exponent.is_polynomial(*letters) or sp.Poly(exponent, *letters).total_degree() != 2:
        return None
    origin = dict.fromkeys(letters, 0)
    inverse = -sp.hessian(exponent, letters)
    if not inverse.is_positive_definite:
        return None
    covariance = inverse.inv()
    slope = sp.Matrix([exponent.diff(letter).subs(origin) for letter in letters])
    centre = covariance * slope
    height = exponent.subs(origin) + slope.dot(centre) / 2
    size = sp.sqrt((2 * sp.pi) ** len(letters) * covariance.det())
    function = sp.Mul(*(factor for factor in sp.Mul.make_args(term) if factor not in exponentials))
    shifted = {letter: letter + centre[index] for index, letter in enumerate(letters)}
    return (
        size
        * sp.exp(height)
        * Mean(function.subs(shifted, simultaneous=True), letters, covariance)
    )
