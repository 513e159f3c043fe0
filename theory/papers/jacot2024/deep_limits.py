"""Geodesics of linear nets as the depth grows, and a program for limits; Sections 2.1 and 4."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Given, for_all
from theory.core.ledger.printed import relations
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import stable_states as states
from theory.papers.jacot2024.states import letters

DEEP = 1e6  # where limits are read off
CLOSE = 2e-3  # 1/depth to the power 1/2 is 1e-3 there


def geodesic(ends: tuple[tuple[float, float], ...], depth: float = DEEP) -> dict[str, Any]:
    """Letters of a linear net whose modes grow as exp(g p) from a size; gamma = 1/depth.

    Args:
        ends: size at p = 0 and rate g of each mode.
        depth: effective depth.
    """
    gamma = 1 / depth
    p = np.linspace(0, 1, 401)
    energy, length, costs = 0.0, np.zeros_like(p), np.zeros_like(p)
    for size, rate in ends:
        with np.errstate(over="ignore", divide="ignore"):
            shrunk = 1 / (1 + gamma / (size * np.exp(rate * p)) ** 2)
        energy += rate**2 / (2 * depth) - depth / 2  # kinetic and potential energy of a mode: K is its square
        length += rate**2 * shrunk
        costs += shrunk
    return {
        "L": depth, "H": energy, "smallest": float(costs.min()), "ell": float(np.sqrt(length).mean()), "gamma": gamma,
        "k": float(len(ends)), "stable": len(ends) + 0.7, "lim": lambda x: x,
        "kinetic": sum(rate**2 for _, rate in ends) / (2 * depth),
    }  # fmt: skip


@cache
def geodesics(depth: float = DEEP) -> tuple[dict[str, Any], ...]:
    """Fixed ends with one and with two modes, and ends at a ratio of exp(depth/2)."""
    return (
        geodesic(((1.0, np.log(2.0)),), depth),
        geodesic(((1.0, np.log(2.0)), (3.0, -1.0)), depth),
        geodesic(((1.0, depth / 2),), depth),
    )


def in_the_limit(cases: Callable[[], Iterable[Any]], because: str) -> Callable[[Any], tuple[Check, ...]]:
    """Each printed relation holds at a large depth, in the cases in which its condition does; "close" is to 2e-3."""

    def holds(relation: Any, case: Any) -> bool:
        if isinstance(relation, sp.And):
            return all(holds(part, case) for part in relation.args)
        if relation is sp.true:
            return True
        return is_close(evaluate(relation.lhs, case), evaluate(relation.rhs, case), CLOSE, 1.0)

    def prove(statement: Any) -> tuple[Check, ...]:
        condition = statement.condition if isinstance(statement, Given) else sp.true

        def holds_where_allowed(relation: Any) -> bool:
            return for_all([case for case in cases() if holds(condition, case)], partial(holds, relation))

        return tuple(
            Check(f"relation {number}", partial(holds_where_allowed, relation), because)
            for number, relation in enumerate(relations(statement), 1)
        )

    return prove


def slope(function: Callable[[float], float]) -> float:
    """Of the logarithm against the logarithm of the depth, between 1e4 and 1e6."""
    return float(np.log(function(1e6) / function(1e4)) / np.log(100.0))


def speed_at_the_optimum(depth: float, gamma: float) -> float:
    """Speed of a dead neuron where its stable cost is least and equals -2H/depth; |B| = 1/2."""
    state = states.alone(-gamma, -0.5, depth, gamma)
    return float(state["norm_gamma"](state["A_dot"], state["S"], gamma))


def _fixed_state(depth: float) -> dict[str, Any]:
    draw = np.random.default_rng(0)
    return letters(draw.normal(size=(9, 3)), 0.4 * draw.normal(size=(9, 3)), depth, True)


def speed_elsewhere(depth: float, gamma: float) -> float:
    """Speed of a state whose cost is far from the optimum."""
    state = _fixed_state(depth)
    return float(state["norm_gamma"](state["A_dot"], state["S"], gamma))


def kinetic_elsewhere(depth: float) -> float:
    """Kinetic energy of that state, under the norm of K."""
    state = _fixed_state(depth)
    return float(state["norm_K"](state["A_dot"], state["S"]) ** 2 / (2 * depth))
