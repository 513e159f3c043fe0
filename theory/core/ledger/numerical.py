"""Comparison of both sides of printed relations in cases: values of the letters."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from sympy.logic.boolalg import BooleanFunction

from closedform import checks
from theory.core.ledger.evidence import for_all
from theory.core.ledger.printed import Conditional, relations
from theory.core.numbers.evaluation import evaluate
from theory.core.proof.derivation import Check, Step

Values = Mapping[str, Any]
RESOLUTION = 1e-5  # sides that are both smaller are compared to ROUNDING times this
ROUNDING = 1e-9  # relative error of sums, quadratures and float64 formulas


@dataclass(frozen=True)
class Numerically:
    """A ``prove`` by which each printed relation must hold numerically in every case that its condition allows.

    The premise of a printed ``sp.Implies`` is such a condition. Sides that are equal up to the tolerance satisfy
    ``<=``, and do not satisfy ``<``. The witness of a relation that is wrong is the first case in which it fails.

    Args:
        cases: function without arguments that yields cases: values of the symbols, and functions for the undefined
            functions, by name.
        because: how the two sides are known independently, where the evidence does not say it. Default: empty.
        tolerance: largest difference of the two sides of an equation, relative to the larger one. Default: 1e-9.
        scale: smallest reference for this relative difference, for sides that may vanish. Default: 0.
        lemmas: steps and checks with which it begins. Default: none.
        relations, under: the relations that it decides, see ``declaring``. Default: equations and inequalities.

    >>> x = sp.Symbol("x", positive=True)
    >>> (check,) = numerically(lambda: [{"x": 2.0}], "at a point")(sp.Gt(x**2, x))
    >>> check.check().name
    'HOLDS'
    """

    cases: Callable[[], Iterable[Values]]
    because: str = ""
    _: KW_ONLY
    tolerance: float = ROUNDING
    scale: float = 0.0
    lemmas: tuple[Step | Check, ...] = ()
    relations: str = ""
    under: str = ""
    reads_sign = True

    def __call__(self, statement: Any) -> tuple[Any, ...]:
        """Return the lemmas, and a check of each relation of the statement."""
        checks = (
            Check(claim, partial(self._holds, each, statement), self.because)
            for claim, each in named_relations(statement)
        )
        return (*self.lemmas, *checks)

    def counterexample(self, statement: Any) -> tuple[int, Values]:
        """Return the index of a relation that fails, and the first case in which it does.

        Raises:
            ValueError: if the statement holds in all cases.
        """
        for index, (_, relation) in enumerate(named_relations(statement)):
            for conclusion, case in self._possible(relation, statement):
                if not _holds_at(conclusion, case, self.tolerance, self.scale):
                    return index, case
        raise ValueError(f"cases: got none in which {statement} fails, needs one for its witness")

    def _holds(self, relation: Any, statement: Any) -> bool:
        possible = self._possible(relation, statement)
        return for_all(
            possible, lambda pair: _holds_at(pair[0], pair[1], self.tolerance, self.scale)
        )

    def _possible(self, relation: Any, statement: Any) -> list[tuple[Any, Values]]:
        """Return a relation without its premise, with each case that premise and condition allow."""
        possible = allowed(statement, self.cases())
        if isinstance(relation, sp.Implies):
            premise, relation = relation.args
            possible = allowed(Conditional(relation, premise), possible)
        return [(relation, case) for case in possible]


numerically = Numerically


def named_relations(statement: Any) -> list[tuple[str, Any]]:
    """Return the relations of a statement, each with its own claim."""
    parts = relations(statement)
    return [
        ("as printed" if len(parts) == 1 else f"as printed, part {n}", part)
        for n, part in enumerate(parts, 1)
    ]


def is_close(left: Any, right: Any, tolerance: float = ROUNDING, scale: float = 0.0) -> bool:
    """Return whether two numbers or arrays differ by at most ``tolerance`` times the larger, or times ``scale``.

    Args:
        left, right: numbers, or arrays of one shape.
        tolerance: largest difference relative to the larger. Default: that of rounding.
        scale: least size to which it is relative. Default: 0.

    >>> is_close(1.0, 1.0 + 1e-12), is_close(1.0, 1.1), is_close(0.0, 1e-12, scale=1.0)
    (True, False, True)
    """
    left, right = np.asarray(left), np.asarray(right)
    if not (np.all(np.isfinite(left)) and np.all(np.isfinite(right))):
        return False
    return bool(
        np.max(np.abs(left - right))
        <= tolerance * max(np.max(np.abs(left)), np.max(np.abs(right)), scale)
    )


def allowed(statement: Any, cases: Iterable[Values]) -> list[Values]:
    """Return the cases that the condition of a statement allows; all of them if it has no condition.

    Args:
        statement: a statement, possibly with a condition.
        cases: what is tried; under a condition, values of its letters by name, one mapping a case.

    Returns:
        The allowed cases, in their order.

    Raises:
        TypeError: if ``cases`` are not iterable, or under a condition one of them is no mapping of names to values.

    >>> x = sp.Symbol("x", real=True)
    >>> allowed(Conditional(sp.Gt(x**2, x), sp.Gt(x, 1)), [{"x": -2}, {"x": 3}])
    [{'x': 3}]
    """
    if not isinstance(cases, Iterable):
        raise TypeError(f"cases: got {checks.shown(cases)}, needs several of them")
    if not isinstance(statement, Conditional):
        return list(cases)
    result = []
    for case in cases:
        if not isinstance(case, Mapping):
            raise TypeError(
                f"cases: got {checks.shown(case)} among them, needs mappings of names to values"
            )
        if bool(evaluate(statement.condition, case)):
            result.append(case)
    return result


def unconditional(statement: Any) -> Any:
    """Return a statement without its condition.

    Args:
        statement: a statement, possibly with a condition.

    >>> x = sp.Symbol("x", real=True)
    >>> unconditional(Conditional(sp.Gt(x**2, x), sp.Gt(x, 1)))
    x**2 > x
    """
    return statement.statement if isinstance(statement, Conditional) else statement


def _holds_at(relation: Any, case: Values, tolerance: float, scale: float) -> bool:
    if isinstance(relation, (BooleanFunction, sp.Ne)):
        return bool(evaluate(relation, case))
    # the root of a negative number has no value, and then no relation holds
    with np.errstate(invalid="ignore"):
        left, right = evaluate(relation.lhs, case), evaluate(relation.rhs, case)
    if isinstance(relation, (sp.Gt, sp.Ge)):
        left, right = right, left
    if not isinstance(relation, (sp.Lt, sp.Le, sp.Gt, sp.Ge)):
        return is_close(left, right, tolerance, scale)
    # what the two sides of an equation may differ by does not decide a bound that is reached
    are_equal = is_close(left, right, tolerance, max(scale, RESOLUTION))
    if isinstance(relation, (sp.Lt, sp.Gt)):
        return bool(left < right) and not are_equal
    return bool(left < right) or are_equal
