r"""Appendix C.1: metrics :math:`e^\Omega (\delta + 2 \Omega' x x^\top)`, Eqs. (C.12) to (C.23)."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.core import Claim, Finding, equal, numerically
from theory.papers.zavatoneveth2023.index_notation import alpha, as_printed, beta, d, lamda, mu, nu, rho
from theory.papers.zavatoneveth2023.infinite_width import determinant_6, scalar_7
from theory.papers.zavatoneveth2023.letters import R, Riemann, delta, dg, g, g_up, gap, x
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.projection import RIEMANN, SCALAR, has_the_eigenvalues, networks
from theory.papers.zavatoneveth2023.symbols import omega, omega1, omega2, r

EVIDENCE = "Error functions on two and three inputs, a cubic monomial on three: the metric is a Gaussian integral."
CURVED = EVIDENCE + " Its curvature is computed by definition. The printed prefactor is that of Appendix A."
u = 1 + 2 * r * omega1
bend = 1 + 2 * r * omega2 / omega1


def riemann_16(number: int) -> sp.Eq:
    """Eq. (C.16)."""

    def half(one: Any, other: Any) -> sp.Expr:
        mixed = x(nu) * x(other) * delta(mu, one) + x(mu) * x(one) * delta(nu, other)
        return r * delta(mu, one) * delta(nu, other) + bend * mixed

    return equal(
        Riemann(mu, nu, alpha, beta),
        -number * (sp.exp(omega) * omega1**2 / u * (half(alpha, beta) - half(beta, alpha))),
    )


traces = g_up(alpha, alpha) * g_up(beta, beta) - g_up(alpha, beta) * g_up(alpha, beta)
traces_on_x = (g_up(alpha, alpha) * g_up(mu, beta) - g_up(mu, alpha) * g_up(alpha, beta)) * x(mu) * x(beta)


def scalar_20(number: int) -> sp.Eq:
    """Eq. (C.20)."""
    return equal(R, -number * (sp.exp(omega) * omega1**2 / u * (r * traces + 2 * bend * traces_on_x)))


EQUATIONS = (
    PAPER.entry(
        "(C.12)",
        "C.1",
        "Metrics of this form for a smooth function Omega, among them that of (5).",
        Finding.CONFIRMED,
        "The same as (5). " + EVIDENCE,
        printed=equal(g(mu, nu), sp.exp(omega) * (delta(mu, nu) + 2 * omega1 * x(mu) * x(nu))),
        prove=as_printed(networks, "Gaussian integrals", (mu, nu)),
    ),
    PAPER.entry(
        "(C.13)",
        "C.1",
        "Their determinant.",
        Finding.ILLEGIBLE,
        "The text that was read has lost the exponent; d is inferred, the number of eigenvalues. " + EVIDENCE,
        printed=determinant_6(gap),
        inferred=determinant_6(d),
        prove=numerically(networks, "Gaussian integrals"),
    ),
    PAPER.entry(
        "(C.14)",
        "C.1",
        "Their inverse.",
        Finding.ILLEGIBLE,
        "Most letters are lost in the text that was read; (E.18), which is legible, says the same. " + EVIDENCE,
        printed=r"g^{\mu\nu} = \ldots",
        inferred=equal(g_up(mu, nu), sp.exp(-omega) * (delta(mu, nu) - 2 * omega1 / u * x(mu) * x(nu))),
        prove=as_printed(networks, "inverse matrices", (mu, nu)),
    ),
    PAPER.entry(
        "C.1 eigenvalues",
        "C.1",
        "",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=Claim(
            "The eigenvalues of the metric are {along}, with the eigenvector x, and {across}, with multiplicity "
            "{count}.",
            {"along": sp.exp(omega) * u, "across": sp.exp(omega), "count": d - 1},
        ),
        prove=has_the_eigenvalues,
    ),
    PAPER.entry(
        "(C.15)",
        "C.1",
        "The derivative of the metric, symmetric in all indices.",
        Finding.CONFIRMED,
        EVIDENCE + " It is differentiated numerically, in 100 digits.",
        printed=equal(
            dg(alpha, mu, nu),
            2
            * sp.exp(omega)
            * omega1
            * (x(alpha) * delta(mu, nu) + x(mu) * delta(alpha, nu) + x(nu) * delta(alpha, mu))
            + 4 * sp.exp(omega) * (omega2 + omega1**2) * x(alpha) * x(mu) * x(nu),
        ),
        prove=as_printed(networks, "differences of Gaussian integrals", (alpha, mu, nu)),
    ),
    PAPER.entry(
        "(C.16)",
        "C.1",
        "The Riemann tensor.",
        Finding.MISPRINT,
        CURVED,
        printed=riemann_16(3),
        corrected=riemann_16(1),
        prove=as_printed(networks, "definition of curvature", (mu, nu, alpha, beta)),
        witness=RIEMANN,
        consequence="Three times too large, as is every curvature that follows from Appendix A.",
        heirs=("(C.20)", "(C.23)"),
    ),
    PAPER.entry(
        "(C.17)",
        "C.1",
        "The inverse metric on x once.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal(g_up(rho, lamda) * x(rho), sp.exp(-omega) * x(lamda) / u),
        prove=as_printed(networks, "inverse matrices", (lamda,)),
    ),
    PAPER.entry(
        "(C.18)",
        "C.1",
        "The inverse metric on x twice.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal(g_up(rho, lamda) * x(rho) * x(lamda), sp.exp(-omega) * r / u),
        prove=as_printed(networks, "inverse matrices"),
    ),
    PAPER.entry(
        "(C.19)",
        "C.1",
        "The Ricci scalar as a contraction.",
        Finding.CONFIRMED,
        EVIDENCE + " Its curvature is computed by definition.",
        printed=equal(R, g_up(mu, alpha) * g_up(nu, beta) * Riemann(mu, nu, alpha, beta)),
        prove=as_printed(networks, "definition of curvature"),
    ),
    PAPER.entry(
        "(C.20)",
        "C.1",
        "The Ricci scalar with (C.16) inserted.",
        Finding.MISPRINT,
        CURVED,
        printed=scalar_20(3),
        corrected=scalar_20(1),
        prove=as_printed(networks, "definition of curvature"),
        witness=SCALAR,
        consequence="Three times too large, as (7), which follows from it.",
        heirs=("(7)", "(C.23)"),
    ),
    PAPER.entry(
        "(C.21)",
        "C.1",
        "Squared trace less trace of the square of the inverse.",
        Finding.ILLEGIBLE,
        "Parts of both sides are lost in the text that was read. The inferred form is that with which (C.23) follows "
        "from (C.20). " + EVIDENCE,
        printed=r"g^{\alpha\alpha} g^{\beta\beta} - g^{\alpha\beta} g^{\alpha\beta} = \ldots",
        inferred=equal(traces, sp.exp(-2 * omega) * (d - 1) * (d - 2 * (2 * r * omega1 / u))),
        prove=as_printed(networks, "inverse matrices"),
    ),
    PAPER.entry(
        "(C.22)",
        "C.1",
        "The same with x twice.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal(traces_on_x, sp.exp(-2 * omega) * r * (d - 1) / u),
        prove=as_printed(networks, "inverse matrices"),
    ),
    PAPER.entry(
        "(C.23)",
        "C.1",
        "The Ricci scalar.",
        Finding.MISPRINT,
        "The same as (7). " + CURVED,
        printed=scalar_7(3),
        corrected=scalar_7(1),
        prove=numerically(networks, "definition of curvature"),
        witness=SCALAR,
        consequence="Three times too large: it is the same formula as (7).",
    ),
)
