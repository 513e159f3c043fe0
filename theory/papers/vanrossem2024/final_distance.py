"""Section 4.1: the final distance and its two regimes, Eqs. (10) to (13) and (36)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from theory.core import Check, Conditional, Program, Programs, evaluate, numerically
from theory.core.ledger.proving import chosen, deciding, in_words, is_close, stating, unconditional
from theory.papers.vanrossem2024 import rest
from theory.papers.vanrossem2024.rest import Case, ends, merging, roots, scaled, settings
from theory.papers.vanrossem2024.symbols import in_squares, printed

CLOSE = 1e-3  # relative distance from a limit
DECODERS = (0.2, 0.7, 1.0, 2.0)  # A_high of either sign, and zero


def in_numbers(cases: Callable[[], Any], because: str = "", **accuracy: Any) -> Callable[[Any], tuple[Check, ...]]:
    """Return the program of relations between squared lengths that hold in each case."""
    decide = numerically(cases, **accuracy)

    def prove(statement: Any) -> tuple[Check, ...]:
        return decide(in_squares(statement))

    prove.__doc__ = in_words(because, cases)
    return prove


def number_of_stable_points() -> int:
    """Rates at the points of rest, by central differences, for A_high of either sign, different and same targets."""

    def count(case: Case) -> int:
        found = [root for root in roots(case) if root > rest.ZERO]
        stable = [bool((np.linalg.eigvals(rest.jacobian(case, root, 0.0)).real < 0).all()) for root in found]
        if case["target2"] == 0 and case["A_high"] < 0:  # one rate at zero vanishes: a flow says whether it attracts
            return sum(stable) + bool(rest.path(0.5, 1.0, 0.0, 30.0)[1][-1] < 1e-6)
        return sum(stable) + all(rate < -1e-6 for _, rate in rest.rays(case))

    (number,) = {count(case) for case in settings(same_targets=True)[:-1]}  # in the last one both points are one
    return number


def end_of_flow(statement: Any) -> tuple[Check, ...]:
    """Ends of long flows off or on the stable manifold of the merged state, as the condition says, or of both."""
    cases = {"off": ends(), "on": (merging(),)}
    kept = chosen(statement.condition, "place", cases) if isinstance(statement, Conditional) else (*ends(), merging())
    return in_numbers(lambda: kept, tolerance=rest.SETTLED)(unconditional(statement))


def tends(relation: Any, pair: Case) -> bool:
    """The sides differ by little, in proportion, and less than at another size of the weights: ratios 10^4 and 10^6."""
    errors = []
    for case in (pair, pair["before"]):
        left, right = (float(evaluate(in_squares(side), case)) for side in (relation.lhs, relation.rhs))
        errors.append(abs(left - right) / max(abs(left), abs(right)))
    return errors[0] < CLOSE and (errors[0] < errors[1] or errors[0] < 1e-12)


def limit(far: float, near: float) -> Callable[[Any], tuple[Check, ...]]:
    """Return the program of a limit of the final distance, from two sizes of the weights."""

    def cases() -> list[Case]:
        pairs = zip(scaled(far, DECODERS), scaled(near, DECODERS), strict=True)
        return [{**case, "before": before} for before, case in pairs]

    return deciding(tends, cases=cases)


def dependence(line: int) -> set[str]:
    """On which of the data and of the initial state a letter of Eq. (11) depends: doubled one at a time."""
    expression, at = in_squares(printed("(11)")[line].rhs), settings()[0]
    doubled = {"input": "dx2", "output": "target2", "random initialization": "dh2_0"}
    changes = {name: evaluate(expression, {**at, key: 2 * at[key]}) for name, key in doubled.items()}
    return {name for name, changed in changes.items() if not is_close(changed, evaluate(expression, at))}


PROGRAMS: Programs = {
    "4.1 only one": stating(number=number_of_stable_points),
    "(10)": in_numbers(ends, tolerance=rest.SETTLED),
    "(12)": Program(
        limit(1e4, 1e6),
        lambda: rest.final_number(1e6, 1e6),
        lambda relation: float(evaluate(relation.rhs, {"A_high": 0.0, "A_low": 1.0})),
    ),
    "(13)": limit(1e-4, 1e-6),
    "4.1 dependence": stating(
        input=lambda: " and ".join(sorted(dependence(0) & {"input", "output"})),
        random=lambda: " and ".join(sorted(dependence(0) - {"input", "output"})),
    ),
    "4.1 dependence at small weights": stating(what=lambda: " and ".join(sorted(dependence(1)))),
    "(36)": Program(
        end_of_flow, lambda: merging()["dh2_inf"], lambda relation: float(evaluate(relation.rhs, merging()))
    ),
}
