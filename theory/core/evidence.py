"""What counts as evidence for a printed statement; what does not is refused with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import sympy as sp

from theory.core.derivation import Check, Step
from theory.core.mutation import mutants


def evidence(prove: Callable[[Any], Iterable[Step | Check]], statement: Any) -> tuple[Step | Check, ...]:
    """The steps and checks that decide ``statement``.

    Raises:
        ValueError: if there are none, or one of them says nothing: a step between numbers that are not printed, a
            step whose sides are one object whatever is printed, a parametrisation that pins a symbol to one value.
    """
    steps = tuple(prove(statement))
    if not steps:
        raise ValueError(f"prove: got no step for {statement}, needs at least one")
    for index, step in enumerate(steps):
        if isinstance(step, Step):
            _refuse_pinned(step)
            _refuse_constants(step, statement)
            if step.left == step.right:
                _refuse_one_object(prove, statement, index)
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


def _refuse_constants(step: Step, statement: Any) -> None:
    if step.left.free_symbols or step.right.free_symbols or step.left.atoms(sp.Function) - _numbers(step):
        return
    printed = _parts(statement)
    if not any(step.mentions(part) for part in printed):
        raise ValueError(f"step {step.claim!r}: compares constants that are not printed")


def _numbers(step: Step) -> set[Any]:
    return {node for node in step.left.atoms(sp.Function) if node.is_number}


def _parts(statement: Any) -> Sequence[Any]:
    """Sides and values of a statement, those of its parts included."""
    if isinstance(statement, sp.Basic):
        return [node for node in sp.preorder_traversal(statement) if isinstance(node, sp.Expr)]
    parts = [getattr(statement, name, None) for name in ("statement", "condition")]
    values = [value for value in getattr(statement, "values", {}).values() if isinstance(value, sp.Basic)]
    return [node for part in (*parts, *values) if part is not None for node in _parts(part)]


def _refuse_one_object(prove: Callable[[Any], Iterable[Step | Check]], statement: Any, index: int) -> None:
    """A derivation may end in exactly what is printed; a step that does so for every other print too is none."""
    for mutant in mutants(statement):
        try:
            other = tuple(prove(mutant.statement))[index]
        except Exception:  # the program refuses what is not printed
            return
        if not isinstance(other, Step) or other.left != other.right:
            return
    raise ValueError(f"prove: the two sides of step {index + 1} are one object whatever is printed")
