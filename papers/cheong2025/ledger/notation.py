"""The letters of the thesis, and programs that its sections share."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from theory.core import Check, Claim, evaluate, for_all, in_words, is_close, letters_of

letters = letters_of(__package__)
Case = Mapping[str, Any]
Cases = Callable[[], Iterable[Case]]


def counted(
    cases: Cases, /, **truths: Callable[[Case], Any]
) -> Callable[[Claim], tuple[Check, ...]]:
    """Return a ``prove`` by which the formula in each slot of a sentence gives what a function of each case counts."""

    def prove(claim: Claim) -> tuple[Check, ...]:
        if set(claim.values) != set(truths):
            raise ValueError(f"truths: got {', '.join(truths)}, needs {', '.join(claim.values)}")
        return tuple(
            Check(slot, partial(agrees, claim[slot], truth)) for slot, truth in truths.items()
        )

    def agrees(formula: Any, truth: Callable[[Case], Any]) -> bool:
        return for_all(cases(), lambda case: is_close(evaluate(formula, case), truth(case)))

    prove.__doc__ = in_words("counted", cases, *truths.values())
    return prove


def agreed(answers: Iterable[Any], yes: str, no: str) -> str:
    """Return the word ``yes`` if all answers are True, ``no`` if none is, and "neither" otherwise."""
    answered = {bool(answer) for answer in answers}
    return yes if answered == {True} else no if answered == {False} else "neither"
