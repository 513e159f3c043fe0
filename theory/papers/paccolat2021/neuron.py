r"""Section 3.2.1: one neuron on a training set and in the average over the data; Eqs. (4) to (6)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import sympy as sp
from scipy import integrate

from theory.compression import neuron_flow
from theory.core import Check, Claim, for_all, numerically
from theory.papers.paccolat2021.neuron_paths import STRIPE
from theory.papers.paccolat2021.small_network import ROUNDING, trainings

mu = sp.Symbol("mu", integer=True)
p = sp.Symbol("p", integer=True, positive=True)
h, d, tau, omega = sp.symbols("h d tau omega", positive=True)
beta, b, omega_1, omega_perp, zeta, omega_dot, b_dot, beta_dot = sp.symbols(
    "beta b omega_1 omega_perp zeta omega_dot b_dot beta_dot", real=True
)
omega_1_dot, omega_perp_dot, zeta_dot, x_1, lam, z_perp = sp.symbols(
    "omega_1_dot omega_perp_dot zeta_dot x_1 lam z_perp", real=True
)
C_1, C_b = sp.symbols("C_1 C_b", real=True)
y, F, lprime, sigma, sigma_prime, preactivation, x, label, mean, g = (
    sp.Function(name)
    for name in ("y", "F", "lprime", "sigma", "sigma_prime", "preactivation", "x", "label", "mean", "g")
)
summand = lprime(y(mu) * F(mu)) * y(mu)
NEURON = np.array([0.8, -0.5, 0.6, 0.9])  # omega_1, omega_2, b, beta in two dimensions
QUADRATURE = 1e-9  # what it is good for


def neurons_in_training() -> Iterator[dict[str, Any]]:
    """Letters of Eq. (4) for every neuron and coordinate of small networks; velocities by differences, as in Eq. (2)."""
    for training in trainings(1.0):
        velocity = training.printed_descent()
        for neuron, weights in enumerate(training.weights):
            inside = training.inputs @ weights[:-2] / math.sqrt(training.inputs.shape[1]) + weights[-2]
            for coordinate in range(training.inputs.shape[1]):
                yield {
                    **training.letters(),
                    "beta": weights[-1],
                    "preactivation": lambda mu, inside=inside: inside[mu - 1],
                    "sigma": lambda u: math.sqrt(2) * max(0.0, u),
                    "sigma_prime": lambda u: math.sqrt(2) * (u > 0),
                    "x": lambda mu, t=training, i=coordinate: t.inputs[mu - 1, i],
                    "omega_dot": velocity[neuron, coordinate],
                    "b_dot": velocity[neuron, -2],
                    "beta_dot": velocity[neuron, -1],
                    "conserved": weights[-1] * velocity[neuron, -1] - weights[:-1] @ velocity[neuron, :-1],
                }


by_differences = numerically(neurons_in_training, "differences of the network", tolerance=ROUNDING, scale=1.0)


def conserved(statement: sp.Eq) -> tuple[Check, ...]:
    """Beta beta' - omega.omega' - b b' of every neuron of small networks; the printed terms, one by one."""
    letters = sp.symbols("beta_rate omega_rate b_rate", real=True)

    def holds(case: dict[str, Any]) -> bool:
        values = dict(zip(letters, case["terms"], strict=True))
        return bool(abs(float((statement.lhs - statement.rhs).subs(values))) < ROUNDING)

    return (Check("each neuron", lambda: for_all(neurons_in_training(), holds), "differences of the network"),)


def all_pull(claim: Claim) -> tuple[Check, ...]:
    """L' of the step function at margins that a predictor of the order of alpha has."""
    factor = float(claim["factor"])
    return (Check("margins", lambda: for_all((-1e-6, 0.0, 1e-6), lambda m: float(m < 1) == factor), "Section 2.2"),)


def stays(claim: Claim) -> tuple[Check, ...]:
    """The velocity of a neuron on three points, of which none or one lies on its active side."""
    points = np.array([[0.5, -0.2], [0.1, 0.8], [-1.0, 0.3]])
    biases = {"no": -2.0, "some": 0.1}

    def rests(points_inside: str) -> bool:
        state = np.array([0.8, -0.5, biases[points_inside], 0.9])
        return bool(np.all(neuron_flow(STRIPE, 2).rates_on(state, points) == 0))

    still = claim["velocity"] == "static"
    return (Check("velocities", lambda: rests(claim["points"]) is still and rests("some") is False, "Eq. (4)"),)


def stripe_average(weight: Callable[[float], float]) -> float:
    """Average of y(x) times ``weight(x)`` over a unit Gaussian, cell by cell."""
    edges = [-12.0, *STRIPE.places, 12.0]
    total = sum(
        int(STRIPE((low + high) / 2)) * integrate.quad(lambda u: weight(u) * math.exp(-u * u / 2), low, high)[0]
        for low, high in itertools.pairwise(edges)
    )
    return total / math.sqrt(2 * math.pi)
