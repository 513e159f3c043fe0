"""Programs that decide a printed formula once its letters are given a meaning, for the ``prove`` of an entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from sympy.logic.boolalg import BooleanFunction

from theory.core.derivation import Check, Step
from theory.core.digits import decimal
from theory.core.evaluation import evaluate
from theory.core.evidence import for_all
from theory.core.printed import Given, relations

Values = Mapping[str, Any]
ROUNDING = 1e-9  # relative error of sums, quadratures and float64 formulas


def meant(expression: Any, meanings: Mapping[Any, Any]) -> Any:
    """The expression with each letter replaced by what it means.

    Args:
        expression: a side of a printed relation.
        meanings: symbol -> expression, undefined function -> function of its arguments.
    """
    symbols = {letter: meaning for letter, meaning in meanings.items() if isinstance(letter, sp.Basic)}
    for letter, meaning in meanings.items():
        if letter not in symbols:
            expression = expression.replace(letter, meaning)
    return expression.subs(symbols, simultaneous=True)


def identity(
    meanings: Mapping[Any, Any], because: str, *lemmas: Step | Check, where: Mapping[Any, Any] | None = None
) -> Callable[[Any], tuple[Step | Check, ...]]:
    """Each printed equation is an identity in what its letters mean.

    Args:
        meanings: symbol -> expression, undefined function -> function of its arguments.
        because: why they are equal.
        lemmas: steps and checks that the meanings rest on.
        where: a parametrisation of the domain, as of a :class:`Step`.
    """

    def prove(statement: Any) -> tuple[Step | Check, ...]:
        steps = [
            Step(claim, meant(relation.lhs, meanings), meant(relation.rhs, meanings), because, where)
            for claim, relation in _named(statement)
        ]
        return (*lemmas, *steps)

    return prove


def numerically(
    cases: Callable[[], Iterable[Values]], because: str, *, tolerance: float = ROUNDING, scale: float = 0.0
) -> Callable[[Any], tuple[Check, ...]]:
    """Each printed relation holds in numbers, at every case that its condition, if there is one, allows.

    Args:
        cases: gives the values of the symbols, and functions for the undefined functions, by their names.
        because: how the two sides are known independently.
        tolerance: largest difference of the sides of an equation, in units of the larger one.
        scale: a size below which the sides of an equation are noise; the difference is in units of this at least.
    """

    def prove(statement: Any) -> tuple[Check, ...]:
        return tuple(
            Check(claim, partial(_holds, relation, statement, cases, (tolerance, scale)), because)
            for claim, relation in _named(statement)
        )

    return prove


def _named(statement: Any) -> list[tuple[str, Any]]:
    """The relations of a statement, each with a claim of its own."""
    parts = relations(statement)
    return [("as printed" if len(parts) == 1 else f"as printed, part {n}", part) for n, part in enumerate(parts, 1)]


def is_close(left: Any, right: Any, tolerance: float = ROUNDING, scale: float = 0.0) -> bool:
    """Whether two numbers or arrays differ by at most ``tolerance`` of the larger, or of ``scale``."""
    left, right = np.asarray(left), np.asarray(right)
    if not (np.all(np.isfinite(left)) and np.all(np.isfinite(right))):
        return False
    return bool(np.max(np.abs(left - right)) <= tolerance * max(np.max(np.abs(left)), np.max(np.abs(right)), scale))


def has_digits(value: Any, printed: Any) -> bool:
    """Whether ``value`` rounds to the printed decimals."""
    if not isinstance(printed, decimal):
        raise TypeError(f"printed: got {printed!r}, needs decimal(...) of the printed digits")
    return bool(abs(sp.sympify(value) - printed.exact) <= printed.last_place / 2)


def _holds(relation: Any, statement: Any, cases: Callable[[], Iterable[Values]], accuracy: tuple[float, float]) -> bool:
    condition = statement.condition if isinstance(statement, Given) else sp.true
    allowed = [case for case in cases() if bool(evaluate(condition, case))]
    return for_all(allowed, lambda case: _holds_at(relation, case, *accuracy))


def _holds_at(relation: Any, case: Values, tolerance: float, scale: float) -> bool:
    if isinstance(relation, (BooleanFunction, sp.core.relational.Relational)) and not isinstance(relation, sp.Eq):
        return bool(evaluate(relation, case))
    left, right = evaluate(relation.lhs, case), evaluate(relation.rhs, case)
    return is_close(left, right, tolerance, scale)
