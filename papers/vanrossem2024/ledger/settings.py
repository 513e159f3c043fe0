"""Tables 1 and 2 and the data sets of Appendix B, and what the text and the captions say about them.

The narrow network of Table 1 is trained as Appendix B.1 says, in plain numpy: 20 hidden layers of 50 leaky ReLUs.
"""

import itertools
from functools import cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from theory.core import Program, Programs, deciding, stating


class Setting(NamedTuple):
    """A network of Table 1 or 2."""

    nonlinearity: str
    gain: float
    learning_rate: float
    epochs: int
    units: int
    hidden_layers: int


_TABLE_1 = {
    "Default": ("leaky relu", 1.0, 0.005, 6000, 500, 20),
    "Convolution": ("leaky relu", 0.95, 0.002, 6000, 500, 10),
    "Skip connections": ("leaky relu", 0.1, 0.01, 6000, 500, 20),
    "Shallow": ("leaky relu", 0.35, 0.01, 6000, 500, 2),
    "Narrow": ("leaky relu", 1.05, 0.005, 6000, 50, 20),
    "Dropout": ("leaky relu", 1.0, 0.005, 6000, 500, 10),
    "Linear": ("none", 0.85, 0.00125, 6000, 500, 20),
    "ReLU": ("relu", 1.0, 0.005, 6000, 500, 20),
    "ELU": ("elu", 0.95, 0.00045, 6000, 500, 20),
    "Tanh": ("tanh", 0.85, 0.00125, 6000, 500, 20),
    "Swish": ("swish", 1.7, 0.0025, 6000, 500, 20),
    "Low initial weights": ("leaky relu", 0.9, 0.015, 6000, 500, 20),
    "Intermediate initial weights": ("leaky relu", 1.1, 0.0025, 6000, 500, 20),
    "High initial weights": ("leaky relu", 1.3, 0.00075, 6000, 500, 20),
    "Very high initial weights": ("leaky relu", 1.4, 0.00025, 6000, 500, 20),
}
_TABLE_2 = {
    "XOR Low weights": ("leaky relu", 0.7, 0.015, 1000, 500, 20),
    "XOR Intermediate weights": ("leaky relu", 1.25, 0.002, 1000, 500, 20),
    "XOR High weights": ("leaky relu", 2.0, 0.000000003, 1000, 500, 20),
    "XOR 2 layers": ("leaky relu", 0.0015, 0.03, 40000, 500, 1),
    "Blobs Very low weights": ("tanh", 0.275, 0.05, 2000, 100, 4),
    "Blobs Low weights": ("tanh", 0.5, 0.015, 1500, 100, 4),
    "Blobs High weights": ("tanh", 2.0, 0.0015, 750, 100, 4),
    "MNIST Trajectories": ("leaky relu", 0.5, 0.003, 200, 200, 4),
    "MNIST Structure": ("leaky relu", 0.5, 0.005, 200, 200, 4),
}
TABLE_1 = {name: Setting(*row) for name, row in _TABLE_1.items()}
TABLE_2 = {name: Setting(*row) for name, row in _TABLE_2.items()}

DEFAULT = TABLE_1["Default"]
XOR = {(0, 0): 0, (1, 0): 1, (0, 1): 1, (1, 1): 0}
"""Input -> output of the exclusive or."""
GRID = tuple(itertools.product(range(30), repeat=2))
"""Places of the blobs, in pixels of the grid: both coordinates."""
IMAGE, CONTEXT = np.zeros((5, 5)), np.zeros(2)
"""Pixels and context of a blob."""


def the_only(numbers: set[int]) -> int:
    """The number that all rows have."""
    (number,) = numbers
    return number


def relation_to_default() -> str:
    """Whether nonlinearity, units and hidden layers of the three deep networks on XOR are those of the default."""
    rows = [TABLE_2[f"XOR {size} weights"] for size in ("Low", "Intermediate", "High")]
    same = all(
        (row.nonlinearity, *row[4:]) == (DEFAULT.nonlinearity, *DEFAULT[4:]) for row in rows
    )
    return "the same as" if same else "not"


ON_MNIST = [row for name, row in TABLE_2.items() if "MNIST" in name]
UNITS = stating(units=lambda: the_only({row.units for row in ON_MNIST}))
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
    """Outputs of networks after gradient descent for dx and dy, ``[seed, point]``; it stops if all have converged."""
    # [seed, out, in]
    weights = [np.array(layer) for layer in zip(*map(initial, range(seeds)), strict=True)]
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
    return float(
        np.mean((outputs[:, 1] - outputs[:, 0]) ** 2 > LEARNED * SETTINGS[setting][1] ** 2)
    )


PROGRAMS: Programs = {
    "Figure 4 units": Program(
        UNITS,
        lambda network: float(TABLE_2[network].units),
        lambda claim: float(claim["units"]),
        at={"network": "MNIST Trajectories"},
        quantity="units of a hidden layer in Table 2",
    ),
    "Table 1 default": stating(
        layers=lambda: DEFAULT.hidden_layers,
        units=lambda: DEFAULT.units,
        nonlinearity=lambda: {"leaky relu": "leaky ReLU", "relu": "ReLU"}[DEFAULT.nonlinearity],
    ),
    "B.1 epochs": stating(
        "all rows of Table 1", epochs=lambda: the_only({row.epochs for row in TABLE_1.values()})
    ),
    "B.2 data": stating(
        **{
            name: partial(int.__xor__, *point)
            for name, point in zip(("first", "second", "third", "fourth"), XOR, strict=True)
        }
    ),
    "Table 2 XOR": stating(relation=relation_to_default),
    "B.3 data": stating(
        "counted",
        inputs=lambda: IMAGE.size + CONTEXT.size,
        points=lambda: len(GRID) * CONTEXT.size,
    ),
    "B.4 hidden layers": stating(
        layers=lambda: the_only({row.hidden_layers for row in ON_MNIST}),
        usual=lambda: DEFAULT.hidden_layers,
    ),
    "B.1 data": Program(
        deciding(lambda claim: share_learned(claim["setting"]) == 1.0),
        lambda: 1.0,
        lambda claim: share_learned(claim["setting"]),
        at=lambda: {"gain": GAIN, "epochs": EPOCHS, "seeds": SEEDS},
        quantity="share of narrow networks of Table 1 that converge",
    ),
}
