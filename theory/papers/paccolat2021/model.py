r"""Sections 2.1 to 2.3: data, network, gradient flow, tangent kernel; Eqs. (1) to (3)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen
from theory.core.numbers.evaluation import evaluate
from theory.papers.paccolat2021.notation import letters
from theory.papers.paccolat2021.small_network import ROUNDING, Training, outputs, slopes, trainings

lprime = letters("lprime")

ALPHA = 2.5
POINTS = (-1.5, 0.3, 0.9, 1.1)  # on both sides of the kink of the hinge


def _weight(training: Training, index: tuple[int, ...]) -> dict[str, Any]:
    def output(weight: float, at: np.ndarray) -> float:
        weights = training.weights.copy()
        weights[index] = weight
        return float(outputs(weights, at[None])[0])

    place = {"W": training.weights[index], "x": lambda mu: training.inputs[mu - 1], "f_of": output}
    return {**training.letters(), **place, "W_dot": training.descent()[index]}


@cache
def every_weight() -> list[dict[str, Any]]:
    """Letters of Eq. (2) for every weight of small networks; the velocity is minus the gradient of the loss."""
    return [
        _weight(training, index) for training in trainings(1.0, ALPHA) for index in np.ndindex(training.weights.shape)
    ]


@cache
def one_weight() -> dict[str, Any]:
    """Letters of Eq. (2) for the output weight of the first neuron, away from alpha = 1."""
    return _weight(Training(0, ALPHA), (0, 4))


def hinge_slopes() -> list[dict[str, Any]]:
    """The derivative of max(0, 1 - x) by differences, on both sides of the kink."""

    def slope(at: float) -> float:
        return (max(0.0, 1 - at - 1e-6) - max(0.0, 1 - at + 1e-6)) / 2e-6

    return [{"x": at, "lprime": slope} for at in POINTS]


def moving_outputs() -> Iterator[dict[str, Any]]:
    """Letters of Eq. (3) at a point of its own; the velocity of f is that along the flow of Eq. (2)."""
    for training in trainings(1.0):
        at = np.array([[0.4, -0.7, 1.1]])
        here = slopes(lambda w, at=at: outputs(w, at)[0], training.weights)  # type: ignore[misc]
        there = slopes(lambda w, t=training: outputs(w, t.inputs), training.weights)  # type: ignore[misc]
        kernel = np.einsum("ij,ijm->m", here, there)
        moved = training.weights + 1e-7 * training.printed_descent()
        velocity = (outputs(moved, at)[0] - outputs(training.weights, at)[0]) / 1e-7
        yield {**training.letters(), "Theta": lambda mu, kernel=kernel: kernel[mu - 1], "f_dot": velocity}


def starts_at(claim: Claim) -> tuple[Check, ...]:
    """The predictor of a network that has not moved."""
    training = Training(0, ALPHA)
    return (
        Check(
            "at the initial weights",
            lambda: bool(np.all(training.predictor(training.initial) == chosen(claim, "F", {"zero": 0.0, "one": 1.0}))),
        ),
    )


def _kernel(weights: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    one, other = (slopes(lambda w, at=at: outputs(w, at[None])[0], weights) for at in (first, second))  # type: ignore[misc]
    return float((one * other).sum())


def symmetry_of_the_kernel(claim: Claim) -> tuple[Check, ...]:
    """The kernel of a network whose hidden weights are a set that a rotation by a fifth of a turn maps onto itself."""
    turn = 2 * np.pi / 5
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    directions = [np.linalg.matrix_power(rotation, k) @ [0.9, 0.4] for k in range(5)]
    stretch = np.diag([1.0, 1.0]) if claim["weights"] == "isotropic" else np.diag([3.0, 1.0])
    weights = np.array([[*(stretch @ omega), 0.3, 0.8] for omega in directions])
    pairs = np.random.default_rng(0).normal(size=(4, 2, 2))

    def agrees() -> bool:
        turned = for_all(
            pairs,
            lambda pair: bool(abs(_kernel(weights, *pair) - _kernel(weights, *(pair @ rotation.T))) < ROUNDING),
        )
        return turned is (claim["kernel"] == "isotropic")

    return (Check("the kernel at rotated points", agrees, "finite differences"),)


PROGRAMS: Programs = {
    "(2)": Program(
        numerically(every_weight, "differences of the loss", tolerance=1e-8, scale=1.0),
        lambda: one_weight()["W_dot"],
        value=lambda flow: evaluate(flow.rhs, one_weight()),
        tolerance=1e-6,
    ),
    "2.2 l'": Program(
        numerically(hinge_slopes, "differences", tolerance=1e-6),
        lambda: [case["lprime"](case["x"]) for case in hinge_slopes()],
        tolerance=1e-6,
    ),
    "(3)": numerically(moving_outputs, "differences along the flow", tolerance=1e-6, scale=1.0),
    "2.3 start": starts_at,
    "2.3 isotropic kernel": symmetry_of_the_kernel,
}
