"""Section 1.4: the cost of identity as a measure of dimension, Proposition 1; and Figure 1."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from theory.core import Check, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import chosen, is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import nets
from theory.papers.jacot2024.nets import Array, Case, states, witnessed
from theory.papers.jacot2024.symbols import letters

best = letters("best")


def case(A: Array, bias: bool) -> Case:
    """Letters of a representation."""
    values = nets.singular_values(A)
    return {**nets.letters(A, 0 * A, 1.0, bias), "A_plus": np.linalg.pinv(A), "s_i": values}


def alone() -> Case:
    """One neuron and one sample with bias, A = 1/2."""
    return case(np.array([[0.5]]), True)


@cache
def representations() -> tuple[Case, ...]:
    """Random ones inside the image of K, with bias and without; multiples of projections reach the bounds."""
    reach = [size * matrix for size in (0.1, 3.0) for matrix in (np.eye(3), np.eye(4)[:2], np.ones((2, 2)) / 2)]
    random = [np.random.default_rng(seed).normal(size=(width, 1 + seed % 4)) for seed in range(16) for width in (3, 9)]
    drawn = [case(A, bias) for A in (*reach, *random, np.array([[0.5]])) for bias in (False, True)]
    return tuple(found for found in drawn if nets.residual(found["A"], found["S"]) == 0)


@cache
def nonnegative() -> tuple[Case, ...]:
    """Non-negative ones, with and without a constant row in their row space."""
    draw = np.random.default_rng(4)
    drawn = (draw.uniform(size=(4, 3)), np.ones((1, 3)), draw.uniform(size=(5, 2)) @ draw.uniform(size=(2, 4)))
    return tuple(case(A, bias) for A in drawn for bias in (False, True))


@cache
def equal_singular_values() -> tuple[Case, ...]:
    """Multiples of projections and isometries."""
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 3)))[0]
    return tuple(case(size * M, False) for size in (0.1, 3.0) for M in (turn, turn @ turn.T, np.eye(2)))


def is_the_minimiser(formula: Any) -> tuple[Check, ...]:
    """The printed B has the norm of A, and no other matrix of that norm and row space has a smaller cost."""
    A = np.random.default_rng(2).normal(size=(3, 4))
    B, scale = evaluate(solved(formula, best), {**nets.MARKS, "A": A}), np.linalg.norm(A)
    draws = [np.random.default_rng(seed).normal(size=(3, 3)) @ A for seed in range(20)]
    others = [C * scale / np.linalg.norm(C) for C in (*draws, *(B + 0.01 * draw for draw in draws))]

    def is_cheaper(C: Array) -> bool:
        return nets.residual(A, C) == 0 and nets.cost(A, B) <= nets.cost(A, C) * (1 + nets.ZERO)

    return (
        Check("its norm", lambda: is_close(np.linalg.norm(B), scale), "numbers"),
        Check("its cost", lambda: for_all(others, is_cheaper), "least squares"),
    )


def jumps(function: Any, at: Array) -> bool:
    """Whether a function varies near a matrix."""
    around = [at + 1e-6 * np.random.default_rng(seed).uniform(size=(3, 3)) for seed in range(5)]
    return bool(np.ptp([function(M) for M in (at, *around)]) > 1e-3)


def is_continuous(claim: Any) -> tuple[Check, ...]:
    """The ratio, and the cost of identity, near a matrix of lower rank and at the exception."""
    lower = np.diag([1.0, 0.5, 0.0])

    def ratio(M: Array) -> float:
        values = nets.singular_values(M)
        return float(values.sum() ** 2 / (values**2).sum())

    def cost(M: Array) -> float:
        return nets.cost(M, nets.activation(M, False))

    cost_jumps = chosen(claim, "cost", {"unstable": True, "stable": False})
    ratio_jumps = chosen(claim, "ratio", {"continuous": False, "discontinuous": True})
    exception = float(claim["zero"]) * lower + 1e-7 * np.eye(3)
    return (
        Check("cost", lambda: jumps(cost, lower) is cost_jumps, "least squares"),
        Check("ratio", lambda: jumps(ratio, lower) is ratio_jumps, "singular values"),
        Check("at the exception", lambda: jumps(ratio, exception), "singular values"),
    )


@cache
def rank_of_a_composition(dimensions: tuple[int, ...]) -> int:
    """Largest rank of the Jacobian of a composition of random networks between these dimensions, at random points."""
    draw = np.random.default_rng(1)
    layers = [(draw.normal(size=(100, n + 1)), draw.normal(size=(m, 101)) / 10) for n, m in pairwise(dimensions)]

    def teacher(x: Array) -> Array:
        for first, second in layers:
            x = second @ nets.activation(first @ np.vstack([x, [[1.0]]]), True)
        return x

    ranks = []
    for _ in range(3):
        at, size = 1 + np.abs(draw.normal(size=(dimensions[0], 1))), 1e-6
        steps = [size * step[:, None] for step in np.eye(dimensions[0])]
        slope = np.hstack([(teacher(at + step) - teacher(at - step)) / (2 * size) for step in steps])
        ranks.append(int(np.linalg.matrix_rank(slope, tol=1e-6 * float(np.linalg.norm(slope)))))
    return max(ranks)


def has_the_rank(claim: Any, dimensions: tuple[int, ...]) -> tuple[Check, ...]:
    """The rank of the derivative is the printed one, and so is the smallest inner dimension, an upper bound."""
    return (
        Check("rank of its derivative", lambda: bool(rank_of_a_composition(dimensions) == claim["k"]), "differences"),
        Check("smallest inner dimension", lambda: bool(min(dimensions) == claim["k"]), "an upper bound"),
    )


def with_cost(found: Case) -> Case:
    """A state with its cost of identity, by least squares."""
    return {**found, "coi": nets.cost(found["A"], found["S"])}


on_representations = numerically(representations, "singular values")

PROGRAMS: Programs = {
    "Proposition 1": Program(
        on_representations,
        lambda: nets.ridge(np.array([[0.5]]), np.array([[0.5], [1.0]]), 0.0) ** 2,
        value=lambda inequality: evaluate(inequality.rhs, alone()),
    ),
    "Proposition 1, norms": Program(
        on_representations, lambda: 1.25**0.5, value=lambda inequality: evaluate(inequality.rhs, alone())
    ),
    "Proposition 1, minimiser": is_the_minimiser,
    "1.4 rank": on_representations,
    "1.4 rank, equality": numerically(equal_singular_values, "singular values"),
    "1.4 spectral stable rank": on_representations,
    "1.4 sums": on_representations,
    "1.4 continuity": is_continuous,
    "1.4 non-negative": numerically(nonnegative, "pseudo-inverses", tolerance=1e-8),
    "Figure 1": lambda claim: has_the_rank(claim, (30, 3, 30)),
    "3 rank": lambda claim: has_the_rank(claim, (30, 6, int(claim["second"]), 30)),
    "Figure 1, cost of identity": witnessed(
        numerically(lambda: map(with_cost, states()), "least squares", tolerance=1e-8),
        lambda: with_cost(states()[0]),
        lambda: nets.ridge(states()[0]["A"], states()[0]["S"], 0.0) ** 2,
        tolerance=1e-7,
    ),
}
