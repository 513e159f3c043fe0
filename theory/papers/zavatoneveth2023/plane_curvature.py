r"""Section IV.A and Appendix B.1: the curvature of networks on two inputs, Eqs. (4) and (B.10) to (B.16)."""

from __future__ import annotations

import sympy as sp

from theory.core import Claim, Finding, Word, equal
from theory.papers.zavatoneveth2023.index_notation import (
    alpha,
    as_printed,
    beta,
    differ,
    i,
    j,
    k,
    lamda,
    mu,
    n,
    nu,
    rho,
)
from theory.papers.zavatoneveth2023.letters import M, R, detg, dg, g, gap, phi1, phi2, w
from theory.papers.zavatoneveth2023.network_values import PLANE, curvature_witness, of_networks
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.triples import contributes, is_flat_below

INFERRED = (
    "The text that was read has lost the prefactor. What is inferred follows from (A.18) and leads to (B.15), in both "
    "of which the 3 can be read: like them it is three times the curvature from the definition, on random networks of "
    "three to five units."
)
from_a_18 = as_printed(of_networks(PLANE, 3), "three times the curvature from the definition, as (A.18)")
three_units = as_printed(
    of_networks(((3, 2, 0), (3, 2, 5), (3, 2, 6)), 3), "three times the curvature from the definition, as (A.18)"
)
shared = phi1(i) ** 2 * phi1(j) * phi1(k) * phi2(j) * phi2(k)
over_triples = ((i, 1, n), (j, 1, n), (k, 1, n))
minors = M(j, k) ** 2 * M(i, j) * M(i, k)


def round_bracket(j: sp.Symbol, k: sp.Symbol) -> sp.Expr:
    """The round bracket of Eqs. (B.12) to (B.14)."""
    return (
        w(i, 1) ** 2 * w(j, 2) ** 2 * w(k, 1) * w(k, 2)
        + w(i, 1) * w(i, 2) * w(j, 1) ** 2 * w(k, 2) ** 2
        + w(i, 2) ** 2 * w(j, 1) * w(j, 2) * w(k, 1) ** 2
    )


antisymmetrised = round_bracket(j, k) - round_bracket(k, j)


def scalar_4(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (4); sums are implied."""
    return equal(detg**2 * R, -prefactor * minors * shared)


def scalar_10(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.10)."""
    bracket = (
        g(1, 1) * (dg(1, 2, 2) * dg(2, 1, 2) - dg(2, 2, 2) * dg(1, 1, 2))
        + g(1, 2) * (dg(1, 1, 1) * dg(2, 2, 2) - dg(2, 1, 1) * dg(1, 2, 2))
        + g(2, 2) * (dg(1, 1, 2) * dg(2, 1, 1) - dg(2, 1, 2) * dg(1, 1, 1))
    )
    return equal(R, prefactor / (2 * detg**2) * bracket)


def product_11(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.11)."""
    crossed = w(j, alpha) * w(k, beta) - w(j, beta) * w(k, alpha)
    summand = phi1(j) * phi2(j) * phi1(k) * phi2(k) * crossed * w(j, nu) * w(j, rho) * w(k, lamda) * w(k, mu)
    left = dg(alpha, nu, rho) * dg(beta, lamda, mu) - dg(beta, nu, rho) * dg(alpha, lamda, mu)
    return equal(left, prefactor * differ(j, k, summand))


def scalar_12(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.12)."""
    return equal(detg**2 * R, prefactor * sp.Sum(M(j, k) * shared * round_bracket(j, k), *over_triples))


def scalar_13(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.13)."""
    return equal(detg**2 * R, prefactor * sp.Sum(M(j, k) * shared * antisymmetrised, *over_triples))


def scalar_15(number: int) -> sp.Eq:
    """Eq. (B.15)."""
    return equal(R, -number / (detg**2 * n**3) * sp.Sum(minors * shared, *over_triples))


def scalar_16(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.16)."""
    bracket = (
        M(2, 3) * phi1(1) * phi2(2) * phi2(3)
        - M(1, 3) * phi1(2) * phi2(1) * phi2(3)
        + M(1, 2) * phi1(3) * phi2(1) * phi2(2)
    )
    return equal(detg**2 * R, prefactor * M(1, 2) * M(2, 3) * M(3, 1) * phi1(1) * phi1(2) * phi1(3) * bracket)


EQUATIONS_IV_A = (
    PAPER.entry(
        "(4)",
        "IV.A",
        "The Ricci scalar of a network on two inputs.",
        Finding.ILLEGIBLE,
        "The text that was read has lost the prefactor; Figure 1 names (B.15) for what it plots, and there the 3 can "
        "be read. With it, the formula gives three times the curvature from the definition.",
        printed=scalar_4(gap),
        inferred=scalar_4(3 / n**3),
        prove=from_a_18,
    ),
    PAPER.entry(
        "IV.A two units",
        "IV.A",
        "",
        Finding.CONFIRMED,
        "The summand of (4) for all triples of five units; the curvature from the definition for two to four units.",
        printed=Claim(
            "In d = {inputs} the curvature acquires contributions from each triple of {kind} hidden units, hence if n "
            "= {units}, R = 0.",
            {"inputs": 2, "kind": Word("distinct", ("coinciding",)), "units": 2},
        ),
        prove=lambda claim: (
            *contributes(claim["kind"], minors),
            *is_flat_below(int(claim["inputs"]), int(claim["units"])),
        ),
    ),
)

EQUATIONS = (
    PAPER.entry(
        "(B.10)",
        "B.1",
        "The Ricci scalar from the metric and its derivatives.",
        Finding.ILLEGIBLE,
        INFERRED,
        printed=scalar_10(gap),
        inferred=scalar_10(sp.Integer(3)),
        prove=from_a_18,
    ),
    PAPER.entry(
        "(B.11)",
        "B.1",
        "Antisymmetrised products of derivatives of the metric as a double sum over units.",
        Finding.ILLEGIBLE,
        "The text that was read has the 4 of the prefactor, and not what it is divided by, which is inferred from "
        "(B.26). All components, against derivatives of the metric by differences.",
        printed=product_11(4 * gap),
        inferred=product_11(4 / n**2),
        prove=as_printed(of_networks(PLANE), "derivatives by differences", (alpha, beta, nu, rho, lamda, mu)),
    ),
    PAPER.entry(
        "(B.12)",
        "B.1",
        "The Ricci scalar as a sum over triples of units.",
        Finding.ILLEGIBLE,
        INFERRED,
        printed=scalar_12(gap),
        inferred=scalar_12(6 / n**3),
        prove=from_a_18,
    ),
    PAPER.entry(
        "(B.13)",
        "B.1",
        "The round bracket antisymmetrised in j and k.",
        Finding.ILLEGIBLE,
        INFERRED,
        printed=scalar_13(gap),
        inferred=scalar_13(3 / n**3),
        prove=from_a_18,
    ),
    PAPER.entry(
        "(B.14)",
        "B.1",
        "The antisymmetrised bracket is a product of three minors.",
        Finding.CONFIRMED,
        "All triples of units, against minors from determinants.",
        printed=equal(antisymmetrised, -M(j, k) * M(i, j) * M(i, k)),
        prove=as_printed(of_networks(PLANE), "determinants of rows", (i, j, k)),
    ),
    PAPER.entry(
        "(B.15)",
        "B.1",
        "The Ricci scalar of a network on two inputs.",
        Finding.MISPRINT,
        "Random networks of three to five units, against the curvature from the definition. The text that was read has "
        "the 3; what it is divided by is inferred.",
        printed=scalar_15(3),
        corrected=scalar_15(1),
        prove=as_printed(of_networks(PLANE), "definition of curvature"),
        witness=curvature_witness(R, inputs=2),
        consequence="Three times too large, as is every curvature that follows from Appendix A. The curvatures of "
        "Figures 1, G.2 and G.6 are computed with it.",
        heirs=("(4)", "(B.16)"),
    ),
    PAPER.entry(
        "B.1 distinct units",
        "B.1",
        "",
        Finding.CONFIRMED,
        "The summand of (B.15) for all triples of five units, and the curvature from the definition for two to four "
        "units; two units are a change of coordinates.",
        printed=Claim(
            "The non-vanishing contributions to the sum are triples of {kind} indices. If n = {units}, the Ricci "
            "scalar vanishes identically.",
            {"kind": Word("distinct", ("coinciding",)), "units": 2},
        ),
        prove=lambda claim: (*contributes(claim["kind"], minors), *is_flat_below(2, int(claim["units"]))),
    ),
    PAPER.entry(
        "(B.16)",
        "B.1",
        "The Ricci scalar of three units.",
        Finding.ILLEGIBLE,
        INFERRED + " Three networks of three units.",
        printed=scalar_16(gap),
        inferred=scalar_16(sp.Rational(6, 27)),
        prove=three_units,
    ),
)
