r"""Appendix C.1: metrics :math:`e^\Omega (\delta + 2 \Omega' x x^\top)`, Eqs. (C.12) to (C.23)."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.core import Finding, equal, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.transition import programs_of
from theory.papers.zavatoneveth2023.index_notation import alpha, as_printed, beta, lamda, mu, nu
from theory.papers.zavatoneveth2023.infinite_width import scalar_7
from theory.papers.zavatoneveth2023.letters import R, Riemann, delta, g_up, x
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


PROGRAMS: Programs = {
    "(C.12)": as_printed(networks, "Gaussian integrals", (mu, nu)),
    "(C.13)": numerically(networks, "Gaussian integrals"),
    "(C.14)": as_printed(networks, "inverse matrices", (mu, nu)),
    "C.1 eigenvalues": has_the_eigenvalues,
    "(C.15)": as_printed(networks, "differences of Gaussian integrals", (alpha, mu, nu)),
    **programs_of(
        (
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
        )
    ),
    "(C.17)": as_printed(networks, "inverse matrices", (lamda,)),
    "(C.18)": as_printed(networks, "inverse matrices"),
    "(C.19)": as_printed(networks, "definition of curvature"),
    **programs_of(
        (
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
        )
    ),
    "(C.21)": as_printed(networks, "inverse matrices"),
    "(C.22)": as_printed(networks, "inverse matrices"),
    **programs_of(
        (
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
    ),
}
