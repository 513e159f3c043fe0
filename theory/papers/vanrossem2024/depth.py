"""Section 5: which layer is looked at, Eq. (14)."""

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from theory.core import Program, Programs, Scales, deciding, evaluate, is_close, stating
from theory.papers.vanrossem2024.settings import DEFAULT
from theory.papers.vanrossem2024.symbols import in_squares, printed

GAIN, WIDTH = 0.6, 5  # of the squared distance in a layer; units


@cache
def squared_distance(layers: int, distance: float) -> float:
    """Squared distance of two points after layers that multiply it by the gain."""
    draw = np.random.default_rng(9)
    x = np.full(WIDTH, distance / np.sqrt(WIDTH))
    for _ in range(layers):
        x = np.sqrt(GAIN) * np.linalg.qr(draw.normal(size=(WIDTH, WIDTH)))[0] @ x
    return float(x @ x)


def scales_with_depth(relation: Scales) -> bool:
    """Whether both sides are in proportion for three and six layers, and for two distances of the inputs."""
    sides = in_squares(relation.lhs / relation.rhs)
    cases = [{"dh2_0": squared_distance(layers, distance), "G": GAIN, "n": layers, "dx2": distance**2}
             for layers, distance in ((3, 1.0), (6, 1.0), (6, 1.7))]  # fmt: skip
    ratios = [float(evaluate(sides, case)) for case in cases]
    return is_close(ratios[1:], ratios[:-1])


def direction(values: Any) -> str:
    """Whether a sequence increases or decreases everywhere; "neither" otherwise."""
    steps = np.diff(values)
    return "increases" if (steps > 0).all() else "decreases" if (steps < 0).all() else "neither"


def over_depth() -> str:
    """Eq. (14) for 1 to 19 layers at G < 1."""
    law = in_squares(printed("(14)").rhs)
    values = [float(evaluate(law, {"G": GAIN, "n": layers, "dx2": 1.0})) for layers in range(1, 20)]
    return {"increases": "an increasing", "decreases": "a decreasing"}.get(direction(values), "neither")


def chain_rate(layers: int, gain: float) -> float:
    """Effective rate of the product of a chain of single weights: its change per step of gradient descent."""
    weights = np.full(layers, gain)
    slopes = [np.prod(weights + 0.5 * unit) - np.prod(weights - 0.5 * unit) for unit in np.eye(layers)]
    return float(np.sum(np.square(slopes)))


def growth_of_rate(gain: str = "one half") -> str:
    """Chains of two to six linear layers of one unit: the effective rate of their product."""
    rates = [chain_rate(layers, {"one": 1.0, "one half": 0.5}[gain]) / layers for layers in range(2, 7)]
    return "proportional to" if is_close(rates[1:], rates[:-1]) else "independent of"


def parameters(part: int) -> list[int]:
    """Weights and biases of the default network before, 0, or after, 1, each of its hidden layers."""
    sizes = [1, *[DEFAULT.units] * DEFAULT.hidden_layers, 1]
    counts = [first * second + second for first, second in pairwise(sizes)]
    return [sum((counts[:layer], counts[layer:])[part]) for layer in range(1, len(counts))]


PROGRAMS: Programs = {
    "(14)": deciding(scales_with_depth),
    "5.1 decreasing": stating(how=over_depth),
    "5.2 parameters": Program(
        stating(how=growth_of_rate), lambda: chain_rate(6, 0.5) / chain_rate(2, 0.5), lambda _: 3.0
    ),
    "5.2 counts": stating(encoder=lambda: direction(parameters(0)), decoder=lambda: direction(parameters(1))),
}
