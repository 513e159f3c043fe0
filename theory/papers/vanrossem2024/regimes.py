r"""Section 4.1: the final distance and its two regimes, Eqs. (10) to (13)."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import allowed, without_condition
from theory.papers.vanrossem2024.letters import A_HIGH, A_LOW
from theory.papers.vanrossem2024.notation import letters
from theory.papers.vanrossem2024.rest import SETTLED, ZERO, ends, jacobian, rays, roots, settings
from theory.papers.vanrossem2024.weights import final_number, path, scaled
from theory.two_point.symbols import dh2_0, dx2, target2

dh2_inf = letters("dh2_inf")
CLOSE = 1e-3  # relative distance from a limit
DECODERS = (0.2, 0.7, 1.0, 2.0)  # A_high of either sign, and zero
DEPENDS = {"input": dx2, "output": target2, "random initialization": dh2_0}


def number_of_stable_points(case: Any) -> int:
    """How many of the roots that are not negative attract: both rates at the largest, both rays at zero."""
    found = [root for root in roots(case) if root > ZERO]
    stable = [bool((np.linalg.eigvals(jacobian(case, root, 0.0)).real < 0).all()) for root in found]
    if case["target2"] == 0 and case["A_high"] < 0:  # one rate at zero vanishes: a flow says whether it attracts
        return sum(stable) + bool(path(0.5, 1.0, 0.0, 30.0)[1][-1] < 1e-6)
    return sum(stable) + all(rate < -1e-6 for _, rate in rays(case))


def number_of_stable_points_of_all() -> int:
    """The number of stable points of rest, if it is the same in each setting."""
    (number,) = {number_of_stable_points(case) for case in settings(same_targets=True)}
    return number


def at_large_weights(statement: Any) -> tuple[Check, ...]:
    """The limit of the final distance as both ratios grow, 10^4 and 10^6, for decoders that the condition allows."""
    relation, condition = without_condition(statement)

    def error(case: Any) -> float:
        left, right = (float(evaluate(side, case)) for side in (relation.lhs, relation.rhs))
        return abs(left - right) / max(abs(left), abs(right))

    def agrees(pair: tuple[Any, Any]) -> bool:
        before, after = map(error, pair)
        return after < CLOSE and (after < before or after < 1e-12)

    pairs = list(zip(scaled(1e4, DECODERS), scaled(1e6, DECODERS), strict=True))
    kept = [pair for pair in pairs if condition is None or all(bool(evaluate(condition, case)) for case in pair)]
    return (Check("two sizes of the weights", lambda: for_all(kept, agrees), "positive root of rest"),)


def nearly_same_targets(statement: Any) -> tuple[Check, ...]:
    """The limit of small weights with different targets, and with targets that get closer together with the weights."""
    relation, ways = allowed(statement, "targets", ("fixed", "closer with the weights"))

    def case(size: float, way: str) -> dict[str, float]:
        target2_ = 0.7 if way == "fixed" else 1e-2 * size**2
        low = float(evaluate(A_LOW, {"tau_y": 0.6, "tau_h": 1.0, "dx2": 1.3, "target2": target2_}))
        final = final_number(size, size / 3, ratio=0.6, dx2=1.3, target2=target2_)
        return {"A_low": low, "A_high": size * (1 - 0.2) * 1.3, "dh2_inf": final}

    def agrees(way: str) -> bool:
        end = case(1e-6, way)
        return bool(abs(float(evaluate(relation.lhs / relation.rhs, end)) - 1) < CLOSE)

    return (Check("weights of 1e-6", lambda: for_all(ways, agrees), "positive root of rest"),)


def depends_on(expression: sp.Expr) -> set[str]:
    """On which of the data and of the initial state a letter of Eq. (11) depends: doubled one at a time."""
    at = {"dh2_0": 1.3, "dy2_0": 0.4, "tau_h": 1.7, "tau_y": 0.6, "dx2": 0.7, "target2": 1.9}

    def changes(name: str) -> bool:
        letter = str(DEPENDS[name])
        return abs(float(evaluate(expression, {**at, letter: 2 * at[letter]}) - evaluate(expression, at))) > 1e-9

    return {name for name in DEPENDS if changes(name)}


PROGRAMS: Programs = {
    "4.1 only one": stating({"number": number_of_stable_points_of_all}, "central differences"),
    "(10)": numerically(ends, "flows of explicit matrices", tolerance=SETTLED),
    "(12)": Program(
        at_large_weights,
        lambda: final_number(1e6, 1e6),
        value=lambda relation: float(evaluate(relation.rhs, {"A_high": 0.0, "A_low": 1.0, "dh2_inf": 1.0})),
    ),
    "(13)": Program(
        nearly_same_targets,
        lambda: final_number(1e-2, 1e-3, target2=1e-8),
        value=lambda relation: float(evaluate(relation.rhs, {"A_low": 1e-4, "A_high": 9e-3, "dh2_inf": 1.0})),
    ),
    "4.1 dependence": stating(
        {
            "input": lambda: " and ".join(sorted(depends_on(A_HIGH) & {"input", "output"})),
            "random": lambda: " and ".join(sorted(depends_on(A_HIGH) - {"input", "output"})),
        },
        "Eq. (11) at other values",
    ),
    "4.1 dependence at small weights": stating(
        {"what": lambda: " and ".join(sorted(depends_on(A_LOW)))}, "Eq. (11) at other values"
    ),
}
