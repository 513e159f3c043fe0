"""Section 1.5: momenta, Hamilton's equations, conservation."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory import leaky_resnet
from theory.core import Check, Finding, Reading, Step
from theory.leaky_resnet import canonical as c
from theory.leaky_resnet.symbols import depth
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.paper import entry

CONSERVED = 1e-10  # of the larger of both terms of the Hamiltonian, over kinks
KINKS = 2e-3  # what 2000 Runge-Kutta steps that do not stop at kinks are good for

strength = sp.Symbol("lambda", positive=True)
target, output = c.matrix("f"), c.matrix("o")
samples = 2
mean_cost, half_cost = c.squared(target - output) / samples, c.squared(target - output) / 2


def _momentum(cost: sp.Expr) -> sp.Matrix:
    return -output.applyfunc(lambda x: sp.Derivative(cost, x)) / strength


def _terminal() -> Reading:
    """The cost of Section 1.1 with three samples, lambda = 1/2, differentiated numerically."""
    goal, made = np.array([[1.0, -0.5, 2.0]]), np.array([[0.2, 0.3, 1.0]])
    slope = nets.difference(lambda x: float(((goal - x) ** 2).sum() / 3), made)
    return Reading((goal - made) / 0.5, 2 * (goal - made) / (0.5 * 3), -slope / 0.5, tolerance=1e-7)


def _critical_layers() -> bool:
    """Three layers of steps 1/3: the gradient of the whole cost vanishes where the weights are those of the momenta."""
    A0, target_ = np.random.default_rng(2).normal(size=(2, 3)), np.random.default_rng(3).normal(size=(2, 3))
    effective, lam, rho = 1.5, 0.2, 1 / 3

    def run(W: np.ndarray) -> list[np.ndarray]:
        found = [A0]
        for layer in W:
            found.append((1 - rho * effective) * found[-1] + rho * layer @ nets.activation(found[-1], True))
        return found

    def cost(W: np.ndarray) -> float:
        return float(((target_ - run(W)[-1]) ** 2).sum() / 3 + lam / (2 * effective) * rho * (W**2).sum())

    W = 0.5 * np.random.default_rng(4).normal(size=(3, 2, 3))
    A = run(W)
    B = 2 * (target_ - A[-1]) / (3 * lam)
    gradient = np.empty_like(W)
    for index in (2, 1, 0):
        features = nets.activation(A[index], True)
        gradient[index] = rho * (lam / effective * W[index] - lam * B @ features.T)
        B = (1 - rho * effective) * B + rho * (A[index] > 0) * (W[index].T @ B)[:2]
    return bool(np.abs(gradient - nets.difference(cost, W)).max() < 1e-7)


def _kept_over_kinks() -> bool:
    """Integrated with the package and with plain Runge-Kutta steps; neurons switch on the way."""
    for seed in (1, 2, 5):
        A, B = nets.random_state(seed, width=4, samples=5)
        path = leaky_resnet.flow(A, B, 2.0, np.linspace(0, 1, 21))
        switched = (np.diff(path[:, 0] > 0, axis=0)).any()
        energies = [nets.energy(a, b, 2.0, bias=True) for a, b in path]
        size = 2.0 * max(float((b * a).sum()) for a, b in np.abs(path))
        rough, _ = nets.joint_path(A, B, 2.0, bias=True)
        if not switched or np.ptp(energies) > CONSERVED * size or np.abs(rough[-1] - path[-1, 0]).max() > KINKS:
            return False
    return True


EQUATIONS = (
    entry(
        "1.5 terminal momentum",
        "1.5",
        "B is -1/lambda times the gradient of the cost, half the squared error; at the output 2/(lambda N) times it.",
        Finding.MISPRINT,
        "The two halves of the sentence have different costs. 2/(lambda N) belongs to the cost of Section 1.1, the "
        "mean over samples; half the squared error would give 1/lambda.",
        printed=r"B_p = -\frac{1}{\lambda} \partial_{A_p} C(A_1), \quad C(A) = \tfrac12 \|f^*(X) - A\|_F^2, \quad B_1 "
        r"= \frac{2}{\lambda N} (f^*(X) - A_1)",
        corrected=r"C(A) = \tfrac{1}{N} \|f^*(X) - A\|_F^2",
        steps=(
            Step(
                "mean over two samples",
                _momentum(mean_cost),
                2 / (strength * samples) * (target - output),
                because="differentiation",
            ),
            Check("the gradient of three layers with it", _critical_layers, "central differences"),
        ),
        printed_steps=(
            Step(
                "half the squared error, for any number of samples",
                _momentum(half_cost),
                2 / (strength * sp.Symbol("N", positive=True, integer=True)) * (target - output),
            ),
        ),
        witness={"N": 3, "lambda": 0.5},
        oracle=_terminal,
        consequence="Momenta taken from half the squared error are N/2 times too large and do not give the weights. "
        "With torch's mean over outputs, too, the factor is 2/(lambda N d_out).",
    ),
    entry(
        "1.5 backward pass",
        "1.5",
        "The equation of the momenta.",
        Finding.CONFIRMED,
        "With critical weights it is Hamilton's second equation; the row of W'B that belongs to the row of ones is "
        "dropped, for its derivative is zero.",
        printed=r"-\partial_p B_p = \dot\sigma(A_p) \odot [W_p^\top B_p] - \tilde{L} B_p",
        steps=(c.BACKWARD,),
    ),
    entry(
        "1.5 critical weights",
        "1.5",
        "At a critical point the weights are depth times B sigma(A)'.",
        Finding.CONFIRMED,
        "Gradient of cost and regulariser; checked on a net of three layers. (After the first equality B has the sign "
        "of its definition.)",
        printed=r"W_p = -\frac{\tilde{L}}{\lambda} \partial_{A_p} C(A_1) \sigma(A_p)^\top = \tilde{L} B_p "
        r"\sigma(A_p)^\top",
        steps=(
            Step(
                "gradient of the regulariser and of the pull of B",
                c.matrix("w", 2, 3).applyfunc(
                    lambda x: sp.Derivative(
                        strength / (2 * depth) * c.squared(c.matrix("w", 2, 3))
                        - strength * c.inner(c.B, c.matrix("w", 2, 3) * c.features),
                        x,
                    )
                ),
                strength / depth * (c.matrix("w", 2, 3) - c.weights),
                because="it vanishes at these weights only",
            ),
            Check("the gradient of three layers", _critical_layers, "central differences"),
        ),
    ),
    entry(
        "1.5 joint dynamics",
        "1.5",
        "The equations of A and B.",
        Finding.CONFIRMED,
        "Differentiation with explicit matrices and any slopes of the activation.",
        printed=r"\partial_p A_p = \tilde{L} (B_p \sigma(A_p)^\top \sigma(A_p) - A_p), \quad -\partial_p B_p = "
        r"\tilde{L} (\dot\sigma(A_p) \odot [\sigma(A_p) B_p^\top B_p] - B_p)",
        steps=c.HAMILTON,
    ),
    entry(
        "1.5 Hamiltonian",
        "1.5",
        "They are Hamilton's equations of a Hamiltonian.",
        Finding.CONFIRMED,
        "And it is the Legendre transform of the Lagrangian of Section 1.3.",
        printed=r"\mathcal{H}(A_p, B_p) = \frac{\tilde{L}}{2} \|B_p \sigma(A_p)^\top\|^2 - \tilde{L} "
        r"\operatorname{Tr}[B_p A_p^\top]",
        steps=(*c.HAMILTON, *c.LEGENDRE),
    ),
    entry(
        "1.5 conservation",
        "1.5",
        "The Hamiltonian is constant in p.",
        Finding.CONFIRMED,
        "Also across kinks of the ReLU: A, B and H are continuous there, and so is the velocity of A, so nothing "
        "slides along a kink. Integrated trajectories keep it to 1e-10.",
        steps=(*c.CONSERVED, *c.ACROSS, Check("trajectories with kinks", _kept_over_kinks, "integration")),
    ),
)
