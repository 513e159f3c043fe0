"""Sections 3.2, 3.3, 5 and A.5: what the size of the initial weights, and the depth of a layer, do to the dynamics."""

import math
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from papers.vanrossem2024.ledger.explicit_matrices import oblique_weights
from papers.vanrossem2024.ledger.flows import column, in_squares, printed, rates_at
from papers.vanrossem2024.ledger.rest import TAUS_OF_EQ_6, path
from papers.vanrossem2024.ledger.settings import DEFAULT
from theory.core import Program, Programs, Scales, deciding, evaluate, is_close, stating
from theory.core.ledger.proving import declaring

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
    values = [
        float(evaluate(law, {"G": GAIN, "n": layers, "dx2": 1.0})) for layers in range(1, 20)
    ]
    return {"increases": "an increasing", "decreases": "a decreasing"}.get(
        direction(values), "neither"
    )


def chain_rate(layers: int, gain: float) -> float:
    """Effective rate of the product of a chain of single weights: its change per step of gradient descent."""
    weights = np.full(layers, gain)
    slopes = [
        np.prod(weights + 0.5 * unit) - np.prod(weights - 0.5 * unit) for unit in np.eye(layers)
    ]
    return float(np.sum(np.square(slopes)))


def growth_of_rate(gain: str = "one half") -> str:
    """Chains of two to six linear layers of one unit: the effective rate of their product."""
    rates = [
        chain_rate(layers, {"one": 1.0, "one half": 0.5}[gain]) / layers for layers in range(2, 7)
    ]
    return "proportional to" if is_close(rates[1:], rates[:-1]) else "independent of"


def parameters(part: int) -> list[int]:
    """Weights and biases of the default network before, 0, or after, 1, each of its hidden layers."""
    sizes = [1, *[DEFAULT.units] * DEFAULT.hidden_layers, 1]
    counts = [first * second + second for first, second in pairwise(sizes)]
    return [sum((counts[:layer], counts[layer:])[part]) for layer in range(1, len(counts))]


LARGE = (1e4, 1e6)
CLOSE = 2e-2
WAITING = 0.75  # of the time to half the loss; by then dy has grown to 1 %
# Encoder, decoder and the angle of the latter to the targets.
LAYERS = {
    "stronger than": ((10.0, 2.0, 0.0), (10.0, 2.0, 0.7), (10.0, 2.0, 2.4)),
    "as strong as": ((10.0, 10.0, 0.0), (10.0, 10.001, math.pi)),
    "weaker than": ((2.0, 10.0, 0.7), (2.0, 10.0, 2.4)),
}
UNTIL, LATER = 12.0, 4.0  # from the second time on all that is not a plateau is over


def size_of_velocities() -> str:
    """Velocities of Eq. (7) where dh2/dx2 and dy2/dh2 are 1e-4 and 1e-8, small as in Eq. (13)."""
    largest = [max(map(abs, rates_at((s, s * s, s * s - s)))) for s in (1e-4, 1e-8)]
    return "small" if largest[0] < 1e-3 and largest[1] < 1e-7 else "large"


def length_of_plateau() -> str:
    """The time of the jump of explicit matrices grows by log(100) |u||v|/sqrt(tau_h tau_y) if dh2 is a hundredth."""
    flows = [path(size, size, 1.0, 30.0) for size in (1e-2, 1e-3, 1e-4)]
    times = [float(np.interp(0.5, distances, times)) for times, distances, _ in flows]
    return "plateau" if np.allclose(np.diff(times), math.log(100), rtol=2e-3) else "decay"


def shape_of_loss() -> str:
    """Explicit matrices from weights of 1e-4: the loss stays within 5 % for three quarters of the time to half."""
    losses = path(1e-4, 1e-4, 1.0, 30.0)[2]
    half_time = int(np.argmax(losses < losses[0] / 2))
    waiting = losses[: int(WAITING * half_time)]
    return (
        "plateau"
        if half_time > 100 and waiting.min() > 0.95 * losses[0] and losses[-1] < 1e-6
        else "decay"
    )


@cache
def spread_of_rates(encoder: float, decoder: float, angle: float) -> float:
    """Largest over smallest rate at which the loss decays, until it has fallen by a factor of 10^4."""
    problem, weights = oblique_weights(encoder, decoder, angle)
    times = np.concatenate([[0.0], np.geomspace(1e-2, 1e3, 100)]) / (2 * (encoder**2 + decoder**2))
    values = np.array([problem.loss(at) for at in problem.flow(weights, TAUS_OF_EQ_6, times)])
    kept = values > values[0] / 1e4
    rates = -np.diff(np.log(values[kept])) / np.diff(times[kept])
    return float(rates.max() / rates.min())


def decay(encoder: str = "weaker than") -> str:
    """The rate at which the loss decays, weights of order ten, one hidden unit and two outputs."""
    exponential = all(spread_of_rates(*start) < 1.2 for start in LAYERS[encoder])
    return "exponential" if exponential else "not exponential"


@cache
def share_kept(encoder: float, decoder: float, angle: float) -> float:
    """Share of the loss without learned outputs, 1/8, that is left of larger ones after a time of ``LATER``."""
    problem, weights = oblique_weights(encoder, decoder, angle)
    flow = problem.flow(weights, TAUS_OF_EQ_6, [LATER, UNTIL])
    start, later, end = (problem.loss(at) for at in (weights, *flow))
    # a plateau: from above 1 the loss has fallen to what then stays
    return 8 * later if start > 1 and end > 0.8 * later else 0.0


def waits(encoder: str = "weaker than") -> str:
    """With a plateau if some loss, which starts above 1, hardly falls between times at which it is above 1/80."""
    waiting = any(share_kept(*start) > 0.1 for start in LAYERS[encoder])
    return "with" if waiting else "without"


def powers_of_weights(place: str = "not halfway") -> tuple[float, float]:
    """Exponents with which dh2 and dy2 grow with a factor of all weights: four linear layers, H after two, or one."""
    draw = np.random.default_rng(13)
    layers, inputs = draw.normal(size=(4, 3, 3)), draw.normal(size=3)
    before = {"halfway": 2, "not halfway": 1}[place]

    def squares(factor: float) -> tuple[float, float]:
        vectors = [inputs]
        for layer in factor * layers:
            vectors.append(layer @ vectors[-1])
        return float(vectors[before] @ vectors[before]), float(vectors[-1] @ vectors[-1])

    small, large = np.log(squares(1.0)), np.log(squares(2.0))
    first, second = (large - small) / math.log(2.0)
    return float(first), float(second)


def scaling(place: str = "not halfway") -> str:
    """Exponents of dh2 and dy2 in a chain of layers, against those that Eq. (41) has in G."""
    first, second = (
        math.log2(float(evaluate(printed(f"(41) {name}").rhs, {"G": 2.0})))
        for name in ("dh2", "dy2")
    )
    dh2, dy2 = powers_of_weights(place)
    return "scales" if is_close(dy2 / dh2, second / first) else "does not scale"


def large_weights(gain: float) -> dict[str, Any]:
    """The three variables of explicit matrices whose two matrices are multiplied by the root of ``gain``."""
    draw = np.random.default_rng(12)
    encoder, decoder, u, v = (draw.normal(size=shape) for shape in ((2, 2), (3, 2), 2, 3))
    dh = np.sqrt(gain) * encoder @ u
    dy = np.sqrt(gain) * decoder @ dh
    return {
        "norm": np.linalg.norm,
        "dh": column(dh),
        "dy": column(dy),
        "w": float(dy @ dy - dy @ v),
        "G": gain,
    }


def ratios(relation: Any) -> list[float]:
    """Left-hand side over right-hand side at two sizes of large weights."""
    return [float(evaluate(relation.lhs / relation.rhs, large_weights(gain))) for gain in LARGE]


def are_in_proportion(relation: Any) -> bool:
    """Explicit matrices multiplied by 10^2 and 10^3; for w to leading order, as A.5 takes it."""
    first, second = ratios(relation)
    return abs(second / first - 1) < CLOSE


def become_equal(relation: Any) -> bool:
    """Whether both sides of a relation agree at large weights, the better the larger these are."""
    first, second = (abs(ratio - 1) for ratio in ratios(relation))
    return second < first / 5 and second < 1e-2


PROGRAMS: Programs = {
    "(14)": declaring(deciding(scales_with_depth), "~"),
    "5.1 decreasing": stating(how=over_depth),
    "5.2 parameters": Program(
        stating(how=growth_of_rate),
        lambda gain, layers: chain_rate(layers[1], gain) / chain_rate(layers[0], gain),
        lambda _, layers: layers[1] / layers[0],
        at={"gain": 0.5, "layers": (2, 6)},
        quantity="rate of more layers over that of fewer",
    ),
    "5.2 counts": stating(
        encoder=lambda: direction(parameters(0)), decoder=lambda: direction(parameters(1))
    ),
    "3.2 small variables": stating(size=size_of_velocities),
    "3.2 plateau": stating(shape=length_of_plateau),
    "3.2 immediate decay": Program(
        stating(how=decay),
        spread_of_rates,
        lambda _: 1.0,
        1e-2,
        at={"encoder": 10.0, "decoder": 10.0, "angle": 0.0},
        quantity="largest over smallest rate of decay, while the loss falls by 1e4",
    ),
    "3.3 plateau": stating(shape=shape_of_loss),
    "A.5 alignment": declaring(deciding(become_equal), "≈"),
    "(41) dh2 | (41) dy2 | (41) w": declaring(deciding(are_in_proportion), "~"),
    "A.5 no plateau": Program(
        stating(
            how=lambda encoder="weaker than": {"exponential": "exponentially"}.get(decay(encoder)),
            plateau=waits,
        ),
        share_kept,
        lambda _: 0.0,
        1e-2,
        at={"encoder": 2.0, "decoder": 10.0, "angle": 0.7},
        quantity="8 L at a time of 4; the decoder has this length and angle to y_2 - y_1, both of two outputs",
    ),
    "A.5 scaling": stating(verb=scaling),
}
