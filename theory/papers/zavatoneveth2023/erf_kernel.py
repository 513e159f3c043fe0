r"""Appendix C.2: error functions at infinite width, Eqs. (C.24) to (C.28)."""

from __future__ import annotations

import sympy as sp

from theory.core import Claim, Finding, Witness, Word, equal, numerically
from theory.papers.zavatoneveth2023.error_function import correlated_preactivations, decreases, has_the_sign
from theory.papers.zavatoneveth2023.index_notation import d
from theory.papers.zavatoneveth2023.infinite_values import ERF, infinite_witness, of_infinite, values
from theory.papers.zavatoneveth2023.letters import R, gap, kernel, mean_squared_slope, volume
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.symbols import omega, r, sigma, variance, zeta

r_y = sp.Symbol("r_y", positive=True)
xy = sp.Symbol("xy", real=True)
LARGER = Word("decreasing", ("increasing",))
CASES = "Three infinitely wide networks with two to four inputs, against "
numbers = numerically(of_infinite(ERF), "Gaussian integrals and the definition of curvature")


def omega_26(sign: sp.Expr, divisor: sp.Expr) -> sp.Eq:
    """Eq. (C.26)."""
    return equal(omega, sign / 2 * sp.log(1 + 2 * variance) + sp.log(2 * sigma**2 / divisor))


def volume_27(divisor: sp.Expr) -> sp.Eq:
    """Eq. (C.27)."""
    spread = 1 + 2 * variance
    return equal(volume, (2 * sigma**2 / (divisor * sp.sqrt(spread))) ** (d / 2) * sp.sqrt((2 * zeta**2 + 1) / spread))


def scalar_28(number: int) -> sp.Eq:
    """Eq. (C.28)."""
    below = 2 * (2 * zeta**2 + 1) * sp.sqrt(1 + 2 * variance)
    return equal(R, -number * sp.pi * (d - 1) * (d + 2) * sigma**2 * r / below)


EQUATIONS_IV_B = (
    PAPER.entry(
        "IV.B erf",
        "IV.B",
        "",
        Finding.CONFIRMED,
        "Derivatives of (C.28) as corrected and of the logarithm of (C.27), whose signs sympy proves for all sigma, "
        "zeta, r and d > 1. The sign of R itself is under C.2 sign for erf.",
        printed=Claim(
            "For the error function both R and the volume element are monotonically {change} functions of |x| for "
            "all zeta and sigma.",
            {"change": LARGER},
        ),
        prove=lambda claim: (
            *decreases("R", scalar_28(1).rhs, claim["change"]),
            *decreases("volume element", sp.log(volume_27(sp.pi).rhs), claim["change"]),
        ),
    ),
)

EQUATIONS = (
    PAPER.entry(
        "(C.24)",
        "C.2",
        "The NNGP kernel of erf(z/sqrt 2).",
        Finding.CONFIRMED,
        "Two pairs of inputs, by quadrature over both preactivations.",
        printed=equal(
            kernel,
            2
            / sp.pi
            * sp.asin(
                (sigma**2 * xy + zeta**2) / sp.sqrt((1 + sigma**2 * r + zeta**2) * (1 + sigma**2 * r_y + zeta**2))
            ),
        ),
        prove=numerically(correlated_preactivations, "quadrature"),
        closed_form="geometry.nngp_kernel.erf",
    ),
    PAPER.entry(
        "(C.25)",
        "C.2",
        "The average squared slope.",
        Finding.CONFIRMED,
        CASES + "an integral over one preactivation.",
        printed=equal(mean_squared_slope, 2 / (sp.pi * sp.sqrt(1 + 2 * variance))),
        prove=numbers,
    ),
    PAPER.entry(
        "(C.26)",
        "C.2",
        "Omega.",
        Finding.ILLEGIBLE,
        "The text that was read has lost the sign in front and what the last logarithm divides by; both are inferred "
        "from (C.11) with (C.25). " + CASES + "an integral over one preactivation.",
        printed=omega_26(gap, gap),
        inferred=omega_26(-sp.S.One, sp.pi),
        prove=numbers,
    ),
    PAPER.entry(
        "(C.27)",
        "C.2",
        "The volume element.",
        Finding.ILLEGIBLE,
        "The text that was read has lost most of it; it is inferred from (6) with (C.26). " + CASES + "the "
        "determinant of a Gaussian integral over all weights.",
        printed=volume_27(gap),
        inferred=volume_27(sp.pi),
        prove=numbers,
        closed_form="geometry.volume_element.erf",
    ),
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
    PAPER.entry(
        "C.2 sign for erf",
        "C.2",
        "",
        Finding.CONDITIONAL,
        "(C.28) as corrected on a grid of inputs, dimensions and parameters; the prefactor does not matter.",
        printed=Claim("R is {sign} for all d > {bound}.", {"sign": Word("negative", ("positive",)), "bound": sp.S.One}),
        condition=sp.Gt(sp.Symbol("r", nonnegative=True), 0),
        prove=has_the_sign(scalar_28(1).rhs),
        witness=Witness(
            {"x": (0, 0), "sigma": 1, "zeta": "1/2", "value": "sign of R"},
            lambda: float(sp.sign(round(values(*ERF[0], ("0", "0"))["R"], 12))),
            value=lambda claim: -1.0 if claim["sign"] == "negative" else 1.0,
        ),
        consequence="R vanishes at the origin, for every sigma, zeta and d.",
    ),
    PAPER.entry(
        "C.2 monotone for erf",
        "C.2",
        "",
        Finding.CONFIRMED,
        "The derivative of (C.28) as corrected, whose sign sympy proves for all sigma, zeta, r and d > 1; its limit.",
        printed=Claim(
            "R is a monotonically {change} function of |x|, hence curvature becomes increasingly {sign} with "
            "increasing radius.",
            {"change": LARGER, "sign": Word("negative", ("positive",))},
        ),
        prove=lambda claim: (
            *decreases("R", scalar_28(1).rhs, claim["change"]),
            *decreases("its sign", -scalar_28(1).rhs, "increasing" if claim["sign"] == "negative" else "decreasing"),
        ),
    ),
)
