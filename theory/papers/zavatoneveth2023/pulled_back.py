"""The metric of features that are differentiated, and the rank of their Jacobian."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from theory.core import Check, Claim, for_all
from theory.papers.zavatoneveth2023.christoffel import exact, pulled_back, slopes
from theory.papers.zavatoneveth2023.explicit_metrics import as_floats
from theory.papers.zavatoneveth2023.index_notation import d, n
from theory.papers.zavatoneveth2023.network import random_network
from theory.papers.zavatoneveth2023.network_values import ALL, features_of


def _case(width: int, inputs: int, seed: int) -> dict[str, Any]:
    net = random_network(seed, width, inputs)
    metric = as_floats(pulled_back(features_of(net))(exact([0] * inputs)))
    return {"d": inputs, "n": width, "w": net.weights, "phi1": net.slopes, "g": metric}


def of_features() -> list[dict[str, Any]]:
    """Cases: random networks with the metric of their features, Eq. (1)."""
    return [_case(*size) for size in ALL]


@cache
def rank_of_jacobian(width: int, inputs: int) -> int:
    """Of the features of a random network."""
    point = exact([0] * inputs)
    jacobian = as_floats(slopes(features_of(random_network(width, width, inputs)), point))
    return int(np.linalg.matrix_rank(jacobian))


def has_the_dimension(claim: Claim) -> tuple[Check, ...]:
    """Whether the image of the inputs has the dimension of the claim, for all networks narrower than their inputs."""
    sizes = [(width, inputs) for inputs in (2, 3, 4) for width in range(1, inputs)]

    def holds(size: tuple[int, int]) -> bool:
        return bool(rank_of_jacobian(*size) == claim["dimension"].subs({n: size[0], d: size[1]}))

    return (Check("rank of the Jacobian", lambda: for_all(sizes, holds), "random networks"),)


def has_the_rank(claim: Claim) -> tuple[Check, ...]:
    """Whether the metric of three inputs is degenerate where the claim says so."""
    said = claim["kind"] == "degenerate"

    def is_singular(width: int) -> bool:
        metric = _case(width, 3, width)["g"]
        return bool(np.linalg.matrix_rank(metric) < 3)

    widths = (1, 2) if claim["relation"] == "less than" else (3, 4, 5)
    return (Check("rank", lambda: all(is_singular(width) is said for width in widths), "random networks"),)
