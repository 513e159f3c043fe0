r"""Section 3.2.2 and Appendix B: the amplification factor of the whole network; Eq. (9)."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from theory.core import Check, Scales, for_all
from theory.core.ledger.ledger import Programs
from theory.core.ledger.printed import solved
from theory.papers.paccolat2021.notation import letters
from theory.papers.paccolat2021.small_network import Training

Lambda_at, t_star, alpha = letters("Lambda_at t_star alpha")
LAZY = 0.02  # relative deviation from the limit of large alpha
ERRORS = 5.0  # standard deviations of Lambda^2 over draws of the weights


def global_factor(width: int, dimension: int = 5) -> float:
    """Lambda of Eq. (9) for unit Gaussian weights."""
    squares = np.random.default_rng(0).normal(size=(width, dimension)) ** 2
    return math.sqrt((dimension - 1) * squares[:, 0].sum() / squares[:, 1:].sum())


def starts_at_one(start: sp.Eq) -> tuple[Check, ...]:
    """Lambda of networks of growing width: within its scatter, which falls as the root of the width."""
    value = float(solved(start, Lambda_at(0)))
    # Variance of the ratio of a mean of h squares to one of h (d - 1) squares, each with variance 2; d = 5.
    scatter = {width: ERRORS * math.sqrt(2 / width * (1 + 1 / 4)) for width in (10, 1000, 100_000)}

    def is_near(width: int) -> bool:
        return value > 0 and abs(global_factor(width) ** 2 - value**2) < scatter[width]

    return (Check("three widths", lambda: for_all(scatter, is_near), "draws of the weights"),)


def time_to_fit(scale: float) -> float:
    """Time at which y F first is one at a point of a small network, along Eq. (2); Euler steps of 1/200 of 1/alpha."""
    training = Training(0, scale)
    training.weights = training.initial.copy()
    step, time = 1 / (200 * scale), 0.0
    while (training.labels * training.predictor(training.weights)).max() < 1:
        training.weights = training.weights + step * training.printed_descent()
        time += step
    return time


def falls_as_alpha(scaling: Scales) -> tuple[Check, ...]:
    """The ratio of both sides for two large scales of the predictor."""

    def ratio(scale: int) -> float:
        return float((scaling.lhs / scaling.rhs).subs({alpha: scale, t_star: time_to_fit(scale)}))

    return (Check("alpha = 10^3, 10^4", lambda: abs(ratio(10**4) / ratio(10**3) - 1) < LAZY, "small network"),)


PROGRAMS: Programs = {
    "(9) at time 0": starts_at_one,
    "B lazy time": falls_as_alpha,
}
