r"""The simplex of the abstract and of NC2, and nearest centres, NC4; Section 1.2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theory.core import Claim, Program, Programs, chosen, deciding, numerically, stating
from theory.papers.cheong2025.notation import agreed

Array = NDArray[np.float64]
OFF_CENTRE = 0.5  # of the global mean, in units of the length of the centred means
CLASSES = range(2, 6)


def simplex(count: int) -> Array:
    """Corners of a regular simplex of ``count`` points about zero, ``[point, dimension]``."""
    return np.eye(count) - 1 / count


def collapsed_means() -> Iterator[dict[str, Any]]:
    """Simplices of two to five class means. All lengths are rho only for balanced classes."""
    for count in CLASSES:
        means = 0.7 * simplex(count)
        yield {
            "c": 1,
            "c_prime": 2,
            "mu_tilde": lambda k, means=means: means[int(k) - 1],
            "inner": np.dot,
            "rho": float(np.linalg.norm(means[0])),
            "C": count,
        }


def extreme() -> str:
    """Of C unit vectors the mean squared distance is 2C/(C - 1) at most, as of the corners; a thousand random sets.

    The squared distances of C unit vectors sum to C^2 less the squared length of their sum.
    """

    def smallest(points: Array) -> float:
        unit = points / np.linalg.norm(points, axis=1, keepdims=True)
        gaps = np.linalg.norm(unit[:, None] - unit, axis=2) + 9 * np.eye(len(unit))
        return float(gaps.min())

    def is_largest(count: int) -> bool:
        others = [smallest(points) for points in np.random.default_rng(0).normal(size=(1000, count, count))]
        corners = smallest(simplex(count))
        return max(others) < corners and abs(corners**2 - 2 * count / (count - 1)) < 1e-12

    return agreed(map(is_largest, CLASSES), "maximises", "minimises")


EXTREMES = {"nearest": np.argmin, "furthest": np.argmax}


def collapsed(centre: float, bias_gap: float) -> dict[str, Any]:
    """Two collapsed classes with centred means and weights +1 and -1: NC1 to NC3.

    Args:
        centre: the global mean; below 1 in size, the classifier is right at both class means.
        bias_gap: of the first class less that of the second.
    """
    return {
        "c": 1,
        "c_prime": 2,
        "bar_mu": centre,
        "weight": lambda k: 3 - 2 * k,
        "bias": lambda k: 0.3 + bias_gap * (2 - k),
        "inner": lambda one, other: one * other,
        "means": np.array([centre + 1, centre - 1]),
        "answer": lambda z: 0 if 2 * z + bias_gap > 0 else 1,  # of the logits z + b_1 and -z + b_2 the larger one
    }


def networks() -> list[dict[str, Any]]:
    """Collapsed networks without training error, whose biases balance the global mean or not."""
    gaps = ((OFF_CENTRE, 0.0), (OFF_CENTRE, -2 * OFF_CENTRE), (-0.4, 0.8), (0.0, 0.6))
    return [collapsed(*gap) for gap in gaps]


def by_distance(claim: Claim, network: dict[str, Any], z: float) -> int:
    """The class of the extreme distance of the claim."""
    return int(chosen(claim, "extreme", EXTREMES)(np.abs(z - network["means"])))


def classifies(claim: Claim, network: dict[str, Any]) -> bool:
    """Whether a network without training error answers as the claim says, at many points."""
    points = np.linspace(-2.03, 2.03, 60).tolist()
    is_trained = [network["answer"](mean) for mean in network["means"]] == [0, 1]
    return is_trained and all(network["answer"](z) == by_distance(claim, network, z) for z in points)


PROGRAMS: Programs = {
    "abstract simplex": stating({"extreme": extreme}),
    "NC2": numerically(collapsed_means),
    "NC4": Program(
        deciding(classifies, cases=networks),
        lambda: float(np.argmax([0.25, -0.25])),
        value=lambda claim: float(by_distance(claim, networks()[0], 0.25)),
    ),
}
