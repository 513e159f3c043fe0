r"""Section 5: which layer is looked at, Eq. (14)."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from theory.core import Check, Claim, Scales
from theory.core.ledger.ledger import Program, Programs
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


def goes(claim: Claim) -> tuple[Check, ...]:
    """Eq. (14) over the depth at G < 1."""
    values = [float(evaluate(LAW.rhs, {"G": GAIN, "n": layers, "dx2": 1.0})) for layers in range(1, 20)]
    falls = bool((np.diff(values) < 0).all())
    return (Check("20 layers", lambda: falls is (claim["how"] == "a decreasing"), "Eq. (14)"),)


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


def shifts(claim: Claim) -> tuple[Check, ...]:
    """Parameters of both parts of the default network at all hidden layers."""
    encoder, decoder = zip(*(parameters(layer) for layer in range(1, 21)), strict=True)
    found = (bool((np.diff(encoder) > 0).all()), bool((np.diff(decoder) < 0).all()))
    said = (claim["encoder"] == "increases", claim["decoder"] == "decreases")
    return (Check("counted", lambda: found == said, "Table 1"),)


PROGRAMS: Programs = {
    "(14)": Program(
        scales_with_depth,
        lambda: squared_distance(6, 1.0),
        value=lambda relation: float(evaluate(relation.rhs, {"G": GAIN, "n": 6, "dx2": 1.0, "dh2_0": 1.0})),
    ),
    "5.1 decreasing": goes,
    "5.2 parameters": Program(
        in_every_case("gain", GAINS, grows_with_parameters, lambda claim: claim["how"] == "proportional to", "chains"),
        lambda: chain_rate(6, 0.5) / chain_rate(2, 0.5),
        value=lambda claim: 3.0 if claim["how"] == "proportional to" else 1.0,
    ),
    "5.2 counts": shifts,
}
