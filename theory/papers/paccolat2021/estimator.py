r"""Appendix D: the estimate of the information from nearest neighbours; Eq. (16)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy import spatial, special

from theory.core import Check, Claim, Scales, Step, identity, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.printed import solved
from theory.papers.paccolat2021.notation import letters

P_y, I_hat, r, d, r_plus, r_minus, q_hat, q_hat_minus, i = letters("P_y I_hat r d r_plus r_minus q_hat q_hat_minus i")
count = letters("p")
q_at, h_2, log_2 = letters("q_at h_2 log_2")


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


DIMENSIONS = (1, 2, 5, 10, 30, 300)


@cache
def neighbours(dimension: int) -> tuple[float, float]:
    """Relative spread of the distances, and mean estimate of the posterior of a point's own label, which is one.

    1,000 Gaussian points, labelled by the sign of one coordinate; k = 5.
    """
    points = np.random.default_rng(0).normal(size=(1000, dimension))
    pairs = spatial.distance.pdist(points)
    gaps, label = spatial.distance.squareform(pairs), points[:, 0] > 0
    np.fill_diagonal(gaps, np.inf)
    plus, minus = (np.sort(gaps[:, label == sign], axis=1)[:, 4] for sign in (True, False))
    estimate = special.expit(dimension * np.log(minus / plus))
    return float(pairs.std() / pairs.mean()), float(np.where(label, estimate, 1 - estimate).mean())


def suffers_from_dimension(claim: Claim) -> tuple[Check, ...]:
    """Whether distances become similar as the dimension grows, and where the estimate goes: to 1/2 or to one."""

    def falls(index: int, end: float) -> bool:
        values = [neighbours(dimension)[index] for dimension in DIMENSIONS]
        return bool(np.all(np.diff(values) < 0) and abs(values[-1] - end) < 0.1)

    return (
        Check("spread of the distances", lambda: falls(0, 0.0) is (claim["how"] == "similar"), "Gaussian points"),
        Check("posterior of the own label", lambda: falls(1, 0.5) is (claim["value"] == "1/2"), "Gaussian points"),
    )


def too_many_dimensions(claim: Claim) -> tuple[Check, ...]:
    """Eq. (16) on a line in ten dimensions, with d = 10 and with d = 1."""

    def gap(ratio: float, dimension: int) -> float:
        return abs(1 / (1 + ratio**dimension) - 0.5)

    wider = all(gap(ratio, 10) > gap(ratio, 1) for ratio in (0.6, 0.9, 1.2, 3.0))
    return (Check("ratios of distances", lambda: wider is (claim["value"] == "its extrema"), "Eq. (16)"),)


PROGRAMS: Programs = {
    "D estimator": numerically(posteriors, "binary entropies"),
    "D estimator, second line": numerically(posteriors, "binary entropies"),
    "D density": is_uniform_in_the_ball,
    "(16)": bayes,
    "(16) q_minus": identity(
        {
            letter: radius ** (-d) / (r_plus ** (-d) + r_minus ** (-d))
            for letter, radius in ((q_hat, r_plus), (q_hat_minus, r_minus))
        },
        "Bayes, balanced labels",
    ),
    "D flaw, dimension": suffers_from_dimension,
    "D flaw, manifold": too_many_dimensions,
}
