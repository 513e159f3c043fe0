r"""Section 1.1: mutual information, sufficiency and the information bottleneck, Eqs. (1.1) and (1.2)."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Reading, Step
from theory.papers.cheong2025.finite_alphabets import (
    bits,
    every_function,
    information,
    uniform,
)
from theory.papers.cheong2025.paper import entry

CLOSE = 1e-12  # rounding of sums of a dozen terms
FOUR = range(4)
X, Y, G, H = 0, 1, 2, 3
# y = x mod 2; g keeps all of x, h only what y needs.
CHAIN = uniform(FOUR, lambda x: x % 2, lambda x: x, lambda x: x % 2)

beta, cost, relevance, total = sp.symbols("beta cost relevance total", real=True)
w, u, x = sp.symbols("w u x", positive=True)


def _chains_as_corrected() -> bool:
    """I(g; x) >= I(h; x) >= I(x; y) for every sufficient g of x and every sufficient function h of g."""
    labels = (0, 1, 0, 1)
    found = 0
    for g in every_function(4):
        for f in every_function(4):
            h = [f[value] for value in g]
            joint = uniform(FOUR, labels.__getitem__, g.__getitem__, h.__getitem__)
            needed = information(joint, X, Y)
            if information(joint, H, Y) < needed - CLOSE:
                continue
            found += 1
            if not information(joint, G, X) + CLOSE >= information(joint, H, X) >= needed - CLOSE:
                return False
    return found >= 10


def _minimal_is_cheapest() -> bool:
    """Among all sufficient functions of four inputs the least I(g; x) is that of y itself."""
    labels = (0, 1, 0, 1)
    costs = []
    for g in every_function(4):
        joint = uniform(FOUR, labels.__getitem__, g.__getitem__)
        if abs(information(joint, G, Y) - information(joint, X, Y)) < CLOSE:
            costs.append(information(joint, G, X))
    return len(costs) > 3 and abs(min(costs) - information(CHAIN, H, X)) < CLOSE


def _saturated_entry_is_a_bit() -> bool:
    """Entropy over the 30 bins of tanh of a Gaussian of standard deviation 1000."""
    sample = np.random.default_rng(0).standard_normal(200_000) * 1000
    counts, _ = np.histogram(np.tanh(sample), bins=30, range=(-1, 1))
    return abs(bits(counts / counts.sum()) - 1) < 0.03


def _reading() -> Reading:
    """I(g; x) in bits; independent: the entropy of g, which a function of x has as its information."""
    bound = information(CHAIN, X, Y)  # printed: I(g; x) is at most this
    return Reading(min(information(CHAIN, G, X), bound), information(CHAIN, G, X), math.log2(4))


EQUATIONS = (
    entry(
        "(1.1)",
        "1.1",
        "Mutual information.",
        Finding.DEFINITION,
        "The logarithm's base is left open; here it is 2.",
        printed=r"I(a; b) = \mathbb{E}_{a,b}\left[\log \frac{p_{a,b}(a,b)}{p_a(a) p_b(b)}\right]",
    ),
    entry(
        "1.1 sufficient",
        "1.1",
        "A representation is sufficient if I(h; y) = I(x; y), minimal if it is a function of every other sufficient "
        "one.",
        Finding.DEFINITION,
        "Terms of the theory.",
    ),
    entry(
        "1.1 chain of inequalities",
        "1.1",
        "For a sufficient g and a minimal sufficient h: I(x; y) >= I(g; x) >= I(h; x).",
        Finding.MISPRINT,
        "All pairs of functions on four inputs. x itself is sufficient, and knows more about x than y does.",
        printed=r"I(g;y) = I(h;y) = I(x;y) \geq I(g;x) \geq I(h;x)",
        corrected=r"I(g;x) \geq I(h;x) \geq I(x;y) = I(h;y) = I(g;y)",
        steps=(Check("the corrected chain", _chains_as_corrected, "all functions on four inputs"),),
        printed_steps=(
            Check(
                "I(x; y) >= I(g; x)",
                lambda: information(CHAIN, X, Y) >= information(CHAIN, G, X),
                "x uniform on four values, y = x mod 2, g = x",
            ),
        ),
        witness={"x": "uniform on 0, 1, 2, 3", "y": "x mod 2", "g": "x", "h": "y"},
        oracle=_reading,
        consequence="The next formula, that the minimal sufficient representation has the least I(g; x), follows from "
        "the corrected chain and not from the printed one.",
    ),
    entry(
        "1.1 minimal sufficient",
        "1.1",
        "The minimal sufficient representation minimises I(g; x) among the sufficient ones.",
        Finding.CONFIRMED,
        "All functions of four inputs.",
        printed=r"h = \arg\min_{g : I(g;y) = I(x;y)} I(g;x)",
        steps=(Check("least information on the input", _minimal_is_cheapest, "all functions on four inputs"),),
    ),
    entry(
        "(1.2)",
        "1.1",
        "The bottleneck objective with and without the constant I(x; y).",
        Finding.CONFIRMED,
        "The two differ by a constant, so their minimisers agree.",
        printed=r"\arg\min_h I(h;x) + \beta (I(x;y) - I(h;y)) = \arg\min_h I(h;x) - \beta I(h;y)",
        steps=(
            Step(
                "difference of the objectives",
                cost + beta * (total - relevance) - (cost - beta * relevance),
                beta * total,
                because="it does not depend on h",
            ),
        ),
    ),
    entry(
        "1.1 saturated entries",
        "1.1",
        "A saturated tanh entry, binned into 30 equal bins, carries about one bit.",
        Finding.CONFIRMED,
        "A Gaussian preactivation of standard deviation 1000.",
        steps=(Check("entropy of the bins", _saturated_entry_is_a_bit, "200,000 draws"),),
    ),
    entry(
        "Footnote 1",
        "1.1",
        "Saturation is part of why weight decay regularises.",
        Finding.ASSUMPTION,
        "An explanation in passing; nothing here depends on it.",
    ),
)
