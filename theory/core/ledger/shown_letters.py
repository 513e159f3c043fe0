"""The letters of a statement as a reader sees them: two of them may not look alike."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core.ledger.printed import Claim, Conditional

ONE_GLYPH = {
    frozenset({"label", "y"}): "the label, and the class that is its value",
    frozenset(
        {"Sigma_B", "Sigma_B_matrix"}
    ): "a covariance, and the same one as the argument of a rank",
}
"""Letters that the papers print alike in one statement, with the reason."""


def refuse_shared_glyphs(name: str, statement: Any, letters: Mapping[str, str]) -> None:
    """Raise ValueError if two letters of a statement are printed alike, so that a reader takes them for one.

    Args:
        name: what the message calls the statement.
        statement: a formula, a claim, or one with a condition.
        letters: the paper's LaTeX by the names of symbols and functions.

    >>> x, y = sp.symbols("x y")
    >>> refuse_shared_glyphs("(1)", sp.Eq(x, y), {"x": "y"})
    Traceback (most recent call last):
    ValueError: (1): got x and y, which are both printed as y; needs letters that differ
    """
    names: defaultdict[str, set[str]] = defaultdict(set)
    for letter in set(letters_in(statement)):
        names[letters.get(letter) or sp.latex(sp.Symbol(letter))].add(letter)
    for glyph, alike in names.items():
        if len(alike) > 1 and frozenset(alike) not in ONE_GLYPH:
            raise ValueError(
                f"{name}: got {' and '.join(sorted(alike))}, which are both printed as {glyph}; "
                "needs letters that differ"
            )


def letters_in(statement: Any) -> Iterator[str]:
    """Yield the names of the symbols and undefined functions in a statement and its condition."""
    if isinstance(statement, Conditional):
        yield from letters_in(statement.statement)
        yield from letters_in(statement.condition)
    elif isinstance(statement, Claim):
        for value in statement.values.values():
            yield from letters_in(value)
    elif isinstance(statement, sp.Basic):
        for node in sp.preorder_traversal(statement):
            if isinstance(node, AppliedUndef):
                yield node.func.__name__
            elif isinstance(node, sp.Symbol | sp.MatrixSymbol):
                yield str(node.name)
