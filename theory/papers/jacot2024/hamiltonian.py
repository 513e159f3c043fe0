"""Section 1.5: momenta, Hamilton's equations, conservation."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word, equal, for_all, numerically
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024 import layered_net as net
from theory.papers.jacot2024.lemmas import with_lemmas
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.states import states
from theory.papers.jacot2024.symbols import (
    A_1,
    B_1,
    A,
    A_dot,
    B,
    B_dot,
    F,
    H,
    L,
    S,
    W,
    half,
    lam,
    norm_F,
    slopes,
    trace,
)

CONSERVED = 1e-10  # of the larger of both terms of the Hamiltonian, over kinks
cost, samples = sp.symbols("cost samples", positive=True)
gradient, weights = sp.symbols("grad_W W")
grad_A, grad_A_H, grad_B = (sp.MatrixSymbol(name, *A.shape) for name in ("grad_A", "grad_A_H", "grad_B"))
hamiltonian = L / 2 * norm_F(B * S.T) ** 2 - L * trace(B * A.T)
printed_cost, mean_cost = (equal(cost, factor * norm_F(F - A_1) ** 2) for factor in (half, 1 / samples))
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


EQUATIONS = (
    PAPER.entry(
        "1.5 momentum",
        "1.5",
        "The backward pass variables.",
        Finding.DEFINITION,
        "It introduces B; for the cost see '1.5 terminal momentum'.",
        printed=r"B_p = -\frac{1}{\lambda} \partial_{A_p} C(A_1)",
    ),
    PAPER.entry(
        "1.5 terminal momentum",
        "1.5",
        "The cost, half the squared error, and the momentum at the output, -1/lambda times its gradient.",
        Finding.MISPRINT,
        "The two halves of the sentence have different costs. 2/(lambda N) belongs to the cost of Section 1.1, the "
        "mean over samples; half the squared error would give 1/lambda.",
        printed=sp.Tuple(printed_cost, momentum),
        corrected=sp.Tuple(mean_cost, momentum),
        prove=is_the_gradient,
        witness=Witness(
            {"N": 3, "lambda": 0.5, "number": "cost"},
            lambda: float(((net.terminal()["F"] - net.terminal()["A_1"]) ** 2).sum(axis=0).mean()),
            value=lambda pair: evaluate(solved(pair[0], cost), net.terminal()),
        ),
        consequence="Momenta taken from half the squared error are N/2 times too large and do not give the weights. "
        "With torch's mean over outputs, too, the factor is 2/(lambda N d_out).",
    ),
    PAPER.entry(
        "1.5 backward pass",
        "1.5",
        "The equation of the momenta.",
        Finding.CONFIRMED,
        "Gradients of the cost in the representations of an integrated net, by differences, and their derivative in p. "
        "With bias the row of W'B that belongs to the row of ones is dropped, for its derivative is zero.",
        printed=equal(-B_dot, sp.HadamardProduct(slopes, W.T * B) - L * B),
        prove=with_lemmas(
            numerically(net.backward, "differences of an integrated net", tolerance=1e-5), canonical.BACKWARD
        ),
    ),
    PAPER.entry(
        "1.5 critical point",
        "1.5",
        "At a critical point the gradient of the cost and of the regulariser cancel.",
        Finding.CONFIRMED,
        "Each layer of a net of three, by differences.",
        printed=equal(gradient + lam / L * weights, 0),
        prove=numerically(net.critical, "differences", tolerance=1e-6, scale=0.1),
    ),
    PAPER.entry(
        "1.5 critical weights",
        "1.5",
        "The critical weights in terms of gradients, and of momenta.",
        Finding.CONFIRMED,
        "The weights at which the gradient of the whole cost of a net of three layers vanishes, by differences.",
        printed=sp.Tuple(equal(W, -L / lam * grad_A * S.T), equal(W, L * B * S.T)),
        prove=numerically(net.critical, "differences", tolerance=1e-6, scale=0.1),
    ),
    PAPER.entry(
        "1.5 joint dynamics",
        "1.5",
        "The equation of A at a critical point.",
        Finding.CONFIRMED,
        "The forward pass with critical weights.",
        printed=equal(A_dot, L * (B * S.T * S - A)),
        prove=numerically(states, "forward pass"),
    ),
    PAPER.entry(
        "1.5 joint dynamics, momenta",
        "1.5",
        "The equation of B at a critical point.",
        Finding.CONFIRMED,
        "The backward pass with critical weights; the row of ones has no slope.",
        printed=equal(-B_dot, L * (sp.HadamardProduct(slopes, S * B.T * B) - B)),
        prove=numerically(net.neurons_of_states, "backward pass"),
    ),
    PAPER.entry(
        "1.5 Hamilton's equations",
        "1.5",
        "The velocities are derivatives of the Hamiltonian.",
        Finding.CONFIRMED,
        "Differences of the Hamiltonian, velocities by the forward and the backward pass; and derivatives with "
        "matrices of symbols, for any slopes of the activation.",
        printed=sp.Tuple(equal(A_dot, grad_B), equal(-B_dot, grad_A_H)),
        prove=with_lemmas(numerically(net.gradients, "differences", tolerance=1e-6), *canonical.HAMILTON),
    ),
    PAPER.entry(
        "1.5 Hamiltonian",
        "1.5",
        "The Hamiltonian.",
        Finding.CONFIRMED,
        "Derivatives of the printed function, by differences, are the velocities of both passes. It also is the "
        "Legendre transform of the Lagrangian of Section 1.3.",
        printed=equal(H, hamiltonian),
        prove=with_lemmas(generates_the_flow, *canonical.LEGENDRE),
    ),
    PAPER.entry(
        "1.5 conservation",
        "1.5",
        "",
        Finding.CONFIRMED,
        "Also across kinks of the ReLU: A, B and H are continuous there, and so is the velocity of A, so nothing "
        "slides along a kink. By the chain rule with matrices of symbols, and along integrated trajectories that cross "
        "kinks.",
        printed=Claim("The Hamiltonian is {kept} in p.", {"kept": Word("constant", ("increasing", "decreasing"))}),
        prove=with_lemmas(stays, *canonical.CONSERVED),
    ),
    PAPER.entry(
        "1.5 leakier networks",
        "1.5",
        "These structures are harder to observe in non-leaky networks.",
        Finding.OPEN,
        "A matter of measurement. The study leaky-resnet-depths varies the depth from 1 on, and has no network without "
        "leakage.",
    ),
)
