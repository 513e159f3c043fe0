r"""Section 1.1: the information in tanh units, put into bins, and what is said about its compression; Figure 1.2."""

from __future__ import annotations

import itertools
import math

import sympy as sp

from theory.core import Check, Claim, Finding, Word, equal
from theory.papers.cheong2025.finite_alphabets import bits
from theory.papers.cheong2025.paper import entry

phi = sp.Symbol("phi", real=True)
BINS = 30
LARGE = 1e6  # standard deviation of preactivations
CLOSE = 1e-4  # share of such preactivations, and bits, that do not saturate


def chances_of_bins(deviation: float) -> list[float]:
    """Probabilities of the 30 bins of tanh of a Gaussian with mean 0."""
    borders = [math.atanh(2 * k / BINS - 1) for k in range(1, BINS)]
    below = [0.0, *(math.erfc(-border / deviation / math.sqrt(2)) / 2 for border in borders), 1.0]
    return [upper - lower for lower, upper in itertools.pairwise(below)]


def saturates(claim: Claim) -> tuple[Check, ...]:
    """Gaussian preactivations that are large: the bins in which they fall, and the entropy."""
    chances = chances_of_bins(LARGE)
    outer = chances[0] + chances[-1] > 1 - CLOSE
    return (
        Check("bins", lambda: outer is (claim["bins"] == "top or bottom"), "distribution function"),
        Check("entropy", lambda: bool(abs(bits(chances) - claim["bits"]) < CLOSE), "distribution function"),
    )


def has_the_limit(statement: sp.Eq) -> tuple[Check, ...]:
    """The printed limit."""
    return (Check("limit", lambda: bool(statement.lhs.doit() == statement.rhs), "series at zero"),)


EQUATIONS = (
    entry(
        "1.1 two phases",
        "1.1",
        "Earlier work saw a fitting and a compression phase; later work found them to come from the estimate and the "
        "activation.",
        Finding.NOTE,
        "Quoted; nothing in the thesis rests on it. For the networks of the thesis see '3.3 minimality of f_-'.",
    ),
    entry(
        "1.1 tanh is linear",
        "1.1",
        "tanh is approximately linear for small values, as Figure 1.2 shows by its dashed line.",
        Finding.CONFIRMED,
        "The limit of the ratio.",
        printed=equal(sp.Limit(sp.tanh(phi) / phi, phi, 0), 1),
        prove=has_the_limit,
    ),
    entry(
        "1.1 must saturate",
        "1.1",
        "To learn nonlinear functions the preactivations must saturate tanh.",
        Finding.ASSUMPTION,
        "A picture, not a necessity: large output weights make nonlinear functions of small preactivations, as "
        "tanh(2z) - 2 tanh(z) is -2z^3 for small z.",
    ),
    entry(
        "1.1 saturated entries",
        "1.1",
        "",
        Finding.CONFIRMED,
        "The distribution of tanh of a Gaussian with standard deviation 10^6 over 30 equal bins. If one sign is more "
        "frequent it is less than a bit.",
        printed=Claim(
            "Where preactivations are large, most entries of h fall in either the {bins} bin: {bits} bit per entry.",
            {"bins": Word("top or bottom", ("middle",)), "bits": sp.S.One},
        ),
        prove=saturates,
    ),
    entry(
        "Figure 1.2",
        "1.1",
        "30 bins of equal width divide [-1, 1].",
        Finding.NOTE,
        "A setting of earlier work.",
    ),
    entry(
        "Footnote 1",
        "1.1",
        "Saturation is part of why weight decay regularises.",
        Finding.ASSUMPTION,
        "An explanation in passing; nothing here depends on it.",
    ),
)
