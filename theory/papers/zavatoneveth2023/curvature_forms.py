r"""Riemann and Ricci tensors of networks on any number of inputs as Appendix B.3 prints them, Eqs. (B.25) to (B.34)."""

from __future__ import annotations

import sympy as sp

from theory.core import equal
from theory.papers.zavatoneveth2023.index_notation import (
    a,
    alpha,
    beta,
    d,
    i,
    j_,
    k,
    l_,
    lamda,
    mu,
    mu_,
    n,
    nu,
    nu_,
    rho,
    span,
)
from theory.papers.zavatoneveth2023.letters import (
    M,
    Ricci,
    Riemann,
    Riemann_up,
    detg,
    dg,
    epsilon,
    g_up,
    phi1,
    phi2,
    w,
)

tensor, mixed = (mu, nu, alpha, beta), (lamda, nu, alpha, beta)
columns, others = span(mu_(2), mu_(d)), span(nu_(2), nu_(d))
units, units_l = span(j_(2), j_(d)), span(l_(2), l_(d))
factorial = sp.factorial(d - 1)
ends = phi1(i) * phi2(i) * phi1(k) * phi2(k)
squares = sp.Product(phi1(j_(a)) ** 2, (a, 2, d))
squares_l = sp.Product(phi1(l_(a)) ** 2, (a, 2, d))
crossed = w(i, alpha) * w(k, beta) - w(i, beta) * w(k, alpha)


def riemann_27(number: int) -> sp.Eq:
    """Eq. (B.27)."""
    products = dg(rho, mu, alpha) * dg(lamda, nu, beta) - dg(rho, mu, beta) * dg(lamda, nu, alpha)
    return equal(Riemann(*tensor), -sp.Rational(number, 4) * g_up(rho, lamda) * products)


def _riemann(number: int, summand: sp.Expr) -> sp.Eq:
    prefactor = number / (n ** (d + 1) * factorial * detg)
    return equal(Riemann(*tensor), -prefactor * squares * ends * summand)


def riemann_28(number: int) -> sp.Eq:
    """Eq. (B.28)."""
    pairs = sp.Product(w(j_(a), mu_(a)) * w(j_(a), nu_(a)), (a, 2, d))
    one = w(i, rho) * w(i, mu) * w(i, alpha) * w(k, lamda) * w(k, nu) * w(k, beta)
    other = w(i, rho) * w(i, mu) * w(i, beta) * w(k, lamda) * w(k, nu) * w(k, alpha)
    return _riemann(number, epsilon(rho, columns) * epsilon(lamda, others) * pairs * (one - other))


def riemann_29(number: int) -> sp.Eq:
    """Eq. (B.29)."""
    left = epsilon(rho, columns) * w(i, rho) * sp.Product(w(j_(a), mu_(a)), (a, 2, d))
    right = epsilon(lamda, others) * w(k, lamda) * sp.Product(w(j_(a), nu_(a)), (a, 2, d))
    bracket = w(i, mu) * w(i, alpha) * w(k, nu) * w(k, beta) - w(i, mu) * w(i, beta) * w(k, nu) * w(k, alpha)
    return _riemann(number, left * right * bracket)


def riemann_30(number: int) -> sp.Eq:
    """Eq. (B.30)."""
    return _riemann(number, M(i, units) * M(k, units) * w(i, mu) * w(k, nu) * crossed)


def _contracted(number: int, left: sp.Expr, summand: sp.Expr) -> sp.Eq:
    """What (B.32) and (B.34) share."""
    prefactor = number / (n**2 * (n ** (d - 1) * factorial * detg) ** 2)
    shared = squares * squares_l * ends * M(i, units) * M(k, units) * M(i, units_l)
    return equal(left, -prefactor * shared * summand)


def riemann_32(number: int) -> sp.Eq:
    """Eq. (B.32)."""
    raised = epsilon(lamda, others) * sp.Product(w(l_(a), nu_(a)), (a, 2, d))
    return _contracted(number, Riemann_up(*mixed), raised * w(k, nu) * crossed)


def ricci_34(number: int) -> sp.Eq:
    """Eq. (B.34)."""
    bracket = M(i, units_l) * w(k, beta) - w(i, beta) * M(k, units_l)
    return _contracted(number, Ricci(nu, beta), w(k, nu) * bracket)
