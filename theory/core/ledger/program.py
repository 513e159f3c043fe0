"""The programs that decide the entries of a ledger, their witnesses, and what they say about themselves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core.ledger.equation import Prover
from theory.core.ledger.numerical import Numerically
from theory.core.ledger.printed import relations
from theory.core.ledger.proving import in_words
from theory.core.ledger.rulings import Witness
from theory.core.numbers.evaluation import evaluate


@dataclass(frozen=True)
class Program:
    """The functions that decide an entry which has a witness.

    ``prove`` returns the steps and checks that hold if a statement is right, and ``independent`` the number at the
    witness point in another way, to a relative ``tolerance``, or ``measured`` what is measured for a side of the
    printed statement. ``value`` returns the number of a statement; by default the first relation is solved or evaluated
    there.

    >>> Program(lambda statement: (), independent=lambda: 0.5).independent()
    0.5
    """

    prove: Prover
    independent: Callable[[], Any] | None = None
    value: Callable[[Any], Any] | None = None
    tolerance: float = 1e-8
    measured: Callable[[Any], Any] | None = None

    def witness(self, at: Mapping[str, Any], printed: Any) -> Witness:
        """Return the witness at a point."""
        measured = partial(self.measured, printed) if self.measured else None
        independent = self.independent or measured
        if not independent:
            raise ValueError("Program: got neither independent nor measured, needs one of them")
        return Witness(at, independent, self.value, self.tolerance)


Programs = Mapping[str, Prover | Program]
"""Label of an entry, or several joined as "(1) | (2)" -> program; a module of a ledger has one map PROGRAMS."""


def witness_of(
    program: Prover | Program | None, at: Mapping[str, Any], printed: Any, corrected: Any
) -> Witness | None:
    """Return the witness of an entry at a point, by default the first case in which the printed relation fails."""
    if at and isinstance(program, Program):
        return program.witness(at, printed)
    if not at or not isinstance(program, Numerically):
        return None
    counterexample = cache(partial(program.counterexample, printed))

    def side(statement: Any, number: int) -> Any:
        index, case = counterexample()
        relation = relations(statement)[index]
        relation = relation.args[1] if isinstance(relation, sp.Implies) else relation
        return np.asarray(evaluate(relation.args[number], case), dtype=float)

    @cache
    def independent() -> Any:
        found = side(printed if corrected is None else corrected, 0)
        return np.where(np.abs(found) <= program.tolerance * program.scale, 0.0, found)

    def value(statement: Any) -> Any:
        return independent() + side(statement, 1) - side(statement, 0)

    return Witness(at, independent, value, program.tolerance)


def words_of(prove: Any) -> str:
    """Return how a program decides, in its own words, for entries whose text says nothing of it."""
    if isinstance(prove, Numerically):
        return in_words(prove.because, prove.cases)
    return in_words("", prove) if prove else ""
