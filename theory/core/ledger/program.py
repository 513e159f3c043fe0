"""The programs that decide the entries of a ledger, their witnesses, and what they say about themselves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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
    """The functions that decide an entry which has a witness, and the point of the witness.

    Args:
        prove: function of a statement that returns the steps and checks that hold if it is right.
        independent: function that computes the number at the point in another way. Default: ``measured``.
        value: function of a statement, and of values of the point, that returns its number. Default: the first relation
            is solved or evaluated at the point.
        tolerance: relative error of ``independent``. Default: 1e-8.
        measured: function of the printed statement, and of values of the point, that returns what is measured for a
            side of it. Default: ``independent``.
        at: the point, name -> value, from which the functions take what they name among their arguments, or a function
            that returns such a case. Default: no values.
        quantity: what the number is, in words. Default: none.

    >>> Program(lambda statement: (), independent=lambda x: x / 2, at={"x": 1.0}).witness(None).point
    {'x': 1.0}
    """

    prove: Prover
    independent: Callable[..., Any] | None = None
    value: Callable[..., Any] | None = None
    tolerance: float = 1e-8
    measured: Callable[..., Any] | None = None
    at: Mapping[str, Any] | Callable[[], Mapping[str, Any]] = field(default_factory=dict)
    quantity: str = ""

    def witness(self, printed: Any) -> Witness:
        """Return the witness of an entry with this printed statement."""
        measured = partial(self.measured, printed) if self.measured else None
        independent = self.independent or measured
        if not independent:
            raise ValueError("Program: got neither independent nor measured, needs one of them")
        return Witness(self.at, independent, self.value, self.tolerance, self.quantity)


Programs = Mapping[str, Prover | Program]
"""Label of an entry, or several joined as "(1) | (2)" -> program; a module of a ledger has one map PROGRAMS."""


def witness_of(program: Prover | Program | None, printed: Any, corrected: Any) -> Witness | None:
    """Return the witness of an erratum; of a numerical comparison it is the first case in which it fails."""
    if isinstance(program, Program):
        return program.witness(printed)
    if not isinstance(program, Numerically):
        return None
    counterexample = cache(partial(program.counterexample, printed))

    def side(statement: Any, number: int, case: Any) -> Any:
        relation = relations(statement)[counterexample()[0]]
        relation = relation.args[1] if isinstance(relation, sp.Implies) else relation
        return np.asarray(evaluate(relation.args[number], case), dtype=float)

    def independent(case: Any) -> Any:
        left = side(printed if corrected is None else corrected, 0, case)
        return np.where(np.abs(left) <= program.tolerance * program.scale, 0.0, left)

    def value(statement: Any, case: Any) -> Any:
        return independent(case) + side(statement, 1, case) - side(statement, 0, case)

    return Witness(lambda: counterexample()[1], independent, value, program.tolerance)


def words_of(prove: Any) -> str:
    """Return how a program decides, in its own words, for entries whose text says nothing of it."""
    if isinstance(prove, Numerically):
        return in_words(prove.because, prove.cases)
    return in_words("", prove) if prove else ""
