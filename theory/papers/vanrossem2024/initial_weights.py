"""Sections 3.2, 3.3 and A.5: what the size of the initial weights does to the dynamics."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from theory.core import Check, Scales
from theory.core.ledger.ledger import Programs
from theory.core.ledger.printed import Approximates
from theory.core.ledger.proving import stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import in_every_case, with_counterexample
from theory.papers.vanrossem2024.explicit_matrices import scalar_weights
from theory.papers.vanrossem2024.flows import column, length
from theory.papers.vanrossem2024.rest import TAUS_OF_EQ_6, path
from theory.papers.vanrossem2024.symbols import rates_at

LARGE = (1e4, 1e6)
CLOSE = 2e-2
WAITING = 0.75  # of the time to half the loss; by then dy has grown to 1 %
LAYERS = {"unequal": ((10.0, 2.0), (2.0, 10.0)), "equal": ((10.0, 10.0),)}
WAITS = {"unequal": (10.0, -2.0), "equal": (10.0, -10.001)}


def size_of_velocities() -> str:
    """Largest velocity of Eq. (7) where dh2/dx2 and dy2/dh2 are small, as Eq. (13) says: 1e-4 and 1e-8."""
    largest = [max(map(abs, rates_at((s, s * s, s * s - s)))) for s in (1e-4, 1e-8)]
    return "small" if largest[0] < 1e-3 and largest[1] < 1e-7 else "large"


def length_of_plateau() -> str:
    """A plateau if each factor of 100 in dh2 adds log(100) |u||v|/sqrt(tau_h tau_y), here log(100), to its length."""
    flows = [path(size, size, 1.0, 30.0) for size in (1e-2, 1e-3, 1e-4)]
    times = [float(np.interp(0.5, distances, times)) for times, distances, _ in flows]
    return "plateau" if np.allclose(np.diff(times), math.log(100), rtol=2e-3) else "decay"


def shape_of_loss() -> str:
    """A plateau if the loss stays within 5 % of its first value for three quarters of the time to half, then falls."""
    losses = path(1e-4, 1e-4, 1.0, 30.0)[2]
    half_time = int(np.argmax(losses < losses[0] / 2))
    waiting = losses[: int(WAITING * half_time)]
    return "plateau" if half_time > 100 and waiting.min() > 0.95 * losses[0] and losses[-1] < 1e-6 else "decay"


@cache
def spread_of_rates(encoder: float, decoder: float) -> float:
    """Largest over smallest rate at which the loss decays, until it has fallen by a factor of 10^4."""
    problem, weights = scalar_weights(encoder, decoder, 1.0, 1.0)
    times = np.concatenate([[0.0], np.geomspace(1e-2, 1e3, 100)]) / (2 * (encoder**2 + decoder**2))
    values = np.array([problem.loss(at) for at in problem.flow(weights, TAUS_OF_EQ_6, times)])
    kept = values > values[0] / 1e4
    rates = -np.diff(np.log(values[kept])) / np.diff(times[kept])
    return float(rates.max() / rates.min())


def is_exponential(layers: Any) -> bool:
    """Whether the loss decays at a constant rate from all of these layers."""
    return all(spread_of_rates(*pair) < 1.2 for pair in layers)


def does_not_wait(layers: Any) -> bool:
    """Whether the loss, which starts above 100, stays within 10 % of 1/8 for no more than a third of the time."""
    losses = path(*layers, 1.0, 12.0)[2]
    return bool(np.mean((losses > 0.9 / 8) & (losses < 1.1 / 8)) < 1 / 3)


def large_weights(gain: float) -> dict[str, Any]:
    """The three variables of explicit matrices whose two matrices are multiplied by the root of ``gain``."""
    draw = np.random.default_rng(12)
    encoder, decoder, u, v = (draw.normal(size=shape) for shape in ((2, 2), (3, 2), 2, 3))
    dh = np.sqrt(gain) * encoder @ u
    dy = np.sqrt(gain) * decoder @ dh
    return {"norm": length, "dh": column(dh), "dy": column(dy), "w": float(dy @ dy - dy @ v), "G": gain}


def scale_with(relation: Scales) -> tuple[Check, ...]:
    """Both sides in proportion, from one size of large weights to another."""

    def agrees() -> bool:
        first, second = (float(evaluate(relation.lhs / relation.rhs, large_weights(gain))) for gain in LARGE)
        return abs(second / first - 1) < CLOSE

    return (Check("two sizes of the weights", agrees, "explicit matrices"),)


def is_about(relation: Approximates) -> tuple[Check, ...]:
    """Both sides agree at large weights, the better the larger these are."""

    def agrees() -> bool:
        errors = [abs(float(evaluate(relation.lhs / relation.rhs, large_weights(gain))) - 1) for gain in LARGE]
        return errors[1] < errors[0] / 5 and errors[1] < 1e-2

    return (Check("two sizes of the weights", agrees, "explicit matrices"),)


def decays_without_waiting(sentence: Any) -> tuple[Check, ...]:
    """How the loss decays, and whether it waits."""
    said = ("plateau", "without", "with")
    (decay,) = in_every_case("layers", LAYERS, is_exponential, EXPONENTIALLY, "explicit matrices")(sentence)
    (wait,) = in_every_case("layers", WAITS, does_not_wait, said, "explicit matrices")(sentence)
    return replace(decay, claim="how it decays"), replace(wait, claim="whether it waits")


EXPONENTIAL, EXPONENTIALLY = ("how", "exponential", "algebraic"), ("how", "exponentially", "algebraically")
EQUAL = (lambda: spread_of_rates(10.0, 10.0), lambda: 1.0, 1e-2)

PROGRAMS: Programs = {
    "3.2 small variables": stating({"size": size_of_velocities}, "Eq. (7)"),
    "3.2 plateau": stating({"shape": length_of_plateau}, "time of the jump, explicit matrices"),
    "3.2 immediate decay": with_counterexample(
        in_every_case("layers", LAYERS, is_exponential, EXPONENTIAL, "explicit matrices"), EXPONENTIAL, *EQUAL
    ),
    "3.3 plateau": stating({"shape": shape_of_loss}, "explicit matrices"),
    "A.5 alignment": is_about,
    **dict.fromkeys([f"(41) {name}" for name in ("dh2", "dy2", "w")], scale_with),
    "A.5 no plateau": with_counterexample(decays_without_waiting, EXPONENTIALLY, *EQUAL),
}
