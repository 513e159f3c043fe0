r"""Section 5: which layer is looked at, Eq. (14)."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from theory.core import Check, Scales
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import allowed, in_every_case
from theory.papers.vanrossem2024.notation import letters
from theory.papers.vanrossem2024.tables import HIDDEN_LAYERS, TABLE_1, UNITS
from theory.two_point.symbols import dh2_0, dx2

G, n = letters("G n")
GAIN, WIDTH = 0.6, 5
POWERS = {"squared distances": 2, "activations": 1}
LAW = Scales(dh2_0, G**n * dx2)


@cache
def squared_distance(layers: int, distance: float) -> float:
    """Squared distance of two points after layers that multiply the length of activations by the gain."""
    draw = np.random.default_rng(9)
    x = np.full(WIDTH, distance / np.sqrt(WIDTH))
    for _ in range(layers):
        x = GAIN * np.linalg.qr(draw.normal(size=(WIDTH, WIDTH)))[0] @ x
    return float(x @ x)


def scales_with_depth(statement: Any) -> tuple[Check, ...]:
    """Three and six layers, two distances of the inputs, for the gains that the condition allows, or for both."""
    relation, kinds = allowed(statement, "what", POWERS)

    def agrees() -> bool:
        ratios = []
        for kind in kinds:
            for layers, distance in ((3, 1.0), (6, 1.0), (6, 1.7)):
                case = {"dh2_0": squared_distance(layers, distance), "G": GAIN ** POWERS[kind], "n": layers,
                        "dx2": distance**2}  # fmt: skip
                ratios.append(float(evaluate(relation.lhs, case) / evaluate(relation.rhs, case)))
        return bool(np.ptp(ratios) < 1e-9 * abs(ratios[0]))

    return (Check("layers of one gain", agrees, "explicit matrices"),)


def direction(values: Any) -> str:
    """Whether a sequence increases or decreases everywhere; "neither" otherwise."""
    steps = np.diff(values)
    return "increases" if (steps > 0).all() else "decreases" if (steps < 0).all() else "neither"


def over_depth() -> str:
    """How Eq. (14) goes with the depth at G < 1."""
    values = [float(evaluate(LAW.rhs, {"G": GAIN, "n": layers, "dx2": 1.0})) for layers in range(1, 20)]
    return {"increases": "an increasing", "decreases": "a decreasing"}.get(direction(values), "neither")


def chain_rate(layers: int, gain: float) -> float:
    """Effective rate of the product of a chain of single weights: its change per step of gradient descent."""
    weights = np.full(layers, gain)
    slopes = [(np.prod(weights + 0.5 * unit) - np.prod(weights - 0.5 * unit)) for unit in np.eye(layers)]
    return float(np.sum(np.square(slopes)))


GAINS = {"one": 1.0, "one half": 0.5}


def grows_with_parameters(gain: str) -> bool:
    """Whether the rates of chains of two to six layers are proportional to their number."""
    rates = [chain_rate(layers, GAINS[gain]) / layers for layers in range(2, 7)]
    return bool(np.allclose(rates, rates[0]))


def parameters(layer: int) -> tuple[int, int]:
    """Weights and biases of the default network before a hidden layer and after it."""
    sizes = [1, *[int(TABLE_1["Default"][UNITS])] * int(TABLE_1["Default"][HIDDEN_LAYERS]), 1]
    counts = [first * second + second for first, second in pairwise(sizes)]
    return sum(counts[:layer]), sum(counts[layer:])


def at_all_layers(part: int) -> list[int]:
    """Parameters of the encoder, 0, or the decoder, 1, of the default network at all hidden layers."""
    return [parameters(layer)[part] for layer in range(1, 21)]


PROPORTIONAL = {"proportional to": True, "independent of": False}

PROGRAMS: Programs = {
    "(14)": Program(
        scales_with_depth,
        lambda: squared_distance(6, 1.0),
        value=lambda relation: float(evaluate(relation.rhs, {"G": GAIN, "n": 6, "dx2": 1.0, "dh2_0": 1.0})),
    ),
    "5.1 decreasing": stating({"how": over_depth}, "Eq. (14) for 1 to 19 layers"),
    "5.2 parameters": Program(
        in_every_case("gain", GAINS, grows_with_parameters, ("how", PROPORTIONAL), "chains"),
        lambda: chain_rate(6, 0.5) / chain_rate(2, 0.5),
        value=lambda claim: 3.0 if chosen(claim, "how", PROPORTIONAL) else 1.0,
    ),
    "5.2 counts": stating(
        {"encoder": lambda: direction(at_all_layers(0)), "decoder": lambda: direction(at_all_layers(1))}, "counted"
    ),
}
