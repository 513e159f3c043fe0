r"""Sections 1.2 to 2.3 and 3.2.1: network, gradient flow, tangent kernel, one neuron; Eqs. (2) to (4)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.compression import neuron_flow
from theory.core import Check, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given, solved
from theory.core.ledger.proving import stating, unconditional
from theory.core.numbers.evaluation import evaluate
from theory.papers.paccolat2021.notation import concludes, letters
from theory.papers.paccolat2021.regimes import STRIPE
from theory.papers.paccolat2021.small_network import ROUNDING, Training, outputs, slopes, trainings

lprime, p = letters("lprime p")
ALPHA = 2.5
POINTS = (-1.5, 0.3, 0.9, 1.1)  # on both sides of the kink of the hinge
IMAGES = {"MNIST": 60_000, "CIFAR": 50_000}  # for training
FLAT, STRETCHED = np.eye(2), np.diag([3.0, 1.0])


def norm_of_steps() -> str:
    """Total variation of the slope of a ramp between two labels, the norm of a function of one variable; width to 0."""
    width = sp.Symbol("w", positive=True)
    slope = 2 / width  # from -1 to +1; it starts and ends at zero slope
    return "infinite" if sp.limit(2 * slope, width, 0, "+") == sp.oo else "finite"


def numbers_of_images(statement: Any) -> tuple[Check, ...]:
    """Those of the data that the condition names, or of both, to one digit."""
    names = [statement.condition["data"]] if isinstance(statement, Given) else list(IMAGES)
    size = solved(unconditional(statement)["size"], p)
    return (Check("training images", lambda: for_all(names, lambda name: round(IMAGES[name], -4) == size), "counted"),)


def _weight(training: Training, index: tuple[int, ...]) -> dict[str, Any]:
    def output(weight: float, at: np.ndarray) -> float:
        weights = training.weights.copy()
        weights[index] = weight
        return float(outputs(weights, at[None])[0])

    place = {"W": training.weights[index], "f_of": output}
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


def differences(function: Any, at: float) -> float:
    """The slope of a function that is linear between kinks."""
    return float((function(at + 1e-6) - function(at - 1e-6)) / 2e-6)


def activation(u: float) -> float:
    """ReLU of Eq. (1)."""
    return math.sqrt(2) * max(0.0, u)


def hinge_slopes() -> list[dict[str, Any]]:
    """The derivative of max(0, 1 - x), on both sides of the kink."""
    return [{"x": at, "lprime": lambda u: differences(lambda v: max(0.0, 1 - v), u)} for at in POINTS]


def activations() -> list[dict[str, Any]]:
    """ReLU and its slope, on both sides of the kink."""
    return [
        {"x": at, "sigma": activation, "sigma_prime": lambda u: differences(activation, u)} for at in (-1.3, 0.4, 2.0)
    ]


def moving_outputs() -> Iterator[dict[str, Any]]:
    """Letters of Eq. (3) at a point of its own; the velocity of f is that along minus the gradient of the loss."""
    for training in trainings(1.0, ALPHA):
        at = np.array([[0.4, -0.7, 1.1]])
        here = slopes(lambda w, at=at: outputs(w, at)[0], training.weights)  # type: ignore[misc]
        there = slopes(lambda w, t=training: outputs(w, t.inputs), training.weights)  # type: ignore[misc]
        kernel = np.einsum("ij,ijm->m", here, there)
        moved = training.weights + 1e-7 * training.descent()
        velocity = (outputs(moved, at)[0] - outputs(training.weights, at)[0]) / 1e-7
        yield {**training.letters(), "Theta": lambda mu, kernel=kernel: kernel[mu - 1], "f_dot": velocity}


def neurons_in_training() -> Iterator[dict[str, Any]]:
    """Letters of Eq. (4) for every neuron of small networks; the velocities are minus the gradient of the loss."""
    for training in trainings(1.0, ALPHA):
        for weights, velocity in zip(training.weights, training.descent(), strict=True):
            yield {
                **training.letters(),
                "omega_vec": weights[:-2],
                "b": weights[-2],
                "beta": weights[-1],
                "inner": np.dot,
                "omega_dot": velocity[:-2],
                "b_dot": velocity[-2],
                "beta_dot": velocity[-1],
                "sigma": activation,
                "sigma_prime": lambda u: math.sqrt(2) * (u > 0),
            }


def predictor_at_initialization() -> str:
    """Of a network that has not moved."""
    training = Training(0, ALPHA)
    return "zero" if np.all(training.predictor(training.initial) == 0) else "one"


def kernel_symmetry(weights: str) -> str:
    """Of the kernel of a network whose hidden weights a rotation by a fifth of a turn maps onto themselves, or not."""
    turn = 2 * np.pi / 5
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    stretch = {"isotropic": FLAT, "anisotropic": STRETCHED}[weights]
    hidden = [stretch @ np.linalg.matrix_power(rotation, k) @ [0.9, 0.4] for k in range(5)]
    network = np.array([[*omega, 0.3, 0.8] for omega in hidden])

    def kernel(pair: np.ndarray) -> float:
        one, other = (slopes(lambda w, at=at: outputs(w, at[None])[0], network) for at in pair)  # type: ignore[misc]
        return float((one * other).sum())

    pairs = np.random.default_rng(0).normal(size=(4, 2, 2))
    same = all(abs(kernel(pair) - kernel(pair @ rotation.T)) < ROUNDING for pair in pairs)
    return "isotropic" if same else "anisotropic"


def factor_in_the_flow(time: str) -> int:
    """L' at margins of the order of alpha, which the predictor has before t*, or also at a margin far beyond it."""
    margins = {r"t \ll t^*": (-1e-6, 0.0, 1e-6), r"t \gg t^*": (-1e-6, 0.0, 1e-6, 3.0)}[time]
    return int(all(margin < 1 for margin in margins))


def motion(points: str) -> str:
    """Of a neuron on three points, of which none or one lies on its active side."""
    data = np.array([[0.5, -0.2], [0.1, 0.8], [-1.0, 0.3]])
    state = np.array([0.8, -0.5, {"no": -2.0, "some": 0.1}[points], 0.9])
    return "static" if np.all(neuron_flow(STRIPE, 2).rates_on(state, data) == 0) else "moving"


def at_another_scale(prove: Any, cases: Any, letter: str) -> Program:
    """The program of a flow that lacks the factor alpha, with its witness in the first case of another alpha."""

    def case() -> dict[str, Any]:
        return next(case for case in cases() if case["alpha"] == ALPHA)

    return Program(prove, lambda: case()[letter], value=lambda flow: evaluate(flow.rhs, case()), tolerance=1e-6)


by_differences = numerically(neurons_in_training, "differences of the network", tolerance=ROUNDING, scale=1.0)

PROGRAMS: Programs = {
    "1.2 norm": stating({"norm": norm_of_steps}, "limit of ramps"),
    "footnote 1": Program(
        numbers_of_images, lambda: float(IMAGES["CIFAR"]), value=lambda claim: float(claim["size"].rhs)
    ),
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
    "(3)": at_another_scale(
        numerically(moving_outputs, "differences along the flow", tolerance=1e-6, scale=1.0), moving_outputs, "f_dot"
    ),
    "2.3 start": stating({"F": predictor_at_initialization}, "at the initial weights"),
    "2.3 isotropic kernel": concludes("kernel", kernel_symmetry, "the kernel at rotated points"),
    "(4) omega": at_another_scale(by_differences, neurons_in_training, "omega_dot"),
    "(4) b": at_another_scale(by_differences, neurons_in_training, "b_dot"),
    "(4) beta": at_another_scale(by_differences, neurons_in_training, "beta_dot"),
    "(4) invariant": by_differences,
    "3.2.1 homogeneous": numerically(activations, "differences", tolerance=ROUNDING),
    "3.2.1 independent neurons": concludes("factor", factor_in_the_flow, "the step function of Section 2.2"),
    "3.2.1 static neurons": concludes("velocity", motion, "Eq. (4)"),
}
