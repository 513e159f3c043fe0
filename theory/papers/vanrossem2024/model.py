r"""Sections 2.1 and 2.2: the loss, the linearisation and its gradient flow."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Approximates, solved
from theory.core.ledger.proving import chosen, is_close, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.explicit_matrices import random_weights
from theory.papers.vanrossem2024.notation import letters
from theory.papers.vanrossem2024.taylor import to_first_order

phi_dot, psi_dot, grad_phi, grad_psi, tau = letters("phi_dot psi_dot grad_phi grad_psi tau")
h_i, h_middle = letters("h_phi_i h_phi_middle")
y_i, y_middle, D_h, D_y, u_i = letters("y_psi_i y_psi_middle D_h_mat D_y_mat u_i")
HALF = sp.Rational(1, 2)
CENTRES = {"centred": np.zeros(2), "not centred": np.array([1.0, 0.5])}


def follows_descent(block: int, letter: sp.Symbol, slope: sp.Symbol) -> Any:
    """Proves that gradient descent approaches the printed flow in proportion to the learning rate."""

    def distance(relation: Any, eta: float, steps: int) -> float:
        velocity = solved(relation, letter)
        rate, other = (float(evaluate(velocity, {"tau": 1 / eta, str(slope): at})) / at for at in (0.6, 1.7))
        time = -rate * steps  # of the flow with tau = 1 for all blocks
        if not (0 < time < 3 and is_close(rate, other)):  # the velocity is proportional to the gradient
            return float("nan")
        problem, weights = random_weights(seed=1)
        flowed = problem.flow(weights, (1.0, 1.0, 1.0), [time])[-1]
        for _ in range(steps):
            weights = tuple(w - eta * g for w, g in zip(weights, problem.gradient(weights), strict=True))
        return float(np.abs(flowed[block] - weights[block]).max())

    def approaches(relation: Any) -> bool:
        far, near = distance(relation, 0.02, 50), distance(relation, 0.01, 100)
        return far < 0.1 and 1.8 < far / near < 2.2

    return lambda relation: (Check("error per step size", lambda: approaches(relation), "explicit matrices"),)


def depends_on_parameters() -> bool:
    """One linear decoder y = s h written in two ways, s = p and s = p q: minus the gradient, by central differences."""

    def velocity(point: tuple[float, ...]) -> float:
        def loss(x: Any) -> float:
            return 0.5 * float(np.prod(x) * 1.0 - 3.0) ** 2

        at, total = np.array(point), 0.0
        for unit in np.eye(len(at)):
            slope = (loss(at + 1e-3 * unit) - loss(at - 1e-3 * unit)) / 2e-3
            total += -slope * float(np.prod(at + unit) - np.prod(at))  # the slope is linear in each parameter
        return total

    return abs(velocity((2.0,)) - velocity((1.0, 2.0))) > 0.1


def mean_plays() -> bool:
    """The loss of a linearised network with the mean representation at two places."""

    def loss(mean: Any) -> float:
        problem, (output, encoder, decoder) = random_weights(seed=3)
        total = 0.0
        for sign, target in zip((-1, 1), problem.targets, strict=True):
            hidden = mean + sign * encoder @ problem.u / 2
            total += float(np.sum((output + decoder @ (hidden - mean) - target) ** 2)) / 4
        return total

    return abs(loss(np.zeros(2)) - loss(np.array([1.0, -2.0]))) > 1e-9


def encoder_slope(centre: Any, linear_network: bool) -> float:
    """Derivative of the loss in one weight of the encoder, of the linearisation or of a two-layer linear network."""
    problem, (mean, encoder, decoder) = random_weights(seed=2)
    if not linear_network:
        return float(problem.gradient((mean, encoder, decoder))[1][0, 0])
    bias = mean - decoder @ encoder @ centre  # the mean output is the same at this point

    def loss(first: Any) -> float:
        outputs = [decoder @ first @ (centre + s * problem.u / 2) + bias for s in (-1, 1)]
        return 0.25 * sum(float((o - y) @ (o - y)) for o, y in zip(outputs, problem.targets, strict=True))

    bump = np.zeros_like(encoder)
    bump[0, 0] = 0.5  # any step: the loss is quadratic
    return loss(encoder + bump) - loss(encoder - bump)


SAME = {"the same as": True, "different from": False}


def same_slope(centre: str) -> bool:
    """Whether the linearisation and the network on these inputs have the same gradient of the encoder."""
    return bool(np.isclose(encoder_slope(CENTRES[centre], True), encoder_slope(CENTRES[centre], False), rtol=1e-9))


def linearised(value: Any, middle: Any, change: Any) -> Approximates:
    """A value of Eq. (5)."""
    return Approximates(value, middle + HALF * change)


PROGRAMS: Programs = {
    "(4) encoder": follows_descent(1, phi_dot, grad_phi),
    "(4) decoder": follows_descent(2, psi_dot, grad_psi),
    "2.1 footnote 1": stating(
        {"verb": lambda: "depend" if depends_on_parameters() else "do not depend"}, "central differences"
    ),
    "(5) h": to_first_order,
    "(5) y": to_first_order,
    "2.2 footnote 2": stating({"role": lambda: "play" if mean_plays() else "not play"}, "explicit matrices"),
    "2.2 two-layer network": Program(
        in_every_case("inputs", CENTRES, same_slope, ("relation", SAME), "central differences"),
        lambda: encoder_slope(CENTRES["not centred"], True),
        value=lambda claim: encoder_slope(CENTRES["not centred"], not chosen(claim, "relation", SAME)),
    ),
}
