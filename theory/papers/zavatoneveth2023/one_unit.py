"""Averages over units of any distribution: they are linear, so one unit with symbolic weights shows what holds."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import sympy as sp

from theory.core import Step
from theory.core.ledger.printed import relations
from theory.core.ledger.proving import meant
from theory.papers.zavatoneveth2023.letters import dg

mean, weight = sp.Function("mean"), sp.Function("weight")
slope, bend = sp.symbols("slope bend", real=True)
phi = sp.Function("phi", real=True)
x = sp.symbols("x1:3", real=True)
w = sp.symbols("w1:3", real=True)
b = sp.Symbol("b", real=True)
unit = phi(w[0] * x[0] + w[1] * x[1] + b)
UNIT = {
    slope: unit.diff(b),  # the bias moves the preactivation one to one
    bend: unit.diff(b, 2),
    mean: lambda summand: summand,
    weight: lambda index: w[index - 1],
    dg: lambda along, one, other: sp.Derivative(unit.diff(b) ** 2 * w[one - 1] * w[other - 1], x[along - 1]),
}


def average_is_linear(indices: tuple[sp.Symbol, ...]) -> Callable[[Any], tuple[Step, ...]]:
    """A program that takes an identity between averages and decides it for one unit on two inputs, all indices."""

    def prove(statement: Any) -> tuple[Step, ...]:
        (relation,) = relations(statement)

        def side(form: sp.Expr, values: tuple[int, ...]) -> sp.Expr:
            return meant(form.subs(dict(zip(indices, values, strict=True))), UNIT)

        return tuple(
            Step(
                f"one unit, indices {values}",
                side(relation.lhs, values),
                side(relation.rhs, values),
                because="chain rule",
            )
            for values in itertools.product((1, 2), repeat=len(indices))
        )

    return prove
