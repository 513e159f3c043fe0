r"""Section 1.1: the information in tanh units, put into bins, and what is said about its compression; Figure 1.2."""

from __future__ import annotations

import itertools
import math

import sympy as sp

from theory.core import Check
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import stating
from theory.papers.cheong2025.finite_alphabets import bits

BINS = 30
LARGE = 1e6  # standard deviation of preactivations
CLOSE = 1e-4  # share of such preactivations, and bits, that do not saturate
BITS = {"a single bit": 1, "two bits": 2}


def chances_of_bins(deviation: float) -> list[float]:
    """Probabilities of the 30 bins of tanh of a Gaussian with mean 0."""
    borders = [math.atanh(2 * k / BINS - 1) for k in range(1, BINS)]
    below = [0.0, *(math.erfc(-border / deviation / math.sqrt(2)) / 2 for border in borders), 1.0]
    return [upper - lower for lower, upper in itertools.pairwise(below)]


def bins_of_most() -> str:
    """The bins of most tanh units whose Gaussian preactivations are large."""
    chances = chances_of_bins(LARGE)
    middle = sum(chances[1:-1])
    return "top or bottom" if middle < CLOSE else "middle" if middle > 1 - CLOSE else "neither"


def information() -> str:
    """The entropy of such a unit, in words."""
    entropy = bits(chances_of_bins(LARGE))
    return next((words for words, count in BITS.items() if abs(entropy - count) < CLOSE), "neither")


def has_the_limit(statement: sp.Eq) -> tuple[Check, ...]:
    """The printed limit."""
    return (Check("limit", lambda: bool(statement.lhs.doit() == statement.rhs), "series at zero"),)


PROGRAMS: Programs = {
    "1.1 tanh is linear": has_the_limit,
    "1.1 saturated entries": stating({"bins": bins_of_most, "bits": information}, "distribution function"),
}
