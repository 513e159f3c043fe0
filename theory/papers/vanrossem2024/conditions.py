"""Sentences that hold in some cases only: what the condition of a statement allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from theory.core import Check, Program, for_all
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import chosen


def without_condition(sentence: Any) -> tuple[Any, Any]:
    """A statement and its condition; None where it has none."""
    return (sentence.statement, sentence.condition) if isinstance(sentence, Given) else (sentence, None)


def allowed(sentence: Any, word: str, names: Iterable[str]) -> tuple[Any, tuple[str, ...]]:
    """The statement itself, and the cases that its condition allows, or all where it has none.

    Args:
        sentence: a statement, or one under a condition.
        word: name of the word of the condition that names the case.
        names: of all cases.
    """
    statement, condition = without_condition(sentence)
    return statement, tuple(names) if condition is None else (chosen(condition, word, {name: name for name in names}),)


def in_every_case(
    word: str, cases: Mapping[str, Any], fact: Callable[[Any], bool], said: tuple[str, str, str], because: str
) -> Callable[[Any], tuple[Check, ...]]:
    """Return the program of a sentence that says one thing of every case that its condition allows.

    Args:
        word: name of the word of the condition that names the case.
        cases: name of each case -> what ``fact`` takes.
        fact: whether the thing is so in a case.
        said: slot of the sentence, its word if the thing is so, and its word if it is not.
        because: how the fact is known.
    """
    slot, yes, no = said

    def prove(sentence: Any) -> tuple[Check, ...]:
        claim, names = allowed(sentence, word, cases)
        so = chosen(claim, slot, {yes: True, no: False})
        return (Check("every case", lambda: for_all(names, lambda name: fact(cases[name]) is so), because),)

    return prove


def with_counterexample(
    prove: Any,
    said: tuple[str, str, str],
    there: Callable[[], float],
    promised: Callable[[], float],
    tolerance: float = 1e-8,
) -> Program:
    """Return the program of a sentence with the number in a case in which it fails, and the one that it promises."""
    slot, yes, no = said
    return Program(prove, there, lambda claim: chosen(claim, slot, {yes: promised, no: there})(), tolerance)
