"""What counts as evidence for a printed statement; what does not is refused with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from theory.core.derivation import Check, Step
from theory.core.mutation import mutants


def evidence(prove: Callable[[Any], Iterable[Step | Check]], statement: Any) -> tuple[Step | Check, ...]:
    """The steps and checks that decide ``statement``.

    Raises:
        ValueError: if there are none, or one of them says nothing: a step whose sides are one object, or the same
            constants, whatever is printed; a parametrisation that pins a symbol to one value.
    """
    steps = tuple(prove(statement))
    if not steps:
        raise ValueError(f"prove: got no step for {statement}, needs at least one")
    for step in steps:
        if isinstance(step, Step):
            _refuse_pinned(step)
    _refuse_idle(prove, statement, steps)
    return steps


def for_all(cases: Iterable[Any], program: Callable[[Any], bool]) -> bool:
    """Whether ``program`` is True for all cases; none may be skipped, and there must be at least one.

    Raises:
        ValueError: if there is no case.
        TypeError: if the program answers anything but True or False, such as None for a case that it skips.
    """
    answers = []
    for case in cases:
        answer = program(case)
        if answer not in (True, False) or answer is None:
            raise TypeError(f"program: got {answer!r} for {case!r}, needs True or False for each case")
        answers.append(bool(answer))
    if not answers:
        raise ValueError("cases: got none, needs at least one")
    return all(answers)


def _refuse_pinned(step: Step) -> None:
    pinned = [symbol for symbol, value in dict(step.where or {}).items() if not value.free_symbols]
    if pinned:
        raise ValueError(f"step {step.claim!r}: where pins {', '.join(map(str, pinned))} to one value")


def _refuse_idle(prove: Callable[[Any], Iterable[Step | Check]], statement: Any, steps: tuple[Any, ...]) -> None:
    """A derivation may end in exactly what is printed, or in a number; a step that always does so says nothing."""
    idle = {
        index
        for index, step in enumerate(steps)
        if isinstance(step, Step) and (step.left == step.right or not step.left.free_symbols | step.right.free_symbols)
    }
    for mutant in mutants(statement) if idle else ():
        try:
            others = tuple(prove(mutant.statement))
        except Exception:  # the program refuses what is not printed
            return
        idle -= {index for index in idle if index >= len(others) or _says_more(steps[index], others[index])}
        if not idle:
            return
    if idle:
        claims = ", ".join(repr(steps[index].claim) for index in sorted(idle))
        raise ValueError(f"prove: whatever is printed, the two sides are one object or the same constants in {claims}")


def _says_more(step: Step, other: Any) -> bool:
    if not isinstance(other, Step):
        return True
    return (
        other.left != other.right if step.left == step.right else (step.left, step.right) != (other.left, other.right)
    )
