"""Section 1.4: stable local minima of the cost of identity, Proposition 2."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from theory.core import Check, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import allowed, chosen, stating, unconditional
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import nets
from theory.papers.jacot2024.nets import Array, Case


class Neuron(NamedTuple):
    """A representation without bias, its activation, and a new neuron."""

    A: Array
    S: Array
    z: Array


def _wide(seed: int) -> Neuron:
    draw = np.random.default_rng(seed)
    A = draw.normal(size=(8, 3))
    return Neuron(A, np.maximum(A, 0), 0.8 + draw.normal(size=3))


_ROWS = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
_DEAD = np.vstack([_ROWS, -0.5 * _ROWS[0]])
LEAVES = Neuron(_ROWS, _ROWS, _ROWS[0] - _ROWS[1])
"""A neuron in the row space of sigma(A) whose activation is not."""
NEURONS = (_wide(0), _wide(1), Neuron(_DEAD, np.maximum(_DEAD, 0), _ROWS[0] + 0.4 * _ROWS[1]), LEAVES)


def enlarged(neuron: Neuron, size: float) -> Case:
    """Letters of a representation with a new neuron of the given size."""
    active = np.maximum(neuron.z, 0)
    larger = np.vstack([neuron.S, size * active])
    return {
        **nets.MARKS, "A": neuron.A, "S": neuron.S, "S_plus": np.linalg.pinv(neuron.S), "epsilon": size,
        "z": neuron.z[:, None], "sigma_row": active[:, None], "A_eps": np.vstack([neuron.A, size * neuron.z]),
        "S_eps_plus": np.linalg.pinv(larger, rcond=1e-10),
        "trace_plus": lambda X, Y: float(np.trace(X @ np.linalg.pinv(Y, rcond=1e-12, hermitian=True))),
    }  # fmt: skip


def plain_cost(A: Array, bias: bool) -> float:
    """The squared norm of A times the pseudo-inverse of its activation."""
    return float(np.linalg.norm(A @ np.linalg.pinv(nets.activation(A, bias), rcond=1e-10)) ** 2)


def _cost(neuron: Neuron, size: float) -> float:
    case = enlarged(neuron, size)
    return float(np.linalg.norm(case["A_eps"] @ case["S_eps_plus"]) ** 2)


def is_the_expansion(statement: Any) -> tuple[Check, ...]:
    """What the printed terms leave of the cost, at two sizes of the new neuron, falls with the printed power."""
    claim = unconditional(statement)

    def falls(case: Case) -> bool:
        sizes = (0.02, 0.01)
        rest = [_cost(case["neuron"], e) - evaluate(claim["terms"], enlarged(case["neuron"], e)) for e in sizes]
        return bool(abs(np.log2(abs(rest[0] / rest[1])) - float(claim["order"])) < 0.05)

    cases = allowed(statement, [{**enlarged(neuron, 1.0), "neuron": neuron} for neuron in NEURONS])
    return (Check("new neurons", partial(for_all, cases, falls), "pseudo-inverses of the larger matrices"),)


def second_order(claim: Any) -> float:
    """The printed terms of second order of the neuron that leaves the row space."""
    return float(np.diff([evaluate(claim["terms"], enlarged(LEAVES, size)) for size in (0.0, 1.0)])[0])


def directions() -> Iterator[Case]:
    """The neurons that the proof adds: sigma(A)' times the activation of a sample."""
    for neuron in NEURONS[:2]:
        for index in range(3):
            row = neuron.S.T @ neuron.S[:, index : index + 1]
            yield {"z": row, "sigma_row": np.maximum(row, 0)}


@cache
def samples() -> tuple[Case, ...]:
    """Samples whose negative entries are below, at and above the bias, for small and large neurons."""
    columns = ((0.5, -0.1), (1.5, -0.29), (1.5, -0.31), (0.3, -1.2), (2.0, -2.1), (2.0, -1.9), (0.5, -1.0))
    found = []
    for bias, column, size in ((b, x, e) for b in (1.0, 0.0, 0.3, 2.0) for x in columns for e in (1.0, 0.3, 3.0)):
        x = np.array(column)[:, None]
        active = np.vstack([np.maximum(x, 0), [[bias]]])
        found.append({**nets.MARKS, "sample": x, "sample_active": active, "epsilon": size, "beta": bias,
                      "positive_part": lambda at: np.maximum(at, 0)})  # fmt: skip
    return tuple(found)


@cache
def candidates() -> tuple[Case, ...]:
    """Representations of all signs of finite cost, and whether a nearby one costs less.

    Nearby are A scaled down, and A with one of the neurons of the proof, at small size.
    """
    draws = [np.random.default_rng(seed).normal(size=(9, 1 + seed % 3)) for seed in range(8)]
    found = []
    for A in (*draws, np.eye(2), np.random.default_rng(1).uniform(size=(5, 3))):
        for bias in (False, True) if A.min() < 0 else (False,):
            features = nets.activation(A, bias)
            active = np.maximum(A, 0)
            nearby = [(1 - 1e-3) * A] + [np.vstack([A, 1e-3 * active.T @ active[:, i]]) for i in range(A.shape[1])]
            least = min(nets.cost(other, nets.activation(other, bias)) for other in nearby)
            cost = nets.cost(A, features)
            if nets.residual(A, features) == 0:
                found.append({**nets.MARKS, "A": A, "cost": cost, "is_lowered": least < cost * (1 - 1e-10)})
    return tuple(found)


def stable_minima(claim: Any) -> tuple[Check, ...]:
    """What is not as claimed of a stable minimum has a smaller cost nearby, after a zero neuron is added."""
    sign = chosen(claim, "sign", {"non-negative": 1, "non-positive": -1})

    def is_as_claimed(case: Case) -> bool:
        is_minimum = (sign * case["A"]).min() >= 0 and abs(case["cost"] - evaluate(claim["cost"], case)) < 1e-8
        return bool(is_minimum or case["is_lowered"])

    return (Check("representations", lambda: for_all(candidates(), is_as_claimed), "nearby costs"),)


def fate_of_strict_minima() -> str:
    """Whether zero is stable, the only strict minimum, since the cost does not change with the scale of A."""
    draws = [np.random.default_rng(seed).normal(size=(9, 2)) for seed in range(20)]
    is_scaled = all(abs(plain_cost(1.1 * A, False) - plain_cost(A, False)) < 1e-9 for A in draws[:5])
    least = min(plain_cost(1e-3 * A, False) for A in draws)
    return "stable" if is_scaled and plain_cost(np.zeros((3, 2)), False) == 0 and least > 0.5 else "unstable"


PROGRAMS: Programs = {
    "Proposition 2": stable_minima,
    "Proposition 2, nearby cost": numerically(
        lambda: [enlarged(neuron, 0.3) for neuron in NEURONS], "pseudo-inverses", tolerance=1e-8
    ),
    "Proposition 2, expansion": Program(
        is_the_expansion,
        lambda: (_cost(LEAVES, 1e-3) - _cost(LEAVES, 0.0)) / 1e-6,
        value=second_order,
        tolerance=1e-3,
    ),
    "Proposition 2, direction": numerically(directions, "entries"),
    "Proposition 2, terms": Program(
        numerically(samples, "norms"),
        lambda: 0.25 + 1.0 - 0.25 - 0.01,
        value=lambda inequality: -abs(evaluate(inequality.lhs, samples()[0])),
    ),
    "Proposition 8, negative entry": Program(
        numerically(samples, "norms"),
        lambda: 0.26 - 1.25,
        value=lambda inequality: abs(evaluate(inequality.lhs, samples()[0])),
    ),
    "1.4 wide networks": stating({"stable": fate_of_strict_minima}, "pseudo-inverses"),
}
