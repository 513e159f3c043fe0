"""The narrow network of Table 1, trained as Appendix B.1 says, in plain numpy: 20 hidden layers of 50 leaky ReLUs."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import deciding
from theory.papers.vanrossem2024.settings import TABLE_1

SETTINGS = {"0.5 and ... set to 1": (0.5, 1.0), "1 and ... set to sqrt(0.5)": (1.0, 0.5**0.5)}
"""dx and dy by the words of Appendix B.1, printed and corrected."""
SEEDS = 3
SLOPE = 0.01  # of the leaky ReLU, the default of the library that the text names
LEARNED = 0.95  # a network has converged if its outputs differ by at least this share of dy^2
_, GAIN, LEARNING_RATE, EPOCHS, WIDTH, HIDDEN = TABLE_1["Narrow"]


def initial(seed: int) -> list[Any]:
    """Xavier normal weights with the gain, ``[out, in]`` for each layer; biases start at zero."""
    draw = np.random.default_rng(seed)
    sizes = [1, *[WIDTH] * HIDDEN, 1]
    return [draw.normal(size=(o, i)) * GAIN * np.sqrt(2 / (i + o)) for i, o in pairwise(sizes)]


def train(setting: tuple[float, float], seeds: int = SEEDS, epochs: int = EPOCHS) -> Any:
    """Outputs at both points after gradient descent on half the mean squared error, ``[seed, point]``.

    Args:
        setting: dx and dy.
        seeds: number of networks, trained together; they stop early where all have converged.
        epochs: steps of full-batch gradient descent.
    """
    weights = [np.array(layer) for layer in zip(*map(initial, range(seeds)), strict=True)]  # [seed, out, in]
    biases = [np.zeros((*layer.shape[:2], 1)) for layer in weights]
    inputs = np.broadcast_to(np.array([-1.0, -1.0 + setting[0]]), (seeds, 1, 2))
    targets = np.array([0.6, 0.6 + setting[1]])
    for epoch in range(epochs + 1):
        values: list[Any] = [inputs]
        slopes: list[Any] = []
        for w, b in zip(weights, biases, strict=True):
            z = w @ values[-1] + b
            slopes.append(np.where((z > 0) | (len(slopes) == HIDDEN), 1.0, SLOPE))
            values.append(z * slopes[-1])
        residual = values[-1] - targets
        if epoch == epochs or np.abs(residual).max() < 1e-3 * setting[1]:
            break
        pull = residual / 2
        for layer in range(HIDDEN, -1, -1):
            pull = pull * slopes[layer]
            below = weights[layer].swapaxes(1, 2) @ pull
            weights[layer] -= LEARNING_RATE * pull @ values[layer].swapaxes(1, 2)
            biases[layer] -= LEARNING_RATE * pull.sum(axis=2, keepdims=True)
            pull = below
    return values[-1][:, 0]


@cache
def share_learned(setting: str) -> float:
    """Fraction of the networks that converge within the epochs of Table 1."""
    outputs = train(SETTINGS[setting])
    return float(np.mean((outputs[:, 1] - outputs[:, 0]) ** 2 > LEARNED * SETTINGS[setting][1] ** 2))


PROGRAMS: Programs = {
    "B.1 data": Program(
        deciding(lambda claim: share_learned(claim["setting"]) == 1.0, "the narrow network of Table 1, trained"),
        lambda: 1.0,
        lambda claim: share_learned(claim["setting"]),
    ),
}
