"""The evidence for a printed statement, and checks that reject steps without content."""

from collections.abc import Callable, Iterable
from typing import Any

from closedform import checks
from theory.core.ledger.planted_errors import mutants
from theory.core.ledger.relation_kinds import refuse_undeclared
from theory.core.proof.derivation import Check, Step, special_cases


def evidence(
    prove: Callable[[Any], Iterable[Step | Check]], statement: Any
) -> tuple[Step | Check, ...]:
    """Return the steps and checks that decide ``statement``; ValueError for none, or for one that has no content."""
    refuse_undeclared(prove, statement)
    steps = tuple(prove(statement))
    if not steps:
        raise ValueError(f"prove: got no step for {statement}, needs at least one")
    for step in special_cases(steps):
        raise ValueError(
            f"step {step.claim!r}: where ties letters to each other or to a number, needs a step in general as well"
        )
    _refuse_idle(prove, statement, steps)
    return steps


def for_all(cases: Iterable[Any], program: Callable[[Any], bool]) -> bool:
    """Return whether ``program`` is True for all cases.

    Args:
        cases: what is tried, at least one.
        program: function of a case that returns True or False.

    Raises:
        ValueError: if there is no case.
        TypeError: if the program returns anything but True or False, such as None for a case that it skips.

    >>> for_all(range(10), lambda n: n < 10)
    True
    """
    answers = []
    for case in cases:
        answer = program(case)
        if answer not in (True, False) or answer is None:
            raise TypeError(
                f"program: got {checks.shown(answer)} for {checks.shown(case)}, needs True or False for each case"
            )
        answers.append(bool(answer))
    if not answers:
        raise ValueError("cases: got none, needs at least one")
    return all(answers)


def _refuse_idle(
    prove: Callable[[Any], Iterable[Step | Check]], statement: Any, steps: tuple[Any, ...]
) -> None:
    """Raise ValueError for steps whose sides are the same constants for every statement."""
    idle = {
        index
        for index, step in enumerate(steps)
        if isinstance(step, Step) and not step.left.free_symbols | step.right.free_symbols
    }
    for mutant in mutants(statement) if idle else ():
        try:
            others = tuple(prove(mutant.statement))
        except Exception:  # the program cannot read the changed statement
            return
        idle -= {
            index
            for index in idle
            if index >= len(others) or _says_more(steps[index], others[index])
        }
        if not idle:
            return
    if idle:
        claims = ", ".join(repr(steps[index].claim) for index in sorted(idle))
        raise ValueError(f"prove: the two sides are constants for every statement in {claims}")


def _says_more(step: Step, other: Any) -> bool:
    return not isinstance(other, Step) or (step.left, step.right) != (other.left, other.right)
