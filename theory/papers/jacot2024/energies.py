"""Section 1.3, second half: cost of identity, potential and kinetic energy."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from theory import leaky_resnet
from theory.core import Check, Claim, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.symbols import A, S, norm_K


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


PROGRAMS: Programs = {
    "1.3 cost of identity": Program(
        numerically(returning_weights, "least squares", tolerance=1e-8),
        lambda: nets.ridge(returning_weights()[0]["A"], returning_weights()[0]["S"], 0.0) ** 2,
        value=lambda equation: evaluate(equation.rhs * norm_K(A, S) ** 2 / equation.lhs, returning_weights()[0]),
        tolerance=1e-7,
    ),
    "1.3 rank": numerically(nonnegative_states, "package", tolerance=1e-8),
    "1.3 slow directions": costs_of_motion,
    "1.3 zero representation": cheapest,
    "1.3 remark": are_infinite,
    "1.3 bounded inverse": is_bounded,
}
