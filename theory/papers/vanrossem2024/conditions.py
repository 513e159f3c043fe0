"""Sentences that hold in some cases only: what the condition of a statement allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from theory.core import Check, for_all
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
    word: str, names: Iterable[str], fact: Callable[[str], bool], said: tuple[str, Mapping[str, bool]], because: str
) -> Callable[[Any], tuple[Check, ...]]:
    """Proves a sentence that says one thing of every case that its condition allows.

    Args:
        word: name of the word of the condition that names the case.
        names: of all cases.
        fact: whether the thing is so in a case.
        said: slot of the sentence, and what each of its words says of the thing.
        because: how the fact is known.
    """

    def prove(sentence: Any) -> tuple[Check, ...]:
        claim, cases = allowed(sentence, word, names)
        return (Check("every case", lambda: for_all(cases, lambda name: fact(name) is chosen(claim, *said)), because),)

    return prove
