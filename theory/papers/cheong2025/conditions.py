"""Statements under a condition: their parts, and a program for relations that fail wherever it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sympy as sp

from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import chosen
from theory.core.numbers.evaluation import evaluate

Cases = Callable[[], Iterable[Mapping[str, Any]]]


def apart(sentence: Any) -> tuple[Any, Any]:
    """A statement and its condition, which is true where there is none."""
    return (sentence.statement, sentence.condition) if isinstance(sentence, Given) else (sentence, sp.true)


def allowed_words(condition: Any, name: str, every: tuple[str, ...]) -> tuple[str, ...]:
    """The words that may stand for ``name`` in a condition: the one that does, or all where there is no condition."""
    return (chosen(condition, name, {word: word for word in every}),) if isinstance(condition, Claim) else every


def exactly_where(cases: Cases, because: str, **accuracy: float) -> Callable[[Any], tuple[Check, ...]]:
    """The printed relations hold at every case that the condition allows and fail at every other.

    Args:
        cases: gives the values of the symbols, and functions for the undefined functions, by their names.
        because: how the two sides are known independently.
        accuracy: ``tolerance`` and ``scale`` of :func:`theory.core.numerically`.
    """
    everywhere = numerically(cases, because, **accuracy)

    def prove(statement: Any) -> tuple[Check, ...]:
        checks = everywhere(statement)
        if not isinstance(statement, Given):
            return checks

        def fails(case: Mapping[str, Any]) -> bool:
            at_this_case = numerically(lambda: [case], because, **accuracy)(statement.statement)
            return not all(check.run() for check in at_this_case)

        others = [case for case in cases() if not evaluate(statement.condition, case)]
        return (*checks, Check("nowhere else", lambda: for_all(others, fails), because))

    return prove
