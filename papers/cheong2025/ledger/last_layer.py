"""NC4 as a limit of the last layer, Section 1.2; the metric and the quotient of traces that Section 2.4 speaks of."""

from typing import Any

import numpy as np

from papers.cheong2025.ledger.covariances import DIMENSION, RANK, Array, in_letters, metric
from papers.cheong2025.ledger.notation import agreed
from theory.core import (
    Program,
    Programs,
    chosen,
    declaring,
    evaluate,
    of_each_relation,
    stating,
)

GROWING = (1.0, 30.0, 1000.0)  # factors of collapsed features
OF_THE_LAST_LAYER = {
    "c": np.array([1, 2]),
    "norm": np.abs,
    "argmin_c": lambda values: 1 + int(np.argmin(values)),
    "argmax_c": lambda values: 1 + int(np.argmax(values)),
}


def last_layer_at(z: float, factor: float = GROWING[-1]) -> dict[str, Any]:
    """Two collapsed classes with means 1.5 and -0.5 times a factor, and biases that balance the global mean."""

    def softmax(feature: float) -> Array:
        logits = factor * float(feature) * np.array([1, -1]) - factor**2 * np.array([0.5, -0.5])
        values = np.exp(logits - logits.max())
        return values / values.sum()

    means = factor * np.array([1.5, -0.5])
    return {**OF_THE_LAST_LAYER, "z": factor * z, "f_L": softmax, "mu": lambda c: means[c - 1]}


def tends(relation: Any) -> bool:
    """Both sides for collapsed networks with features that grow."""

    def distances(z: float) -> list[float]:
        cases = (last_layer_at(z, factor) for factor in GROWING)
        sides = ([evaluate(side, case) for side in (relation.lhs, relation.rhs)] for case in cases)
        return [float(np.max(np.abs(np.subtract(*pair)))) for pair in sides]

    return all(distances(z)[-1] < RANK for z in (-0.7, 0.2, 0.3, 0.6, 0.9, 2.0))


def sides_apart(relation: Any, z: tuple[float, ...]) -> list[float]:
    """The sum of what stands on the left-hand side less the right-hand side, at each point."""
    cases = map(last_layer_at, z)
    return [
        float(np.sum(evaluate(relation.lhs, case)) - evaluate(relation.rhs, case))
        for case in cases
    ]


def in_a_plane(noise: tuple[float, ...]) -> dict[int, Array]:
    """Three classes of two samples, with means in the plane of the first two axes, and noise of both signs."""
    means = np.array([[2.0, 0, 0, 0], [0, 2.0, 0, 0], [-2.0, -2.0, 0, 0]])
    return {k: means[k - 1] + np.outer([1, -1], noise) for k in (1, 2, 3)}


def quotient_of_traces(samples: dict[int, Array]) -> float:
    """The quotient of the traces of both covariances."""
    case = in_letters(samples)
    return float(np.trace(case["Sigma_W"]) / np.trace(case["Sigma_B"]))


NUMBERS = {"an approximation": quotient_of_traces, "another number": metric}


def compared_numbers() -> str:
    """The metric and the quotient, within a factor of two or not, for means in a plane and noise along each axis."""
    every = [in_a_plane(tuple(axis)) for axis in np.eye(DIMENSION)]
    return agreed(
        (0.5 * metric(one) < quotient_of_traces(one) < 2 * metric(one) for one in every), *NUMBERS
    )


def metric_in_the_plane(noise: tuple[float, ...]) -> float:
    """The quadratic form of noise with the inverse of 3 Sigma_B in the plane, which is 8 and 4, 4 and 8."""
    seen = np.array(noise[:2])
    return float(3 * seen @ np.linalg.solve([[8.0, 4.0], [4.0, 8.0]], seen))


PROGRAMS: Programs = {
    "NC4, class": Program(
        declaring(of_each_relation(tends), "->"),
        lambda z: [float((x < 0.5) - (abs(x - 1.5) > abs(x + 0.5))) for x in z],
        value=sides_apart,
        at={"z": (-0.7, 0.3, 0.6)},
        quantity="sum of the left-hand side's entries less the class of the nearest of the means 1.5 and -0.5",
    ),
    "2.4 approximation": Program(
        stating(what=compared_numbers),
        metric_in_the_plane,
        value=lambda claim, noise: chosen(claim, "what", NUMBERS)(in_a_plane(noise)),
        at={"noise": (0.6, -0.2, 1.0, 0.5)},
        quantity="tr(Sigma_W Sigma_B^+)",
    ),
}
