"""Section 4.1: the final distance and its two regimes, Eqs. (10) to (13) and (36)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from theory.core import Check, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import allowed as among
from theory.core.ledger.proving import is_close, stating, unconditional
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import allowed
from theory.papers.vanrossem2024.rest import (
    SETTLED,
    ZERO,
    Case,
    ends,
    final_number,
    jacobian,
    merging,
    path,
    rays,
    roots,
    scaled,
    settings,
)
from theory.papers.vanrossem2024.symbols import in_squares, printed

CLOSE = 1e-3  # relative distance from a limit
DECODERS = (0.2, 0.7, 1.0, 2.0)  # A_high of either sign, and zero


def in_numbers(cases: Callable[[], Any], because: str, **accuracy: float) -> Callable[[Any], tuple[Check, ...]]:
    """Return the program of relations between squared lengths that hold in each case."""
    decide = numerically(cases, because, **accuracy)
    return lambda statement: decide(in_squares(statement))


def number_of_stable_points() -> int:
    """The number of roots that attract, if it is the same in each setting: by slopes, and at zero by the rays."""

    def count(case: Case) -> int:
        found = [root for root in roots(case) if root > ZERO]
        stable = [bool((np.linalg.eigvals(jacobian(case, root, 0.0)).real < 0).all()) for root in found]
        if case["target2"] == 0 and case["A_high"] < 0:  # one rate at zero vanishes: a flow says whether it attracts
            return sum(stable) + bool(path(0.5, 1.0, 0.0, 30.0)[1][-1] < 1e-6)
        return sum(stable) + all(rate < -1e-6 for _, rate in rays(case))

    (number,) = {count(case) for case in settings(same_targets=True)}
    return number


def end_of_flow(statement: Any) -> tuple[Check, ...]:
    """Ends of long flows that the condition allows, or of all."""
    places = {"off": ends(), "on": (merging(),)}
    relation, names = allowed(statement, "place", places)
    return in_numbers(lambda: [case for name in names for case in places[name]], "flows", tolerance=SETTLED)(relation)


def tends(pairs: Callable[[], list[tuple[Case, Case]]]) -> Callable[[Any], tuple[Check, ...]]:
    """Return the program of a limit of the final distance, from cases on the way to it and cases close to it."""

    def prove(statement: Any) -> tuple[Check, ...]:
        relation = in_squares(unconditional(statement))

        def error(case: Case) -> float:
            left, right = (float(evaluate(side, case)) for side in (relation.lhs, relation.rhs))
            return abs(left - right) / max(abs(left), abs(right))

        def agrees(pair: tuple[Case, Case]) -> bool:
            before, after = map(error, pair)
            return after < CLOSE and (after < before or after < 1e-12)

        kept = [pair for pair in pairs() if len(among(statement, pair)) == 2]
        return (Check("two sizes of the weights", lambda: for_all(kept, agrees), "positive root of rest"),)

    return prove


def sizes(far: float, near: float) -> Callable[[], list[tuple[Case, Case]]]:
    """Final distances at two sizes of the weights."""
    return lambda: list(zip(scaled(far, DECODERS), scaled(near, DECODERS), strict=True))


def dependence(line: int) -> set[str]:
    """On which of the data and of the initial state a letter of Eq. (11) depends: doubled one at a time."""
    expression, at = in_squares(printed("(11)")[line].rhs), settings()[0]
    doubled = {"input": "dx2", "output": "target2", "random initialization": "dh2_0"}
    changes = {name: evaluate(expression, {**at, key: 2 * at[key]}) for name, key in doubled.items()}
    return {name for name, changed in changes.items() if not is_close(changed, evaluate(expression, at))}


PROGRAMS: Programs = {
    "4.1 only one": stating({"number": number_of_stable_points}, "central differences"),
    "(10)": in_numbers(ends, "flows of explicit matrices", tolerance=SETTLED),
    "(12)": Program(
        tends(sizes(1e4, 1e6)),
        lambda: final_number(1e6, 1e6),
        lambda relation: float(evaluate(relation.rhs, {"A_high": 0.0, "A_low": 1.0})),
    ),
    "(13)": tends(sizes(1e-4, 1e-6)),
    "4.1 dependence": stating(
        {
            "input": lambda: " and ".join(sorted(dependence(0) & {"input", "output"})),
            "random": lambda: " and ".join(sorted(dependence(0) - {"input", "output"})),
        },
        "Eq. (11) at other values",
    ),
    "4.1 dependence at small weights": stating(
        {"what": lambda: " and ".join(sorted(dependence(1)))}, "Eq. (11) at other values"
    ),
    "(36)": Program(
        end_of_flow, lambda: merging()["dh2_inf"], lambda relation: float(evaluate(relation.rhs, merging()))
    ),
}
