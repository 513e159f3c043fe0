r"""Section 3.2: what the initial weights do to the dynamics."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.explicit_matrices import Array, scalar_weights
from theory.papers.vanrossem2024.paper import entry
from theory.two_point.symbols import dh2, dy2, w

scale = sp.Symbol("scale", positive=True)
encoder, decoder = sp.symbols("encoder decoder", positive=True)
along = sp.Symbol("along", real=True)
# Both weights of size sqrt(scale), the predicted difference at any angle to the target difference.
SMALL = {dh2: scale * encoder, dy2: scale**2 * encoder * decoder, w: scale**2 * encoder * decoder - scale * along}
UNIT = {"tau_h": 1.0, "tau_y": 1.0, "dx2": 1.0, "target2": 1.0}
TAUS_OF_EQ_6 = (1.0, 0.5, 0.5)


def encoder_alone_is_small() -> bool:
    """dh2 = dy2 = 1e-8, so the decoder is of order one: all three variables are small, the velocity of w is not."""
    output = 1e-8
    rates = printed_system.rates_at((1e-8, output, output - math.sqrt(output)), **UNIT)
    return abs(rates[2]) > 0.4


def losses(encoder: float, decoder: float, times: Array) -> Array:
    """The loss of the difference on a gradient flow of numbers; unit data and, in Eq. (7), unit time constants."""
    problem, weights = scalar_weights(encoder, decoder, 1.0, 1.0)
    return np.array([problem.loss(at) for at in problem.flow(weights, TAUS_OF_EQ_6, times)])


def half_time(size: float) -> float:
    """Time until dh2 is half of its final value, 1, from both weights equal to ``size``."""
    problem, weights = scalar_weights(size, size, 1.0, 1.0)
    times = np.linspace(0, 40, 2001)
    distances = np.array([problem.state(at)[0] for at in problem.flow(weights, TAUS_OF_EQ_6, times)])
    return float(np.interp(0.5, distances, times))


def _waits_longer_from_smaller_weights() -> bool:
    """Each factor of 100 in dh2 adds log(100) |u||v|/sqrt(tau_h tau_y), here log(100), to the time of the jump."""
    waits = [half_time(size) for size in (1e-2, 1e-3, 1e-4)]
    return bool(np.allclose(np.diff(waits), math.log(100), rtol=2e-3))


def spread_of_rates(encoder: float, decoder: float, until: float) -> float:
    """Largest over smallest rate at which the loss decays, while it falls by a factor of ``until``."""
    fastest = 2 * (encoder**2 + decoder**2)
    times = np.concatenate([[0.0], np.geomspace(1e-2, 1e3, 200)]) / fastest
    values = losses(encoder, decoder, times)
    kept = values > values[0] / until
    rates = -np.diff(np.log(values[kept])) / np.diff(times[kept])
    return float(rates.max() / rates.min())


def _decays_at_once() -> bool:
    return spread_of_rates(10, 2, 1e6) < 1.2 and spread_of_rates(2, 10, 1e6) < 1.2


def _balanced_layers_slow_down() -> bool:
    return spread_of_rates(10, 10, 1e4) > 10


EQUATIONS = (
    entry(
        "3.1 and Figure 2",
        "3.1",
        "After fitting two constants the theory matches all three curves for every architecture.",
        Finding.OPEN,
        "A matter of measurement: study two-point-architectures of the experiments, held against the theory in the "
        "bridge.",
    ),
    entry(
        "3.2 small variables",
        "3.2",
        "For small initial weights dh2, dy2 and w are small, so the right-hand side of Eq. (7) is small too.",
        Finding.CONDITIONAL,
        "Limits of the three right-hand sides.",
        condition="dy2/dh2 is small as well, as in Eq. (13)",
        steps=tuple(
            Step(
                f"line {i} vanishes with the weights",
                sp.Limit(rate.subs(SMALL, simultaneous=True), scale, 0),
                sp.S.Zero,
                because="encoder and decoder shrink together",
            )
            for i, rate in enumerate(printed_system.RATES, 1)
        ),
        counterexample=encoder_alone_is_small,
        consequence="With a small encoder and a decoder of order one the state moves at once: the plateau needs both "
        "small.",
    ),
    entry(
        "3.2 footnote 3",
        "3.2",
        "For typical architectures small weights mean small dh, dy and w.",
        Finding.ASSUMPTION,
        "Stated as an assumption about the architecture.",
    ),
    entry(
        "3.2 plateau",
        "3.2",
        "At small weights the dynamics are stagnant at first: a plateau.",
        Finding.CONFIRMED,
        "On gradient flows of numbers the time of the jump grows with the logarithm of the initial weights, as the "
        "exact escape time says.",
        closed_form="two_point.escape_time",
        steps=(
            Check("each factor of 100 adds the same wait", _waits_longer_from_smaller_weights, "explicit matrices"),
        ),
    ),
    entry(
        "3.2 immediate decay",
        "3.2",
        "At large weights there is immediate exponential decay.",
        Finding.CONDITIONAL,
        "The rate at which the loss of a gradient flow of numbers decays, weights of order ten.",
        condition="|A_high| is much larger than A_low: the layers are unequal",
        steps=(Check("constant rate of decay while the loss falls by 1e6", _decays_at_once, "explicit matrices"),),
        counterexample=_balanced_layers_slow_down,
        consequence="With equal layers (A_high = 0) the decay from large weights is algebraic, as 1/t^2 in the loss, "
        "down to the scale of the data.",
    ),
    entry(
        "3.2 very large weights",
        "3.2",
        "At even larger weights the linear approximation breaks down and the network departs.",
        Finding.OPEN,
        "A matter of measurement: study two-point-initial-weights.",
    ),
    entry(
        "Figure 3",
        "3.3",
        "Plateaus at small weights, none at large ones, and no match at very large ones.",
        Finding.OPEN,
        "A matter of measurement: study two-point-initial-weights.",
    ),
    entry(
        "3.4 and Figure 4",
        "3.4",
        "Two digits of MNIST in a larger data set qualitatively resemble the theory.",
        Finding.OPEN,
        "A matter of measurement; not done here.",
    ),
)
