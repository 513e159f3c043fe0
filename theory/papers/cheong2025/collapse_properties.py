r"""Section 1.2: the four properties of neural collapse, and the simplex of the abstract."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from theory.core import Check, Claim, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import chosen, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.conditions import apart, exactly_where
from theory.papers.cheong2025.labelled_features import Array
from theory.papers.cheong2025.notation import letters

bias_gap = letters("bias_gap")
OFF_CENTRE = 0.5  # of the global mean, in units of the length of the centred means


def simplex(count: int) -> Array:
    """Corners of a regular simplex of ``count`` points, ``[point, dimension]``."""
    return np.eye(count)


def simplices() -> Iterator[dict[str, Any]]:
    """Class means at the corners of a simplex, with sizes of the classes; about the mean of all samples."""
    for sizes in ((2, 2, 2), (5, 5, 5, 5), (1, 1, 4), (1, 2, 3), (2, 1, 1, 1)):
        means = simplex(len(sizes)) - np.average(simplex(len(sizes)), axis=0, weights=sizes)
        yield {
            "inner": float(means[0] @ means[1]),
            "rho": float(np.linalg.norm(means[0])),
            "C": len(sizes),
            "n_min": min(sizes),
            "n_max": max(sizes),
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
        corners = simplex(count)
        draw = np.random.default_rng(0).normal(size=(1000, count, count))
        others = [smallest(points) for points in draw]
        regular = smallest(corners - corners.mean(axis=0))
        if abs(regular**2 - 2 * count / (count - 1)) > 1e-12:
            return "neither"
        return "maximises" if max(others) < regular else "minimises" if regular < min(others) else "neither"

    (word,) = {of_corners(count) for count in range(2, 6)}
    return word


EXTREMES = {"nearest": np.argmin, "furthest": np.argmax}


class Collapsed:
    """Two collapsed classes with centred means and weights +1 and -1: NC1 to NC3, and no training error.

    Args:
        centre: the global mean; below 1 in size, the classifier is right at both class means.
        bias_gap: of the first class less that of the second.
    """

    def __init__(self, centre: float, bias_gap: float) -> None:
        self.means = (centre + 1, centre - 1)
        self.condition = {"bias_gap": bias_gap, "weight_gap": 2 * centre}
        self._bias_gap = bias_gap

    def answer(self, z: float) -> int:
        """The class that the last layer gives: the larger of the logits z + b_1 and -z + b_2."""
        return 0 if 2 * z + self._bias_gap > 0 else 1

    def makes_no_training_error(self) -> bool:
        """Whether it is right at both class means, where all training samples are."""
        return [self.answer(mean) for mean in self.means] == [0, 1]

    def by_distance(self, z: float, extreme: Callable[[Any], Any]) -> int:
        """The class whose mean is nearest, or furthest for ``extreme`` ``np.argmax``."""
        return int(extreme([abs(z - mean) for mean in self.means]))


NETWORKS = tuple(
    Collapsed(centre, gap)
    for centre, gap in ((0.0, 0.0), (OFF_CENTRE, 0.0), (OFF_CENTRE, -2 * OFF_CENTRE), (-0.4, 0.8), (0.0, 0.6))
)


def classifies(sentence: Claim | Given) -> tuple[Check, ...]:
    """The answers of collapsed networks, those that the condition allows, at many points; and of all others."""
    claim, condition = apart(sentence)
    points = np.linspace(-2.03, 2.03, 60).tolist()

    def agrees(network: Collapsed) -> bool:
        extreme = chosen(claim, "extreme", EXTREMES)
        return all(network.answer(z) == network.by_distance(z, extreme) for z in points)

    allowed = [network for network in NETWORKS if evaluate(condition, network.condition)]
    others = [network for network in NETWORKS if network not in allowed]
    checks = [
        Check("no training error", lambda: for_all(NETWORKS, Collapsed.makes_no_training_error), "at both means"),
        Check("answers", lambda: for_all(allowed, agrees), "larger logit"),
    ]
    if others:
        checks.append(Check("and of no other network", lambda: not any(map(agrees, others)), "larger logit"))
    return tuple(checks)


PROGRAMS: Programs = {
    "abstract simplex": stating({"extreme": extreme}, "random points on the sphere"),
    "NC2": Program(
        exactly_where(simplices, "inner products of the corners"),
        lambda: float(list(simplices())[2]["inner"]),
        value=lambda statement: evaluate(statement.rhs, list(simplices())[2]),
    ),
    "NC4": Program(
        classifies,
        lambda: float(np.argmax([0.25, -0.25])),
        value=lambda claim: float(NETWORKS[1].by_distance(0.25, chosen(claim, "extreme", EXTREMES))),
    ),
}
