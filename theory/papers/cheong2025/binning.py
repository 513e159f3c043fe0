r"""Section 1.1: the information in tanh units, put into bins, and what is said about its compression; Figure 1.2."""

from __future__ import annotations

import itertools
import math

import sympy as sp

from theory.core import Check, Claim
from theory.core.ledger.ledger import Programs
from theory.papers.cheong2025.finite_alphabets import bits

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


PROGRAMS: Programs = {
    "1.1 tanh is linear": has_the_limit,
    "1.1 saturated entries": saturates,
}
