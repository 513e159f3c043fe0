"""Which relations a program decides: a program for ``=`` says nothing of ``~``, and one for ``~`` nothing of ``=``.

The meanings are: ``~`` and ``∝``, the ratio of both sides tends to a positive constant, or is one; ``->``, the left
side tends to the right-hand side; ``≈``, both agree to the printed digits, or to the order that is said. A program
without a declaration decides equations and inequalities.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import sympy as sp

from theory.core.ledger.printed import (
    Approximates,
    Claim,
    Conditional,
    PrintedRelation,
    Proportional,
    Scales,
    Tends,
)

SIGNS = {Proportional: "∝", Scales: "~", Approximates: "≈", Tends: "->"}
ORDINARY = {
    sp.Eq: "=", sp.Ne: "!=", sp.StrictLessThan: "<", sp.LessThan: "<=", sp.StrictGreaterThan: ">", sp.GreaterThan: ">=",
}  # fmt: skip


INEQUALITIES = ("<", "<=", ">", ">=")
EQUATIONS = {kind: ORDINARY[kind] for kind in (sp.Eq, sp.Ne)}


def refuse_undeclared(prove: Callable[[Any], Any], statement: Any) -> None:
    """Raise ValueError if a statement, or its condition, has a relation that its program does not decide."""
    parts = {"relations": statement, "under": None}
    if isinstance(statement, Conditional):
        parts = {"relations": statement.statement, "under": statement.condition}
    reads_sign = getattr(prove, "reads_sign", False)
    for name, part in parts.items():
        shown = tuple(signs(part))
        declared = getattr(prove, name, "")
        by_default = EQUATIONS if name == "relations" and not reads_sign else ORDINARY
        undecided = _undecided(shown, declared, by_default)
        if undecided:
            got, needed = (
                ", ".join(sorted(undecided)),
                declared or " or ".join(by_default.values()),
            )
            raise ValueError(f"prove: got the relation {got}, needs {needed}, which it decides")


def _undecided(shown: tuple[str, ...], declared: str, by_default: Mapping[Any, str]) -> set[str]:
    """Return the signs that a declaration, see ``declaring``, does not name; all of them where the order is another."""
    if not declared:
        return set(shown) - set(by_default.values())
    if " " in declared and " or " not in declared:
        return set() if shown == tuple(declared.split()) else set(shown)
    return set(shown) - set(declared.split(" or "))


def signs(statement: Any) -> Iterator[str]:
    """Yield the signs of the relations of a formula, or of the values of a claim, in their order."""
    parts: Iterable[Any] = ()
    if isinstance(statement, Claim):
        values = [value for value in statement.values.values() if isinstance(value, sp.Basic)]
        parts = [node for value in values for node in sp.preorder_traversal(value)]
    elif isinstance(statement, sp.Basic):
        parts = sp.preorder_traversal(statement)
    kinds = {**SIGNS, **ORDINARY}
    for node in parts:
        if isinstance(node, PrintedRelation | sp.core.relational.Relational):
            yield kinds[type(node)]


def has_same_order(printed: Any, corrected: Any) -> bool:
    """Return whether two statements have inequalities of the same kinds, or differ in them alone.

    >>> x = sp.Symbol("x", positive=True)
    >>> has_same_order(x < 1, sp.Eq(x, 2)), has_same_order(x < 1, x > 1), has_same_order(x < 1, x < 2)
    (False, True, True)
    """
    if isinstance(corrected, Conditional):
        corrected = corrected.statement
    orders = [
        tuple(sign for sign in signs(one) if sign in INEQUALITIES) for one in (printed, corrected)
    ]
    is_formula = isinstance(printed, sp.Basic) and isinstance(corrected, sp.Basic)
    return orders[0] == orders[1] or (is_formula and printed.args == corrected.args)
