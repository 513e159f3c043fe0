r"""Section 3.2: what the initial weights do to the dynamics."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from theory.core import Check, Claim, Finding, Witness, Word
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.explicit_matrices import scalar_weights
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.weights import TAUS_OF_EQ_6, path

UNIT = {"tau_h": 1.0, "tau_y": 1.0, "dx2": 1.0, "target2": 1.0}
DECODERS = {"small as well": 1e-8, "of order one": 1.0}


def largest_rate(decoder: float) -> float:
    """Largest of the three velocities of Eq. (7) at dh2(0) = 1e-8; ``decoder``: dy2(0)/dh2(0). All three are small."""
    output = decoder * 1e-8
    return max(map(abs, printed_system.rates_at((1e-8, output, output - math.sqrt(output)), **UNIT)))


def right_hand_side_is_small(decoder: str) -> bool:
    """Whether all velocities are small."""
    return largest_rate(DECODERS[decoder]) < 1e-3


@cache
def half_time(size: float) -> float:
    """Time until dh2 is half of its final value, 1, from both weights equal to ``size``."""
    times, distances, _ = path(size, size, 1.0, 30.0)
    return float(np.interp(0.5, distances, times))


def stagnates(claim: Claim) -> tuple[Check, ...]:
    """Each factor of 100 in dh2 adds log(100) |u||v|/sqrt(tau_h tau_y), here log(100), to the time of the jump."""

    def waits() -> bool:
        times = [half_time(size) for size in (1e-2, 1e-3, 1e-4)]
        return bool(np.allclose(np.diff(times), math.log(100), rtol=2e-3))

    return (Check("time of the jump", lambda: waits() is (claim["shape"] == "plateau"), "explicit matrices"),)


@cache
def spread_of_rates(encoder: float, decoder: float) -> float:
    """Largest over smallest rate at which the loss decays, until it has fallen by a factor of 10^4."""
    problem, weights = scalar_weights(encoder, decoder, 1.0, 1.0)
    times = np.concatenate([[0.0], np.geomspace(1e-2, 1e3, 100)]) / (2 * (encoder**2 + decoder**2))
    values = np.array([problem.loss(at) for at in problem.flow(weights, TAUS_OF_EQ_6, times)])
    kept = values > values[0] / 1e4
    rates = -np.diff(np.log(values[kept])) / np.diff(times[kept])
    return float(rates.max() / rates.min())


LAYERS = {"unequal": ((10.0, 2.0), (2.0, 10.0)), "equal": ((10.0, 10.0),)}
CONDITION = Claim("the layers are {layers}", {"layers": Word("unequal", ("equal",))})


def is_exponential(layers: str) -> bool:
    """Whether the loss decays at a constant rate from all of these layers."""
    return all(spread_of_rates(*pair) < 1.2 for pair in LAYERS[layers])


SAID_EXPONENTIAL = in_every_case(
    "layers", LAYERS, is_exponential, lambda claim: claim["how"] == "exponential", "explicit matrices"
)


EQUAL_LAYERS: Any = Witness(
    {"encoder": 10, "decoder": 10, "the number": "largest over smallest rate of decay, while the loss falls by 1e4"},
    lambda: spread_of_rates(10.0, 10.0),
    value=lambda _: 1.0,
    tolerance=1e-2,
)

EQUATIONS = (
    entry(
        "3.1 and Figure 2",
        "3.1",
        "After fitting two constants the theory matches all three curves for every architecture.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-architectures.",
    ),
    entry(
        "3.2 small variables",
        "3.2",
        "",
        Finding.CONDITIONAL,
        "Velocities of Eq. (7) at states in which all three variables are small.",
        printed=Claim(
            "For small initial weights dh, dy and w start small, so the right-hand side of Eq. (7) is {size} too.",
            {"size": Word("small", ("large",))},
        ),
        condition=Claim("dy2/dh2 is {decoder}", {"decoder": Word("small as well", ("of order one",))}),
        prove=in_every_case(
            "decoder", DECODERS, right_hand_side_is_small, lambda claim: claim["size"] == "small", "Eq. (7)"
        ),
        witness=Witness(
            {"dh2": 1e-8, "dy2": 1e-8, "the number": "largest velocity, unit constants and data"},
            lambda: largest_rate(1.0),
            value=lambda claim: 0.0 if claim["size"] == "small" else largest_rate(1.0),
        ),
        consequence="With a small encoder and a decoder of order one the state moves at once: the plateau needs both "
        "small, as Eq. (13) says.",
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
        "",
        Finding.CONFIRMED,
        "On flows of explicit matrices the time of the jump grows with the logarithm of the initial weights, as the "
        "exact escape time says.",
        closed_form="two_point.escape_time",
        printed=Claim(
            "The dynamics from small weights are initially stagnant, with {shape}-like behaviour.",
            {"shape": Word("plateau", ("decay",))},
        ),
        prove=stagnates,
    ),
    entry(
        "3.2 immediate decay",
        "3.2",
        "",
        Finding.CONDITIONAL,
        "The rate at which the loss of a flow of two numbers decays, weights of order ten.",
        printed=Claim(
            "For large initial weights there is immediate {how} decay.", {"how": Word("exponential", ("algebraic",))}
        ),
        condition=CONDITION,
        prove=SAID_EXPONENTIAL,
        witness=EQUAL_LAYERS,
        consequence="With equal layers (A_high = 0) the decay from large weights is algebraic, as 1/t^2 in the loss, "
        "down to the scale of the data. The condition is that |A_high| is much larger than A_low.",
    ),
    entry(
        "3.2 very large weights",
        "3.2",
        "At even larger weights the linear approximation breaks down and the network departs.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-initial-weights.",
    ),
    entry(
        "Figure 3",
        "3.3",
        "At small initial weights the loss has a plateau.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-initial-weights, by how long the loss in the difference of the "
        "outputs takes to its half, compared with exponential decay.",
    ),
    entry(
        "Figure 3 large weights",
        "3.3",
        "At large initial weights it has none.",
        Finding.OPEN,
        "A matter of measurement with the paper's 20 layers; the study two-point-initial-weights has 10, and a "
        "smaller gain, at which representations start as far apart. For very large ones see '3.2 very large weights'.",
    ),
    entry(
        "3.4 and Figure 4",
        "3.4",
        "Two digits of MNIST in a larger data set qualitatively resemble the theory.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-mnist-pairs.",
    ),
    entry(
        "B.4 similar digits",
        "B.4",
        "Trajectories of more similar digits look slightly worse, but still roughly share the shape of the theory.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-mnist-pairs fits a three and an eight beside a zero and a one. "
        "The differences of both fits, network by network, would decide it.",
    ),
)
