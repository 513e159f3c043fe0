"""Which time constants a printed line holds with: those of Eq. (6), or twice these, as the last lines of Eq. (17)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from theory.core import Check, Program
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import without_condition
from theory.papers.vanrossem2024.flows import DIFFERENCES, IN_EQ_21, Case, moments, on_average

Cases = Callable[[float], Iterable[Case]]
"""Function of tau_h and tau_y of the formula in units of those of Eq. (6)."""
FACTORS = {"twice": IN_EQ_21, "half": 1 / IN_EQ_21}


def in_eq_6_along(cases: Cases, tolerance: float = DIFFERENCES) -> Callable[[Any], tuple[Check, ...]]:
    """Return the program of a line: the time constants are those of Eq. (6), or what the condition says of them."""

    def prove(statement: Any) -> tuple[Check, ...]:
        relation, condition = without_condition(statement)
        factor = 1.0 if condition is None else FACTORS[condition["factor"]]
        return on_average(partial(cases, factor), tolerance)(relation)

    return prove


in_eq_6 = in_eq_6_along(moments)


def measured_and_printed(relation: Any) -> tuple[Any, Any]:
    """The side of a line that is measured, and the side that the paper states for it."""
    return relation.lhs, relation.rhs


def twice(
    cases: Cases = moments,
    tolerance: float = DIFFERENCES,
    sides: Callable[[Any], tuple[Any, Any]] = measured_and_printed,
) -> Program:
    """Return the program of a line that holds with twice the time constants of Eq. (6); the second case is its witness.

    Args:
        cases: values of its letters, among them measured ones. Default: moments of flows of explicit matrices.
        tolerance: relative error of what is measured. Default: that of differences in time.
        sides: returns what is measured in a line, and the expression that the paper states for it.
    """

    def side(index: int, statement: Any) -> Any:
        return evaluate(sides(statement)[index], list(cases(1.0))[1])

    prove = in_eq_6_along(cases, tolerance)
    return Program(prove, value=partial(side, 1), tolerance=tolerance, measured=partial(side, 0))
