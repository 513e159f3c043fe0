"""Functions for the ``prove`` of a ledger entry, which decide a printed formula after its letters have a meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from sympy.logic.boolalg import BooleanFunction

from theory.core.ledger.evidence import for_all
from theory.core.ledger.printed import Given, relations
from theory.core.numbers.digits import decimal
from theory.core.numbers.evaluation import evaluate
from theory.core.proof.derivation import Check, Step

Values = Mapping[str, Any]
ROUNDING = 1e-9  # relative error of sums, quadratures and float64 formulas


def meant(expression: Any, meanings: Mapping[Any, Any]) -> Any:
    """Return the expression with each letter replaced by its meaning.

    Args:
        expression: side of a printed relation.
        meanings: symbol -> expression, or undefined function -> function of its arguments.
    """
    symbols = {letter: meaning for letter, meaning in meanings.items() if isinstance(letter, sp.Basic)}
    for letter, meaning in meanings.items():
        if letter not in symbols:
            expression = expression.replace(letter, meaning)
    return expression.subs(symbols, simultaneous=True)


def identity(
    meanings: Mapping[Any, Any], because: str, *lemmas: Step | Check, where: Mapping[Any, Any] | None = None
) -> Callable[[Any], tuple[Step | Check, ...]]:
    """Return a ``prove`` by which each printed equation must be an identity in the meanings of its letters.

    Args:
        meanings: symbol -> expression, or undefined function -> function of its arguments.
        because: reason why the two sides are equal.
        lemmas: steps and checks that support the meanings. Default: none.
        where: parametrisation of the domain, as of a :class:`Step`. Default: none.
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
    """Return a ``prove`` by which each printed relation must hold numerically in every case that its condition allows.

    The premise of a printed ``sp.Implies`` is such a condition.

    Args:
        cases: function without arguments that yields cases: values of the symbols, and functions for the undefined
            functions, by name.
        because: how the two sides are known independently.
        tolerance: largest difference of the two sides of an equation, relative to the larger one. Default: 1e-9.
        scale: smallest reference for this relative difference, for sides that may vanish. Default: 0.
    """

    def prove(statement: Any) -> tuple[Check, ...]:
        return tuple(
            Check(claim, partial(_holds, relation, statement, cases, (tolerance, scale)), because)
            for claim, relation in _named(statement)
        )

    return prove


def _named(statement: Any) -> list[tuple[str, Any]]:
    """Return the relations of a statement, each with its own claim."""
    parts = relations(statement)
    return [("as printed" if len(parts) == 1 else f"as printed, part {n}", part) for n, part in enumerate(parts, 1)]


def is_close(left: Any, right: Any, tolerance: float = ROUNDING, scale: float = 0.0) -> bool:
    """Return whether two numbers or arrays differ by at most ``tolerance`` times the larger, or times ``scale``."""
    left, right = np.asarray(left), np.asarray(right)
    if not (np.all(np.isfinite(left)) and np.all(np.isfinite(right))):
        return False
    return bool(np.max(np.abs(left - right)) <= tolerance * max(np.max(np.abs(left)), np.max(np.abs(right)), scale))


def has_digits(value: Any, printed: Any) -> bool:
    """Return whether ``value`` rounds to the printed decimals."""
    if not isinstance(printed, decimal):
        raise TypeError(f"printed: got {printed!r}, needs decimal(...) of the printed digits")
    return bool(abs(sp.sympify(value) - printed.exact) <= printed.last_place / 2)


def _holds(relation: Any, statement: Any, cases: Callable[[], Iterable[Values]], accuracy: tuple[float, float]) -> bool:
    conditions = [statement.condition] if isinstance(statement, Given) else []
    if isinstance(relation, sp.Implies):
        premise, relation = relation.args
        conditions.append(premise)
    allowed = [case for case in cases() if all(bool(evaluate(condition, case)) for condition in conditions)]
    return for_all(allowed, lambda case: _holds_at(relation, case, *accuracy))


def _holds_at(relation: Any, case: Values, tolerance: float, scale: float) -> bool:
    if isinstance(relation, (BooleanFunction, sp.core.relational.Relational)) and not isinstance(relation, sp.Eq):
        return bool(evaluate(relation, case))
    left, right = evaluate(relation.lhs, case), evaluate(relation.rhs, case)
    return is_close(left, right, tolerance, scale)
