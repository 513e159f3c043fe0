r"""Section 3.2.2 and Appendix B: the amplification factor of the whole network; Eq. (9)."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Scales, Witness, Word, equal
from theory.core.ledger.printed import Given, solved
from theory.papers.paccolat2021.paper import entry
from theory.papers.paccolat2021.small_network import Training

Lambda_0 = sp.Symbol("Lambda_0", real=True)
t_star, alpha = sp.symbols("t_star alpha", positive=True)
WIDTHS = (10, 1000, 100_000)
LAZY = 0.02  # relative deviation from the limit of large alpha
ERRORS = 5.0  # standard deviations of Lambda^2 over draws of the weights


def global_factor(width: int, dimension: int = 5) -> float:
    """Lambda of Eq. (9) for unit Gaussian weights."""
    squares = np.random.default_rng(0).normal(size=(width, dimension)) ** 2
    return math.sqrt((dimension - 1) * squares[:, 0].sum() / squares[:, 1:].sum())


def starts_at_one(statement: sp.Eq | Given) -> tuple[Check, ...]:
    """Lambda of networks of growing width: within its scatter, which falls as the root of the width; never exact."""
    relation = statement.statement if isinstance(statement, Given) else statement
    infinite = isinstance(statement, Given) and statement.condition["width"] == "infinitely"
    value = float(solved(relation, Lambda_0))
    # Variance of the ratio of a mean of h squares to one of h (d - 1) squares, each with variance 2; d = 5.
    scatter = [ERRORS * math.sqrt(2 / width * (1 + 1 / 4)) for width in WIDTHS]
    gaps = [abs(global_factor(width) ** 2 - value**2) for width in WIDTHS]
    converges = all(gap < room for gap, room in zip(gaps, scatter, strict=True)) and value > 0
    return (Check("three widths", lambda: converges if infinite else max(gaps) == 0, "draws of the weights"),)


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


EQUATIONS = (
    entry(
        "(9)",
        "3.2.2",
        "The global amplification factor, an average over all neurons.",
        Finding.DEFINITION,
        "It introduces Lambda. Sums of squares are dominated by the largest weights.",
        printed=r"\Lambda^2 = (d-1) \frac{\sum_{n=1}^h \omega_{n,1}^2}{\sum_{n=1}^h \omega_{n,\perp}^2}",
    ),
    entry(
        "(9) at time 0",
        "3.2.2",
        "The prefactor guarantees that the global amplification factor is one at time 0.",
        Finding.CONDITIONAL,
        "Unit Gaussian weights of networks of 10 to 100,000 neurons.",
        printed=equal(Lambda_0, 1),
        condition=Claim("the network is {width} wide", {"width": Word("infinitely", ("finitely",))}),
        prove=starts_at_one,
        witness=Witness({"d": 5, "h": 10}, lambda: global_factor(10), value=lambda start: solved(start, Lambda_0)),
        consequence="At width h it is 1 within about 1/sqrt(h).",
        heirs=("B lazy limit",),
    ),
    entry(
        "3.2.2 plateau",
        "3.2.2",
        "Lambda grows exponentially toward a plateau, fluctuates without altering the picture, and has its maximum in "
        "the fitting regime.",
        Finding.OPEN,
        "A matter of measurement: the study compression-amplification has Lambda at t* and at its maximum. Its course "
        "before and after t*, which is not recorded, would decide it.",
    ),
    entry(
        "3.2.2 scaling",
        "3.2.2",
        "Lambda at t* scales as sqrt(p), for the stripe and for the cylinder.",
        Finding.OPEN,
        "A matter of measurement: the study compression-amplification. For one neuron see '(8)'.",
    ),
    entry(
        "3.2.2 scaling of the maximum",
        "3.2.2",
        "The maximum of Lambda over time scales as sqrt(p), for the stripe.",
        Finding.OPEN,
        "A matter of measurement: the study compression-amplification, where it trains beyond t*: in d = 10.",
    ),
    entry(
        "3.2.2 maximum of the cylinder",
        "4",
        "The maximum of Lambda over time scales as sqrt(p), for the cylinder.",
        Finding.OPEN,
        'A matter of measurement: the study compression-amplification at its scale "paper". At the smaller scales the '
        "training of the cylinder ends at t*, before the maximum.",
    ),
    entry(
        "B lazy time",
        "B",
        "For large alpha the characteristic time is inversely proportional to alpha.",
        Finding.CONFIRMED,
        "A small network along Eq. (2) until a point is fitted, at two large scales. In the units of time of that "
        "equation: with the factor alpha of the gradient it would be 1/alpha^2.",
        printed=Scales(t_star, 1 / alpha),
        prove=falls_as_alpha,
    ),
    entry(
        "B lazy limit",
        "B",
        "For large alpha the test error is that of the frozen kernel, and the global amplification factor is one.",
        Finding.ASSUMPTION,
        "A limit of training; measured by the study compression-crossover. Weights do not move: '(9) at time 0' holds.",
    ),
    entry(
        "B feature limit",
        "B",
        "For small alpha the test error has a plateau below that of the lazy regime, and so has Lambda.",
        Finding.OPEN,
        "A matter of measurement: the study compression-crossover. For the logarithm of t* see '2.4 logarithm'.",
    ),
)
