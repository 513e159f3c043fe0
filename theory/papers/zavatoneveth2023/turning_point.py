r"""Appendix C.2: where the curvature of monomials is smallest, Eqs. (C.49) to (C.51)."""

from __future__ import annotations

import sympy as sp

from theory.core import Approximates, Claim, Finding, Word, decimal, equal
from theory.papers.zavatoneveth2023.cubic import (
    Proportional,
    has_one_minimum,
    is_the_derivative,
    is_the_number,
    is_the_quadratic,
    is_the_threshold,
    slope,
    slope_changes_at,
    squared,
    threshold,
)
from theory.papers.zavatoneveth2023.index_notation import d
from theory.papers.zavatoneveth2023.letters import gap
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.symbols import q, zeta

ROOT = (sp.sqrt(17 * q**2 - 8 * q) - 3 * q + 2) / (2 * (2 * q**2 + q - 1)) * zeta**2


def cubic(first: sp.Expr, second: sp.Expr) -> sp.Basic:
    """(C.49), with the coefficients of the third and the second power."""
    rest = -(8 + q * (d - 14)) * zeta**4 * squared - (d + 2) * zeta**6
    return Proportional(slope, first * squared**3 + second * zeta**2 * squared**2 + rest)


EQUATIONS = (
    PAPER.entry(
        "(C.49)",
        "C.2",
        "The slope of R in sigma^2 |x|^2 is a cubic, up to a positive factor.",
        Finding.ILLEGIBLE,
        "The text that was read has damaged the coefficients of the third and the second power; they are inferred by "
        "differentiation of (C.46), whose prefactor does not matter.",
        printed=cubic(gap, gap),
        inferred=cubic((d - 2) * q * (2 * q - 1) ** 2, (2 * q - 1) * ((2 * q - 1) * d + 6)),
        prove=is_the_derivative,
    ),
    PAPER.entry(
        "C.2 one minimum",
        "C.2",
        "",
        Finding.CONFIRMED,
        "The coefficients of the derived cubic change sign once, so it has one positive root for every d >= 2 and q > "
        "1; Sturm sequences count it for some d and q, and R tends to zero.",
        printed=Claim(
            "For zeta > 0, R is {shape}, with an initial {first} followed by a gradual {second} towards {limit} as "
            "|x| grows.",
            {
                "shape": Word("non-monotonic", ("monotonic",)),
                "first": Word("decrease", ("increase",)),
                "second": Word("increase", ("decrease",)),
                "limit": sp.S.Zero,
            },
        ),
        prove=has_one_minimum,
    ),
    PAPER.entry(
        "C.2 sides of the threshold",
        "C.2",
        "",
        Finding.CONFIRMED,
        "The sign of the derived slope with two inputs, on both sides of the positive root.",
        printed=Claim(
            "In d = {inputs}, the slope of R is {below} if sigma^2 |x|^2 < C, 0 if it is C, and {above} if it is "
            "larger.",
            {"inputs": 2, "below": Word("negative", ("positive",)), "above": Word("positive", ("negative",))},
        ),
        prove=slope_changes_at,
    ),
    PAPER.entry(
        "(C.50)",
        "C.2",
        "With two inputs the threshold solves a quadratic equation.",
        Finding.CONFIRMED,
        "The derived cubic at d = 2.",
        printed=equal((2 * q**2 + q - 1) * threshold**2 + (3 * q - 2) * zeta**2 * threshold - zeta**4, sp.S.Zero),
        prove=is_the_quadratic,
    ),
    PAPER.entry(
        "(C.51)",
        "C.2",
        "The threshold, at which R is smallest.",
        Finding.CONFIRMED,
        "The derived slope vanishes there, and it is positive for all degrees up to 20.",
        printed=equal(threshold, ROOT),
        prove=is_the_threshold,
        closed_form="geometry.curvature_threshold",
    ),
    PAPER.entry(
        "C.2 threshold at q = 2",
        "C.2",
        "",
        Finding.CONFIRMED,
        "The positive zero of the derived slope with two inputs is (sqrt(13) - 2)/9 zeta^2, whose root is 0.4224 zeta.",
        printed=Claim(
            "For q = {degree}, this gives {number}.",
            {"degree": 2, "number": Approximates(sp.sqrt(threshold), decimal("0.42") * zeta)},
        ),
        prove=is_the_number,
    ),
)
