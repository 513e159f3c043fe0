"""The network of error functions of the witness, in plain numbers."""

from __future__ import annotations

from theory.papers.zavatoneveth2023.explicit_metrics import BIASES, POINT, WEIGHTS
from theory.papers.zavatoneveth2023.network import Network, erf_network


def witness_network(inputs: int) -> Network:
    """With its first inputs only."""
    return erf_network(
        [[float(w) for w in row[:inputs]] for row in WEIGHTS],
        list(map(float, BIASES)),
        list(map(float, POINT[:inputs])),
    )
