r"""Appendix C.2: error functions at infinite width, Eqs. (C.24) to (C.28)."""

from __future__ import annotations

import sympy as sp

from theory.core import Finding, Word, equal, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.transition import programs_of
from theory.papers.zavatoneveth2023.error_function import correlated_preactivations, decreases, has_the_sign
from theory.papers.zavatoneveth2023.index_notation import d
from theory.papers.zavatoneveth2023.infinite_values import ERF, infinite_witness, of_infinite, values
from theory.papers.zavatoneveth2023.letters import R, volume
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.symbols import r, sigma, variance, zeta

r_y = sp.Symbol("r_y", positive=True)
xy = sp.Symbol("xy", real=True)
LARGER = Word("decreasing", ("increasing",))
CASES = "Three infinitely wide networks with two to four inputs, against "
numbers = numerically(of_infinite(ERF), "Gaussian integrals and the definition of curvature")


def volume_27(divisor: sp.Expr) -> sp.Eq:
    """Eq. (C.27)."""
    spread = 1 + 2 * variance
    return equal(volume, (2 * sigma**2 / (divisor * sp.sqrt(spread))) ** (d / 2) * sp.sqrt((2 * zeta**2 + 1) / spread))


def scalar_28(number: int) -> sp.Eq:
    """Eq. (C.28)."""
    below = 2 * (2 * zeta**2 + 1) * sp.sqrt(1 + 2 * variance)
    return equal(R, -number * sp.pi * (d - 1) * (d + 2) * sigma**2 * r / below)


PROGRAMS: Programs = {
    "IV.B erf": lambda claim: (
        *decreases("R", scalar_28(1).rhs, claim["change"]),
        *decreases("volume element", sp.log(volume_27(sp.pi).rhs), claim["change"]),
    ),
    "(C.24)": numerically(correlated_preactivations, "quadrature"),
    "(C.25)": numbers,
    "(C.26)": numbers,
    "(C.27)": numbers,
    **programs_of(
        (
            PAPER.entry(
                "(C.28)",
                "C.2",
                "The Ricci scalar.",
                Finding.MISPRINT,
                CASES + "the curvature by definition, of a metric that is a Gaussian integral over all weights.",
                printed=scalar_28(3),
                corrected=scalar_28(1),
                prove=numbers,
                witness=infinite_witness(ERF[1], R),
                consequence="Three times too large, and with it the dashed line of Figure 1a.",
                closed_form="geometry.scalar_curvature.erf",
            ),
        )
    ),
    "C.2 sign for erf": Program(
        has_the_sign(scalar_28(1).rhs),
        lambda: float(sp.sign(round(values(*ERF[0], ("0", "0"))["R"], 12))),
        value=lambda claim: -1.0 if claim["sign"] == "negative" else 1.0,
    ),
    "C.2 monotone for erf": lambda claim: (
        *decreases("R", scalar_28(1).rhs, claim["change"]),
        *decreases("its sign", -scalar_28(1).rhs, "increasing" if claim["sign"] == "negative" else "decreasing"),
    ),
}
