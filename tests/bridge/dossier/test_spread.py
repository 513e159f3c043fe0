"""The expected spread of a kernel against random networks of the same widths and variances."""

from itertools import pairwise

import numpy as np
import pytest
from torch import nn

from bridge.dossier import dense
from bridge.dossier.spread import expected_spread, spread_finding

DRAWS = 600  # whose relative variance has an error of 6 % and a skewed law


class Given:
    """A network of equal activations as the dossier recognises it."""

    def __init__(self, act, widths):
        from theory.activations.naming import activation

        self.widths = widths
        self.activations = [activation("act", act)] * (len(widths) - 2)
        self.maps = [nn.Linear(a, b) for a, b in pairwise(widths)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("act", "widths"), [("relu", (5, 60, 40, 3)), ("tanh", (5, 30, 50, 3)), ("relu", (4, 25, 2))]
)
def test_the_spread_is_that_of_random_networks(act, widths, rng):
    network = Given(act, widths)
    weights = [1.7 / a for a in widths[:-1]]
    biases = [0.1] * len(weights)
    x = rng.normal(size=(1, widths[0]))
    kernels = np.array(
        [
            dense.finite_kernels(network, weights, biases, x, seed)[0][-1][0, 0]
            for seed in range(DRAWS)
        ]
    )
    spread = expected_spread(network, weights, biases, x).spread
    assert kernels.var(ddof=1) / kernels.mean() ** 2 == pytest.approx(spread, rel=0.3)


def test_in_words():
    network = Given("relu", (3, 100, 100, 100, 100, 100, 100, 1))
    weights = [2.0 / a for a in network.widths[:-1]]
    weights[0] = 2.0
    inputs = np.array([[1.0, 0.0, 0.0], [0.0, 0.6, 0.8]])
    words = spread_finding(network, weights, [0.0] * 7, inputs)
    assert "a relative spread of 0.3 at width 100, depth 6" in words  # 5 * 6 / 100
    assert "±55%" in words
    # exactly 1.05^6 - 1 = 0.34, which is more than a tenth off
    assert "Inside a recorded map at width = 100, depth = 6" in words
    assert "fewer than nine networks of ten agree within 10 %" in words


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"scale": 1 / 3}, "other weight_variance"),
        ({"bias": 0.1}, "other bias_variance"),
        ({"size": 2.0}, "other norm"),
        ({"widths": (3, 100, 60, 1)}, ""),
        ({"acts": ("relu", "tanh")}, ""),
    ],
)
def test_a_map_of_other_random_networks_says_nothing_of_these(change, said):
    from theory.activations.naming import activation

    network = Given("relu", change.get("widths", (3, 100, 100, 1)))
    network.activations = [
        activation("act", name) for name in change.get("acts", ("relu", "relu"))
    ]
    scale = change.get("scale", 2.0)
    weights = [scale, *(scale / width for width in network.widths[1:-1])]
    biases = [change.get("bias", 0.0)] * 3
    words = spread_finding(
        network, weights, biases, np.array([[change.get("size", 1.0), 0.0, 0.0]])
    )
    assert "nside a recorded map" not in words
    assert said in words
    assert ("map" in words) == bool(said)


def test_a_spread_of_one_or_more_is_no_first_order():
    network = Given("relu", (3, 5, 5, 1))
    words = spread_finding(network, [1.0] * 3, [0.0] * 3, np.ones((2, 3)))
    assert "no size that is typical of networks at width 5, depth 2" in words  # 5 * 2 / 5 = 2


def test_what_float64_cannot_hold_is_unknown():
    network = Given("exp", (3, 5, 5, 1))
    words = spread_finding(network, [1.0] * 3, [0.1] * 3, np.ones((2, 3)))
    assert "the relative spread of the kernel is unknown at width 5, depth 2" in words.lower()
