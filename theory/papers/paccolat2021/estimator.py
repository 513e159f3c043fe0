r"""Appendix D: the estimate of the information from nearest neighbours; Eq. (16)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy import spatial, special

from theory.core import Check, Claim, Finding, Scales, Step, Witness, Word, equal, identity, numerically
from theory.core.ledger.printed import solved
from theory.papers.paccolat2021.paper import entry

P_y, I_hat, r, d, r_plus, r_minus, q_hat, q_hat_minus = sp.symbols(
    "P_y I_hat r d r_plus r_minus q_hat q_hat_minus", positive=True
)
i = sp.Symbol("i", integer=True)
count = sp.Symbol("p", integer=True, positive=True)
q_at, h_2, log_2 = (sp.Function(name) for name in ("q_at", "h_2", "log_2"))


def posteriors() -> Iterator[dict[str, Any]]:
    """Posteriors of some training points, and the binary entropy."""
    values = (0.2, 0.9, 0.45)

    def entropy(x: float) -> float:
        return -x * math.log2(x) - (1 - x) * math.log2(1 - x)

    yield {
        "p": len(values),
        "q_at": lambda i: values[i - 1],
        "h_2": entropy,
        "log_2": math.log2,
        "I_hat": 1 - sum(entropy(value) for value in values) / len(values),
    }


def is_uniform_in_the_ball(scaling: Scales) -> tuple[Step, ...]:
    """K points of n in a ball: the density is k/(n V), and V is c r^d."""
    k, n, c = sp.symbols("k n c", positive=True)
    ratio = scaling.lhs.subs(P_y, k / (n * c * r**d)) / scaling.rhs
    return (
        Step("the ratio does not depend on the radius", sp.Derivative(sp.log(ratio), r), sp.S.Zero, "volume c r^d"),
    )


def bayes(chain: sp.Tuple) -> tuple[Step, ...]:
    """The posterior of balanced labels whose densities are k/(n c r^d), in any dimension d: its log-odds."""
    k, n, c = sp.symbols("k n c", positive=True)
    dense = [k / (n * c * radius**d) for radius in (r_plus, r_minus)]
    steps = []
    for form in chain:
        odds = sp.log(1 / solved(form, q_hat) - 1)
        for radius in (r_plus, r_minus):
            exact = sp.Derivative(sp.log(dense[1] / dense[0]), radius)
            steps.append(
                Step(f"slope of the log-odds in {radius} of {form}", sp.Derivative(odds, radius), exact, "Bayes")
            )
        steps.append(Step(f"equal distances in {form}", odds.subs(r_minus, r_plus), sp.S.Zero, "Bayes"))
    return tuple(steps)


@cache
def distance_from_half(dimension: int) -> float:
    """Mean distance of the estimated posterior from 1/2, 100 Gaussian points with independent labels, k = 5."""
    points = np.random.default_rng(0).normal(size=(100, dimension))
    gaps = spatial.distance.squareform(spatial.distance.pdist(points))
    np.fill_diagonal(gaps, np.inf)
    labels = np.arange(100) % 2
    radius = [np.sort(gaps[:, labels == label], axis=1)[:, 4] for label in (1, 0)]
    return float(np.abs(special.expit(dimension * np.log(radius[1] / radius[0])) - 0.5).mean())


HUGE = 30_000  # dimensions


def is_biased(claim: Claim) -> tuple[Check, ...]:
    """Whether the estimate comes closer to 1/2 or to its extremes as the dimension grows."""
    rises = distance_from_half(3) < distance_from_half(300) < distance_from_half(HUGE)
    return (Check("independent labels", lambda: rises is (claim["value"] == "its extrema"), "nearest neighbours"),)


def too_many_dimensions(claim: Claim) -> tuple[Check, ...]:
    """Eq. (16) on a line in ten dimensions, with d = 10 and with d = 1."""

    def gap(ratio: float, dimension: int) -> float:
        return abs(1 / (1 + ratio**dimension) - 0.5)

    wider = all(gap(ratio, 10) > gap(ratio, 1) for ratio in (0.6, 0.9, 1.2, 3.0))
    return (Check("ratios of distances", lambda: wider is (claim["value"] == "its extrema"), "Eq. (16)"),)


EQUATIONS = (
    entry(
        "footnote 8",
        "D",
        "The binary entropy function.",
        Finding.DEFINITION,
        "It introduces h_2; logarithms to base 2 by footnote 7.",
        printed=r"h_2(x) = -x \log x - (1-x) \log(1-x)",
    ),
    entry(
        "D estimator",
        "D",
        "The estimate from posteriors at the training points, first line.",
        Finding.CONFIRMED,
        "Three posteriors. The sum is over both terms, as the index in the second one shows; no bracket is printed.",
        printed=equal(
            I_hat,
            1 + sp.Sum(q_at(i) * log_2(q_at(i)) + (1 - q_at(i)) * log_2(1 - q_at(i)), (i, 1, count)) / count,
        ),
        prove=numerically(posteriors, "binary entropies"),
    ),
    entry(
        "D estimator, second line",
        "D",
        "The estimate by binary entropies.",
        Finding.CONFIRMED,
        "Three posteriors.",
        printed=equal(I_hat, 1 - sp.Sum(h_2(q_at(i)), (i, 1, count)) / count),
        prove=numerically(posteriors, "binary entropies"),
        consequence="On independent labels the estimate is not zero: compression.label_information_floor.",
        closed_form="compression.label_information_floor",
    ),
    entry(
        "D density",
        "D",
        "The density of a label, if it is uniform in the ball of the k nearest points of that label.",
        Finding.CONFIRMED,
        "The volume of a ball.",
        printed=Scales(P_y, r ** (-d)),
        prove=is_uniform_in_the_ball,
    ),
    entry(
        "(16)",
        "D",
        "The posterior from the distances to the k-th neighbour of either label, in both forms.",
        Finding.CONFIRMED,
        "Bayes with the densities of both balls, in any dimension.",
        printed=sp.Tuple(
            equal(q_hat, r_plus ** (-d) / (r_plus ** (-d) + r_minus ** (-d))),
            equal(q_hat, 1 / (1 + (r_plus / r_minus) ** d)),
        ),
        prove=bayes,
    ),
    entry(
        "(16) q_minus",
        "D",
        "The posterior of the other label.",
        Finding.CONFIRMED,
        "Bayes with the densities of both balls, in any dimension.",
        printed=equal(q_hat_minus, 1 - q_hat),
        prove=identity(
            {
                letter: radius ** (-d) / (r_plus ** (-d) + r_minus ** (-d))
                for letter, radius in ((q_hat, r_plus), (q_hat_minus, r_minus))
            },
            "Bayes, balanced labels",
        ),
    ),
    entry(
        "D flaw, dimension",
        "D",
        "",
        Finding.MISPRINT,
        "Nearest neighbours among 100 Gaussian points with independent labels in 3, 300 and 30,000 dimensions. All "
        "distances become similar, and their ratio is raised to the power d: log-odds of the order of sqrt(d) remain.",
        printed=Claim(
            "For large d the estimator gets biased towards {value}.", {"value": Word("1/2", ("its extrema",))}
        ),
        corrected=Claim(
            "For large d the estimator gets biased towards {value}.", {"value": Word("its extrema", ("1/2",))}
        ),
        prove=is_biased,
        witness=Witness(
            {"d": HUGE, "p": 100, "k": 5, "mean of": "|q - 1/2|"},
            lambda: distance_from_half(HUGE),
            value=lambda claim: 0.0 if claim["value"] == "1/2" else 0.5,
            tolerance=0.05,
        ),
        consequence="On data without any information the estimate tends to one bit, not to zero, as d grows. In d = 1, "
        "in which the paper uses it, it does not matter.",
    ),
    entry(
        "D flaw, manifold",
        "D",
        "",
        Finding.CONFIRMED,
        "Ratios of distances on a line in ten dimensions.",
        printed=Claim(
            "On a manifold of lower dimension the use of d biases the estimator towards {value}.",
            {"value": Word("its extrema", ("1/2",))},
        ),
        prove=too_many_dimensions,
    ),
    entry(
        "footnote 9",
        "D",
        "k = 5 neighbours; the estimator is used for d = 1 only.",
        Finding.NOTE,
        "A setting.",
    ),
)
