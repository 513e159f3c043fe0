"""A program for printed inequalities that some cases reach: rounding may not decide them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Given, for_all
from theory.core.ledger.printed import relations
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate

SLACK = 1e-9  # of the larger side
ROUNDING = 1e-14  # of sides that are sums of numbers of order one


def bounded(cases: Callable[[], Iterable[Any]], because: str) -> Callable[[Any], tuple[Check, ...]]:
    """Each printed relation holds in numbers, up to rounding, at every case that its condition, if any, allows.

    The root of a negative number has no value, and then the relation fails.

    Args:
        cases: gives the values of the symbols, and functions for the undefined functions, by their names.
        because: how the two sides are known.
    """

    def prove(statement: Any) -> tuple[Check, ...]:
        condition = statement.condition if isinstance(statement, Given) else sp.true
        return tuple(
            Check(f"relation {number}", partial(_holds, relation, condition, cases), because)
            for number, relation in enumerate(relations(statement), 1)
        )

    return prove


def _holds(relation: Any, condition: Any, cases: Callable[[], Iterable[Any]]) -> bool:
    allowed = [case for case in cases() if bool(evaluate(condition, case))]
    return for_all(allowed, lambda case: _holds_at(relation, case))


def _holds_at(relation: Any, case: Any) -> bool:
    with np.errstate(invalid="ignore"):
        left, right = evaluate(relation.lhs, case), evaluate(relation.rhs, case)
    if isinstance(relation, sp.Eq):
        return is_close(left, right, SLACK)
    margin = SLACK * max(abs(left), abs(right)) + ROUNDING
    if isinstance(relation, (sp.LessThan, sp.StrictLessThan)):
        return bool(left <= right + margin)
    return bool(left >= right - margin)
