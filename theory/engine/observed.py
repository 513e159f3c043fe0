"""The flow of functions of the state, in letters for these functions: how few numbers describe many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from closedform import checks
from theory.core import Premise, Step
from theory.core.formula.parsing import sympy_object
from theory.core.proof.premises import with_lemmas
from theory.engine.derived import Derived
from theory.engine.rates import Rates


def observed(
    flow: Rates,
    definition: Premise,
    velocities: Mapping[sp.Symbol, Any],
    on: Mapping[sp.Symbol, Any],
    uses: tuple[Any, ...],
) -> dict[sp.Symbol, Derived]:
    """Return the velocities of functions of the state; see :meth:`theory.engine.Flow.observed`."""
    column = checks.instance("definition", definition, Premise, "a premise").expression
    is_column = isinstance(column, sp.MatrixBase) and column.shape == (len(velocities), 1)
    checks.require(is_column, "definition", column, f"a column of {len(velocities)} functions")
    functions = dict(zip(velocities, column, strict=True))
    there = tuple(functions.values())
    if on:
        there = tuple(sp.Subs(value, tuple(on), tuple(on.values())) for value in there)
    derived = {}
    for letter, function in functions.items():
        if velocities[letter] is None:
            continue
        velocity = sympy_object(f"velocity of {letter}", velocities[letter])
        claim = f"velocity of what {letter} stands for"
        moving = flow.moving(function, flow.velocity(function).doit(), claim)
        meant = sp.Subs(moving.left, tuple(on), tuple(on.values())) if on else moving.left
        rate = f"velocity of {letter}"
        closes = Step(
            f"{rate} in the letters",
            sp.Subs(velocity, tuple(functions), there),
            meant,
            because="the functions that the letters stand for" + ", on these states" * bool(on),
            uses=(moving, definition, *uses),
        )
        derived[letter] = Derived(rate, velocity, steps=with_lemmas((closes,)))
    return derived
