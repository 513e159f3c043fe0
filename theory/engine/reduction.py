"""A flow on the states at which a conserved quantity has a given value, with one variable less."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.core import Check, Step
from theory.core.formula.parsing import sympy_object
from theory.core.formula.sampling import satisfies
from theory.core.proof.values import taking
from theory.engine.inverses import finds_all
from theory.engine.rates import Rates


def reduced_rates(
    flow: Rates, variable: sp.Symbol, quantity: sp.Expr, level: Any
) -> tuple[dict[sp.Symbol, sp.Expr], tuple[Step | Check, ...]]:
    """Return the velocities of the other variables and their derivation; see :meth:`theory.engine.Flow.reduced`."""
    if variable not in flow.rates:
        raise ValueError(
            f"variable: got {variable}, needs one of {', '.join(map(str, flow.state))}"
        )
    value = sympy_object("level", level)
    conserved = sympy_object("quantity", quantity)
    kept = flow.moving(conserved)
    on_level = _solved(variable, conserved, value)
    solved = Step(
        f"{variable} where {sp.sstr(conserved)} is {sp.sstr(value)}",
        sp.Subs(conserved, variable, on_level),
        value,
        because="solved for it",
        uses=(kept,),
    )
    steps: tuple[Step | Check, ...] = (*flow.steps, kept, solved)
    rates = {}
    for other, rate in flow.rates.items():
        if other == variable:
            continue
        rates[other] = sp.factor(rate.subs(variable, on_level))
        if rate.has(variable):
            there = Step(
                f"the velocity of {other} on that level",
                sp.Subs(rate, variable, on_level),
                rates[other],
                because="substitution",
            )
            steps += (taking(there, (solved, *flow.premises)),)
    return rates, steps


def _solved(variable: sp.Symbol, quantity: sp.Expr, level: sp.Expr) -> sp.Expr:
    """Return the only value of a variable in its domain for which a quantity has a level."""
    solutions = sp.solve(sp.Eq(quantity, level), variable)
    inside = [value for value in solutions if satisfies(variable, value)]
    if not finds_all(quantity, variable):
        raise ValueError(
            f"variable: got {variable}, of which {quantity} may have a value more than once, needs a variable that a "
            "level determines, such as one with which the quantity only grows"
        )
    if len(inside) != 1:
        raise ValueError(
            f"variable: got {variable}, which the level allows to be {inside or 'nothing'}, needs one with a single "
            "value, such as one that is assumed to be positive"
        )
    return inside[0]
