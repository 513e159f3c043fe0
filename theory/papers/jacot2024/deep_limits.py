"""Sections 2.1 and 4: time scales and the bottleneck rank as the depth grows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import chosen, is_close, stating, unconditional
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import nets
from theory.papers.jacot2024.nets import Case, witnessed
from theory.papers.jacot2024.symbols import letters
from theory.papers.jacot2024.theorem_4 import alone, speed_of, stable_state

L, gamma = letters("L gamma")
DEEP = 1e6  # where limits are read off
CLOSE = 2e-3  # 1/depth to the power 1/2 is 1e-3 there


def geodesic(ends: tuple[tuple[float, float], ...], depth: float) -> Case:
    """Letters of a linear net whose modes grow as exp(g p) from a size; gamma = 1/depth.

    A_q stands for its own norm along the path, and A for that of a layer whose cost is 0.7 above the number of modes.
    Each end is the size at p = 0 and the rate g of a mode.
    """
    p = np.linspace(0, 1, 401)
    energy, length, costs = 0.0, np.zeros_like(p), np.zeros_like(p)
    for size, rate in ends:
        with np.errstate(over="ignore", divide="ignore"):
            shrunk = 1 / (1 + 1 / depth / (size * np.exp(rate * p)) ** 2)
        energy += rate**2 / (2 * depth) - depth / 2  # kinetic and potential energy of a mode: K is its square
        length += rate**2 * shrunk
        costs += shrunk
    return {
        **nets.MARKS, "A": np.sqrt(len(ends) + 0.7), "A_q": np.sqrt(costs), "norm_gamma": lambda A, kernel, gamma: A,
        "K": 0.0, "K_q": 0.0, "gamma": 1 / depth, "L": depth, "H": energy, "ell": float(np.sqrt(length).mean()),
        "k": float(len(ends)),
        "kinetic": sum(rate**2 for _, rate in ends) / (2 * depth),
    }  # fmt: skip


@cache
def geodesics(depth: float = DEEP) -> tuple[Case, ...]:
    """Fixed ends with one and with two modes, and ends at a ratio of exp(depth/2)."""
    modes = ((1.0, np.log(2.0)),), ((1.0, np.log(2.0)), (3.0, -1.0)), ((1.0, depth / 2),)
    return tuple(geodesic(ends, depth) for ends in modes)


@cache
def stable_costs() -> tuple[Case, ...]:
    """Limits of representations: large singular values, one of the size of the root of gamma, a constant with bias."""
    shapes = ((np.diag([1.0, 2.0]), False), (np.diag([1.0, 1e-3]), False), (np.ones((1, 3)), True), (np.eye(3), False))
    return tuple(
        {**stable_state(A, 0 * A, 1.0, 1e-6, bias), "k": float(np.linalg.matrix_rank(A)),
         "s_min": lambda M: nets.singular_values(M)[-1]}
        for A, bias in shapes
    )  # fmt: skip


def is_about(relation: Any, case: Case) -> bool:
    """Whether the sides of an equation, or of several, are equal at a large depth, to 2e-3."""
    if isinstance(relation, sp.And):
        return all(is_about(part, case) for part in relation.args)
    return relation is sp.true or is_close(evaluate(relation.lhs, case), evaluate(relation.rhs, case), CLOSE, 1.0)


def in_the_limit(cases: Callable[[], Any], because: str) -> Callable[[Any], tuple[Check, ...]]:
    """A relation holds at a large depth, in the cases in which its condition does."""

    def prove(statement: Any) -> tuple[Check, ...]:
        relation, condition = unconditional(statement), getattr(statement, "condition", sp.true)

        def agrees() -> bool:
            return for_all([case for case in cases() if is_about(condition, case)], partial(is_about, relation))

        return (Check("at a large depth", agrees, because),)

    return prove


def growth(function: Callable[[float], float]) -> float:
    """The power of the depth with which a function grows, between 1e4 and 1e6."""
    return float(np.log(function(1e6) / function(1e4)) / np.log(100.0))


def power_of_depth(expression: Any) -> float:
    """The power of the depth in an expression."""
    return float(sp.simplify(L * sp.diff(sp.log(expression), L)))


def speed(is_optimal: bool, depth: float, gamma: float) -> float:
    """Speed of a dead neuron whose stable cost is least and equals -2H/depth, or of a state far from that."""
    draw = np.random.default_rng(0)
    if is_optimal:
        return speed_of(alone(-gamma, -0.5, depth, gamma))
    return speed_of(stable_state(draw.normal(size=(9, 3)), 0.4 * draw.normal(size=(9, 3)), depth, gamma, True))


def slow_and_fast(statement: Any) -> tuple[Check, ...]:
    """Powers of the depth with which the speeds grow; gamma = 1/depth unless the condition has another power."""
    claim, power = unconditional(statement), -1.0
    if isinstance(statement, Given):
        relation = statement.condition
        own_power = gamma * sp.diff(sp.log(relation.lhs), gamma)
        power = power_of_depth(sp.Abs(relation.rhs)) / float(own_power)

    def agrees(slot: str) -> bool:
        measured = growth(lambda depth: speed(slot == "slow", depth, depth**power))
        return bool(claim[slot] > 0 and abs(measured - power_of_depth(claim[slot])) < 1e-2)

    return tuple(Check(slot, partial(agrees, slot), "ridge regression") for slot in ("slow", "fast"))


def share_of_finite_speeds() -> str:
    """Paths of length 2 that run through half of it in a jump, ever faster: the share of layers faster than 5."""
    places = (np.arange(1_000_000) + 0.5) / 1_000_000
    shares = []
    for speed in (10.0, 100.0, 10_000.0):
        speeds = np.where(places < 1 / speed, speed, 1.0)
        shares.append(float((speeds > 5).mean()) if abs(speeds.mean() - 2) < 0.2 else float("nan"))
    return "almost all" if 0 < shares[2] < 1e-3 < shares[1] < shares[0] else "all"


def kinetic_energies(statement: Any) -> tuple[Check, ...]:
    """Kinetic energies of linear geodesics, all of whose layers have the smallest dimension, and of another layer."""
    claim = unconditional(statement)
    is_finite = chosen(claim, "minimal", {"finite": True, "infinite": False})
    pairs = [{**deep, "shallow": shallow} for shallow, deep in zip(geodesics(1e4), geodesics(), strict=True)]

    def possible() -> list[Case]:
        condition = getattr(statement, "condition", sp.true)
        return [pair for pair in pairs if is_about(condition, pair)]

    def scales() -> bool:
        power = growth(lambda depth: speed(False, depth, 0.0) ** 2 / depth)
        return bool(claim["scale"] > 0 and abs(power - power_of_depth(claim["scale"])) < 1e-3)

    def stays(pair: Case) -> bool:
        return bool(pair["kinetic"] < 10 * pair["shallow"]["kinetic"]) is is_finite

    return (
        Check("where the dimension is minimal", lambda: for_all(possible(), stays), "closed form of the geodesic"),
        Check("where it is higher", scales, "ridge regression"),
    )


on_geodesics = in_the_limit(geodesics, "closed form of the geodesic")

PROGRAMS: Programs = {
    "2.1 limit": witnessed(on_geodesics, lambda: geodesics()[2], lambda: 0.75, tolerance=1e-5),
    "2.1 extra cost": witnessed(on_geodesics, lambda: geodesics()[2], lambda: 0.95**0.5, tolerance=1e-5),
    "2.1 time scales": Program(
        slow_and_fast,
        lambda: speed(True, 1e6, 1e-6) / speed(True, 1e4, 1e-4),
        value=lambda claim: 100.0 ** power_of_depth(claim["slow"]),
    ),
    "2.1 finite length": stating({"share": share_of_finite_speeds}, "sums over layers"),
    "2.1 integer": Program(
        in_the_limit(stable_costs, "norms by K + gamma"),
        lambda: 1 / (1 + 1e-6) + 0.5,
        value=lambda relation: evaluate(relation.rhs, stable_costs()[1]),
    ),
    "2.1 bottleneck rank": Program(
        on_geodesics, lambda: -0.375, value=lambda relation: evaluate(relation.rhs / L, geodesics()[2])
    ),
    "4 kinetic energy": Program(
        kinetic_energies,
        lambda: geodesics()[2]["kinetic"] / geodesics(1e4)[2]["kinetic"],
        value=lambda claim: chosen(claim, "minimal", {"finite": 1.0, "infinite": np.inf}),
    ),
}
