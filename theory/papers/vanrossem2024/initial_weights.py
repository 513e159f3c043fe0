r"""Section 3.2: what the initial weights do to the dynamics."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from theory.core.ledger.equation import Prover
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen, stating
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.explicit_matrices import scalar_weights
from theory.papers.vanrossem2024.weights import TAUS_OF_EQ_6, path

UNIT = {"tau_h": 1.0, "tau_y": 1.0, "dx2": 1.0, "target2": 1.0}
DECODERS = {"small as well": 1e-8, "of order one": 1.0}


def largest_rate(decoder: float) -> float:
    """Largest of the three velocities of Eq. (7) at dh2(0) = 1e-8; ``decoder``: dy2(0)/dh2(0). All three are small."""
    output = decoder * 1e-8
    return max(map(abs, printed_system.rates_at((1e-8, output, output - math.sqrt(output)), **UNIT)))


SMALL = {"small": True, "large": False}


def right_hand_side_is_small(decoder: str) -> bool:
    """Whether all velocities are small."""
    return largest_rate(DECODERS[decoder]) < 1e-3


@cache
def half_time(size: float) -> float:
    """Time until dh2 is half of its final value, 1, from both weights equal to ``size``."""
    times, distances, _ = path(size, size, 1.0, 30.0)
    return float(np.interp(0.5, distances, times))


def shape() -> str:
    """A plateau if each factor of 100 in dh2 adds log(100) |u||v|/sqrt(tau_h tau_y), here log(100), to its length."""
    times = [half_time(size) for size in (1e-2, 1e-3, 1e-4)]
    return "plateau" if np.allclose(np.diff(times), math.log(100), rtol=2e-3) else "decay"


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


def is_exponential(layers: str) -> bool:
    """Whether the loss decays at a constant rate from all of these layers."""
    return all(spread_of_rates(*pair) < 1.2 for pair in LAYERS[layers])


EXPONENTIAL = {"exponential": True, "exponentially": True, "algebraic": False, "algebraically": False}
SAID_EXPONENTIAL = in_every_case("layers", LAYERS, is_exponential, ("how", EXPONENTIAL), "explicit matrices")


def equal_layers(prove: Prover) -> Program:
    """The program with its witness: how much the rate of decay varies from equal layers."""
    return Program(prove, lambda: spread_of_rates(10.0, 10.0), lambda _: 1.0, 1e-2)


PROGRAMS: Programs = {
    "3.2 small variables": Program(
        in_every_case("decoder", DECODERS, right_hand_side_is_small, ("size", SMALL), "Eq. (7)"),
        lambda: largest_rate(1.0),
        value=lambda claim: 0.0 if chosen(claim, "size", SMALL) else largest_rate(1.0),
    ),
    "3.2 plateau": stating({"shape": shape}, "time of the jump, explicit matrices"),
    "3.2 immediate decay": equal_layers(SAID_EXPONENTIAL),
}
