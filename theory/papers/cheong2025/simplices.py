r"""The simplex of the abstract and of NC2, and nearest centres, NC4; Section 1.2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import allowed, chosen, stating, unconditional

Array = NDArray[np.float64]
OFF_CENTRE = 0.5  # of the global mean, in units of the length of the centred means
CLASSES = range(2, 6)


def simplex(count: int) -> Array:
    """Corners of a regular simplex of ``count`` points about zero, ``[point, dimension]``."""
    return np.eye(count) - 1 / count


def collapsed_means() -> Iterator[dict[str, Any]]:
    """Centred class means at the corners of simplices, with their length."""
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
    """What the corners do to the smallest distance on the unit sphere, against a thousand random sets of unit vectors.

    The squared distances of C unit vectors sum to C^2 less the squared length of their sum.
    """

    def smallest(points: Array) -> float:
        unit = points / np.linalg.norm(points, axis=1, keepdims=True)
        gaps = np.linalg.norm(unit[:, None] - unit, axis=2) + 9 * np.eye(len(unit))
        return float(gaps.min())

    def of_corners(count: int) -> str:
        others = [smallest(points) for points in np.random.default_rng(0).normal(size=(1000, count, count))]
        regular = smallest(simplex(count))
        if abs(regular**2 - 2 * count / (count - 1)) > 1e-12:
            return "neither"
        return "maximises" if max(others) < regular else "minimises" if regular < min(others) else "neither"

    (word,) = {of_corners(count) for count in CLASSES}
    return word


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
    gaps = ((0.0, 0.0), (OFF_CENTRE, 0.0), (OFF_CENTRE, -2 * OFF_CENTRE), (-0.4, 0.8), (0.0, 0.6))
    return [collapsed(*gap) for gap in gaps]


def by_distance(claim: Claim, network: dict[str, Any], z: float) -> int:
    """The class of the extreme distance of the claim."""
    return int(chosen(claim, "extreme", EXTREMES)(np.abs(z - network["means"])))


def classifies(sentence: Claim | Given) -> tuple[Check, ...]:
    """The answers of those networks that the condition allows, at many points; and of all others."""
    claim, every = unconditional(sentence), networks()
    points = np.linspace(-2.03, 2.03, 60).tolist()

    def agrees(network: dict[str, Any]) -> bool:
        return all(network["answer"](z) == by_distance(claim, network, z) for z in points)

    def is_trained(network: dict[str, Any]) -> bool:
        return [network["answer"](mean) for mean in network["means"]] == [0, 1]

    possible = allowed(sentence, every)
    checks = [
        Check("no training error", lambda: for_all(every, is_trained), "at both means"),
        Check("answers", lambda: for_all(possible, agrees), "larger logit"),
    ]
    if others := [network for network in every if network not in possible]:
        checks.append(Check("and of no other network", lambda: not any(map(agrees, others)), "larger logit"))
    return tuple(checks)


PROGRAMS: Programs = {
    "abstract simplex": stating({"extreme": extreme}, "random points on the sphere"),
    "NC2": numerically(collapsed_means, "inner products of the corners"),
    "NC4": Program(
        classifies,
        lambda: float(np.argmax([0.25, -0.25])),
        value=lambda claim: float(by_distance(claim, networks()[1], 0.25)),
    ),
}
