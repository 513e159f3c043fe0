"""The metric of features that are differentiated, and the rank of their Jacobian."""

from __future__ import annotations

from typing import Any

import numpy as np

from theory.core import Check, Claim
from theory.papers.zavatoneveth2023.christoffel import exact, pulled_back
from theory.papers.zavatoneveth2023.explicit_metrics import as_floats
from theory.papers.zavatoneveth2023.network import random_network
from theory.papers.zavatoneveth2023.network_values import ALL, features_of


def _case(width: int, inputs: int, seed: int) -> dict[str, Any]:
    net = random_network(seed, width, inputs)
    metric = as_floats(pulled_back(features_of(net))(exact([0] * inputs)))
    return {"d": inputs, "n": width, "w": net.weights, "phi1": net.slopes, "g": metric}


def of_features() -> list[dict[str, Any]]:
    """Cases: random networks with the metric of their features, Eq. (1)."""
    return [_case(*size) for size in ALL]


def has_the_rank(claim: Claim) -> tuple[Check, ...]:
    """Whether the metric of three inputs is degenerate where the claim says so."""
    said = claim["kind"] == "degenerate"

    def is_singular(width: int) -> bool:
        metric = _case(width, 3, width)["g"]
        return bool(np.linalg.matrix_rank(metric) < 3)

    widths = (1, 2) if claim["relation"] == "less than" else (3, 4, 5)
    return (Check("rank", lambda: all(is_singular(width) is said for width in widths), "random networks"),)
