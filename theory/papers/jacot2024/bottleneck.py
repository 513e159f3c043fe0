"""Section 2.1: jumps, the bottleneck rank and the stable Hamiltonian, after Theorem 4."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory import leaky_resnet
from theory.core import Approximates, Check, Claim, Finding, Scales, Witness, Word, equal
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import deep_limits as deep
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.lemmas import with_lemmas
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.slow_layers import SHORT_PATHS, lim
from theory.papers.jacot2024.states import letters
from theory.papers.jacot2024.symbols import H, L, beta, gamma

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


EQUATIONS = (
    PAPER.entry(
        "2.1 countable jumps",
        "2.1",
        "Only a countable number of short jumps through representations of high cost.",
        Finding.OPEN,
        "Along a subsequence it follows from Helly's theorem if A is bounded and the length is bounded for all depths: "
        "paths of bounded variation have a limit whose jumps are countable. That the whole sequence has a limit, and "
        "that layers of high cost are jumps of it, is not shown.",
    ),
    PAPER.entry(
        "2.1 jumps at the ends",
        "2.1",
        "Jumps typically appear at the beginning and at the end of the network.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-depths has the speed at each layer.",
    ),
    PAPER.entry(
        "2.1 no jump in the middle",
        "2.1",
        "A jump in the middle of the network was never observed.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-depths has the speed at each layer.",
    ),
    PAPER.entry(
        "Proposition 5",
        "2.1",
        "Where the velocity stays bounded as the depth grows, the limit of local minima is non-negative.",
        Finding.OPEN,
        "The construction in its proof is right to the order in which it is used, without bias and with the "
        "corrections of the entries of Appendix A.2; that the end of the path can be kept at less than the gain is "
        "not shown. It "
        "adds a neuron: the sentence before the proposition assumes minima that are stable under that, the proposition "
        "itself does not.",
    ),
    PAPER.entry(
        "2.1 integer",
        "2.1",
        "The smallest stable cost is close to the dimension of the limit, an integer.",
        Finding.CONDITIONAL,
        "Each singular value s of a non-negative limit counts s^2/(s^2 + gamma), and a constant row less than one "
        "where there is a bias.",
        printed=Approximates(smallest, k),
        condition=sp.And(equal(lim(gamma / s_min**2), 0), equal(beta, 0)),
        prove=deep.in_the_limit(stable_costs, "ridge regression"),
        witness=Witness(
            {"A": "diag(1, 1/1000)", "gamma": "1e-6", "number": "stable cost"},
            lambda: 1 / (1 + 1e-6) + 0.5,
            value=lambda relation: evaluate(relation.rhs, stable_costs()[1]),
        ),
        consequence="A measured minimum between integers may be a singular value near the root of gamma or, with bias, "
        "a constant direction: rank - tau/(1 + tau).",
        heirs=("2.1 bottleneck rank",),
    ),
    PAPER.entry(
        "2.1 bottleneck rank",
        "2.1",
        "The Hamiltonian is close to -depth k*/2.",
        Finding.CONDITIONAL,
        "Geodesics of linear nets with one and two modes: with fixed ends -2H/depth approaches k* from below, as the "
        "square of the inverse depth; at a ratio of exp(depth/2) of the ends it stays at 3/4.",
        printed=Approximates(H, -L / 2 * k),
        condition=SHORT_PATHS,
        prove=deep.in_the_limit(deep.geodesics, "closed form of the geodesic"),
        witness=Witness(
            {"end/start": "exp(depth/2)", "depth": "1e6", "number": "H/depth"},
            lambda: -0.375,
            value=lambda relation: evaluate(relation.rhs / L, deep.geodesics()[2]),
        ),
        consequence="-2H/depth estimates the rank only where the length of the path is small against the depth.",
    ),
    PAPER.entry(
        "2.1 stable Hamiltonian",
        "2.1",
        "Kinetic plus potential energy with K + gamma in place of K.",
        Finding.DEFINITION,
        "It introduces the stable Hamiltonian.",
        printed=r"\mathcal{H}_\gamma = \frac{1}{2\tilde{L}} \|\partial_p A_p\|^2_{(K_p + \gamma I)} - "
        r"\frac{\tilde{L}}{2} \|A_p\|^2_{(K_p + \gamma I)}",
    ),
    PAPER.entry(
        "2.1 not constant",
        "2.1",
        "",
        Finding.CONFIRMED,
        "A trajectory on which the Hamiltonian is constant and the stable one varies. How much it varies in trained "
        "networks is a matter of measurement: the study leaky-resnet-bottleneck.",
        printed=Claim(
            "The stable Hamiltonian is {constant}.", {"constant": Word("not exactly constant", ("exactly constant",))}
        ),
        prove=with_lemmas(varies, canonical.STABLE),
    ),
    PAPER.entry(
        "2.1 kinetic energy",
        "2.1",
        "The kinetic energy is proportional to the extra cost, which Section 2.1 defines as a root.",
        Finding.MISPRINT,
        "Three states at one depth. The speed is proportional to that root, the kinetic energy to its square.",
        printed=Scales(kinetic, extra_root),
        corrected=Scales(kinetic, extra_root**2),
        prove=is_proportional,
        witness=Witness(
            {"states": "two, nine neurons, three samples", "depth": 2, "number": "ratio of the kinetic energies"},
            lambda: moving_states()[1]["kinetic"] / moving_states()[0]["kinetic"],
            value=lambda relation: (
                evaluate(relation.rhs / relation.lhs * kinetic, moving_states()[1])
                / evaluate(relation.rhs / relation.lhs * kinetic, moving_states()[0])
            ),
        ),
        consequence="In a figure one of them has to be squared: twice the kinetic energy over the depth is the squared "
        "root, the cost of identity less -2H/depth.",
    ),
    PAPER.entry(
        "2.1 from below",
        "2.1",
        "The Hamiltonian, as -2H/depth, approaches k* from below.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-depths. For linear nets with fixed ends it holds, see "
        "'2.1 bottleneck rank'.",
    ),
    PAPER.entry(
        "2.1 from above",
        "2.1",
        "The smallest cost of identity approaches k* from above.",
        Finding.OPEN,
        "A matter of measurement, if the gamma of the figure were known: a stable cost of a non-negative "
        "representation is below its rank, by an amount that gamma decides. The study leaky-resnet-depths has one.",
    ),
    PAPER.entry(
        "2.1 high-dimensional ends",
        "2.1",
        "Kinetic energy and extra cost are large towards both ends, where the weights have more dimensions.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-bottleneck.",
    ),
    PAPER.entry(
        "2.1 varies less",
        "2.1",
        "The measured Hamiltonian varies much less than its components, the kinetic and the potential energy.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-bottleneck compares their spread along p.",
    ),
    PAPER.entry(
        "2.1 ranks vary",
        "2.1",
        "The number of dimensions inside the bottleneck can vary by one or two between minima.",
        Finding.OPEN,
        "A matter of measurement of several networks that are trained on the same data. Those of the study "
        "leaky-resnet-ranks differ in their teachers, too.",
    ),
)
