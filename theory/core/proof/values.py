"""What steps and premises state, and what another step takes of it: an expression that stands in both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.matrices.expressions.matexpr import MatrixExpr

from theory.core.formula.deferred_function import Iterated
from theory.core.formula.let import Let
from theory.core.formula.subexpressions import distinct

WORDS = (
    sp.Derivative,
    sp.Determinant,
    sp.Integral,
    sp.Lambda,
    sp.Limit,
    sp.Piecewise,
    sp.Product,
    sp.Subs,
    sp.Sum,
    sp.Trace,
    sp.Tuple,
    sp.UnevaluatedExpr,
    ExprCondPair,
    Iterated,
    MatrixExpr,
    Relational,
    Let,
)
"""What puts values together."""


def takes(step: Any, node: Any) -> bool:
    """Return whether a step has in it something that a step or a premise states.

    Nothing is taken from a program or from words, and a program takes nothing.

    Args:
        step: the step.
        node: another step, or a premise.
    """
    return bool(_taken(step, node))


def taking(step: Any, nodes: Iterable[Any]) -> Any:
    """Return a step that uses those of some steps, premises and closed forms of which it takes a value.

    Args:
        step: the step; what it uses already is left out.
        nodes: what it may use. One whose values those before it state is not needed; words are.
    """
    known, used = set[sp.Basic](), []
    for node in nodes:
        values = _taken(step, node) - known
        if values or not (hasattr(node, "claim") or stated(node)):
            used.append(node)
            known |= values
    return replace(step, uses=tuple(used))


def stated(node: Any) -> frozenset[sp.Basic]:
    """Return what a step or a premise states: its sides, and what is put together in them; letters are no value.

    Args:
        node: the step or the premise.
    """
    return frozenset(part for part in _stated(node) if not _is_letters(part))


def inside(part: Any) -> tuple[sp.Basic, ...]:
    """Return what is put together in a matrix or by a word; nothing for any other expression.

    Args:
        part: expression or matrix.
    """
    if isinstance(part, sp.MatrixBase):
        return tuple(part)
    return part.args if isinstance(part, WORDS) else ()


def immutable(value: Any) -> Any:
    """Return a matrix as one that can be compared, and anything else as it is.

    Args:
        value: expression or matrix.
    """
    return value.as_immutable() if isinstance(value, sp.MatrixBase) else value


def _taken(step: Any, node: Any) -> frozenset[sp.Basic]:
    sides = (immutable(getattr(step, name, sp.S.Zero)) for name in ("left", "right"))
    parts = frozenset(chain.from_iterable(map(distinct, sides)))
    # a letter or a number is a value where a letter is defined by it
    defined = {value for part in parts if isinstance(part, Let) for _, value in part.definitions}
    return frozenset(
        part for part in _stated(node) & parts if part in defined or not _is_letters(part)
    )


def _stated(node: Any) -> frozenset[sp.Basic]:
    sides = (getattr(node, name, None) for name in ("left", "right", "expression"))
    return frozenset(part for side in sides if side is not None for part in _parts(side))


def _is_letters(part: sp.Basic) -> bool:
    """Return whether a part is a letter or a number, or several, as the range of a sum, and no value."""
    items = part.args if isinstance(part, sp.Tuple) else (part,)
    return all(item.is_Symbol or not item.free_symbols for item in items)


def _parts(side: Any) -> Iterator[sp.Basic]:
    """Yield a side and all that is put together in it."""
    side = immutable(side)
    yield side
    for part in inside(side):
        yield from _parts(part)
