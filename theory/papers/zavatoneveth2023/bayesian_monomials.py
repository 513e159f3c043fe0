r"""Appendix E.2: the correction for monomials, Eqs. (E.22) to (E.41)."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.monomial_kernel import double_factorial, hypergeometric, moment, rho
from theory.papers.zavatoneveth2023.overlap import (
    HALF,
    average,
    chi_17,
    chi_28,
    chi_33,
    each,
    omega,
    p2,
    positive_coefficients,
    slope,
    unit,
    w1,
    w2,
    z,
    za,
)
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.symbols import d, q, r


def weighted(degree: int) -> sp.Poly:
    """u_a^(2q) u^(2q-2) in the weights."""
    return sp.Poly(rho * w1 + w2, w1, w2) ** (2 * degree) * sp.Poly(w1, w1, w2) ** (2 * degree - 2)


EQUATIONS = (
    entry(
        "(E.22)",
        "E.2",
        "Omega for monomials without biases.",
        Finding.CONFIRMED,
        "(C.44) with sigma = 1, zeta = 0; what (E.20) takes from it.",
        printed=r"e^{\Omega(\|\mathbf{x}\|^2)} = \mathbb{E}[\phi'(z)^2] = \frac{q^2}{2q-1} \|\mathbf{x}\|^{2(q-1)}",
        steps=(
            Step("Omega'", sp.Derivative(omega, r), (q - 1) / r, because="differentiation"),
            Step(
                "the fraction of (E.20)",
                2 * omega.diff(r) / (1 + 2 * r * omega.diff(r)),
                2 * (q - 1) / ((2 * q - 1) * r),
                because="substitution",
            ),
        ),
    ),
    entry(
        "(E.23) and (E.24)",
        "E.2",
        "The terms of (E.21) are multiples of one average.",
        Finding.CONFIRMED,
        "Powers.",
        printed=r"\mathbb{E}[\phi(z_a) \phi'(z_a) z_a \phi'(z)^2] = q \mathbb{E}[\phi(z_a)^2 \phi'(z)^2], \quad "
        r"\mathbb{E}[\phi(z_a)^2 \phi'(z) \phi''(z) z] = (q-1) \mathbb{E}[\phi(z_a)^2 \phi'(z)^2]",
        steps=(
            Step("first", unit * unit.diff(za) * za, q * unit**2, because="powers"),
            Step("second", slope * slope.diff(z) * z, (q - 1) * slope**2, because="powers"),
        ),
    ),
    entry(
        "(E.25) and (E.26)",
        "E.2",
        "The trace of (E.21) for monomials.",
        Finding.CONFIRMED,
        "Degrees 1 to 4, term by term over the weights, norms taken out.",
        printed=r"\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2 w_\mu w_\nu] \delta_{\mu\nu} = "
        r"\frac{q^2}{[(2q-1)!!]^2} [d + 2(2q-1)] \|\mathbf{x}_a\|^{2q} \|\mathbf{x}\|^{2q-2} \mathbb{E}[u_a^{2q} "
        r"u^{2q-2}]",
        steps=each(
            "trace",
            lambda n: average(weighted(n) * (w1**2 + w2**2 + d - 2)),
            lambda n: (d + 2 * (2 * n - 1)) * average(weighted(n)),
            "Gaussian integration by parts",
        ),
    ),
    entry(
        "(E.27)",
        "E.2",
        "The other average of (E.20).",
        Finding.CONFIRMED,
        "Powers.",
        printed=r"\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2 z^2] = \frac{q^2}{[(2q-1)!!]^2} \|\mathbf{x}_a\|^{2q} "
        r"\|\mathbf{x}\|^{2q} \mathbb{E}[u_a^{2q} u^{2q}]",
        steps=(Step("powers", unit**2 * slope**2 * z**2, q**2 * za ** (2 * q) * z ** (2 * q), because="powers"),),
    ),
    entry(
        "(E.28) to (E.30)",
        "E.2",
        "The factor chi in moments of two standard normal variables with the overlap as correlation.",
        Finding.CONFIRMED,
        "Degrees 1 to 4, from (E.17) term by term over the weights; any d.",
        printed=r"\chi(\rho^2) = \frac{2q-1}{[(2q-1)!!]^2} [d + 2(2q-1)] \mathbb{E}[u_a^{2q} u^{2q-2}] - "
        r"\frac{2(q-1)}{[(2q-1)!!]^2} \mathbb{E}[u_a^{2q} u^{2q}], \quad \rho = \frac{\mathbf{x}_a \cdot "
        r"\mathbf{x}}{\|\mathbf{x}_a\| \|\mathbf{x}\|}",
        steps=each("from the definition", chi_17, chi_28, "averages over weights"),
    ),
    entry(
        "(E.31)",
        "E.2",
        "The moment of equal powers.",
        Finding.CONFIRMED,
        "Degrees 1 to 4.",
        printed=r"\frac{1}{[(2q-1)!!]^2} \mathbb{E}[u_a^{2q} u^{2q}] = {}_2F_1(-q, -q; \tfrac12; \rho^2)",
        steps=each(
            "hypergeometric",
            lambda n: moment(2 * n, 2 * n) / double_factorial(2 * n - 1) ** 2,
            lambda n: hypergeometric(-n, -n, HALF, rho**2),
            "(C.40)",
        ),
    ),
    entry(
        "(E.32)",
        "E.2",
        "The moment of unequal powers.",
        Finding.CONFIRMED,
        "Degrees 1 to 4.",
        printed=r"\frac{2q-1}{[(2q-1)!!]^2} \mathbb{E}[u_a^{2q} u^{2q-2}] = {}_2F_1(1-q, -q; \tfrac12; \rho^2)",
        steps=each(
            "hypergeometric",
            lambda n: (2 * n - 1) * moment(2 * n, 2 * n - 2) / double_factorial(2 * n - 1) ** 2,
            lambda n: hypergeometric(1 - n, -n, HALF, rho**2),
            "integration by parts",
        ),
    ),
    entry(
        "(E.33)",
        "E.2",
        "The factor chi in hypergeometric functions.",
        Finding.CONFIRMED,
        "Degrees 1 to 4, from (E.17) term by term.",
        printed=r"\chi(\rho^2) = [d + 2(2q-1)] {}_2F_1(1-q, -q; \tfrac12; \rho^2) - 2(q-1) {}_2F_1(-q, -q; \tfrac12; "
        r"\rho^2)",
        steps=each("from the definition", chi_17, chi_33, "(E.28), (E.31) and (E.32)"),
    ),
    entry(
        "E.2 positive coefficients",
        "E.2",
        "Both hypergeometric functions are polynomials with positive coefficients, and 1 at zero overlap.",
        Finding.CONFIRMED,
        "Degrees up to 8; the Pochhammer symbols of two numbers below zero have the same sign.",
        closed_form="geometry.bayesian_factor.monomial_2",
        steps=(
            Check("coefficients", positive_coefficients, "expansion"),
            *each(
                "at zero overlap",
                lambda n: (
                    hypergeometric(-n, -n, HALF, p2).subs(p2, 0) * hypergeometric(1 - n, -n, HALF, p2).subs(p2, 0)
                ),
                lambda n: sp.S.One,
                "first term",
            ),
        ),
    ),
)
