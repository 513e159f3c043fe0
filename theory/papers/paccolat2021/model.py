r"""Sections 2.1 to 2.3: data, network, gradient flow, tangent kernel; Eqs. (1) to (3)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word, equal, for_all, numerically
from theory.core.numbers.evaluation import evaluate
from theory.papers.paccolat2021.paper import entry
from theory.papers.paccolat2021.small_network import ROUNDING, Training, outputs, slopes, trainings

W_dot, f_dot, alpha, x_real = sp.symbols("W_dot f_dot alpha x", real=True)
mu = sp.Symbol("mu", integer=True)
p = sp.Symbol("p", integer=True, positive=True)
D_f, y, F, lprime, Theta = (sp.Function(name) for name in ("D_f", "y", "F", "lprime", "Theta"))

ALPHA = 2.5
POINTS = (-1.5, 0.3, 0.9, 1.1)  # on both sides of the kink of the hinge
gradient_flow = equal(W_dot, sp.Sum(D_f(mu) * y(mu) * lprime(y(mu) * F(mu)), (mu, 1, p)) / p)
flow_of_f = equal(f_dot, sp.Sum(Theta(mu) * y(mu) * lprime(y(mu) * F(mu)), (mu, 1, p)) / p)


def _weight(training: Training, index: tuple[int, ...]) -> dict[str, Any]:
    slope = slopes(lambda w: outputs(w, training.inputs), training.weights)[index]
    return {**training.letters(), "D_f": lambda mu: slope[mu - 1], "W_dot": training.descent()[index]}


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
            "at the initial weights", lambda: bool(np.all(training.predictor(training.initial) == float(claim["F"])))
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


EQUATIONS = (
    entry(
        "2.1 data",
        "2.1",
        "Standard Gaussian points; the label depends on the first d_parallel coordinates only.",
        Finding.DEFINITION,
        "It introduces the data.",
        printed=r"\underline{x}^\mu \sim \mathcal{N}(0, I_d), \quad y(\underline{x}) = y(\underline{x}_\parallel)",
    ),
    entry(
        "(1)",
        "2.2",
        "The network, with sigma(x) = sqrt(2) max(0, x).",
        Finding.DEFINITION,
        "It introduces the model.",
        printed=r"f(\underline{x}) = \frac{1}{h} \sum_{n=1}^h \beta_n \sigma\left(\frac{\underline{\omega}_n \cdot "
        r"\underline{x}}{\sqrt{d}} + b_n\right)",
    ),
    entry(
        "2.2 predictor",
        "2.2",
        "The predictor is alpha times what the network has learnt.",
        Finding.DEFINITION,
        "It introduces the scale alpha.",
        printed=r"F(\underline{x}) = \alpha (f(\underline{x}) - f_0(\underline{x}))",
    ),
    entry(
        "(2)",
        "2.2",
        "Gradient flow of a weight under the hinge loss on the predictor, with l' the step function that follows.",
        Finding.CONDITIONAL,
        "Minus the gradient of the mean hinge loss by differences, for every weight of small networks. It carries a "
        "factor alpha that the printed flow does not.",
        printed=gradient_flow,
        condition=equal(alpha, 1),
        prove=numerically(every_weight, "differences of the loss", tolerance=1e-8, scale=1.0),
        witness=Witness(
            {"alpha": ALPHA, "weight": "beta of the first of four neurons"},
            lambda: one_weight()["W_dot"],
            value=lambda flow: evaluate(flow.rhs, one_weight()),
            tolerance=1e-6,
        ),
        consequence="The times of the paper, t* among them, are in units of 1/alpha: those of a loss divided by alpha.",
        heirs=("(3)", "(4) omega", "(4) b", "(4) beta"),
    ),
    entry(
        "2.2 l'",
        "2.2",
        "The derivative of the hinge loss is the step function of 1 - x.",
        Finding.MISPRINT,
        "Differences of max(0, 1 - x) on both sides of the kink.",
        printed=equal(lprime(x_real), sp.Heaviside(1 - x_real)),
        corrected=equal(lprime(x_real), -sp.Heaviside(1 - x_real)),
        prove=numerically(hinge_slopes, "differences", tolerance=1e-6),
        witness=Witness(
            {x_real: POINTS}, lambda: [case["lprime"](case["x"]) for case in hinge_slopes()], tolerance=1e-6
        ),
        consequence="With the step function itself in its place, Eq. (2) descends; with the derivative it would climb.",
    ),
    entry(
        "2.3 kernel",
        "2.3",
        "The tangent kernel.",
        Finding.DEFINITION,
        "It introduces the kernel.",
        printed=r"\Theta(\underline{x}_1, \underline{x}_2) = \partial_W f(\underline{x}_1) \cdot "
        r"\partial_W f(\underline{x}_2)",
    ),
    entry(
        "(3)",
        "2.3",
        "Gradient flow in the space of functions.",
        Finding.CONFIRMED,
        "The output of small networks moved along Eq. (2), against the kernel from differences.",
        printed=flow_of_f,
        prove=numerically(moving_outputs, "differences along the flow", tolerance=1e-6, scale=1.0),
    ),
    entry(
        "2.3 start",
        "2.3",
        "",
        Finding.CONFIRMED,
        "The output at initialisation is subtracted.",
        printed=Claim("At initialization, the predictor function is {F}.", {"F": sp.S.Zero}),
        prove=starts_at,
    ),
    entry(
        "2.3 end",
        "2.3",
        "The predictor grows until it is at least one, times the label, on all training points.",
        Finding.ASSUMPTION,
        "The network is assumed to be wide enough. Where no neuron is active at a point, the flow rests without it.",
    ),
    entry(
        "2.3 frozen kernel",
        "2.3",
        "For alpha >> 1 the kernel stays as it is at initialisation; for alpha << 1 it adapts to the data.",
        Finding.ASSUMPTION,
        "A limit of training; measured by the scan of alpha, the study compression-crossover.",
    ),
    entry(
        "2.3 isotropic kernel",
        "2.3",
        "",
        Finding.CONFIRMED,
        "Networks whose hidden weights a rotation maps onto themselves, and networks whose weights it does not.",
        printed=Claim(
            "For an {weights} distribution of the weights, the kernel is {kernel}.",
            {
                "weights": Word("isotropic", ("anisotropic",)),
                "kernel": Word("isotropic", ("anisotropic",)),
            },
        ),
        prove=symmetry_of_the_kernel,
    ),
)
