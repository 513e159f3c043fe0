r"""Appendix E.2: the factor chi for monomials, Eqs. (E.22) to (E.33)."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Claim, Finding, Word, equal, for_all, numerically
from theory.papers.zavatoneveth2023.appendix_letters import (
    E,
    E_u,
    d,
    entry,
    mu,
    norm,
    norm_a,
    phi0,
    phi1,
    phi2,
    q,
    rho,
    w,
    z,
    z_a,
)
from theory.papers.zavatoneveth2023.overlap import coefficients, settings

omega, u, u_a, inner_a = sp.symbols("Omega u u_a inner_a", real=True)
chi_of, F = sp.Function("chi_of"), sp.Function("F")
HALF = sp.Rational(1, 2)
scale = sp.factorial2(2 * q - 1) ** 2
features = phi0(z_a) ** 2 * phi1(z) ** 2
equal_powers, unequal_powers = F(-q, -q, HALF, rho**2), F(1 - q, -q, HALF, rho**2)
BY_QUADRATURE = numerically(settings, "Gauss-Hermite quadrature, exact for polynomials")
EVIDENCE = "Degrees 1 to 4, two and three inputs, by quadrature that is exact for these polynomials."


def has_such_coefficients(claim: Claim) -> tuple[Check, ...]:
    """Degrees 2 to 20, both functions."""
    lowers = [pair for degree in range(2, 21) for pair in ((1 - degree, -degree), (-degree, -degree))]

    def are_positive(pair: tuple[int, int]) -> bool:
        return all(term > 0 for term in coefficients(*pair)) and len(coefficients(*pair)) == -max(pair) + 1

    return (
        Check("sign", lambda: for_all(lowers, are_positive) is (claim["sign"] == "positive"), "recursion of the terms"),
        Check(
            "no overlap", lambda: all(coefficients(*pair)[0] == float(claim["value"]) for pair in lowers), "first term"
        ),
    )


EQUATIONS = (
    entry(
        "(E.22)",
        "E.2",
        "Omega for monomials without biases.",
        Finding.ILLEGIBLE,
        "The fraction is lost in the text that was read. The inferred form is (C.44) with sigma = 1, zeta = 0. "
        + EVIDENCE,
        printed=r"e^{\Omega(\|\mathbf{x}\|^2)} = \mathbb{E}[\phi'(z)^2] = \ldots \|\mathbf{x}\|^{2(q-1)}",
        inferred=sp.Tuple(
            equal(sp.exp(omega), E(phi1(z) ** 2)), equal(E(phi1(z) ** 2), q**2 / (2 * q - 1) * norm ** (2 * (q - 1)))
        ),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(E.23)",
        "E.2",
        "The first term of (E.21) is a multiple of an average.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal(E(phi0(z_a) * phi1(z_a) * z_a * phi1(z) ** 2), q * E(features)),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(E.24)",
        "E.2",
        "The second term of (E.21) is a multiple of the same average.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal(E(phi0(z_a) ** 2 * phi1(z) * phi2(z) * z), (q - 1) * E(features)),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(E.25)",
        "E.2",
        "The trace of (E.21) for monomials.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal(sp.Sum(E(features * w(mu) ** 2), (mu, 1, d)), (d + 2 * (2 * q - 1)) * E(features)),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(E.26)",
        "E.2",
        "The same in powers of the preactivations.",
        Finding.ILLEGIBLE,
        "The average and its prefactor are damaged in the text that was read. The inferred form is that with which "
        "(E.28), which is legible, follows. " + EVIDENCE,
        printed=r"\ldots [d + 2(2q-1)] \mathbb{E}_{\mathbf{w}}[\ldots]",
        inferred=equal(
            sp.Sum(E(features * w(mu) ** 2), (mu, 1, d)),
            q**2 / scale * (d + 2 * (2 * q - 1)) * E(z_a ** (2 * q) * z ** (2 * q - 2)),
        ),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(E.27)",
        "E.2",
        "The other average of (E.20).",
        Finding.ILLEGIBLE,
        "The right-hand side is damaged in the text that was read. The inferred form is that with which (E.28), which "
        "is legible, follows. " + EVIDENCE,
        printed=r"\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2 z^2] = \ldots",
        inferred=equal(E(features * z**2), q**2 / scale * E(z_a ** (2 * q) * z ** (2 * q))),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(E.28)",
        "E.2",
        "The factor chi in moments of two standard normal variables.",
        Finding.CONFIRMED,
        "Chi from its definition (E.17). " + EVIDENCE,
        printed=equal(
            chi_of(rho**2),
            (2 * q - 1) / scale * (d + 2 * (2 * q - 1)) * E_u(u_a ** (2 * q) * u ** (2 * q - 2))
            - 2 * (q - 1) / scale * E_u(u_a ** (2 * q) * u ** (2 * q)),
        ),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(E.29)",
        "E.2",
        "The two variables are standard normal with correlation rho.",
        Finding.DEFINITION,
        "Preactivations in units of their standard deviations.",
        printed=r"\begin{pmatrix} u_a \\ u \end{pmatrix} \sim N\left(\begin{pmatrix} 0 \\ 0 \end{pmatrix}, "
        r"\begin{pmatrix} 1 & \rho \\ \rho & 1 \end{pmatrix}\right)",
    ),
    entry(
        "(E.30)",
        "E.2",
        "The overlap of the two inputs.",
        Finding.DEFINITION,
        "A cosine.",
        printed=equal(rho, inner_a / (norm_a * norm)),
    ),
    entry(
        "(E.31)",
        "E.2",
        "The moment of equal powers.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal(E_u(u_a ** (2 * q) * u ** (2 * q)) / scale, equal_powers),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(E.32)",
        "E.2",
        "The moment of unequal powers.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal((2 * q - 1) / scale * E_u(u_a ** (2 * q) * u ** (2 * q - 2)), unequal_powers),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(E.33)",
        "E.2",
        "The factor chi in hypergeometric functions.",
        Finding.CONFIRMED,
        "Chi from its definition (E.17). " + EVIDENCE,
        printed=equal(chi_of(rho**2), (d + 2 * (2 * q - 1)) * unequal_powers - 2 * (q - 1) * equal_powers),
        prove=BY_QUADRATURE,
        closed_form="geometry.bayesian_factor.monomial_2",
    ),
    entry(
        "E.2 positive coefficients",
        "E.2",
        "",
        Finding.CONFIRMED,
        "Degrees 2 to 20; two lower parameters below zero have Pochhammer symbols of one sign.",
        printed=Claim(
            "Each of these hypergeometric functions is a polynomial with all-{sign} coefficients in rho squared, and "
            "both evaluate to {value} when rho = 0.",
            {"sign": Word("positive", ("negative",)), "value": sp.S.One},
        ),
        prove=has_such_coefficients,
    ),
)
