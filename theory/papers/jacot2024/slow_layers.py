"""Section 2.1: what Theorem 4 says of large depths, and the separation of time scales."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Given, Scales
from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import deep_limits as deep
from theory.papers.jacot2024.symbols import L

smallest, stable = sp.symbols("smallest stable", positive=True)


def slow_and_fast(statement: Any) -> tuple[Check, ...]:
    """Powers of the depth with which the speeds grow; gamma = 1/depth unless the condition has another power."""
    pair, power = statement, sp.Integer(-1)
    if isinstance(statement, Given):
        pair, power = statement.statement, power_of_depth(statement.condition)
    speeds = (deep.speed_at_the_optimum, deep.speed_elsewhere)

    def agrees(relation: Scales, speed: Any) -> bool:
        measured = deep.slope(lambda depth: speed(depth, depth ** float(power)))
        return bool(abs(measured - float(power_of_depth(relation))) < 1e-2)

    return tuple(
        Check(name, lambda r=relation, s=speed: agrees(r, s), "ridge regression")  # type: ignore[misc]
        for name, relation, speed in zip(("slow", "fast"), pair, speeds, strict=True)
    )


def power_of_depth(relation: Scales) -> sp.Expr:
    """The power of the depth that the letter on the left-hand side has by the relation."""
    (letter,) = relation.lhs.free_symbols
    own_power = letter * sp.diff(sp.log(relation.lhs), letter)
    return sp.simplify(L * sp.diff(sp.log(sp.Abs(relation.rhs)), L) / own_power)


def share_of_fast_layers(claim: Claim) -> tuple[Check, ...]:
    """Paths of length 2 that run through half of it in a jump, ever faster: the share of layers faster than 5."""
    places = (np.arange(1_000_000) + 0.5) / 1_000_000

    def share(speed: float) -> float:
        speeds = np.where(places < 1 / speed, speed, 1.0)
        return float((speeds > 5).mean()) if abs(speeds.mean() - 2) < 0.2 else float("nan")

    def agrees() -> bool:
        shares = [share(speed) for speed in (10.0, 100.0, 10_000.0)]
        vanishes, is_there = shares[2] < 1e-3 < shares[1] < shares[0], min(shares) > 0
        return (vanishes and is_there) is (claim["share"] == "almost all")

    return (Check("Markov's inequality", agrees, "sums over layers"),)


PROGRAMS: Programs = {
    "2.1 limit": Program(
        deep.in_the_limit(deep.geodesics, "closed form of the geodesic"),
        lambda: 0.75,
        value=lambda equation: deep.geodesics()[2]["smallest"],
        tolerance=1e-5,
    ),
    "2.1 extra cost": Program(
        deep.in_the_limit(deep.geodesics, "closed form of the geodesic"),
        lambda: 0.95**0.5,
        value=lambda equation: evaluate(sp.sqrt(stable - smallest), deep.geodesics()[2]),
        tolerance=1e-5,
    ),
    "2.1 time scales": Program(
        slow_and_fast,
        lambda: deep.speed_at_the_optimum(1e6, 1e-6) / deep.speed_at_the_optimum(1e4, 1e-4),
        value=lambda pair: 1.0,
    ),
    "2.1 finite length": share_of_fast_layers,
}
