"""Section 2.1: kinetic plus potential energy, the speed, and the choice of gamma."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Given, equal, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.lemmas import with_lemmas
from theory.papers.jacot2024.states import states, with_dead_neuron
from theory.papers.jacot2024.symbols import A, S, norm_op, residual

gamma_p, gamma_0, size, size_0 = sp.symbols("gamma_p gamma_0 size size_0", positive=True)
least_size = sp.Symbol("least_size", real=True)
K = sp.MatrixSymbol("K", *A.shape)
INSIDE = equal(residual, 0)  # the rows of A lie in the image of K
in_the_image = numerically(with_dead_neuron, "least squares", tolerance=1e-8)
is_the_sum = with_lemmas(in_the_image, canonical.ENERGIES)


def proportional(power: int) -> sp.Tuple:
    """The printed gammas, with a power of the operator norm of K."""
    first = gamma_0 * norm_op(S) ** 2
    return sp.Tuple(equal(gamma_p, first), equal(gamma_p, gamma_0 * norm_op(K) ** power))


@cache
def kernels() -> tuple[dict[str, Any], ...]:
    """Gamma from the largest eigenvalue of K."""
    cases = []
    for case in states():
        kernel = case["S"].T @ case["S"]
        cases.append({**case, "K": kernel, "gamma_0": 0.3, "gamma_p": 0.3 * float(np.linalg.eigvalsh(kernel)[-1])})
    return tuple(cases)


@cache
def sizes_of_weights() -> tuple[dict[str, Any], ...]:
    """Squared weights at both ends of integrated paths, with bias and without."""
    cases = []
    for bias in (False, True):
        path = nets.joint_path(*nets.random_state(3, size=0.5), 2.0, bias)
        ends = [float(np.linalg.norm(2.0 * b @ nets.activation(a, bias).T)) for a, b in zip(*path, strict=True)]
        cases.append({"size": ends[-1], "size_0": ends[0], "beta": float(bias)})
    return tuple(cases)


def small_mode(depth: float) -> float:
    """Velocity in the middle of a mode that grows as exp(depth (p - 1)/2); its gap is 1/2."""
    return float(depth / 2 * np.exp(-depth / 4))


def random_state_moves(depth: float) -> float:
    """Velocity of a fixed state with a fixed gap."""
    return float(np.linalg.norm(nets.joint_rates(*nets.random_state(0, width=9, samples=3), depth, True)[0]))


def grows(statement: Any) -> tuple[Check, ...]:
    """Velocities at a fixed gap, at depths 20, 80 and 320."""
    claim, condition = (
        (statement.statement, statement.condition) if isinstance(statement, Given) else (statement, sp.true)
    )
    families = [f for f, least in ((random_state_moves, 0.5), (small_mode, 0.0))
                if bool(evaluate(condition, {"least_size": least}))]  # fmt: skip

    def agrees(velocity: Any) -> bool:
        values = [velocity(depth) for depth in (20.0, 80.0, 320.0)]
        return bool(values[2] > 3 * values[1] > 9 * values[0]) is (claim["what"] == "blows up")

    return (Check("two families", lambda: for_all(families, agrees), "velocities"),)


PROGRAMS: Programs = {
    "2.1 energies": is_the_sum,
    "2.1 speed": in_the_image,
    "2.1 blow up": Program(grows, lambda: small_mode(160.0), value=lambda claim: 80.0),
    "2.1 gamma": Program(
        numerically(kernels, "eigenvalues"),
        lambda: kernels()[0]["gamma_p"],
        value=lambda pair: evaluate(pair[1].rhs * gamma_p / pair[1].lhs, kernels()[0]),
    ),
    "2.1 weights": Program(
        numerically(sizes_of_weights, "integration", tolerance=1e-3),
        lambda: sizes_of_weights()[1]["size"],
        value=lambda equation: evaluate(equation.rhs, sizes_of_weights()[1]),
        tolerance=1e-3,
    ),
}
