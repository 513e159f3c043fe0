"""The rule for the last step of a derivation: it takes its values from what it uses, and adds nothing of its own.

Every step is an identity that a program proves, and that alone says nothing about the steps before it: a last step
could prove three times the formula from three times a value. So neither side of it may add anything. It consists of
the formula, letters, numbers, and what the steps, premises and closed forms state that the last step uses, put together
by words alone: a derivative, an integral, a limit, a value at a point. Arithmetic is no word. A formula that combines
two values is stated by a step, or by a premise with its expression, and the values are put in for its letters with
``sympy.Subs``. A last step that uses nothing is an identity, from which nothing follows, and is refused.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.core.formula.form import Form
from theory.core.proof.premises import way
from theory.core.proof.values import immutable, inside, stated


def require_taken(form: Form) -> None:
    """Raise ValueError if the last step uses nothing, or has something in it that nothing states which it uses.

    Args:
        form: the formula with its steps, of which the last contains the formula.
    """
    whole = way(form)
    last, used = whole.steps[-1], whole.uses[-1]
    if not used:
        raise ValueError(
            f"last step {last.claim!r} of {form.name}: got nothing that it uses, needs what the formula follows from: "
            "a step, a premise with an expression or a closed form; an identity alone derives nothing"
        )
    known = frozenset().union(*map(stated, used))
    sides = [side for side in (last.left, last.right) if side != form.expression]
    added = [part for side in sides for part in _added(side, known, form.expression)]
    if added or not any(inside(immutable(side)) or immutable(side) in known for side in sides):
        shown = ", ".join(str(part) for part in added[:3]) or "nothing that is put together"
        raise ValueError(
            f"last step {last.claim!r} of {form.name}: got {shown}, which nothing states that it uses, needs values of "
            "steps, premises with an expression or closed forms, put together with sympy.Subs, Derivative, Limit, ..."
        )


def _added(side: Any, known: frozenset[sp.Basic], formula: sp.Expr) -> tuple[sp.Basic, ...]:
    """Return what a side adds to what is known, letters, numbers and the formula itself aside."""
    added, waiting = [], [side]
    while waiting:
        part = immutable(waiting.pop())
        if part in known or part == formula:
            continue
        if parts := inside(part):
            waiting += parts
        elif part.free_symbols and not part.is_Symbol:
            added.append(part)
    return tuple(added)
