r"""Section IV.A and Appendix B.1: the curvature of networks on two inputs, Eqs. (4) and (B.10) to (B.16)."""

from __future__ import annotations

import sympy as sp

from theory.core import Finding, equal
from theory.core.ledger.ledger import Programs
from theory.core.ledger.transition import programs_of
from theory.papers.zavatoneveth2023.index_notation import (
    alpha,
    as_printed,
    beta,
    i,
    j,
    k,
    lamda,
    mu,
    n,
    nu,
    rho,
)
from theory.papers.zavatoneveth2023.letters import M, R, detg, phi1, phi2
from theory.papers.zavatoneveth2023.network_values import PLANE, curvature_witness, of_networks
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.triples import contributes, is_flat_below

from_a_18 = as_printed(of_networks(PLANE, 3), "three times the curvature from the definition, as (A.18)")
three_units = as_printed(
    of_networks(((3, 2, 0), (3, 2, 5), (3, 2, 6)), 3), "three times the curvature from the definition, as (A.18)"
)
shared = phi1(i) ** 2 * phi1(j) * phi1(k) * phi2(j) * phi2(k)
over_triples = ((i, 1, n), (j, 1, n), (k, 1, n))
minors = M(j, k) ** 2 * M(i, j) * M(i, k)


def scalar_15(number: int) -> sp.Eq:
    """Eq. (B.15)."""
    return equal(R, -number / (detg**2 * n**3) * sp.Sum(minors * shared, *over_triples))


PROGRAMS: Programs = {
    "(4)": from_a_18,
    "IV.A two units": lambda claim: (
        *contributes(claim["kind"], minors),
        *is_flat_below(int(claim["inputs"]), int(claim["units"])),
    ),
    "(B.10)": from_a_18,
    "(B.11)": as_printed(of_networks(PLANE), "derivatives by differences", (alpha, beta, nu, rho, lamda, mu)),
    "(B.12)": from_a_18,
    "(B.13)": from_a_18,
    "(B.14)": as_printed(of_networks(PLANE), "determinants of rows", (i, j, k)),
    **programs_of(
        (
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
        )
    ),
    "B.1 distinct units": lambda claim: (*contributes(claim["kind"], minors), *is_flat_below(2, int(claim["units"]))),
    "(B.16)": three_units,
}
