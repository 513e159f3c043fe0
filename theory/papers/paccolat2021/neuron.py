r"""Section 3.2.1: one neuron on a training set; Eq. (4)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from theory.compression import neuron_flow
from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import chosen
from theory.papers.paccolat2021.neuron_paths import STRIPE
from theory.papers.paccolat2021.small_network import ROUNDING, trainings


def neurons_in_training() -> Iterator[dict[str, Any]]:
    """Letters of Eq. (4) for every neuron of small networks; velocities as in Eq. (2)."""
    for training in trainings(1.0):
        for weights, velocity in zip(training.weights, training.printed_descent(), strict=True):
            yield {
                **training.letters(),
                "omega_vec": weights[:-2],
                "b": weights[-2],
                "beta": weights[-1],
                "inner": np.dot,
                "sigma": lambda u: math.sqrt(2) * max(0.0, u),
                "sigma_prime": lambda u: math.sqrt(2) * (u > 0),
                "x": lambda mu, t=training: t.inputs[mu - 1],
                "omega_dot": velocity[:-2],
                "b_dot": velocity[-2],
                "beta_dot": velocity[-1],
            }


by_differences = numerically(neurons_in_training, "differences of the network", tolerance=ROUNDING, scale=1.0)


def all_pull(claim: Claim) -> tuple[Check, ...]:
    """L' of the step function at margins of the order of alpha, which the predictor has before t*, or far beyond it."""
    factor, before = float(claim["factor"]), (-1e-6, 0.0, 1e-6)
    margins = chosen(claim, "time", {r"t \ll t^*": before, r"t \gg t^*": (*before, 3.0)})
    return (Check("margins", lambda: for_all(margins, lambda m: float(m < 1) == factor), "Section 2.2"),)


def stays(claim: Claim) -> tuple[Check, ...]:
    """The velocity of a neuron on three points, of which none or one lies on its active side."""
    points = np.array([[0.5, -0.2], [0.1, 0.8], [-1.0, 0.3]])
    biases = {"no": -2.0, "some": 0.1}

    def rests(points_inside: str) -> bool:
        state = np.array([0.8, -0.5, biases[points_inside], 0.9])
        return bool(np.all(neuron_flow(STRIPE, 2).rates_on(state, points) == 0))

    still = claim["velocity"] == "static"
    return (Check("velocities", lambda: rests(claim["points"]) is still and rests("some") is False, "Eq. (4)"),)


def is_homogeneous(statement: Any) -> tuple[Check, ...]:
    """Sigma against its slope by differences, on both sides of the kink."""

    def activation(u: float) -> float:
        return math.sqrt(2) * max(0.0, u)

    def slope(at: float) -> float:
        return (activation(at + 1e-6) - activation(at - 1e-6)) / 2e-6

    def points() -> Iterator[dict[str, Any]]:
        for at in (-1.3, 0.4, 2.0):
            yield {"x": at, "sigma": activation, "sigma_prime": slope}

    return numerically(points, "differences", tolerance=ROUNDING)(statement)


PROGRAMS: Programs = {
    "(4) omega": by_differences,
    "(4) b": by_differences,
    "(4) beta": by_differences,
    "3.2.1 homogeneous": is_homogeneous,
    "(4) invariant": by_differences,
    "3.2.1 independent neurons": all_pull,
    "3.2.1 static neurons": stays,
}
