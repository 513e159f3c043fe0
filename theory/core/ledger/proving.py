"""Functions for the ``prove`` of a ledger entry, which decide a printed formula after its letters have a meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from sympy.logic.boolalg import BooleanFunction

from theory.core.ledger.evidence import for_all
from theory.core.ledger.printed import Claim, Given, relations
from theory.core.numbers.digits import decimal
from theory.core.numbers.evaluation import evaluate
from theory.core.proof.derivation import Check, Step
from theory.core.text.parsing import sympy_object

Values = Mapping[str, Any]
RESOLUTION = 1e-5  # sides that are both smaller are compared to ROUNDING times this
ROUNDING = 1e-9  # relative error of sums, quadratures and float64 formulas


def meant(expression: Any, meanings: Mapping[Any, Any]) -> Any:
    """Return the expression with each letter replaced by its meaning.

    Args:
        expression: side of a printed relation.
        meanings: symbol -> expression, or undefined function -> function of its arguments.
    """
    symbols = {letter: meaning for letter, meaning in meanings.items() if isinstance(letter, sp.Basic)}
    for letter, meaning in meanings.items():
        if letter not in symbols:
            expression = expression.replace(letter, meaning)
    return expression.subs(symbols, simultaneous=True)


def identity(
    meanings: Mapping[Any, Any], because: str, *lemmas: Step | Check, where: Mapping[Any, Any] | None = None
) -> Callable[[Any], tuple[Step | Check, ...]]:
    """Return a ``prove`` by which each printed equation must be an identity in the meanings of its letters.

    Args:
        meanings: symbol -> expression, or undefined function -> function of its arguments.
        because: reason why the two sides are equal.
        lemmas: steps and checks that support the meanings. Default: none.
        where: parametrisation of the domain, as of a :class:`Step`. Default: none.

    >>> x, y = sp.symbols("x y")
    >>> (step,) = identity({y: (x + 1) ** 2}, "expanded")(sp.Eq(y, x**2 + 2 * x + 1))
    >>> step.check().name
    'HOLDS'
    """

    def prove(statement: Any) -> tuple[Step | Check, ...]:
        steps = [
            Step(claim, meant(relation.lhs, meanings), meant(relation.rhs, meanings), because, where)
            for claim, relation in _named(statement)
        ]
        return (*lemmas, *steps)

    return prove


def numerically(
    cases: Callable[[], Iterable[Values]], because: str, *, tolerance: float = ROUNDING, scale: float = 0.0
) -> Callable[[Any], tuple[Check, ...]]:
    """Return a ``prove`` by which each printed relation must hold numerically in every case that its condition allows.

    The premise of a printed ``sp.Implies`` is such a condition. Sides that are equal up to rounding satisfy ``<=``, and
    do not satisfy ``<``.

    Args:
        cases: function without arguments that yields cases: values of the symbols, and functions for the undefined
            functions, by name.
        because: how the two sides are known independently.
        tolerance: largest difference of the two sides of an equation, relative to the larger one. Default: 1e-9.
        scale: smallest reference for this relative difference, for sides that may vanish. Default: 0.

    >>> x = sp.Symbol("x", positive=True)
    >>> (check,) = numerically(lambda: [{"x": 2.0}], "at a point")(sp.Gt(x**2, x))
    >>> check.check().name
    'HOLDS'
    """

    def prove(statement: Any) -> tuple[Check, ...]:
        return tuple(
            Check(claim, partial(_holds, relation, statement, cases, (tolerance, scale)), because)
            for claim, relation in _named(statement)
        )

    return prove


def _named(statement: Any) -> list[tuple[str, Any]]:
    """Return the relations of a statement, each with its own claim."""
    parts = relations(statement)
    return [("as printed" if len(parts) == 1 else f"as printed, part {n}", part) for n, part in enumerate(parts, 1)]


def is_close(left: Any, right: Any, tolerance: float = ROUNDING, scale: float = 0.0) -> bool:
    """Return whether two numbers or arrays differ by at most ``tolerance`` times the larger, or times ``scale``."""
    left, right = np.asarray(left), np.asarray(right)
    if not (np.all(np.isfinite(left)) and np.all(np.isfinite(right))):
        return False
    return bool(np.max(np.abs(left - right)) <= tolerance * max(np.max(np.abs(left)), np.max(np.abs(right)), scale))


def has_digits(value: Any, printed: Any) -> bool:
    """Return whether ``value`` rounds to the printed decimals."""
    if not isinstance(printed, decimal):
        raise TypeError(f"printed: got {printed!r}, needs decimal(...) of the printed digits")
    return bool(abs(sympy_object("value", value) - printed.exact) <= printed.last_place / 2)


def allowed(statement: Any, cases: Iterable[Values]) -> list[Values]:
    """Return the cases that the condition of a statement allows; all of them if it has no condition."""
    condition = statement.condition if isinstance(statement, Given) else sp.true
    return [case for case in cases if bool(evaluate(condition, case))]


def unconditional(statement: Any) -> Any:
    """Return a statement without its condition."""
    return statement.statement if isinstance(statement, Given) else statement


def chosen(claim: Claim, slot: str, meanings: Mapping[str, Any]) -> Any:
    """Return the meaning of the word in a slot of a claim.

    Raises:
        ValueError: for a word without a meaning.
    """
    if claim[slot] not in meanings:
        raise ValueError(f"{slot}: got {claim[slot]!r}, needs one of {', '.join(meanings)}")
    return meanings[claim[slot]]


def stating(truths: Mapping[str, Callable[..., Any]], because: str) -> Callable[[Any], tuple[Check, ...]]:
    """Return a ``prove`` by which each slot of a claim has the word, or the number, that its function computes.

    Args:
        truths: slot -> function that returns the true word, or the true number. Its arguments are the words of the
            condition, by name; without a condition it takes its defaults.
        because: how the functions know.
    """

    def prove(statement: Any) -> tuple[Check, ...]:
        claim, known = unconditional(statement), {}
        if isinstance(statement, Given):
            known = {name: statement.condition[name] for name in statement.condition.values}
        if set(claim.values) != set(truths):
            raise ValueError(f"truths: got {', '.join(truths)}, needs {', '.join(claim.values)}")
        return tuple(
            Check(slot, partial(_is_stated, claim, slot, partial(truth, **known)), because)
            for slot, truth in truths.items()
        )

    return prove


def _is_stated(claim: Claim, slot: str, truth: Callable[[], Any]) -> bool:
    value, true = claim[slot], truth()
    if isinstance(value, str) or isinstance(true, str) or value in (sp.oo, -sp.oo):
        return bool(value == true)
    return is_close(float(value), float(true))


def deciding(
    holds: Callable[..., bool], because: str, cases: Callable[[], Iterable[Any]] | None = None
) -> Callable[[Any], tuple[Check, ...]]:
    """Return a ``prove`` by which a function decides a claim, in every case that the claim's condition allows.

    Args:
        holds: function of the claim, and of a case if there are cases, that returns whether the claim is true.
        because: how the function knows.
        cases: function without arguments that yields cases. Default: none.
    """

    def prove(statement: Any) -> tuple[Check, ...]:
        claim = unconditional(statement)
        if cases is None:
            return (Check("as printed", lambda: bool(holds(claim)), because),)
        return (Check("as printed", lambda: for_all(allowed(statement, cases()), partial(holds, claim)), because),)

    return prove


def of_each_relation(holds: Callable[[Any], bool], because: str) -> Callable[[Any], tuple[Check, ...]]:
    """Return a ``prove`` by which a function decides each printed relation."""

    def prove(statement: Any) -> tuple[Check, ...]:
        return tuple(Check(claim, partial(holds, relation), because) for claim, relation in _named(statement))

    return prove


def with_lemmas(prove: Callable[[Any], Iterable[Step | Check]], *lemmas: Step | Check) -> Callable[[Any], Any]:
    """Return a ``prove`` that begins with steps of the theory, by which it holds beyond the cases that are computed."""

    def proved(statement: Any) -> tuple[Step | Check, ...]:
        return (*lemmas, *prove(statement))

    return proved


def _holds(relation: Any, statement: Any, cases: Callable[[], Iterable[Values]], accuracy: tuple[float, float]) -> bool:
    possible = allowed(statement, cases())
    if isinstance(relation, sp.Implies):
        premise, relation = relation.args
        possible = allowed(Given(relation, premise), possible)
    return for_all(possible, lambda case: _holds_at(relation, case, *accuracy))


def _holds_at(relation: Any, case: Values, tolerance: float, scale: float) -> bool:
    if isinstance(relation, (BooleanFunction, sp.Ne)):
        return bool(evaluate(relation, case))
    with np.errstate(invalid="ignore"):  # the root of a negative number has no value, and then no relation holds
        left, right = evaluate(relation.lhs, case), evaluate(relation.rhs, case)
    if isinstance(relation, (sp.Gt, sp.Ge)):
        left, right = right, left
    if not isinstance(relation, (sp.Lt, sp.Le, sp.Gt, sp.Ge)):
        return is_close(left, right, tolerance, scale)
    are_equal = is_close(left, right, ROUNDING, RESOLUTION)  # rounding does not decide a bound that is reached
    if isinstance(relation, (sp.Lt, sp.Gt)):
        return bool(left < right) and not are_equal
    return bool(left < right) or are_equal
