"""Section 1.3, second half: cost of identity, potential and kinetic energy."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory import leaky_resnet
from theory.core import Check, Claim, Finding, Witness, Word, equal, numerically
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import A, S, W, norm_F, norm_K, rank


@cache
def returning_weights() -> tuple[dict[str, Any], ...]:
    """The smallest weights that give a representation back, by least squares; the norm by a pseudo-inverse."""
    cases = []
    for seed, bias in enumerate((True, False)):
        A_, _ = nets.random_state(seed, width=9, samples=3)
        features = nets.activation(A_, bias)
        cases.append({**nets.FUNCTIONS, "A": A_, "S": features, "W": nets.weights_of(A_, features),
                      "norm_K": lambda M, f: float(np.linalg.norm(M @ np.linalg.pinv(f)))})  # fmt: skip
    return tuple(cases)


def nonnegative_states() -> Iterator[dict[str, Any]]:
    """Non-negative representations of several ranks without bias, and a Hilbert matrix."""
    draw = np.random.default_rng(5)
    products = [draw.uniform(size=(5, size)) @ draw.uniform(size=(size, 6)) for size in (1, 2, 3)]
    for A_ in (*products, 1 / (np.arange(6)[:, None] + np.arange(6) + 1.0)):
        yield {"A": A_, "S": nets.activation(A_, False), **nets.FUNCTIONS,
               "norm_K": lambda M, f: float(leaky_resnet.cost_of_identity(M, bias=False)) ** 0.5}  # fmt: skip


def costs_of_motion(claim: Claim) -> tuple[Check, ...]:
    """The norm of unit velocities along the singular vectors of the activations."""
    features = nets.activation(nets.random_state(0, width=9, samples=3)[0], True)
    _, sizes, directions = np.linalg.svd(features)

    def agrees() -> bool:
        norms = [nets.FUNCTIONS["norm_K"](direction[None], features) for direction in directions]
        rises = bool((np.diff(norms) > 0).all() and (np.diff(sizes) < 0).all())
        return rises is (claim["size"] == "small")

    return (Check("unit velocities", agrees, "least squares"),)


def cheapest(claim: Claim) -> tuple[Check, ...]:
    """The cost of identity with bias at and near a representation, and its kernel at zero."""
    zero = float(claim["zero"]) * np.ones((2, 3))
    features = nets.activation(zero, True)
    kernel = features.T @ features

    def costs_least() -> bool:
        others = [zero + 0.1 * np.random.default_rng(seed).normal(size=zero.shape) for seed in range(20)]
        cost = float(np.linalg.norm(nets.weights_of(zero, features)) ** 2)
        return bool(all(np.linalg.norm(nets.weights_of(o, nets.activation(o, True))) ** 2 > cost for o in others))

    def is_rank_one() -> bool:
        return bool(np.linalg.matrix_rank(kernel) == claim["rank"] and np.array_equal(kernel, np.ones((3, 3))))

    def stays_constant() -> bool:
        draw = np.random.default_rng(9)
        constant, rising = draw.normal(size=(2, 2, 3))
        end = nets.flow(zero, nets.leaky(lambda p: constant + p * rising, 1.3, True), 0.0, 1.0)
        moved, is_constant = np.abs(end).max() > 0.1, np.ptp(end, axis=1).max() < 1e-12
        return bool(moved and is_constant) is (claim["constant"] == "constant")

    return (
        Check("cost near it", costs_least, "least squares"),
        Check("K there", is_rank_one, "matrix product"),
        Check("what follows", stays_constant, "integrated path"),
    )


def are_infinite(claim: Claim) -> tuple[Check, ...]:
    """A dead neuron: sigma(A) = 0, the velocity is -depth A, and no weights are needed."""

    def agrees() -> bool:
        A_ = np.array([[-1.0, -2.0]])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", leaky_resnet.IllConditionedWarning)
            apart = [leaky_resnet.squared_norm(X, A_, bias=False) for X in (A_, -3.0 * A_)]
            together = leaky_resnet.squared_norm(3.0 * A_ - 3.0 * A_, A_, bias=False)
        infinite = claim["terms"] == "infinite" and claim["sum"] == "finite"
        return bool(np.isinf(apart).all() and np.isfinite(together)) is infinite

    return (Check("a dead neuron that only leaks", agrees, "package"),)


def is_bounded(claim: Claim) -> tuple[Check, ...]:
    """Inverses of K and of K + gamma, for activations that approach a matrix of lower rank."""

    def agrees() -> bool:
        sizes = []
        for small in (1e-1, 1e-2, 1e-3):
            features = np.diag([1.0, small])
            kernel = features.T @ features
            sizes.append([np.linalg.norm(np.linalg.inv(kernel + shift * np.eye(2)), 2) for shift in (0.0, 0.2)])
        plain, shifted = np.array(sizes).T
        return bool(plain[-1] > 1e3 * plain[0] and shifted.max() < 1 / 0.2) is (claim["bounded"] == "bounded")

    return (Check("a vanishing singular value", agrees, "inverses"),)


EQUATIONS = (
    PAPER.entry(
        "1.3 potential energy",
        "1.3",
        "The cost of identity, and the potential energy, which is minus depth/2 times it.",
        Finding.DEFINITION,
        "It introduces both. The sign makes the Hamiltonian the sum of both energies.",
        printed=r"\|A_p\|^2_{K_p}, \quad -\frac{\tilde{L}}{2} \|A_p\|^2_{K_p}",
    ),
    PAPER.entry(
        "1.3 cost of identity",
        "1.3",
        "It is the Frobenius norm of the smallest weights with W sigma(A) = A.",
        Finding.MISPRINT,
        "It is the square of that norm, as the formulas around the sentence have it.",
        printed=equal(norm_K(A, S) ** 2, norm_F(W)),
        corrected=equal(norm_K(A, S) ** 2, norm_F(W) ** 2),
        prove=numerically(returning_weights, "least squares", tolerance=1e-8),
        witness=Witness(
            {"state": "nine neurons, three samples, with bias"},
            lambda: nets.ridge(returning_weights()[0]["A"], returning_weights()[0]["S"], 0.0) ** 2,
            value=lambda equation: evaluate(equation.rhs * norm_K(A, S) ** 2 / equation.lhs, returning_weights()[0]),
            tolerance=1e-7,
        ),
        consequence="The square is what equals the rank.",
    ),
    PAPER.entry(
        "1.3 rank",
        "1.3",
        "Without bias, the cost of identity of a non-negative representation is its rank.",
        Finding.CONFIRMED,
        "Random representations of several ranks and a Hilbert matrix. With bias the same holds if the constant vector "
        "is not in the row space; if it is, the cost is rank - tau/(1 + tau), not an integer.",
        printed=equal(norm_K(A, S) ** 2, rank(A)),
        closed_form="leaky_resnet.nonnegative_cost",
        prove=numerically(nonnegative_states, "package", tolerance=1e-8),
    ),
    PAPER.entry(
        "1.3 kinetic energy",
        "1.3",
        "The squared velocity under the norm of K, over twice the depth.",
        Finding.DEFINITION,
        "It introduces the kinetic energy.",
        printed=r"\frac{1}{2\tilde{L}} \|\partial_p A_p\|^2_{K_p}",
    ),
    PAPER.entry(
        "1.3 slow directions",
        "1.3",
        "",
        Finding.CONFIRMED,
        "Unit velocities along each right singular vector of sigma(A).",
        printed=Claim(
            "The kinetic energy favours paths that do not move too fast, especially along directions where sigma(A) is "
            "{size}.",
            {"size": Word("small", ("large",))},
        ),
        prove=costs_of_motion,
    ),
    PAPER.entry(
        "1.3 balance",
        "1.3",
        "As the depth grows it becomes optimal to move rapidly to low-dimensional representations, to remain there for "
        "most layers, and to move rapidly to the outputs.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-depths. What Section 2 says of it in formulas has entries of "
        "its own.",
    ),
    PAPER.entry(
        "1.3 smallest dimension",
        "1.3",
        "The representations in the middle have the smallest dimension from which the outputs can be reached.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-depths, at larger depths than its own, at which most networks "
        "keep a direction for the mean, too: leaky_resnet.depth_of_mean.",
    ),
    PAPER.entry(
        "1.3 zero representation",
        "1.3",
        "",
        Finding.CONFIRMED,
        "Costs near zero by least squares with bias, K by a matrix product, and an integrated path from zero. Where "
        "both samples agree they move alike, whatever the weights.",
        printed=Claim(
            "The representation of minimal cost of identity is A = {zero}; its K = 11' has rank {rank}, and afterwards "
            "the network can only learn {constant} representations.",
            {"zero": sp.S.Zero, "rank": sp.S.One, "constant": Word("constant", ("varying",))},
        ),
        prove=cheapest,
    ),
    PAPER.entry(
        "1.3 remark",
        "1.3",
        "",
        Finding.CONFIRMED,
        "A dead neuron that only leaks.",
        printed=Claim(
            "All terms can be {terms} and cancel each other to yield a {sum} sum.",
            {"terms": Word("infinite", ("finite",)), "sum": Word("finite", ("infinite",))},
        ),
        prove=are_infinite,
    ),
    PAPER.entry(
        "1.3 bounded inverse",
        "1.3",
        "",
        Finding.CONFIRMED,
        "Activations with a singular value that vanishes: the inverse of K grows beyond all bounds, that of K + gamma "
        "stays below 1/gamma.",
        printed=Claim(
            "The pseudo-inverse of K is replaced by the {bounded} inverse of K + gamma.",
            {"bounded": Word("bounded", ("unbounded",))},
        ),
        prove=is_bounded,
    ),
)
