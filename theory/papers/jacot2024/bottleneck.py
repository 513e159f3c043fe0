"""Section 2.1: jumps, the bottleneck rank and the stable Hamiltonian, after Theorem 4."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory import leaky_resnet
from theory.core import Check, Claim, Scales
from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import deep_limits as deep
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.lemmas import with_lemmas
from theory.papers.jacot2024.states import letters
from theory.papers.jacot2024.symbols import L

smallest, k, s_min, kinetic, extra_root = sp.symbols("smallest k s_min kinetic extra_root", positive=True)


@cache
def stable_costs() -> tuple[dict[str, Any], ...]:
    """Limits of representations: large singular values, one of the size of the root of gamma, a constant with bias."""
    shapes = ((np.diag([1.0, 2.0]), 0.0), (np.diag([1.0, 1e-3]), 0.0), (np.ones((1, 3)), 1.0), (np.eye(3), 0.0))
    cases = []
    for A, bias in shapes:
        features = nets.activation(A, bool(bias))
        cases.append({
            "smallest": nets.ridge(A, features, 1e-6) ** 2, "k": float(np.linalg.matrix_rank(A)), "beta": bias,
            "gamma": 1e-6, "s_min": float(nets.singular_values(A)[-1]), "lim": lambda x: x,
        })  # fmt: skip
    return tuple(cases)


@cache
def moving_states() -> tuple[dict[str, Any], ...]:
    """Kinetic energies and roots of extra costs at one depth."""
    cases = []
    for seed in range(3):
        values = letters(*nets.random_state(seed, width=9, samples=3, size=0.2 + seed), 2.0, True)
        extra = values["norm_K"](values["A"], values["S"]) ** 2 + values["H"]
        cases.append({"kinetic": values["norm_K"](values["A_dot"], values["S"]) ** 2 / 4, "extra_root": extra**0.5})
    return tuple(cases)


def is_proportional(relation: Scales) -> tuple[Check, ...]:
    """The ratio of both sides at three states."""

    def agrees() -> bool:
        ratios = [evaluate(relation.lhs / relation.rhs, case) for case in moving_states()]
        return bool(np.ptp(ratios) < 1e-8 * abs(ratios[0]))

    return (Check("three states at one depth", agrees, "least squares"),)


def varies(claim: Claim) -> tuple[Check, ...]:
    """The Hamiltonian and the stable one along an integrated trajectory."""

    def agrees() -> bool:
        A, B = nets.random_state(1, width=6, samples=4)
        path = leaky_resnet.flow(A, B, 2.0, np.linspace(0, 1, 11))
        stable = []
        for a, b in path:
            velocity, features = nets.joint_rates(a, b, 2.0, True)[0], nets.activation(a, True)
            stable.append(nets.ridge(velocity, features, 0.1) ** 2 / 4 - nets.ridge(a, features, 0.1) ** 2)
        return bool(np.ptp(stable) > 1e-3) is (claim["constant"] == "not exactly constant")

    return (Check("a trajectory", agrees, "integration, ridge regression"),)


PROGRAMS: Programs = {
    "2.1 integer": Program(
        deep.in_the_limit(stable_costs, "ridge regression"),
        lambda: 1 / (1 + 1e-6) + 0.5,
        value=lambda relation: evaluate(relation.rhs, stable_costs()[1]),
    ),
    "2.1 bottleneck rank": Program(
        deep.in_the_limit(deep.geodesics, "closed form of the geodesic"),
        lambda: -0.375,
        value=lambda relation: evaluate(relation.rhs / L, deep.geodesics()[2]),
    ),
    "2.1 not constant": with_lemmas(varies, canonical.STABLE),
    "2.1 kinetic energy": Program(
        is_proportional,
        lambda: moving_states()[1]["kinetic"] / moving_states()[0]["kinetic"],
        value=lambda relation: (
            evaluate(relation.rhs / relation.lhs * kinetic, moving_states()[1])
            / evaluate(relation.rhs / relation.lhs * kinetic, moving_states()[0])
        ),
    ),
}
