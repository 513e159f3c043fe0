"""The rule for the last step of a derivation: it takes its values from what it uses, and adds nothing of its own.

Every step is an identity that a program proves, and that alone says nothing about the steps before it: a last step
could prove three times the formula from three times a value. So neither side of it may add anything. It consists of
the formula, letters, numbers, and what the steps, premises and closed forms state that the last step uses, put together
by words alone: a derivative, an integral, a limit, a value at a point. Arithmetic is no word. A formula that combines
two values is stated by a step, or by a premise with its expression, and the values are put in for its letters with
``sympy.Subs``. A last step that uses nothing is an identity, and says so.
"""

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
from theory.core.formula.form import Form
from theory.core.formula.let import Let
from theory.core.formula.subexpressions import distinct
from theory.core.proof.premises import way

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


def require_taken(form: Form) -> None:
    """Raise ValueError if the last step has something in it that nothing states which it uses.

    Args:
        form: the formula with its steps, of which the last contains the formula.
    """
    whole = way(form)
    last, used = whole.steps[-1], whole.uses[-1]
    if not used:
        return
    known = frozenset().union(*map(stated, used))
    sides = [side for side in (last.left, last.right) if side != form.expression]
    added = [part for side in sides for part in _added(side, known, form.expression)]
    if added or not any(_inside(_immutable(side)) or _immutable(side) in known for side in sides):
        shown = ", ".join(str(part) for part in added[:3]) or "nothing that is put together"
        raise ValueError(
            f"last step {last.claim!r} of {form.name}: got {shown}, which nothing states that it uses, needs values of "
            "steps, premises with an expression or closed forms, put together with sympy.Subs, Derivative, Limit, ..."
        )


def takes(step: Any, node: Any) -> bool:
    """Return whether a step has in it something that a step or a premise states.

    Nothing is taken from a program or from words, and a program takes nothing: that a step rests on such is read by
    people alone.
    """
    return bool(_taken(step, node))


def _taken(step: Any, node: Any) -> frozenset[sp.Basic]:
    sides = (_immutable(getattr(step, name, sp.S.Zero)) for name in ("left", "right"))
    return stated(node).intersection(chain.from_iterable(map(distinct, sides)))


def taking(step: Any, nodes: Iterable[Any]) -> Any:
    """Return a step that uses those of some steps, premises and closed forms of which it takes a value.

    Args:
        step: the step; what it uses already is left out.
        nodes: what it may use. One whose values those before it state is not needed; one that states nothing is.
    """
    known, used = set[sp.Basic](), []
    for node in nodes:
        values = _taken(step, node) - known
        if values or not stated(node):
            used.append(node)
            known |= values
    return replace(step, uses=tuple(used))


def stated(node: Any) -> frozenset[sp.Basic]:
    """Return what a step or a premise states: its sides, and what is put together in them."""
    sides = (getattr(node, name, None) for name in ("left", "right", "expression"))
    parts: Iterable[sp.Basic] = (
        part for side in sides if side is not None for part in _parts(side)
    )
    return frozenset(part for part in parts if not _is_letters(part))


def _is_letters(part: sp.Basic) -> bool:
    """Return whether a part is a letter or a number, or several, as the range of a sum, and no value."""
    inside = part.args if isinstance(part, sp.Tuple) else (part,)
    return all(item.is_Symbol or not item.free_symbols for item in inside)


def _parts(side: Any) -> Iterator[sp.Basic]:
    """Yield a side and all that is put together in it."""
    side = _immutable(side)
    yield side
    for part in _inside(side):
        yield from _parts(part)


def _added(side: Any, known: frozenset[sp.Basic], formula: sp.Expr) -> tuple[sp.Basic, ...]:
    """Return what a side adds to what is known, letters, numbers and the formula itself aside."""
    added, waiting = [], [side]
    while waiting:
        part = _immutable(waiting.pop())
        if part in known or part == formula:
            continue
        if inside := _inside(part):
            waiting += inside
        elif part.free_symbols and not part.is_Symbol:
            added.append(part)
    return tuple(added)


def _inside(part: Any) -> tuple[sp.Basic, ...]:
    """Return what is put together in a matrix or by a word; nothing for any other expression."""
    if isinstance(part, sp.MatrixBase):
        return tuple(part)
    return part.args if isinstance(part, WORDS) else ()


def _immutable(value: Any) -> Any:
    return value.as_immutable() if isinstance(value, sp.MatrixBase) else value
