r"""Appendix C.2: volume element and curvature of monomials at infinite width, Eqs. (C.44) to (C.48)."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Claim, Finding, Witness, Word, equal, numerically
from theory.papers.zavatoneveth2023.index_notation import d
from theory.papers.zavatoneveth2023.infinite_values import MONOMIALS, WITHOUT_BIAS, infinite_witness, of_infinite
from theory.papers.zavatoneveth2023.letters import R, gap, mean_squared_slope, volume
from theory.papers.zavatoneveth2023.monomials import (
    CURVATURE,
    VOLUME,
    always,
    in_the_limit,
    rises,
    scalar_46,
    scalar_48,
    vanishes,
    volume_45,
)
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.symbols import q, r, sigma, variance

CASES = "Degrees 2 to 4, two to four inputs, against "
LOST = "The text that was read has lost {}; inferred from {}. "
numbers = numerically(of_infinite(MONOMIALS), "Gaussian integrals and the definition of curvature")
GRID = "(C.46) and (C.45) on a grid of norms; the prefactor does not matter."
CHANGE = ("increasing", "decreasing")


def slope_44(divisor: sp.Expr) -> sp.Eq:
    """Eq. (C.44)."""
    return equal(mean_squared_slope, q**2 / divisor * variance ** (q - 1))


def volume_47(power: sp.Expr, width: sp.Expr) -> sp.Eq:
    """Eq. (C.47), with the powers of q and of sigma."""
    return equal(volume, q**power * (2 * q - 1) ** ((1 - d) / 2) * sigma**width * r ** ((q - 1) * d / 2))


EQUATIONS = (
    PAPER.entry(
        "(C.44)",
        "C.2",
        "The average squared slope of a monomial.",
        Finding.ILLEGIBLE,
        LOST.format("what q^2 is divided by", "(C.46)") + CASES + "an integral over one preactivation.",
        printed=slope_44(gap),
        inferred=slope_44(2 * q - 1),
        prove=numbers,
    ),
    PAPER.entry(
        "(C.45)",
        "C.2",
        "The volume element of a monomial.",
        Finding.ILLEGIBLE,
        LOST.format("what q^2 is divided by", "(C.46)") + CASES + "a Gaussian integral over all weights.",
        printed=volume_45(q**2 / gap * variance ** (q - 1)),
        inferred=volume_45(q**2 / (2 * q - 1) * variance ** (q - 1)),
        prove=numbers,
    ),
    PAPER.entry(
        "(C.46)",
        "C.2",
        "The Ricci scalar of a monomial.",
        Finding.MISPRINT,
        CASES + "the curvature by definition, of a metric by Isserlis' theorem.",
        printed=scalar_46(3),
        corrected=scalar_46(1),
        prove=numbers,
        witness=infinite_witness(MONOMIALS[1], R),
        consequence="Three times too large, and with it the dashed line of Figure 1b and the curves of Figure C.1.",
        heirs=("(C.48)",),
    ),
    PAPER.entry(
        "(C.47)",
        "C.2",
        "The volume element without biases.",
        Finding.ILLEGIBLE,
        LOST.format("the powers of q and sigma", "(C.45)") + CASES + "a Gaussian integral over all weights.",
        printed=volume_47(gap, gap),
        inferred=volume_47(d, q * d),
        prove=numerically(of_infinite(WITHOUT_BIAS), "Gaussian integrals"),
    ),
    PAPER.entry(
        "Figure C.1",
        "C.2",
        "R is shown for degrees up to 10 with two inputs, and for q = 2 with up to 10 inputs; sigma = zeta = 1.",
        Finding.NOTE,
        "Curves of (C.46), which are three times too low; where they are smallest is not affected.",
    ),
    PAPER.entry(
        "(C.48)",
        "C.2",
        "The Ricci scalar without biases.",
        Finding.ILLEGIBLE,
        LOST.format("the prefactor", "(C.46), whose 3 can be read") + "With it, the formula gives three times the "
        "curvature from the definition.",
        printed=scalar_48(gap),
        inferred=scalar_48(sp.Integer(3)),
        prove=numerically(of_infinite(WITHOUT_BIAS[:3], 3), "three times the curvature from the definition"),
    ),
    PAPER.entry(
        "C.2 volume of monomials",
        "C.2",
        "",
        Finding.CONFIRMED,
        GRID
        + " Its logarithm is a sum of terms that rise. The signs > and >= cannot be told apart in the text that was "
        "read; it holds as it is shown, and at q = 1 the volume element does not depend on x.",
        printed=Claim(
            "For all zeta >= 0, all dimensions d >= 1, and all q > {degree}, the volume element is a monotone {change} "
            "function of |x|^2.",
            {"degree": sp.S.One, "change": Word(CHANGE[0], CHANGE[1:])},
        ),
        prove=lambda claim: (
            always(
                VOLUME if claim["change"] == "increasing" else 1 / VOLUME,
                tuple(int(claim["degree"]) + more for more in (1, 2, 5)),
                (1, 2, 3, 7),
                (0.0, 0.4, 1.3),
                rises,
                "rises",
            ),
            always(VOLUME, (int(claim["degree"]),), (1, 2, 3), (0.0, 0.4), lambda v: not rises(v), "not at the bound"),
        ),
    ),
    PAPER.entry(
        "C.2 flat monomials",
        "C.2",
        "",
        Finding.CONFIRMED,
        GRID,
        printed=Claim("R = 0 if q = {degree} or d = {inputs}.", {"degree": sp.S.One, "inputs": sp.S.One}),
        prove=lambda claim: (
            always(CURVATURE, (int(claim["degree"]),), (2, 3), (0.0, 0.4), vanishes, "degree"),
            always(CURVATURE, (2, 3), (int(claim["inputs"]),), (0.0, 0.4), vanishes, "inputs"),
        ),
    ),
    PAPER.entry(
        "C.2 monomials without biases",
        "C.2",
        "",
        Finding.CONFIRMED,
        GRID + " Degrees above 1.",
        printed=Claim(
            "If zeta = 0, R = 0 if d = {inputs} and R {sign} for all d > {bound}, but |R| is monotonically {change} "
            "with |x|.",
            {
                "inputs": sp.Integer(2),
                "sign": Word("< 0", ("> 0",)),
                "bound": sp.Integer(2),
                "change": Word(CHANGE[1], CHANGE[:1]),
            },
        ),
        prove=lambda claim: (
            always(CURVATURE, (2, 3), (int(claim["inputs"]),), (0.0,), vanishes, "flat"),
            always(CURVATURE, (2, 3), (int(claim["bound"]),), (0.0,), vanishes, "at the bound"),
            always(
                CURVATURE if claim["sign"] == "< 0" else -CURVATURE,
                (2, 3),
                tuple(int(claim["bound"]) + more for more in (1, 2, 5)),
                (0.0,),
                lambda values: bool(np.all(values < 0)),
                "sign",
            ),
            always(
                CURVATURE if claim["change"] == "decreasing" else -CURVATURE, (2, 3), (3, 4), (0.0,), rises, "its size"
            ),
        ),
    ),
)

EQUATIONS_IV_B = (
    PAPER.entry(
        "IV.B monomials, all biases",
        "IV.B",
        "",
        Finding.CONFIRMED,
        GRID + " Two and more inputs, degrees above 1; at q = 1 the volume element does not depend on x.",
        printed=Claim(
            "For monomials the volume element is a monotonically {volume} function of |x|^2, while R is again "
            "{sign}. If zeta > 0, R may be {shape} in |x|^2.",
            {
                "volume": Word(CHANGE[0], CHANGE[1:]),
                "sign": Word("non-positive", ("non-negative",)),
                "shape": Word("non-monotonic", ("monotonic",)),
            },
        ),
        prove=lambda claim: (
            always(
                VOLUME if claim["volume"] == "increasing" else 1 / VOLUME, (2, 3), (2, 3), (0.0, 0.4), rises, "volume"
            ),
            always(
                CURVATURE if claim["sign"] == "non-positive" else -CURVATURE,
                (2, 3),
                (2, 3, 7),
                (0.0, 0.4),
                lambda values: bool(np.all(values <= 0)),
                "sign",
            ),
            always(
                CURVATURE,
                (2, 3),
                (2, 3, 7),
                (0.4,),
                lambda values: (rises(values) or rises(-values)) is (claim["shape"] == "monotonic"),
                "shape",
            ),
        ),
    ),
    PAPER.entry(
        "IV.B monomials",
        "IV.B",
        "",
        Finding.CONDITIONAL,
        "(C.48) for one to five inputs and degrees 1 to 3; the prefactor does not matter.",
        printed=Claim(
            "If zeta = 0, then R is a {change} function of |x|^2 that diverges towards {limit} as |x|^2 falls to 0.",
            {"change": Word("non-decreasing", ("decreasing",)), "limit": -sp.oo},
        ),
        condition=sp.Gt((d - 2) * (sp.Symbol("q", integer=True, positive=True) - 1), 0),
        prove=in_the_limit,
        witness=Witness(
            {"d": 2, "q": 2, "zeta": 0, "value": "1/R near the origin, 0 if R diverges; 1 where R = 0"},
            lambda: 1.0 if vanishes(np.array([scalar_48(sp.S.One).rhs.subs({d: 2, q: 2})], dtype=float)) else 0.0,
            value=lambda claim: float(1 / claim["limit"]) if claim["limit"] != 0 else 1.0,
        ),
        consequence="With two inputs, as in all figures of toy tasks, R = 0 identically, as Appendix C.2 says.",
    ),
)
