r"""Appendix D: information between a feature and a binary label, and its estimate from nearest neighbours; Eq. (16)."""

from __future__ import annotations

import math

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.paccolat2021.paper import entry

P, q = sp.symbols("P q", positive=True)
r_plus, r_minus, d = sp.symbols("r_plus r_minus d", positive=True)
share = 1 / (1 + (r_plus / r_minus) ** d)
log2 = sp.log(2)


def three_values() -> bool:
    """H(x), H(x|y) and I(x; y) of a feature with three values and balanced labels, straight from their definitions."""
    joint = [[0.2, 0.05], [0.2, 0.15], [0.1, 0.3]]

    def entropy(values: list[float]) -> float:
        return -sum(value * math.log2(value) for value in values if value)

    total = [sum(row) for row in joint]
    given = sum(0.5 * entropy([row[label] / 0.5 for row in joint]) for label in (0, 1))
    posterior = sum(p * -entropy([value / p for value in row]) for p, row in zip(total, joint, strict=True))
    direct = entropy(total) - given
    return abs(direct - (1 + posterior)) < 1e-12 and abs(given - (entropy(total) - 1 - posterior)) < 1e-12


EQUATIONS = (
    entry(
        "D labels", "D", "Labels are balanced; q is the posterior of a label.", Finding.DEFINITION, "It introduces q."
    ),
    entry(
        "D conditional entropy",
        "D",
        "H(x|y) = H(x) - 1 - E[q_+ log q_+ + q_- log q_-], in bits.",
        Finding.CONFIRMED,
        "The summand rewritten with P(x|+) = 2 P(x) q; and a feature with three values from the definitions.",
        printed=r"H(x|y) = H(x) - 1 - \mathbb{E}_x[q_+ \log q_+ + q_- \log q_-]",
        steps=(
            Step(
                "half of P(x|+) log P(x|+)",
                (2 * P * q) / 2 * sp.log(2 * P * q) / log2,
                P * q * (1 + (sp.log(P) + sp.log(q)) / log2),
                because="P(x|+) = 2 P(x) q; q_+ + q_- = 1 sums the rest",
            ),
            Check("a feature with three values", three_values, "definitions"),
        ),
    ),
    entry(
        "D information",
        "D",
        "I(x; y) = 1 + E[q_+ log q_+ + q_- log q_-] bits.",
        Finding.CONFIRMED,
        "Difference of the entropies.",
        printed=r"I(x; y) = 1 + \mathbb{E}_x[q_+ \log q_+ + q_- \log q_-]",
        steps=(Check("a feature with three values", three_values, "definitions"),),
    ),
    entry(
        "D binary entropy",
        "D",
        "h_2(x) = -x log x - (1 - x) log(1 - x); k = 5 neighbours.",
        Finding.DEFINITION,
        "It introduces h_2 and the setting.",
    ),
    entry(
        "(16)",
        "D",
        "The posterior from the distances to the k-th neighbour of either label.",
        Finding.CONFIRMED,
        "A density that is uniform in a ball is inversely proportional to its volume, and the labels are balanced.",
        printed=sp.Eq(sp.Symbol("q_+"), share, evaluate=False),
        steps=(
            Step(
                "Bayes with densities r^-d",
                r_plus**-d / (r_plus**-d + r_minus**-d),
                share,
                because="common factor",
                where={d: sp.S(3)},
            ),
        ),
        consequence="On independent labels the estimate is not zero: compression.label_information_floor.",
    ),
    entry(
        "D flaw, dimension",
        "D",
        "For large d the estimate of the posterior tends to 1/2.",
        Finding.OPEN,
        "A statement about data whose distances concentrate; it depends on them.",
    ),
    entry(
        "D flaw, manifold",
        "D",
        "With d larger than the local dimension the posterior is biased to its extremes.",
        Finding.CONFIRMED,
        "The log-odds are d times the logarithm of the ratio of the distances.",
        steps=(
            Step(
                "log-odds",
                sp.log(share / (1 - share)),
                -d * sp.log(r_plus / r_minus),
                because="division",
                where={d: sp.S(3)},
            ),
        ),
    ),
)
