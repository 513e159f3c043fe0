"""Section 1.5: momenta, Hamilton's equations, conservation."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Claim, equal, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024 import layered_net as net
from theory.papers.jacot2024.lemmas import with_lemmas
from theory.papers.jacot2024.states import states
from theory.papers.jacot2024.symbols import (
    A_1,
    B_1,
    A,
    B,
    F,
    H,
    L,
    S,
    lam,
    norm_F,
    trace,
)

CONSERVED = 1e-10  # of the larger of both terms of the Hamiltonian, over kinks
cost, samples = sp.symbols("cost samples", positive=True)
gradient, weights = sp.symbols("grad_W W")
grad_A, grad_A_H, grad_B = (sp.MatrixSymbol(name, *A.shape) for name in ("grad_A", "grad_A_H", "grad_B"))
hamiltonian = L / 2 * norm_F(B * S.T) ** 2 - L * trace(B * A.T)
momentum = equal(B_1, 2 / (lam * samples) * (F - A_1))


def is_the_gradient(pair: sp.Tuple) -> tuple[Check, ...]:
    """The second line is -1/lambda times the gradient of the first, and makes the critical weights of three layers."""
    values = net.terminal()

    def gradient() -> bool:
        def at(made: nets.Array) -> float:
            return float(evaluate(solved(pair[0], cost), {**values, "A_1": made}))

        slope = nets.difference(at, values["A_1"])
        sides = [evaluate(side, {**values, "B_1": -slope / values["lam"]}) for side in (pair[1].lhs, pair[1].rhs)]
        return bool(np.abs(sides[0] - sides[1]).max() < 1e-7)

    def critical() -> bool:
        values_ = net.last_layer()
        sides = [evaluate(side, values_) for side in (pair[1].lhs, pair[1].rhs)]
        return bool(np.abs(sides[0] - sides[1]).max() < 1e-6)

    return (
        Check("-1/lambda times the gradient", gradient, "differences"),
        Check("with the cost of Section 1.1", critical, "gradient of a net of three layers, differences"),
    )


def generates_the_flow(statement: sp.Eq) -> tuple[Check, ...]:
    """Derivatives of the printed function are the velocities of the forward and the backward pass."""

    def agrees(case: dict[str, object]) -> bool:
        bias = bool(case["beta"])

        def value(A_: nets.Array, B_: nets.Array) -> float:
            letters = {**case, "A": A_, "B": B_, "S": nets.activation(A_, bias)}
            return float(evaluate(solved(statement, H), letters))

        in_B = nets.difference(lambda X: value(case["A"], X), case["B"])  # type: ignore[arg-type]
        in_A = nets.difference(lambda X: value(X, case["B"]), case["A"])  # type: ignore[arg-type]
        return bool(np.abs(in_B - case["A_dot"]).max() < 1e-6 and np.abs(in_A + case["B_dot"]).max() < 1e-6)  # type: ignore[operator]

    return (Check("derivatives", lambda: for_all(states(), agrees), "differences"),)


def stays(claim: Claim) -> tuple[Check, ...]:
    """Integrated with the package; neurons switch on the way."""
    constant = for_all(net.crossing_paths(), lambda path: path.spread < CONSERVED)
    switch = for_all(net.crossing_paths(), lambda path: path.switches)
    return (
        Check("trajectories with kinks", lambda: switch and constant is (claim["kept"] == "constant"), "integration"),
    )


PROGRAMS: Programs = {
    "1.5 terminal momentum": Program(
        is_the_gradient,
        lambda: float(((net.terminal()["F"] - net.terminal()["A_1"]) ** 2).sum(axis=0).mean()),
        value=lambda pair: evaluate(solved(pair[0], cost), net.terminal()),
    ),
    "1.5 backward pass": with_lemmas(
        numerically(net.backward, "differences of an integrated net", tolerance=1e-5), canonical.BACKWARD
    ),
    "1.5 critical point": numerically(net.critical, "differences", tolerance=1e-6, scale=0.1),
    "1.5 critical weights": numerically(net.critical, "differences", tolerance=1e-6, scale=0.1),
    "1.5 joint dynamics": numerically(states, "forward pass"),
    "1.5 joint dynamics, momenta": numerically(net.neurons_of_states, "backward pass"),
    "1.5 Hamilton's equations": with_lemmas(
        numerically(net.gradients, "differences", tolerance=1e-6), *canonical.HAMILTON
    ),
    "1.5 Hamiltonian": with_lemmas(generates_the_flow, *canonical.LEGENDRE),
    "1.5 conservation": with_lemmas(stays, *canonical.CONSERVED),
}
