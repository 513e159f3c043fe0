"""Section 2.1: kinetic plus potential energy, the speed, and the choice of gamma."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Given, Witness, Word, equal, for_all, numerically
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.lemmas import with_lemmas
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.states import states, with_dead_neuron
from theory.papers.jacot2024.symbols import A, A_dot, H, L, S, beta, norm_K, norm_op, residual

gamma_p, gamma_0, size, size_0 = sp.symbols("gamma_p gamma_0 size size_0", positive=True)
least_size = sp.Symbol("least_size", real=True)
K = sp.MatrixSymbol("K", *A.shape)
INSIDE = equal(residual, 0)  # the rows of A lie in the image of K
SUM_OF_ENERGIES = sp.Implies(INSIDE, equal(H, norm_K(A_dot, S) ** 2 / (2 * L) - L / 2 * norm_K(A, S) ** 2))
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


EQUATIONS = (
    PAPER.entry(
        "2.1 energies",
        "2.1",
        "Where the rows of A lie in the image, the Hamiltonian is kinetic plus potential energy.",
        Finding.CONFIRMED,
        "For any symmetric K that has an inverse on that space, and in numbers for states inside the image; a dead "
        "neuron, which is outside, violates the equation.",
        printed=SUM_OF_ENERGIES,
        prove=is_the_sum,
    ),
    PAPER.entry(
        "2.1 speed",
        "2.1",
        "The speed is depth times the root of the cost beyond -2H/depth, under the same condition.",
        Finding.CONFIRMED,
        "The same, solved for the speed. So the cost is never below -2H/depth.",
        printed=sp.Implies(INSIDE, equal(norm_K(A_dot, S), L * sp.sqrt(norm_K(A, S) ** 2 + 2 / L * H))),
        prove=in_the_image,
    ),
    PAPER.entry(
        "2.1 blow up",
        "2.1",
        "",
        Finding.CONDITIONAL,
        "What blows up is the norm under K. A mode that shrinks as exp(depth (p - 1)/2) has a gap of 1/2 everywhere, "
        "and its derivative vanishes.",
        printed=Claim(
            "For large depth the derivative of A {what} for all p with a finite gap between the cost of identity and "
            "-2H/depth.",
            {"what": Word("blows up", ("stays finite",))},
        ),
        condition=sp.Gt(least_size, 0),
        prove=grows,
        witness=Witness(
            {"depth": 160, "p": "1/2", "gap": "1/2", "number": "derivative; printed: depth times gap"},
            lambda: small_mode(160.0),
            value=lambda claim: 80.0,
        ),
        consequence="Fast dynamics in the norm of K may be slow dynamics of representations that are small.",
    ),
    PAPER.entry(
        "2.1 image condition",
        "2.1",
        "Kinetic energy and cost of identity often appear to be infinite in practice.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-bottleneck has the distance of A from the image at each node. "
        "The weights map into it A and the velocity together, so that both energies are infinite at the same nodes.",
    ),
    PAPER.entry(
        "2.1 gamma",
        "2.1",
        "A gamma for each p, proportional to the squared operator norm of sigma(A), which is that of K.",
        Finding.MISPRINT,
        "The squared operator norm of sigma(A) is the operator norm of K, not its square: eigenvalues of K.",
        printed=proportional(2),
        corrected=proportional(1),
        prove=numerically(kernels, "eigenvalues"),
        witness=Witness(
            {"state": "nine neurons, three samples, with bias", "gamma_0": 0.3},
            lambda: kernels()[0]["gamma_p"],
            value=lambda pair: evaluate(pair[1].rhs * gamma_p / pair[1].lhs, kernels()[0]),
        ),
        consequence="With the square gamma would not scale as K does, which the next sentence asks for. Use the "
        "squared largest singular value of sigma(A).",
    ),
    PAPER.entry(
        "2.1 weights",
        "2.1",
        "The weights are of constant size along the path, thanks to balancedness.",
        Finding.CONDITIONAL,
        "Integrated paths. With bias the squared weights grow by twice the depth times the integrated squared bias.",
        printed=equal(size, size_0),
        condition=equal(beta, 0),
        prove=numerically(sizes_of_weights, "integration", tolerance=1e-3),
        witness=Witness(
            {"state": "three neurons, four samples, with bias", "depth": 2, "number": "size at p = 1"},
            lambda: sizes_of_weights()[1]["size"],
            value=lambda equation: evaluate(equation.rhs, sizes_of_weights()[1]),
            tolerance=1e-3,
        ),
        consequence="With bias the size of B times that of sigma(A) is not constant along p.",
    ),
    PAPER.entry(
        "2.1 momenta",
        "2.1",
        "The size of B is typically inversely proportional to that of sigma(A).",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-bottleneck has the momenta along p.",
    ),
    PAPER.entry(
        "2.1 gamma times momenta",
        "2.1",
        "With gamma_p proportional to the squared size of sigma(A), gamma_p |B|^2 keeps roughly the same size.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-bottleneck has the momenta along p.",
    ),
)
