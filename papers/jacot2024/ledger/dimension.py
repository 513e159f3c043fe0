"""Section 1.4: the cost of identity as a measure of dimension, Propositions 1 and 2."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from papers.jacot2024.ledger import nets
from papers.jacot2024.ledger.nets import Array, Case
from theory.core import (
    Check,
    Program,
    Programs,
    evaluate,
    for_all,
    letters_of,
    numerically,
    solved,
)
from theory.core.ledger.proving import (
    chosen,
    deciding,
    is_close,
    of_each_relation,
    stating,
    with_lemmas,
)

best = letters_of(__package__)("best")


def case(A: Array, bias: bool) -> Case:
    """Letters of a representation."""
    values = nets.singular_values(A)
    return {
        **nets.letters(A, 0 * A, 1.0, bias),
        "A_plus": np.linalg.pinv(A),
        "s_i": values[values > nets.ZERO],
    }


@cache
def representations() -> tuple[Case, ...]:
    """Random representations and multiples of projections, with bias and without."""
    reach = [
        size * matrix
        for size, matrix in product((0.1, 3.0), (np.eye(3), np.eye(4)[:2], np.ones((2, 2)) / 2))
    ]
    random = [
        np.random.default_rng(seed).normal(size=(width, 1 + seed % 4))
        for seed, width in product(range(16), (3, 9))
    ]
    return tuple(
        case(A, bias) for A, bias in product((np.array([[0.5]]), *reach, *random), (True, False))
    )


@cache
def nonnegative() -> tuple[Case, ...]:
    """Non-negative representations, with and without a constant row in their row space."""
    draw = np.random.default_rng(4)
    drawn = (
        draw.uniform(size=(4, 3)),
        np.ones((1, 3)),
        draw.uniform(size=(5, 2)) @ draw.uniform(size=(2, 4)),
    )
    return tuple(case(A, bias) for A, bias in product(drawn, (False, True)))


def is_the_minimiser(relation: Any) -> bool:
    """The printed B has the norm of A, and no other matrix of that norm and row space has a smaller cost."""
    A = np.random.default_rng(2).normal(size=(3, 4))
    B, scale = evaluate(solved(relation, best), {**nets.MARKS, "A": A}), np.linalg.norm(A)
    draws = [np.random.default_rng(seed).normal(size=(3, 3)) @ A for seed in range(20)]
    nearby = [B + 0.01 * draw for draw in draws]
    others = [C * scale / np.linalg.norm(C) for C in (*draws, *nearby)]

    def is_cheaper(C: Array) -> bool:
        return nets.residual(A, C) == 0 and nets.cost(A, B) <= nets.cost(A, C) * (1 + nets.ZERO)

    return is_close(np.linalg.norm(B), scale) and for_all(others, is_cheaper)


@cache
def trials() -> tuple[Case, ...]:
    """Matrices B of the size of A and smaller, with the rows of A in their row space and not, zero among them."""
    cases = []
    for seed in range(8):
        A, mix, other = np.random.default_rng(seed).normal(size=(3, 3, 3))
        A = A[:, : 2 + seed % 2]
        roots = [nets.matrix_root(A), mix @ A, other[:, : A.shape[1]]]
        outside = [np.outer(other[:, 0], A[0]), 0 * A]
        for B, share in product((*roots, *outside), (1.0, 0.8, 1.2)):
            size = (0.1, 1.0)[seed % 2]
            trial = size * share * np.linalg.norm(A) * B / max(np.linalg.norm(B), nets.ZERO)
            cases.append(
                {**nets.MARKS, "A": size * A, "trial": trial, "trial_plus": np.linalg.pinv(trial)}
            )
    return tuple(cases)


def jumps(function: Any, at: Array) -> bool:
    """Whether a function varies near a matrix."""
    around = [at + 1e-6 * np.random.default_rng(seed).uniform(size=(3, 3)) for seed in range(5)]
    return bool(np.ptp([function(M) for M in (at, *around)]) > 1e-3)


def is_continuous(claim: Any) -> bool:
    """The ratio, and the cost of identity, near a matrix of lower rank and at the exception."""
    lower, words = (
        np.diag([1.0, 0.5, 0.0]),
        {"unstable": True, "stable": False, "continuous": False},
    )

    def ratio(M: Array) -> float:
        return float(nets.singular_values(M).sum() / np.linalg.norm(M)) ** 2

    cost_jumps = jumps(lambda M: nets.cost(M, nets.activation(M, False)), lower)
    is_right = cost_jumps is chosen(claim, "cost", words) and jumps(ratio, lower) is chosen(
        claim, "ratio", words
    )
    return is_right and jumps(ratio, float(claim["zero"]) * lower + 1e-7 * np.eye(3))


def _wide(seed: int) -> tuple[Array, Array]:
    draw = np.random.default_rng(seed)
    return draw.normal(size=(8, 3)), 0.8 + draw.normal(size=3)


_ROWS = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
NEURONS = (_wide(0), _wide(1), (np.vstack([_ROWS, -0.5 * _ROWS[0]]), _ROWS[0] + 0.4 * _ROWS[1]))
"""Representations without bias, each with a new neuron in the row space of its activations."""
LEAVES = (_ROWS, _ROWS[0] - _ROWS[1])
"""A neuron in that space whose activation is not."""


def enlarged(size: float, A: Array, z: Array) -> Case:
    """Letters of a representation with a new neuron of the given size."""
    S, active = np.maximum(A, 0), np.maximum(z, 0)
    return {
        **nets.MARKS, "A": A, "S": S, "S_plus": np.linalg.pinv(S), "epsilon": size, "z": z[:, None],
        "sigma_row": active[:, None], "A_eps": np.vstack([A, size * z]),
        "S_eps_plus": np.linalg.pinv(np.vstack([S, size * active]), rcond=1e-10),
        "trace_plus": lambda X, Y: float(np.trace(X @ np.linalg.pinv(Y, rcond=1e-12, hermitian=True))),
    }  # fmt: skip


def with_neurons() -> Iterator[Case]:
    """Those of the larger matrices."""
    return (enlarged(0.3, *neuron) for neuron in (*NEURONS, LEAVES))


def plain_cost(A: Array, bias: bool) -> float:
    """The squared norm of A times the pseudo-inverse of its activation."""
    return float(np.linalg.norm(A @ np.linalg.pinv(nets.activation(A, bias), rcond=1e-10)) ** 2)


def has_the_order(claim: Any, case: Case) -> bool:
    """What the terms leave of the cost of the larger matrices falls with the printed power of the size."""
    sizes = (0.02, 0.01)
    rest = [
        plain_cost(np.vstack([case["A"], e * case["z"].T]), False)
        - evaluate(claim["terms"], {**case, "epsilon": e})
        for e in sizes
    ]
    return bool(abs(np.log2(abs(rest[0] / rest[1])) - float(claim["order"])) < 0.05)


def directions() -> Iterator[Case]:
    """Activations have no negative entry, and so neither have their products."""
    for A, _ in NEURONS[:2]:
        for active in np.maximum(A, 0).T:
            row = np.maximum(A, 0).T @ active[:, None]
            yield {"z": row, "sigma_row": np.maximum(row, 0)}


@cache
def samples() -> tuple[Case, ...]:
    """Samples whose negative entries are below, at and above the bias, for small and large neurons."""
    columns = (
        (0.5, -0.1),
        (1.5, -0.29),
        (1.5, -0.31),
        (0.3, -1.2),
        (2.0, -2.1),
        (2.0, -1.9),
        (0.5, -1.0),
    )
    cases = []
    for bias, column, size in product((1.0, 0.0, 0.3, 2.0), columns, (1.0, 0.3, 3.0)):
        x = np.array(column)[:, None]
        active = np.vstack([np.maximum(x, 0), [[bias]]])
        cases.append(
            {**nets.MARKS, "sample": x, "epsilon": size, "beta": bias, "sample_active": active}
        )
    return tuple(cases)


@cache
def candidates() -> tuple[Case, ...]:
    """Representations of finite cost, and whether A scaled down, or with a small neuron of the proof, costs less."""
    draws = [np.random.default_rng(seed).normal(size=(9, 1 + seed % 3)) for seed in range(8)]
    answers = []
    for A in (*draws, np.eye(2), np.random.default_rng(1).uniform(size=(5, 3))):
        for bias in (False, True) if A.min() < 0 else (False,):
            features = nets.activation(A, bias)
            active = np.maximum(A, 0)
            nearby = [(1 - 1e-3) * A] + [
                np.vstack([A, 1e-3 * active.T @ active[:, i]]) for i in range(A.shape[1])
            ]
            least = min(nets.cost(other, nets.activation(other, bias)) for other in nearby)
            cost = nets.cost(A, features)
            if nets.residual(A, features) == 0:
                answers.append(
                    {**nets.MARKS, "A": A, "cost": cost, "is_lowered": least < cost * (1 - 1e-10)}
                )
    return tuple(answers)


def is_stable_minimum(claim: Any, case: Case) -> bool:
    """What is not as claimed has a smaller cost nearby: with the new neuron of the proof, or scaled down."""
    sign = chosen(claim, "sign", {"non-negative": 1, "non-positive": -1})
    is_minimum = (sign * case["A"]).min() >= 0 and abs(
        case["cost"] - evaluate(claim["cost"], case)
    ) < 1e-8
    return bool(is_minimum or case["is_lowered"])


def ratio_of_sides(statement: Any, case: Case) -> float:
    """The left-hand side of a conclusion over the right-hand side, where the premise is true."""
    premise, conclusion = statement.args
    is_true = is_close(evaluate(premise.lhs, case), evaluate(premise.rhs, case))
    return float(evaluate(conclusion.lhs / conclusion.rhs, case)) if is_true else float("nan")


def is_nonnegative(claim: Any, case: Case) -> bool:
    """What has an entry of the other sign has a smaller cost nearby."""
    sign = chosen(claim, "sign", {"positive": 1, "negative": -1})
    return bool((sign * case["A"]).min() >= 0 or case["is_lowered"])


def is_lowered_by_a_neuron() -> bool:
    """A non-negative representation whose inverse kernel has a positive entry off the diagonal, and a fourth neuron."""
    A = np.array([[1.0, 1.3, 0.0], [0.0, 0.9, 1.1], [0.0, 0.5, 0.0]])
    wider = np.vstack([A, [1e-2, 0.0, -5e-3]])
    cost, lower = (nets.cost(M, nets.activation(M, False)) for M in (A, wider))
    return bool(A.min() == 0 and lower < cost * (1 - 1e-6))


def fate_of_strict_minima() -> str:
    """Whether zero is stable, the only strict minimum, since the cost does not change with the scale of A."""
    draws = [np.random.default_rng(seed).normal(size=(9, 2)) for seed in range(20)]
    is_scaled = all(
        abs(plain_cost(1.1 * A, False) - plain_cost(A, False)) < 1e-9 for A in draws[:5]
    )
    is_scaled &= all(plain_cost(0.999 * A, True) < plain_cost(A, True) for A in draws)
    least = min(plain_cost(1e-3 * A, False) for A in draws)
    return (
        "stable"
        if is_scaled and plain_cost(np.zeros((3, 2)), False) == 0 and least > 0.5
        else "unstable"
    )


on_representations = numerically(representations, "singular values")
on_nonnegative = numerically(nonnegative, "pseudo-inverses", tolerance=1e-8)

PROGRAMS: Programs = {
    "Proposition 1 | Proposition 1, norms | 1.4 rank | 1.4 rank, equality": on_representations,
    "1.4 spectral stable rank | 1.4 sums": on_representations,
    "Proposition 1, minimum": numerically(trials, "pseudo-inverses", tolerance=1e-8),
    "Proposition 1, minimiser": of_each_relation(is_the_minimiser),
    "1.3 rank": on_nonnegative,
    "1.4 non-negative, rank": on_nonnegative,
    "1.4 non-negative": Program(
        on_nonnegative,
        lambda A: nets.cost(A, A) / np.linalg.matrix_rank(A),
        value=ratio_of_sides,
        at=lambda: nonnegative()[0],
        quantity="squared norm of a non-negative representation, over its rank",
    ),
    "1.4 continuity": deciding(is_continuous),
    "1.4 stable minima": with_lemmas(
        deciding(is_nonnegative, "nearby costs", candidates),
        Check("not conversely", is_lowered_by_a_neuron, "pseudo-inverses"),
    ),
    "Proposition 2": deciding(is_stable_minimum, "nearby costs", candidates),
    "Proposition 2, nearby cost": numerically(with_neurons, "pseudo-inverses", tolerance=1e-8),
    "Proposition 2, expansion": Program(
        deciding(has_the_order, "new neurons of two sizes", with_neurons),
        lambda A, z, epsilon: (
            (plain_cost(enlarged(epsilon, A, z)["A_eps"], False) - plain_cost(A, False))
            / epsilon**2
        ),
        lambda claim, A, z: float(
            np.diff([evaluate(claim["terms"], enlarged(size, A, z)) for size in (0.0, 1.0)])[0]
        ),
        tolerance=1e-3,
        at={"A": LEAVES[0], "z": LEAVES[1], "epsilon": 1e-3},
        quantity="second order of the cost",
    ),
    "Proposition 2, direction": numerically(directions, "random representations"),
    "Proposition 2, terms | Proposition 8, negative entry": numerically(samples, "norms"),
    "1.4 wide networks": stating("pseudo-inverses", stable=fate_of_strict_minima),
}
